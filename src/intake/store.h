#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intake/intake.h"
#include "intake/join/ask_join.h"
#include "intake/join/budgets.h"
#include "intake/join/daemon_sets.h"
#include "intake/join/demands.h"
#include "intake/join/gang_join.h"
#include "intake/join/gang_rows.h"
#include "intake/join/gang_traits.h"
#include "intake/join/owners.h"
#include "intake/join/pod_join.h"
#include "intake/join/pod_rows.h"
#include "intake/join/queue_chooser.h"
#include "intake/join/queue_tree.h"
#include "intake/join/surplus.h"
#include "intake/join/told.h"
#include "intake/join/topologies.h"
#include "intake/join/topology_join.h"
#include "intake/join/volumes.h"
#include "intake/join/windows.h"
#include "intake/kueue/kueue_queues.h"
#include "intake/quota/quotas.h"
#include "intake/tables/marks.h"
#include "intake/tables/node_pool.h"
#include "intake/tables/queue_uses.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// The parts of intake put together: who gets which object, and in which order what is marked is
// joined.
//
//   tables       rows by name, and which of them are marked (Marks)
//   parts        what keeps something beside the tables: Owners, Volumes, Budgets, Demands,
//                DaemonSets, Quotas, HyperNodes, Topologies, KueueQueues. They know the tables and
//                mark rows; they do not know each other
//   joins        functions over both that keep nothing: QueueTree, QueueChooser, AskJoin,
//                GangTraits, TopologyJoin, GangJoin, PodJoin
//
// Whom an object concerns:
//
//   namespace, DaemonSet, class, queue, configuration ──scope──►┐
//   Workload, PodGroup, job ───────────────────────────────► gangs ──► families ──► pods
//   pod ────────────────────────────────────────────────────────────► (by traits) ┘
//                                                            gangs ◄── counts
//   budget ───────────────────────────────────────────────► labels ──► pods
//   pod, gang ──► what they demand of other pods ──────────► labels ──► pods; gangs
//   HyperNode ──► nodes
//   Topology, HyperNode, labels of nodes ──► gangs and families that ask for one
//   ElasticQuota ──► queues (its own, their parent), and the scope where one comes or goes
//   pod ──────────────────────────────────────────────────► owners ──► pods, at once
// TakeChanges (take_changes.cc) walks that once, from left to right.
class Intake::Store {
 public:
  void Upsert(const objects::Node& node) { pool_.Upsert(node); }
  void Upsert(const objects::Pod& pod, Time now, const Text& key) {
    pod_rows_.Upsert(pod, now, key);
  }
  void UpsertStatus(const objects::Pod& pod, Time now) { pod_rows_.UpsertStatus(pod, now); }
  void Upsert(const objects::Namespace& name_space);
  void Upsert(const objects::DaemonSet& daemon_set) { daemon_sets_.Upsert(daemon_set); }
  void KnowAllOwners();
  void Upsert(const objects::PriorityClass& priority_class) {
    tables_.classes.Upsert(priority_class, marks_.scope());
  }
  void Upsert(const objects::WorkloadPriorityClass& priority_class) {
    tables_.classes.Upsert(priority_class, marks_.scope());
  }
  void Upsert(const objects::Queue& queue, Time now);
  template <OfGang Object>
  void Upsert(const Object& object, Time now) {
    gang_rows_.Upsert(object, now);
  }
  void UpsertJob(const objects::Object& job, const jobs::JobKind& kind, Time now);
  void Upsert(const objects::Topology& topology) { topologies_.Upsert(topology); }
  void Upsert(const objects::Window& window) { windows_.Upsert(window); }
  void Upsert(const objects::HyperNode& hyper_node) { hyper_nodes_.Upsert(hyper_node); }
  void Upsert(const objects::PodDisruptionBudget& budget) { budgets_.Upsert(budget); }
  void Upsert(const objects::ElasticQuota& quota, Time now) { quotas_.Upsert(quota, now); }
  void Upsert(const objects::ResourceQuota& quota) { quotas_.Upsert(quota); }
  template <OfVolumes Object>
  void Upsert(const Object& object) {
    volumes_.Upsert(object);
  }
  template <OfKueueQueues Object>
  void Upsert(const Object& object, Time now) {
    kueue_.Upsert(object, now);
  }
  void Upsert(const objects::SchedulerConfiguration& configuration);
  bool Remove(std::string_view kind, std::string_view name_space, std::string_view name);

  std::vector<state::Change> TakeChanges(std::size_t most_pods);

  std::vector<Finding> Findings() const;
  const std::vector<KueueProblem>& kueue_problems() const { return kueue_.model().problems; }
  std::vector<objects::KnownTopology> KnownTopologies() const { return topologies_.All(); }
  std::vector<OtherScheduler> OtherSchedulers() const;              // other_schedulers.cc
  std::optional<PodStanding> FindPod(std::string_view name) const;  // other_schedulers.cc
  const Told& told() const { return told_; }
  std::string AskedSpecOf(std::string_view workload) const;
  std::string AskedSpecOfJobOf(std::string_view pod) const;
  const objects::SchedulerConfiguration& configuration() const { return *tables_.configuration; }

 private:
  bool RemoveNamespace(std::string_view name);
  bool RemoveQueue(std::string_view name);
  // Labels as an object has them; none: none.
  void SetLabels(const std::string& name_space, const objects::Labels& labels);
  void SetOwner(const std::string& name_space, const std::string& owner);  // empty: it says none

  // The steps of TakeChanges (take_changes.cc).
  void Spread();
  void TakeNodes(std::vector<state::Change>& out);
  void TakeQueues(std::vector<state::Change>& out);
  void TakeGangs(std::vector<state::Change>& out);
  void TakePods(std::size_t most, std::vector<state::Change>& out);

  Tables tables_;
  Marks marks_{tables_};
  bool configuration_dirty_ = false;
  QueueUses uses_{tables_, marks_};
  NodePool pool_{tables_, marks_};

  Owners owners_{tables_, marks_};
  Volumes volumes_{tables_, marks_};
  Budgets budgets_{tables_, marks_};
  Windows windows_{marks_};
  Demands demands_{tables_, marks_};
  DaemonSets daemon_sets_{tables_, marks_};
  Quotas quotas_{tables_, marks_, pool_};
  HyperNodes hyper_nodes_{tables_, marks_, pool_};
  Topologies topologies_{tables_, marks_, pool_};
  KueueQueues kueue_{tables_, marks_};

  PodRows pod_rows_{tables_, marks_, {uses_, owners_, budgets_, demands_, volumes_}};
  GangRows gang_rows_{tables_, marks_};

  QueueTree queue_tree_{tables_, quotas_, kueue_, uses_};
  QueueChooser queue_chooser_{tables_, quotas_, kueue_, queue_tree_};
  AskJoin asks_{tables_, pool_, volumes_};
  RunTimeBounds bounds_{tables_, queue_tree_};
  GangTraits traits_{tables_, queue_chooser_, kueue_, asks_, bounds_};
  TopologyJoin topology_join_{tables_, topologies_, kueue_};
  GangJoin gang_join_{tables_, marks_, uses_, {traits_, kueue_, asks_, topology_join_, demands_}};
  Surplus surplus_{tables_, marks_};
  PodJoin pod_join_{
      tables_,
      marks_,
      uses_,
      {pool_, daemon_sets_, queue_chooser_, kueue_, asks_, topology_join_, bounds_, demands_}};

  Told told_{tables_, pod_join_};
  Tables::ByName<state::QueueChange> given_queues_;  // what the engine has
  std::vector<PodId> untold_;                        // pods that were marked, the last ones first
};

}  // namespace fairlead::intake
