#include "intake/join/queue_chooser.h"

#include "intake/tables/hold_reasons.h"

namespace fairlead::intake {

QueueNamed QueueOfPods(const Tables& tables, const Family& family, const PodTraits& traits) {
  if (!traits.queue.empty()) return {.queue = traits.queue, .local = traits.local_queue};
  const JobFacts* job = JobOfPods(tables, family, traits);
  if (job == nullptr) return {};
  return {.queue = job->queue, .local = job->local_queue};
}

QueueChoice QueueChooser::Choose(std::string_view name_space, QueueNamed named) const {
  QueueChoice choice{.queue = named.queue, .hold = {}};
  const KueueLocal* local = named.local ? kueue_.FindLocal(name_space, named.queue) : nullptr;
  if (local != nullptr) {
    choice = {.queue = local->queue, .hold = local->hold};
  } else if (named.queue.empty()) {
    const std::optional<Bond> bond = BondOf(name_space);
    choice.queue = bond ? bond->queue : std::string_view(tables_.configuration->default_queue);
  }
  if (!choice.hold && !named.queue.empty()) choice.hold = BoundElsewhere(name_space, choice.queue);
  if (!choice.hold) choice.hold = kueue_.Hold(choice.queue, name_space);
  return choice;
}

std::optional<Bond> QueueChooser::BondOf(std::string_view name_space) const {
  const auto label = tables_.bound_name_spaces.find(name_space);
  if (label != tables_.bound_name_spaces.end()) {
    return Bond{.name_space = name_space, .queue = label->second.queue, .by = BoundBy::kLabel};
  }
  if (const QuotaSpace* space = quotas_.SpaceOf(name_space)) {
    return Bond{.name_space = name_space, .queue = space->queue, .by = BoundBy::kQuota};
  }
  return std::nullopt;
}

std::optional<state::Reason> QueueChooser::BoundElsewhere(std::string_view name_space,
                                                          std::string_view queue) const {
  if (const std::optional<Bond> bond = BondOf(name_space)) {
    if (queue == bond->queue || !tree_.Has(queue)) return std::nullopt;
    if (tree_.IsAtOrBelow(queue, bond->queue)) return std::nullopt;
    return NotAllowed(queue, *bond);
  }
  if (!quotas_.any()) return std::nullopt;
  const std::string_view owned = tree_.FirstUpwards(
      queue, [this](std::string_view at) { return quotas_.OwnerOf(at) != nullptr; });
  if (owned.empty()) return std::nullopt;
  return QueueOfQuota(queue, *quotas_.OwnerOf(owned));
}

}  // namespace fairlead::intake
