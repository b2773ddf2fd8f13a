#pragma once

#include <string_view>

#include "intake/join/queue_tree.h"
#include "state/change.h"

namespace fairlead::intake {

// How long work may run by its queue (time.md §1): the first queue upwards that has a maxRunTime
// caps what the work names, and is the limit of work that names nothing; where it names nothing,
// the first upwards with a defaultRunTime says it. What Kubernetes ends counts as named.
//
// Keeps nothing. Cost: the depth of the queue; nothing where no queue says either.
class RunTimeBounds {
 public:
  RunTimeBounds(const Tables& tables, const QueueTree& tree) : tables_(tables), tree_(tree) {}

  // `run_time` as the work says it becomes what counts.
  void Apply(std::string_view queue, state::RunTime& run_time) const;

 private:
  using Member = std::optional<Duration> objects::Queue::*;
  const objects::Queue* FirstWith(std::string_view queue, Member member) const;

  const Tables& tables_;
  const QueueTree& tree_;
};

}  // namespace fairlead::intake
