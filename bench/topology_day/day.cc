#include "bench/topology_day/day.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "objects/keys.h"

namespace fairlead::bench {
namespace {

constexpr std::array<Weighted, 6> kPods = {{{2, 30}, {4, 25}, {8, 20}, {16, 13}, {32, 8}, {64, 4}}};
constexpr std::array<Weighted, 3> kGpusOfPod = {{{8, 60}, {4, 20}, {1, 20}}};
constexpr std::array<Weighted, 3> kAsks = {{{static_cast<std::int64_t>(Asks::kRequiresRack), 40},
                                            {static_cast<std::int64_t>(Asks::kPrefersRack), 35},
                                            {static_cast<std::int64_t>(Asks::kNothing), 25}}};
constexpr std::int64_t kSinglesPercent = 20;  // of the GPU hours

DayJob DrawGang(Random& random) {
  DayJob job{.pods = Draw(random, kPods),
             .gpus = Draw(random, kGpusOfPod),
             .asks = static_cast<Asks>(Draw(random, kAsks))};
  if (job.asks == Asks::kRequiresRack && !job.FitsInRack()) job.asks = Asks::kRequiresBlock;
  return job;
}

objects::Meta MetaOf(const DayJob& job) {
  objects::Meta meta;
  meta.name = job.name;
  meta.name_space = kNameSpace;
  meta.annotations.emplace_back("fairlead.dev/arrives-at", FormatDuration(job.arrives));
  return meta;
}

objects::Object ObjectOf(const DayJob& job) {
  const std::pair<std::string, std::string> runs("fairlead.dev/run-duration",
                                                 FormatDuration(job.runs));
  if (!job.is_gang()) {
    objects::Pod pod;
    pod.meta = MetaOf(job);
    pod.meta.annotations.push_back(runs);
    pod.spec.scheduler_name = "fairlead";
    pod.spec.needs.request.emplace_back(objects::kGpuResource, job.gpus * 1000);
    return pod;
  }
  objects::Workload gang;
  gang.meta = MetaOf(job);
  objects::PodSet& set = gang.pod_sets.emplace_back();
  set.count = static_cast<std::int32_t>(job.pods);
  objects::PodTemplate& pod = set.pod_template.emplace();
  pod.annotations.push_back(runs);
  pod.spec.scheduler_name.clear();  // the configured one
  pod.spec.needs.request.emplace_back(objects::kGpuResource, job.gpus * 1000);
  if (job.asks == Asks::kNothing) return gang;
  objects::TopologyConstraint& near = gang.topology.emplace();
  if (job.asks == Asks::kPrefersRack) near.preferred = "rack";
  if (job.asks == Asks::kRequiresRack) near.required = "rack";
  if (job.asks == Asks::kRequiresBlock) near.required = "block";
  return gang;
}

}  // namespace

std::string HostName(std::int64_t host) { return fmt::format("host-{:03}", host); }

Day MakeDay(std::int64_t load_percent, std::uint64_t seed) {
  Random random(seed);
  const std::int64_t wanted_us = kHosts * kGpus * kLastArrival.us / 100 * load_percent;
  Day day;
  std::set<std::int64_t> taken;
  const auto add = [&](std::int64_t until_us, auto&& draw) {
    for (std::int64_t sum_us = 0; sum_us < until_us;) {
      DayJob job = draw();
      job.runs = DrawDuration(random);
      job.arrives = DrawArrival(random, taken);
      sum_us += job.all_gpus() * job.runs.us;
      day.jobs.push_back(std::move(job));
    }
  };
  add(wanted_us / 100 * kSinglesPercent, [] { return DayJob{}; });
  add(wanted_us / 100 * (100 - kSinglesPercent), [&] { return DrawGang(random); });
  std::ranges::sort(day.jobs, {}, &DayJob::arrives);
  for (std::size_t i = 0; i < day.jobs.size(); ++i) day.jobs[i].name = fmt::format("job-{:05}", i);
  return day;
}

std::vector<objects::Object> ObjectsOf(const Day& day, Time start) {
  std::vector<objects::Object> objects;
  // Who fits starts: with room that is kept for those who wait, orders of domains would not be all
  // that differs.
  objects::SchedulerConfiguration configuration;
  configuration.backfill.reservations = 0;
  objects.emplace_back(std::move(configuration));
  objects::Topology topology;
  topology.meta.name = "racks";
  topology.levels = {"example.com/block", "example.com/rack", "kubernetes.io/hostname"};
  for (std::int64_t h = 0; h < kHosts; ++h) {
    objects::Node node;
    node.meta.name = HostName(h);
    node.meta.creation_time = start;
    const std::int64_t rack = h / kHostsOfRack;
    node.meta.labels = {{topology.levels[0], fmt::format("b{}", rack / kRacksOfBlock)},
                        {topology.levels[1], fmt::format("r{}", rack % kRacksOfBlock)},
                        {topology.levels[2], node.meta.name}};
    node.allocatable.emplace_back(objects::kGpuResource, kGpus * 1000);
    node.allocatable.emplace_back("pods", 110);
    objects.emplace_back(std::move(node));
  }
  objects.emplace_back(std::move(topology));
  for (const DayJob& job : day.jobs) objects.push_back(ObjectOf(job));
  return objects;
}

}  // namespace fairlead::bench
