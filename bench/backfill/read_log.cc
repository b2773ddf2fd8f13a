#include "bench/backfill/read_log.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <variant>

#include "base/time.h"
#include "trace/jobs.h"

namespace fairlead::bench {
namespace {

constexpr std::string_view kQueuePrefix = "queue-";

std::int64_t NumberAfter(std::string_view prefix, std::string_view text) {
  const std::size_t at = text.find(prefix);
  std::int64_t number = 0;
  if (at == std::string_view::npos) return -1;
  text.remove_prefix(at + prefix.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : -1;
}

// In whole seconds, rounded up; 0 where it is not annotated.
std::int64_t SecondsOf(const objects::Labels& annotations, std::string_view key) {
  const std::string* text = objects::FindLabel(annotations, key);
  const Result<Duration> duration = text == nullptr ? Duration() : ParseDuration(*text);
  return duration ? (*duration + Duration{999'999}).WholeSeconds() : 0;
}

// What pods and gangs of a trace have in common.
LogJob JobOf(const objects::Meta& meta, const objects::PodTemplate& pod,
             const objects::Labels& limited) {
  LogJob job;
  job.number = NumberOf(meta.name);
  job.submit = SecondsOf(meta.annotations, "fairlead.dev/arrives-at");
  job.run = std::max<std::int64_t>(1, SecondsOf(pod.annotations, "fairlead.dev/run-duration"));
  job.limit = std::max(job.run, SecondsOf(limited, trace::kTraceLimitKey));
  return job;
}

// Whole units of the one resource that pods of traces ask.
std::int64_t UnitsOf(const objects::PodTemplate& pod) {
  return pod.spec.needs.request.empty() ? 0 : pod.spec.needs.request.front().second / 1000;
}

void AddNode(const objects::Node& node, Log& log) {
  ++log.nodes;
  for (const auto& [resource, amount] : node.allocatable) {
    if (resource != "pods") log.per_node = amount / 1000;
  }
}

}  // namespace

std::int64_t NumberOf(const std::string& name) { return NumberAfter("job-", name); }

Log LogOf(const std::vector<objects::Object>& objects) {
  Log log;
  for (const objects::Object& object : objects) {
    if (const auto* node = std::get_if<objects::Node>(&object)) AddNode(*node, log);
    if (const auto* one = std::get_if<objects::Job>(&object)) {
      LogJob job = JobOf(one->meta, one->pod_template, one->pod_template.annotations);
      const std::string* queue = objects::FindLabel(one->pod_template.labels, "fairlead.dev/queue");
      if (queue != nullptr) job.queue = NumberAfter(kQueuePrefix, *queue);
      job.processors = UnitsOf(one->pod_template);
      log.jobs.push_back(job);
    }
    if (const auto* gang = std::get_if<objects::Workload>(&object)) {
      LogJob job = JobOf(gang->meta, *gang->pod_sets.front().pod_template, gang->meta.annotations);
      job.queue = NumberAfter(kQueuePrefix, gang->queue_name);
      job.processors = 0;
      for (const objects::PodSet& set : gang->pod_sets) {
        job.processors += set.count.value_or(0) * UnitsOf(*set.pod_template);
      }
      log.jobs.push_back(job);
    }
  }
  std::erase_if(log.jobs, [&](const LogJob& job) { return job.processors > log.processors(); });
  std::sort(log.jobs.begin(), log.jobs.end(), [](const LogJob& a, const LogJob& b) {
    return std::tie(a.submit, a.number) < std::tie(b.submit, b.number);
  });
  return log;
}

}  // namespace fairlead::bench
