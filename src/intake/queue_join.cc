#include "intake/holds.h"
#include "intake/store.h"
#include "objects/keys.h"

// Queues: which one a pod or a Workload is of, and which of them there have to be.

namespace fairlead::intake {

// The queue that is named, else the namespace's, else the default one. A namespace's is what its
// label names, else its ElasticQuota's. It binds: what is named must be that queue or one below it.
// A quota's queue is there for its namespace: another may name it only where its label does. A
// queue that is not there at all is for the engine to report: nothing starts in it, so nothing is
// got by naming it. A LocalQueue is a name for its ClusterQueue's; who names that directly is asked
// for his namespace as well.
Intake::Store::QueueChoice Intake::Store::ChooseQueue(std::string_view name_space,
                                                      std::string_view named, NamedBy by) const {
  QueueChoice choice{.queue = named, .hold = {}};
  const KueueLocal* local = by == NamedBy::kLocalQueue ? FindLocal(name_space, named) : nullptr;
  if (local != nullptr) {
    choice = {.queue = local->queue, .hold = local->hold};
  } else if (named.empty()) {
    const std::optional<Bond> bond = BondOf(name_space);
    choice.queue = bond ? bond->queue : std::string_view(configuration_->default_queue);
  }
  if (!choice.hold && !named.empty()) choice.hold = BoundElsewhere(name_space, choice.queue);
  if (!choice.hold) choice.hold = KueueHold(choice.queue, name_space);
  return choice;
}

std::optional<Bond> Intake::Store::BondOf(std::string_view name_space) const {
  if (auto label = bound_name_spaces_.find(name_space); label != bound_name_spaces_.end()) {
    return Bond{.name_space = name_space, .queue = label->second.queue, .by = BoundBy::kLabel};
  }
  if (auto quota = quotas_.find(name_space); quota != quotas_.end()) {
    return Bond{.name_space = name_space, .queue = quota->second.queue, .by = BoundBy::kQuota};
  }
  return std::nullopt;
}

std::optional<state::Reason> Intake::Store::BoundElsewhere(std::string_view name_space,
                                                           std::string_view queue) const {
  if (const std::optional<Bond> bond = BondOf(name_space)) {
    if (queue == bond->queue || !HasQueue(queue)) return std::nullopt;
    if (IsAtOrBelow(queue, bond->queue)) return std::nullopt;
    return NotAllowed(queue, *bond);
  }
  if (quota_queues_.empty()) return std::nullopt;
  const std::string_view owned =
      FirstUpwards(queue, [this](std::string_view at) { return quota_queues_.contains(at); });
  if (owned.empty()) return std::nullopt;
  return QueueOfQuota(queue, quota_queues_.find(owned)->second);
}

bool Intake::Store::HasOwnQueue(std::string_view queue) const {
  return queues_.contains(queue) || quota_queues_.contains(queue) ||
         kueue_model_.queues.contains(queue) || (queue == kElasticQuotas && !quotas_.empty());
}

bool Intake::Store::HasQueue(std::string_view queue) const {
  return HasOwnQueue(queue) || queue == configuration_->default_queue;
}

// Empty: it has none, or is not there.
std::string_view Intake::Store::ParentOf(std::string_view queue) const {
  if (auto found = queues_.find(queue); found != queues_.end()) return found->second.queue.parent;
  if (quota_queues_.contains(queue)) return kElasticQuotas;
  auto made = kueue_model_.queues.find(queue);
  return made == kueue_model_.queues.end() ? std::string_view() : made->second.parent;
}

bool Intake::Store::IsAtOrBelow(std::string_view queue, std::string_view ancestor) const {
  return !FirstUpwards(queue, [&](std::string_view at) { return at == ancestor; }).empty();
}

// A family or a gang that was of queue `from` is of `to` now. The default queue is made when the
// first one uses it.
void Intake::Store::UseQueue(NameId from, NameId to) {
  if (from == to) return;
  if (from != Names::kEmpty && --queue_uses_[from.value()] == 0) {
    dirty_queues_.insert(names_[from]);
  }
  if (to == Names::kEmpty) return;
  if (queue_uses_.size() <= to.value()) queue_uses_.resize(to.value() + 1);
  if (++queue_uses_[to.value()] == 1) dirty_queues_.insert(names_[to]);
}

bool Intake::Store::IsUsed(std::string_view queue) const {
  const NameId name = names_.Find(queue);
  return name.valid() && name.value() < queue_uses_.size() && queue_uses_[name.value()] > 0;
}

}  // namespace fairlead::intake
