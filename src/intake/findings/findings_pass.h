#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "intake/findings/finding.h"
#include "intake/join/ask_join.h"
#include "intake/join/daemon_sets.h"
#include "intake/join/gang_join.h"
#include "intake/join/gang_traits.h"
#include "intake/join/queue_tree.h"
#include "intake/join/windows.h"

namespace fairlead::intake {

// What a look goes over: the tables, what parts keep beside them, and the joins.
struct Known {
  const Tables& tables;
  const Quotas& quotas;
  const KueueQueues& kueue;
  const DaemonSets& daemon_sets;
  const QueueTree& queues;
  const AskJoin& asks;
  const Topologies& topologies;
  const TopologyJoin& topology_join;
  const Windows& windows;
  const GangTraits& traits;
  const GangJoin& gangs;
};

// One look at everything that is held, for facts that its owners should know: a finding names the
// object, says the numbers, and where the object stands. What the joins found already (holds) is
// told in the same words. Findings are sorted by object, code and message.
// Cost: O(everything), for `validate` and for conditions that are written now and then.
class FindingsPass {
 public:
  explicit FindingsPass(const Known& known);
  std::vector<Finding> Run();

 private:
  // "a, b, c and 20 more": what could be as long as the input is cut.
  static std::string SomeOf(const std::vector<std::string>& names);
  void Add(std::string object, std::string source, std::string_view code, std::string message);

  // findings_queues.cc
  void Queues();
  void QueueCycles();
  void QueueNumbers(const objects::Queue& queue);
  std::string SourceOf(std::string_view queue) const;
  void ChildrenOf(const std::string& name, const state::QueueChange& own, std::string_view code);
  void Capacity();

  void Quotas();  // findings_quotas.cc

  // findings_topologies.cc
  void OfTopologies();
  void NodesWithoutLevels(const objects::Topology& topology);
  void OrderOfLevels(const objects::Topology& topology);
  // A job whose pods are workloads of their own, which asks that they stand near each other.
  void NotTogether(const std::string& object, const std::string& source, const JobFacts& job);

  void OfWindows();  // findings_windows.cc

  // findings_moves.cc
  void OfMoves();
  void InvalidMove(const std::string& object, const std::string& source, std::string_view invalid,
                   std::string_view more);

  void TrustedNameSpaces();  // findings_daemon_sets.cc

  // findings_workloads.cc
  void NameSpacesAndClasses();
  void Gangs();
  void InvalidAllowPreemption(const std::string& object, const std::string& source,
                              std::string_view invalid, std::string_view more);
  void InvalidRunTime(const std::string& object, const std::string& source,
                      std::string_view invalid, std::string_view more);
  void ReplacedForEver(const std::string& object, const std::string& source, std::string_view maker,
                       const state::RunTime& run_time, std::string_view more);
  void GangOf(const GangRow& gang, const GangFacts& facts);
  void JobOf(const GangRow& gang, const JobFacts& job);
  // REQUIRES: no pod of the job is ours.
  void OtherSchedulerOf(const std::string& object, const std::string& source, const GangRow& gang,
                        const JobFacts& job);
  void QueueOf(const std::string& object, const std::string& source, std::string_view queue);
  void HoldOf(const std::string& object, const std::string& source, const state::Reason& hold);
  // A constraint of the gang that cannot be followed.
  void TopologyOf(const std::string& object, const std::string& source, const GangRow& gang,
                  std::string_view queue);
  // What other schedulers' keys ask in vain; `more` follows each message.
  void ForeignOf(const std::string& object, const std::string& source, std::string_view more,
                 std::string_view foreign, MetAlready met);

  // findings_pods.cc
  void Pods();
  void FamilyOf(const Family& family);
  void GatedOf(const Family& family);
  // Of a pod's group: what else it names, and where such a group is, if not in its namespace.
  void GroupOf(const std::string& object, const std::string& source, std::string_view more,
               const Family& family, const PodTraits& traits);
  void QueueLabelOf(const std::string& object, const std::string& source, std::string_view more,
                    const PodTraits& traits, const GangRow& gang);
  void NeedsOf(const std::string& object, const std::string& source, std::string_view more,
               const objects::PodNeeds& needs);
  std::string WhyNoNodeHolds(const objects::PodNeeds& needs) const;

  const Known& known_;
  const Tables& tables_;
  std::map<std::string, std::vector<std::string>, std::less<>> children_;  // by parent
  std::set<objects::ResourceList> node_sizes_;  // what nodes of the pool have, each once
  objects::ResourceList cluster_;               // their sum
  std::size_t pool_nodes_ = 0;
  std::map<std::string_view, std::vector<std::string>> groups_;  // names of groups: namespaces
  std::vector<Finding> out_;
};

}  // namespace fairlead::intake
