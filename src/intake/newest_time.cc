#include <algorithm>
#include <optional>

#include "intake/intake.h"

namespace fairlead::intake {
namespace {

// What a Kubernetes object of its own kind says of when it came and what happened to it. Objects of
// ours and of dialects have no say: what a tenant writes there must not move the clock.
std::optional<Time> NewestOf(const objects::Object& object) {
  if (std::holds_alternative<objects::Queue>(object) ||
      std::holds_alternative<objects::Workload>(object) ||
      std::holds_alternative<objects::Topology>(object) ||
      std::holds_alternative<objects::Window>(object) ||
      std::holds_alternative<objects::HyperNode>(object) ||
      std::holds_alternative<objects::ElasticQuota>(object) ||
      std::holds_alternative<objects::JobObject>(object) ||
      std::holds_alternative<objects::SchedulerConfiguration>(object) ||
      std::holds_alternative<objects::ClusterQueue>(object) ||
      std::holds_alternative<objects::Cohort>(object) ||
      std::holds_alternative<objects::LocalQueue>(object) ||
      std::holds_alternative<objects::ResourceFlavor>(object) ||
      std::holds_alternative<objects::WorkloadPriorityClass>(object)) {
    return std::nullopt;
  }
  std::optional<Time> newest = objects::MetaOf(object).creation_time;
  if (const auto* pod = std::get_if<objects::Pod>(&object)) {
    newest = std::max({newest, pod->scheduled_time, pod->start_time, pod->node_reserved_time});
  }
  return newest;
}

}  // namespace

Time NewestTime(const std::vector<objects::Object>& objects) {
  std::optional<Time> newest;  // absent is older than any time
  for (const objects::Object& object : objects) newest = std::max(newest, NewestOf(object));
  constexpr Time kYear2000{946'684'800'000'000};  // 2000-01-01T00:00:00Z
  return newest.value_or(kYear2000);
}

}  // namespace fairlead::intake
