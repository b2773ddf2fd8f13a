#include "intake/holds.h"
#include "intake/keys.h"
#include "intake/store.h"

// Queues: which one a pod or a Workload is of, and which of them there have to be.

namespace fairlead::intake {

// The queue that is named, else the namespace's, else the default one. A namespace's is what its
// label names, else its ElasticQuota's. It binds: what is named must be that queue or one below it.
// A quota's queue is there for its namespace: another may name it only where its label does. A
// queue that is not there at all is for the engine to report: nothing starts in it, so nothing is
// got by naming it.
Intake::Store::QueueChoice Intake::Store::ChooseQueue(std::string_view name_space,
                                                      std::string_view named) const {
  std::string_view bound_to;
  BoundBy by = BoundBy::kLabel;
  if (auto label = bound_name_spaces_.find(name_space); label != bound_name_spaces_.end()) {
    bound_to = label->second.queue;
  } else if (auto quota = quotas_.find(name_space); quota != quotas_.end()) {
    bound_to = quota->second.queue;
    by = BoundBy::kQuota;
  }
  if (named.empty()) {
    return {.queue = bound_to.empty() ? std::string_view(configuration_->default_queue) : bound_to,
            .hold = {}};
  }
  QueueChoice choice{.queue = named, .hold = {}};
  if (named == bound_to) return choice;
  if (!bound_to.empty()) {
    if (HasQueue(named) && !IsAtOrBelow(named, bound_to)) {
      choice.hold = NotAllowed(named, {.name_space = name_space, .queue = bound_to, .by = by});
    }
  } else if (!quota_queues_.empty()) {
    const std::string_view owned = FirstUpwards(
        named, [this](std::string_view queue) { return quota_queues_.contains(queue); });
    if (!owned.empty()) choice.hold = QueueOfQuota(named, quota_queues_.find(owned)->second);
  }
  return choice;
}

bool Intake::Store::HasOwnQueue(std::string_view queue) const {
  return queues_.contains(queue) || quota_queues_.contains(queue) ||
         (queue == kElasticQuotas && !quotas_.empty());
}

bool Intake::Store::HasQueue(std::string_view queue) const {
  return HasOwnQueue(queue) || queue == configuration_->default_queue;
}

// Empty: it has none, or is not there.
std::string_view Intake::Store::ParentOf(std::string_view queue) const {
  if (auto found = queues_.find(queue); found != queues_.end()) return found->second.queue.parent;
  return quota_queues_.contains(queue) ? kElasticQuotas : std::string_view();
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
