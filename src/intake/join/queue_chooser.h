#pragma once

#include <optional>
#include <string_view>

#include "intake/join/queue_tree.h"
#include "state/reason.h"

namespace fairlead::intake {

struct QueueNamed {
  std::string_view queue;  // empty: none is
  bool local = false;      // it is a LocalQueue's name, where there is one
};

// What pods that are workloads of their own name: in a label of theirs, else in one of the job that
// controls them, as somebody who labels a job means its pods, be it suspended or not.
QueueNamed QueueOfPods(const Tables& tables, const Family& family, const PodTraits& traits);

struct QueueChoice {
  std::string_view queue;             // lives as long as what was asked with, and the tables
  std::optional<state::Reason> hold;  // why nothing of the namespace may start in it
};

// Which queue work is of.
//
// The queue that is named, else the namespace's, else the default one. A namespace's is what its
// label names, else its ElasticQuota's. It binds: what is named must be that queue or one below it.
// A quota's queue is there for its namespace: another may name it only where its label does. A
// queue that is not there at all is for the engine to report: nothing starts in it, so nothing is
// got by naming it. A LocalQueue is a name for its ClusterQueue's; who names that directly is asked
// for his namespace as well.
//
// Keeps nothing. Cost: some look-ups, and the depth of the queue where a namespace is bound.
class QueueChooser {
 public:
  QueueChooser(const Tables& tables, const Quotas& quotas, const KueueQueues& kueue,
               const QueueTree& tree)
      : tables_(tables), quotas_(quotas), kueue_(kueue), tree_(tree) {}

  QueueChoice Choose(std::string_view name_space, QueueNamed named) const;

 private:
  std::optional<Bond> BondOf(std::string_view name_space) const;
  std::optional<state::Reason> BoundElsewhere(std::string_view name_space,
                                              std::string_view queue) const;

  const Tables& tables_;
  const Quotas& quotas_;
  const KueueQueues& kueue_;
  const QueueTree& tree_;
};

}  // namespace fairlead::intake
