#include "intake/holds.h"
#include "intake/store.h"

// Queues: which one a pod or a Workload is of, and which of them there have to be.

namespace fairlead::intake {

// The queue that is named, else the namespace's, else the default one. A namespace's label binds:
// what is named must be that queue or one below it. A queue that is not there at all is for the
// engine to report: nothing starts in it, so nothing is got by naming it. A LocalQueue is a name
// for its ClusterQueue's; who names that directly is asked for his namespace as well.
Intake::Store::QueueChoice Intake::Store::ChooseQueue(std::string_view name_space,
                                                      std::string_view named, NamedBy by) const {
  QueueChoice choice{.queue = named, .hold = {}};
  const KueueLocal* local = by == NamedBy::kLocalQueue ? FindLocal(name_space, named) : nullptr;
  if (local != nullptr) {
    choice = {.queue = local->queue, .hold = local->hold};
  } else if (named.empty()) {
    auto bound = bound_name_spaces_.find(name_space);
    choice.queue = bound == bound_name_spaces_.end()
                       ? std::string_view(configuration_->default_queue)
                       : std::string_view(bound->second.queue);
  }
  if (!choice.hold && !named.empty()) choice.hold = BoundElsewhere(name_space, choice.queue);
  if (!choice.hold) choice.hold = KueueHold(choice.queue, name_space);
  return choice;
}

std::optional<state::Reason> Intake::Store::BoundElsewhere(std::string_view name_space,
                                                           std::string_view queue) const {
  auto bound = bound_name_spaces_.find(name_space);
  if (bound == bound_name_spaces_.end() || queue == bound->second.queue) return std::nullopt;
  if (!HasQueue(queue) || IsAtOrBelow(queue, bound->second.queue)) return std::nullopt;
  return NotAllowed(queue, name_space, bound->second.queue);
}

bool Intake::Store::HasQueue(std::string_view queue) const {
  return queues_.contains(queue) || kueue_model_.queues.contains(queue) ||
         queue == configuration_->default_queue;
}

// Empty: it has none, or is not there.
std::string_view Intake::Store::ParentOf(std::string_view queue) const {
  if (auto found = queues_.find(queue); found != queues_.end()) return found->second.queue.parent;
  auto made = kueue_model_.queues.find(queue);
  return made == kueue_model_.queues.end() ? std::string_view() : made->second.parent;
}

bool Intake::Store::IsAtOrBelow(std::string_view queue, std::string_view ancestor) const {
  const std::size_t most = queues_.size() + kueue_model_.queues.size();
  for (std::size_t steps = 0; steps <= most; ++steps) {  // bounded: there may be a cycle
    if (queue == ancestor) return true;
    queue = ParentOf(queue);
    if (queue.empty()) return false;
  }
  return false;
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
