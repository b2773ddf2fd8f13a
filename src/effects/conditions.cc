#include "effects/conditions.h"

#include <algorithm>
#include <utility>

namespace fairlead::effects {
namespace {

using objects::Condition;

Time SinceWhen(const Condition& fresh, std::span<const Condition> shown, Time now) {
  const auto same = std::ranges::find(shown, fresh.type, &Condition::type);
  const bool stays = same != shown.end() && same->holds == fresh.holds && same->since;
  return stays ? *same->since : now;
}

}  // namespace

std::vector<Condition> WithTimes(std::vector<Condition> fresh, std::span<const Condition> shown,
                                 Time now) {
  for (Condition& each : fresh) each.since = SinceWhen(each, shown, now);
  return fresh;
}

bool SetCondition(Condition fresh, std::vector<Condition>& conditions, Time now) {
  fresh.since = SinceWhen(fresh, conditions, now);
  const auto at = std::ranges::find(conditions, fresh.type, &Condition::type);
  if (at == conditions.end()) {
    if (!fresh.holds) return false;
    conditions.push_back(std::move(fresh));
    return true;
  }
  if (*at == fresh) return false;
  *at = std::move(fresh);
  return true;
}

}  // namespace fairlead::effects
