#include "bench/moves/world.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/random.h"
#include "bench/days/draws.h"
#include "bench/worlds.h"
#include "objects/keys.h"
#include "trace/openb.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kLargePercent = 30;  // of the GPU hours
constexpr std::array<Weighted, 3> kNodesOfGang = {{{2, 50}, {4, 30}, {8, 20}}};
constexpr std::array<Weighted, 3> kGpusOfSmall = {{{1, 50}, {2, 30}, {4, 20}}};
constexpr std::int64_t kMadeNodes = 64;
constexpr std::size_t kEveryNth = 8;  // of openb's nodes

constexpr std::string_view kDayNameSpace = "day";

std::int64_t GpuMilliOf(const objects::PodNeeds& needs) {
  return needs.gpu_milli + objects::AmountOf(needs.request, objects::kGpuResource);
}

objects::PodNeeds AskingGpus(std::int64_t gpus) {
  objects::PodNeeds needs;
  needs.request.emplace_back(objects::kGpuResource, gpus * 1000);
  return needs;
}

MoveJob DrawLarge(Random& random) {
  MoveJob job{.pods = Draw(random, kNodesOfGang), .needs = AskingGpus(kGpusOfNode), .large = true};
  job.runs = DrawDuration(random);
  return job;
}

// Adds large work, and small work as `draw_small` says, until the load is met.
template <typename DrawSmall>
void Fill(MoveWorld& world, std::int64_t load_percent, Random& random, DrawSmall draw_small) {
  std::int64_t gpu_milli = 0;
  for (const objects::Node& node : world.nodes) {
    gpu_milli += objects::AmountOf(node.allocatable, objects::kGpuResource);
  }
  // In milliseconds, as the sum of thousandths of GPUs in microseconds would be too large.
  const std::int64_t wanted = gpu_milli * (kLastArrival.us / 1000) / 100 * load_percent;
  std::set<std::int64_t> taken;
  const auto add = [&](std::int64_t until, auto&& draw) {
    for (std::int64_t sum = 0; sum < until;) {
      MoveJob job = draw();
      job.arrives = DrawArrival(random, taken);
      sum += job.pods * GpuMilliOf(job.needs) * (job.runs.us / 1000);
      world.jobs.push_back(std::move(job));
    }
  };
  add(wanted / 100 * kLargePercent, [&] { return DrawLarge(random); });
  add(wanted / 100 * (100 - kLargePercent), draw_small);
  std::ranges::sort(world.jobs, {}, &MoveJob::arrives);
  for (std::size_t i = 0; i < world.jobs.size(); ++i) {
    MoveJob& job = world.jobs[i];
    job.name = fmt::format("{}-{:05}", job.large ? kLargeName : kSmallName, i);
  }
}

// What openb has of use here; read once.
struct OpenbParts {
  std::vector<objects::Node> nodes;
  std::vector<std::pair<objects::PodNeeds, Duration>> small;  // and how long they ran
};

OpenbParts ReadOpenbParts() {
  OpenbParts parts;
  if (DataFolder().empty()) return parts;
  const std::filesystem::path folder = std::filesystem::path(DataFolder()) / "openb";
  objects::Manifest manifest;
  trace::ReadOpenbFiles((folder / "openb_node_list_all_node.csv").string(),
                        (folder / "openb_pod_list_default.csv").string(), manifest);
  std::size_t with = 0, without = 0;
  for (const objects::Object& object : manifest.objects) {
    if (const auto* node = std::get_if<objects::Node>(&object)) {
      const std::int64_t gpus = objects::AmountOf(node->allocatable, objects::kGpuResource) / 1000;
      if (gpus != 0 && gpus != kGpusOfNode) continue;
      if ((gpus == 0 ? without : with)++ % kEveryNth == 0) parts.nodes.push_back(*node);
    } else if (const auto* pod = std::get_if<objects::Pod>(&object)) {
      if (GpuMilliOf(pod->spec.needs) >= kGpusOfNode * 1000) continue;
      for (const auto& [key, value] : pod->meta.annotations) {
        if (key != "fairlead.dev/run-duration") continue;
        const auto ran = ParseDuration(value);
        if (ran && ran->us > 0) {
          parts.small.emplace_back(pod->spec.needs, std::min(*ran, kLongestRun));
        }
      }
    }
  }
  return parts;
}

objects::Object ObjectOf(const MoveJob& job) {
  objects::Workload gang;
  gang.meta.name = job.name;
  gang.meta.name_space = kDayNameSpace;
  gang.meta.annotations.emplace_back("fairlead.dev/arrives-at", FormatDuration(job.arrives));
  objects::PodSet& set = gang.pod_sets.emplace_back();
  set.count = static_cast<std::int32_t>(job.pods);
  objects::PodTemplate& pod = set.pod_template.emplace();
  pod.annotations.emplace_back("fairlead.dev/run-duration", FormatDuration(job.runs));
  pod.spec.scheduler_name.clear();  // the configured one
  pod.spec.needs = job.needs;
  return gang;
}

// As shipped, but without room that is kept for those who wait: moves would not be all that
// differs.
objects::SchedulerConfiguration ConfigurationOf(MoveRule rule) {
  objects::SchedulerConfiguration configuration;
  configuration.backfill.reservations = 0;
  objects::LossBound bound{.grace = Duration::Seconds(4 * kHour),
                           .waited_percent = 10,
                           .deadline = Duration::Seconds(24 * kHour)};
  configuration.max_loss = {.by_guarantee = bound, .by_share = bound};
  auto& consolidation = configuration.consolidation;
  consolidation.enabled = rule != MoveRule::kNobody && rule != MoveRule::kEverybody;
  const bool bounded = rule == MoveRule::kOursBounded;
  if (bounded || rule == MoveRule::kOursSoon) consolidation.cooldown = Duration::Seconds(300);
  if (bounded) {
    bound.grace = Duration::Seconds(600);
    consolidation.max_loss = {.by_guarantee = bound, .by_share = bound};
  }
  return configuration;
}

}  // namespace

MoveWorld MadeWorld(std::int64_t load_percent, std::uint64_t seed) {
  MoveWorld world;
  for (std::int64_t i = 0; i < kMadeNodes; ++i) {
    objects::Node& node = world.nodes.emplace_back();
    node.meta.name = fmt::format("node-{:03}", i);
    node.allocatable.emplace_back(objects::kGpuResource, kGpusOfNode * 1000);
    node.allocatable.emplace_back("pods", 110);
  }
  Random random(seed);
  Fill(world, load_percent, random, [&] {
    MoveJob job{.needs = AskingGpus(Draw(random, kGpusOfSmall))};
    job.runs = DrawDuration(random);
    return job;
  });
  return world;
}

std::optional<MoveWorld> OpenbWorld(std::int64_t load_percent, std::uint64_t seed) {
  static const OpenbParts parts = ReadOpenbParts();
  if (parts.nodes.empty() || parts.small.empty()) return std::nullopt;
  MoveWorld world{.nodes = parts.nodes, .jobs = {}};
  Random random(seed);
  Fill(world, load_percent, random, [&] {
    const auto& [needs, ran] = parts.small[random.Below(parts.small.size())];
    return MoveJob{.runs = ran, .needs = needs};
  });
  return world;
}

std::vector<objects::Object> ObjectsOf(const MoveWorld& world, MoveRule rule, Time start) {
  std::vector<objects::Object> objects;
  objects.emplace_back(ConfigurationOf(rule));
  for (objects::Node node : world.nodes) {
    node.meta.creation_time = start;
    objects.emplace_back(std::move(node));
  }
  for (const MoveJob& job : world.jobs) objects.push_back(ObjectOf(job));
  return objects;
}

}  // namespace fairlead::bench
