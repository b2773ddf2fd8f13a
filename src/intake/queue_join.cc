#include "intake/holds.h"
#include "intake/store.h"

// Queues: which one a pod or a Workload is of, and which of them there have to be.

namespace fairlead::intake {

// The queue that is named, else the namespace's, else the default one. A namespace's label binds:
// what is named must be that queue or one below it. A queue that is not there at all is for the
// engine to report: nothing starts in it, so nothing is got by naming it.
Intake::Store::QueueChoice Intake::Store::ChooseQueue(std::string_view name_space,
                                                      std::string_view named) const {
  auto bound = bound_name_spaces_.find(name_space);
  if (named.empty()) {
    return {.queue = bound == bound_name_spaces_.end()
                         ? std::string_view(configuration_->default_queue)
                         : std::string_view(bound->second.queue),
            .hold = {}};
  }
  QueueChoice choice{.queue = named, .hold = {}};
  if (bound == bound_name_spaces_.end() || named == bound->second.queue) return choice;
  const bool is_there = queues_.contains(named) || named == configuration_->default_queue;
  if (is_there && !IsAtOrBelow(named, bound->second.queue)) {
    choice.hold = NotAllowed(named, name_space, bound->second.queue);
  }
  return choice;
}

bool Intake::Store::IsAtOrBelow(std::string_view queue, std::string_view ancestor) const {
  for (std::size_t steps = 0; steps <= queues_.size(); ++steps) {  // bounded: there may be a cycle
    if (queue == ancestor) return true;
    auto found = queues_.find(queue);
    if (found == queues_.end() || found->second.queue.parent.empty()) return false;
    queue = found->second.queue.parent;
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
