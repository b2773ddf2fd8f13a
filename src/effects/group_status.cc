#include "effects/group_status.h"

#include <algorithm>

#include "effects/conditions.h"

namespace fairlead::effects {
namespace {

constexpr std::string_view kFirstVersion = "scheduling.k8s.io/v1alpha2";
constexpr std::string_view kFirstName = "PodGroupScheduled";

}  // namespace

std::optional<objects::Condition> ConditionOf(const SetGroupCondition& set, Time now,
                                              const objects::PodGroup& group) {
  const bool of_scheduling = set.condition.type == kGroupScheduled;
  const bool first_version = group.api_version == kFirstVersion;
  objects::Condition fresh = set.condition;
  if (of_scheduling && first_version) fresh.type = kFirstName;
  const auto shown = std::ranges::find(group.conditions, fresh.type, &objects::Condition::type);
  const bool is_shown = shown != group.conditions.end();
  if (of_scheduling && !first_version && is_shown && shown->holds) return std::nullopt;
  // One that never held need not be denied, but for the one that everybody waits for.
  if (!of_scheduling && !fresh.holds && !is_shown) return std::nullopt;
  fresh = WithTimes({fresh}, group.conditions, now).front();
  if (is_shown && *shown == fresh) return std::nullopt;
  return fresh;
}

bool Note(const SetGroupCondition& set, Time now, objects::PodGroup& group) {
  std::optional<objects::Condition> fresh = ConditionOf(set, now, group);
  if (!fresh) return false;
  std::erase_if(group.conditions, [&](const auto& each) { return each.type == fresh->type; });
  group.conditions.push_back(*std::move(fresh));
  std::ranges::sort(group.conditions, {}, &objects::Condition::type);
  return true;
}

}  // namespace fairlead::effects
