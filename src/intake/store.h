#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "intake/claims.h"
#include "intake/foreign_asks.h"
#include "intake/gpu_share.h"
#include "intake/intake.h"
#include "intake/job.h"
#include "intake/kueue/model.h"
#include "intake/names.h"
#include "intake/needs_pool.h"
#include "intake/priority_classes.h"
#include "intake/rows.h"
#include "intake/table.h"
#include "state/change.h"

namespace fairlead::intake {

// The tables behind Intake, and the joins over them.
//
// An Upsert takes an object down to the facts that decide something, compares them with the row
// that is there, and marks what they touch; nothing is joined before TakeChanges. So the order in
// which objects come cannot matter, and ten changes of one Workload cost one join.
//
//   namespace, DaemonSet, class, queue, configuration ──scope_──►┐
//   Workload, PodGroup, job ───────────────────────────────► gangs ──► families ──► pods
//   pod ────────────────────────────────────────────────────────────► (by claims) ┘
//                                                            gangs ◄── counts
//   budget ───────────────────────────────────────────────► labels ──► pods
//   pod that runs ──► its anti-affinity ───────────────────► labels ──► pods; gangs; nodes
//   ElasticQuota ──► queues (its own, their parent), and the scope where one comes or goes
//   pod ──────────────────────────────────────────────────► owners ──► pods, at once
// TakeChanges (take_changes.cc) walks that once, from left to right.
class Intake::Store {
 public:
  Store();

  void Upsert(const objects::Node& node);
  void Upsert(const objects::Pod& pod, Time now);  // pod_rows.cc
  void Upsert(const objects::Namespace& name_space);
  void Upsert(const objects::DaemonSet& daemon_set);  // daemon_set_join.cc
  void KnowAllDaemonSets();
  void Upsert(const objects::PriorityClass& priority_class);
  void Upsert(const objects::Queue& queue, Time now);
  void Upsert(const objects::Workload& workload, Time now);
  void UpsertJob(const objects::Object& job, const jobs::JobKind& kind, Time now);
  void Upsert(const objects::PodDisruptionBudget& budget);    // budget_join.cc
  void Upsert(const objects::ElasticQuota& quota, Time now);  // quota_join.cc
  void Upsert(const objects::ResourceQuota& quota);           // quota_join.cc
  void Upsert(const objects::PersistentVolumeClaim& claim);   // volume_join.cc, as the next
  void Upsert(const objects::PersistentVolume& volume);
  void Upsert(const objects::ClusterQueue& queue, Time now);  // kueue_join.cc, as the next three
  void Upsert(const objects::Cohort& cohort, Time now);
  void Upsert(const objects::LocalQueue& queue, Time now);
  void Upsert(const objects::ResourceFlavor& flavor, Time now);
  void Upsert(const objects::SchedulerConfiguration& configuration);
  bool Remove(std::string_view kind, std::string_view name_space, std::string_view name);
  std::vector<state::Change> TakeChanges();

  std::vector<Finding> Findings() const;
  const std::vector<KueueProblem>& kueue_problems() const { return kueue_model_.problems; }

  std::vector<OtherScheduler> OtherSchedulers() const;              // other_schedulers.cc
  std::optional<PodStanding> FindPod(std::string_view name) const;  // other_schedulers.cc

  const objects::SchedulerConfiguration& configuration() const { return *configuration_; }

 private:
  class FindingsPass;  // findings.h

  // What happened that can change joins without an object of theirs changing.
  struct Scope {
    bool all = false;
    bool default_class = false;  // who names no class
    bool queue_tree = false;     // who names a queue and may be bound to one
    std::set<std::string, std::less<>> name_spaces, classes;
    std::set<std::string, std::less<>> quota_queues;  // who names one of these or one below
    std::set<std::string, std::less<>> queues;        // whose work is to be joined anew
    std::set<std::string, std::less<>> local_queues;  // who names them, "namespace/name"
    bool any() const {
      return all || default_class || queue_tree || !name_spaces.empty() || !classes.empty() ||
             !quota_queues.empty() || !queues.empty() || !local_queues.empty();
    }
  };
  // What somebody's join depends on.
  struct Stand {
    std::string_view name_space, class_name;
    std::string_view named;        // the queue that is named; empty: none
    std::string_view local_queue;  // the same where it may be a LocalQueue
    NameId queue;                  // as joined
  };
  bool Touches(const Scope& scope, const Stand& stand) const;

  // Pods as rows (pod_rows.cc).
  bool RemovePod(std::string_view key);
  void ErasePod(PodId id);
  void MoveToFamily(PodId id, FamilyId family);
  void LeaveFamily(PodId id);
  FamilyId FamilyOf(std::string_view claims);
  PodFacts FactsOf(const objects::Pod& pod, Time created);
  void Count(Family& family, const PodFacts& facts, std::int32_t by);
  void Mark(PodId id);
  void Mark(FamilyId id);
  void Mark(GangId id);
  bool InPool(const PodRow& row) const;
  void Mark(NodeId id);
  void CountMisread(const PodRow& row, bool there);
  bool Visible(const PodRow& row) const;

  // The joins: pods (pod_join.cc) …
  FamilyJoin Join(const Family& family);
  std::optional<std::uint32_t> FindPodSet(const Family& family, const PodClaims& claims) const;
  bool JoinsBy(const GangRow& gang, const PodClaims& claims) const;
  void JoinFamily(FamilyId id);
  state::PodChange ChangeOf(const PodRow& row) const;
  // … workloads (workload_join.cc) …
  const JobFacts* CountingJob(const GangRow& gang) const;
  GangSource SourceOf(const GangRow& gang) const;
  PriorityGiven PriorityOf(const GangRow& gang, const GangFacts& facts) const;
  PriorityGiven PriorityOf(const JobFacts& job) const;
  state::WorkloadTraits TraitsOf(const GangRow& gang) const;
  state::WorkloadTraits OwnTraitsOf(const GangRow& gang) const;
  state::WorkloadTraits TraitsOf(const GangRow& gang, const GangFacts& facts) const;
  state::WorkloadTraits TraitsOf(const GangRow& gang, const JobFacts& job) const;
  void JoinGang(GangId id);
  JobNotice NoticeOf(const GangRow& gang, const JobFacts& job) const;
  std::optional<state::JobProblem> ProblemOf(const GangRow& gang) const;
  bool IsDrained(const GangRow& gang, std::string_view queue) const;
  state::WorkloadChange ChangeOf(const GangRow& gang) const;
  std::vector<Tally> CountPods(const GangRow& gang) const;
  std::optional<std::int32_t> CapOf(const GangRow& gang, std::size_t pod_set) const;
  void MarkSurplus(GangRow& gang);
  void SetSurplus(PodId id, bool surplus);
  void DropIfUnused(GangId id);
  // … and what both share (queue_join.cc).
  struct QueueChoice {
    std::string_view queue;
    std::optional<state::Reason> hold;
  };
  enum class NamedBy : std::uint8_t { kQueue, kLocalQueue };  // a LocalQueue where it is there
  QueueChoice ChooseQueue(std::string_view name_space, std::string_view named,
                          NamedBy by = NamedBy::kQueue) const;
  std::optional<Bond> BondOf(std::string_view name_space) const;
  std::optional<state::Reason> BoundElsewhere(std::string_view name_space,
                                              std::string_view queue) const;
  bool HasOwnQueue(std::string_view queue) const;  // made of a Queue, of quotas or of Kueue's
  bool HasQueue(std::string_view queue) const;     // the default one is always there
  std::string_view ParentOf(std::string_view queue) const;
  template <typename Wanted>  // the first from `queue` up that is wanted; empty: none is
  std::string_view FirstUpwards(std::string_view queue, Wanted wanted) const;
  bool IsAtOrBelow(std::string_view queue, std::string_view ancestor) const;
  void UseQueue(NameId from, NameId to);
  bool IsUsed(std::string_view queue) const;

  // Kueue's queues and Workloads (kueue_join.cc).
  bool RemoveKueue(std::string_view kind, std::string_view name_space, std::string_view name);
  void RemakeKueue();
  const KueueLocal* FindLocal(std::string_view name_space, std::string_view name) const;
  const KueueLeaf* FindLeaf(std::string_view queue) const;
  std::optional<state::Reason> KueueHold(std::string_view queue, std::string_view name_space) const;
  std::shared_ptr<const FlavorDemands> DemandsOf(std::string_view queue) const;
  // `node`: that it runs on, if any.
  state::NeedsPtr Demanded(const state::NeedsPtr& needs,
                           const std::shared_ptr<const FlavorDemands>& demands,
                           NameId node = Names::kEmpty) const;
  void MarkNodes();
  static std::string KueueGangOf(const objects::Workload& workload);
  void UpsertKueueWorkload(const objects::Workload& workload, Time now);
  bool RemoveKueueWorkload(std::string_view key);
  void ChooseKueueWorkload(const std::string& gang_name);

  // Disruption budgets and the pods that they select (budget_join.cc).
  bool RemoveBudget(std::string_view key);
  std::vector<std::string> BudgetsFor(std::string_view name_space,
                                      const objects::Labels& labels) const;
  bool MoveToLabels(PodId id, const objects::Meta& meta);  // whether other budgets select it now
  void LeaveLabels(PodId id);
  void SpreadBudgets();

  // Required anti-affinity of pods that run, and whom it refuses (refusal_join.cc).
  class RefusalIndex;
  void CountRefusals(PodId id, const objects::Pod& pod, const PodFacts& facts);
  void DropRefusals(PodId id);
  void CountWaiting(const PodRow& row, const PodFacts& facts, int by);
  void JoinRefusals();
  void RefusePods(const RefusalIndex& index, std::set<std::uint64_t>& in_use);
  void RefuseGangs(const RefusalIndex& index, std::set<std::uint64_t>& in_use);
  void RefuseOnNodes(const std::set<std::uint64_t>& in_use);
  state::NeedsPtr Refused(const state::NeedsPtr& needs,
                          const std::vector<std::uint64_t>& terms) const;

  // ElasticQuotas and the queues that stand for them (quota_join.cc).
  bool RemoveQuota(std::string_view name_space, std::string_view name);
  bool RemoveHard(std::string_view key);
  void Recount(const std::string& name_space, const objects::ResourceList& min_before);
  void CountMin(const objects::ResourceList& min, std::int64_t by);
  void Unbind(const std::string& name_space, const std::string& queue);
  void NameQuotaQueue(std::string_view name_space);
  state::QueueChange QuotaQueueOf(const QuotaSpace& space, std::string_view name_space) const;
  state::QueueChange QuotasParent() const;
  void CountPool(const NodeRow& row, std::int64_t by);
  std::vector<std::string> MinAboveCluster() const;
  void NoteMinAboveCluster();
  std::optional<HardRow> HardOf(std::string_view name_space) const;
  std::vector<state::QuotaProblem> ProblemsOf(std::string_view name_space, const QuotaSpace& space,
                                              const QuotaRow& quota) const;
  void TakeQuotas(std::vector<state::Change>& out);

  // What other schedulers' keys ask (foreign_join.cc).
  struct Asks {
    std::string_view foreign, volume_claims;
  };
  std::optional<state::Reason> AsksHold(const Asks& asks, MetAlready met,
                                        std::string_view name_space, std::string_view of) const;
  MetAlready MetFor(const GangRow& gang, const JobFacts& job) const;
  std::int64_t GpuMilliOf(std::string_view foreign) const;
  state::NeedsPtr WithShare(const state::NeedsPtr& needs, std::int64_t milli) const;
  std::optional<state::Reason> HoldOfPods(const GangRow& gang) const;
  std::optional<state::Reason> HoldOfPodSets(const std::vector<PodSetFacts>& sets, MetAlready met,
                                             std::string_view name_space) const;
  std::optional<state::Reason> HoldOfJob(const GangRow& gang, const PodClaims& claims) const;
  void SpreadDevices();

  // Claims of volumes (volume_join.cc).
  bool RemoveVolumeClaim(std::string_view key);
  bool RemoveVolume(std::string_view name);
  void ForgetUser(const std::string& volume, const std::string& claim);
  void MarkClaimsOf(std::string_view volume);
  std::string WhyClaimWaits(const std::string& key) const;
  std::optional<state::Reason> VolumeHold(std::string_view name_space,
                                          std::string_view claims) const;
  void UseVolumeClaims(FamilyId id, bool uses);
  void SpreadVolumes();

  // DaemonSets whose pods have powers (daemon_set_join.cc).
  bool RemoveDaemonSet(std::string_view key);
  state::OfDaemonSet OfDaemonSet(const PodClaims& claims) const;
  bool IsThere(const PodClaims& claims) const;
  bool TrustsDaemonSetsOf(std::string_view name_space) const;
  // As name_space_labels_ has them, with the one that every namespace has.
  objects::Labels LabelsOfNameSpace(std::string_view name_space) const;

  // Pods that own others (owner_join.cc).
  struct OwnerUse {
    OwnerId owner;
    std::uint32_t claim = 0;  // of the owner's `claims`
  };
  using OwnerUses = boost::container::small_vector<OwnerUse, 1>;
  void CountOwners(PodId id, const objects::Meta& meta, const PodFacts& facts);
  void DropOwners(PodId id);
  OwnerUse UseOwner(std::string_view name, const std::string& uid);
  void DropOwner(OwnerUse use);
  void ReviewOwner(const OwnerRow& owner);
  bool OwnsPods(const PodRow& row) const;

  // Other rows (object_rows.cc).
  bool RemoveNode(std::string_view name);
  bool RemoveGang(std::string_view kind, std::string_view key);
  bool InPool(const NodeRow& row) const;
  void SetPool(NodeRow& row, bool in_pool);

  // The steps of TakeChanges (take_changes.cc).
  void SpreadScope();
  void TakeNodes(std::vector<state::Change>& out);
  void TakeQueues(std::vector<state::Change>& out);
  std::optional<state::QueueChange> QueueFor(const std::string& name) const;
  void TakeBudgets(std::vector<state::Change>& out);
  void TakeGangs(std::vector<state::Change>& out);
  void TakePods(std::vector<state::Change>& out);
  bool IsOver(const GangRow& gang) const;

  std::shared_ptr<const objects::SchedulerConfiguration> configuration_;
  bool configuration_dirty_ = false;

  Names names_;
  mutable NeedsPool needs_;
  Table<PodRow, PodId> pods_;
  Table<Family, FamilyId> families_;
  Table<GangRow, GangId> gangs_;
  Table<NodeRow, NodeId> nodes_;
  // Pods that run and take nobody knows what, by node; nearly always none.
  std::map<NameId, std::set<std::string>> misread_pods_;
  std::map<std::string, QueueRow, std::less<>> queues_;
  std::map<std::string, BoundNameSpace, std::less<>>
      bound_name_spaces_;                                         // those with a queue label
  std::map<std::string, QuotaSpace, std::less<>> quotas_;         // by namespace
  std::map<std::string, std::string, std::less<>> quota_queues_;  // their queues → namespace
  std::map<std::string, MinSum, std::less<>> min_sums_;           // by resource
  std::map<std::string, HardRow, std::less<>> hard_;              // ResourceQuotas, by key
  std::map<std::string, Wide, std::less<>> pool_sums_;            // allocatable of the pool's nodes
  std::int64_t pool_nodes_ = 0;
  std::vector<std::string> above_cluster_;  // resources of which the min are more than that
  std::map<std::string, objects::Labels, std::less<>> name_space_labels_;  // of those with any
  std::map<std::string, std::string, std::less<>> daemon_sets_;            // "namespace/name" → uid
  bool all_daemon_sets_ = false;  // one that is not there is none
  PriorityClasses classes_;
  KueueObjects kueue_;
  KueueModel kueue_model_;  // made of them
  bool kueue_dirty_ = false;
  bool flavors_moved_ = false;  // a node came or has other labels
  std::map<std::string, KueueWorkloadRow, std::less<>> kueue_workloads_;  // by "namespace/name"
  std::map<std::string, std::set<std::string>, std::less<>> kueue_of_gang_;
  // Needs with what a queue's flavors demand beside: found again, not kept for ever.
  mutable std::map<std::pair<state::NeedsPtr, std::shared_ptr<const FlavorDemands>>,
                   state::NeedsPtr>
      demanded_;
  Table<LabelsRow, LabelsId> labels_;
  std::map<std::string, BudgetRow, std::less<>> budgets_;       // by "namespace/name"
  std::map<std::string, RefusalRow> refusals_;                  // by what they say, packed
  std::map<std::uint32_t, std::vector<std::string>> refusing_;  // by PodId: its terms
  bool refusals_joined_ = false;     // something is refused, as of the last join
  Table<OwnerRow, OwnerId> owners_;  // that some pod names
  boost::unordered_flat_map<std::uint32_t, OwnerUses> owned_;  // by PodId

  DeviceMemory device_memory_;
  std::map<std::string, ClaimRow, std::less<>> volume_claims_;  // by "namespace/name"
  std::map<std::string, VolumeRow, std::less<>> volumes_;
  std::map<std::string, std::set<std::string>, std::less<>> claims_of_volume_;
  std::map<std::string, std::set<FamilyId>, std::less<>> families_of_claim_;

  Scope scope_;
  std::set<std::string, std::less<>> dirty_claims_;
  std::vector<PodId> dirty_pods_;
  std::vector<FamilyId> dirty_families_;
  std::vector<GangId> dirty_gangs_;
  std::vector<NodeId> dirty_nodes_;
  std::set<std::string, std::less<>> dirty_queues_;
  std::set<std::string, std::less<>> dirty_budgets_;
  std::set<std::string, std::less<>> dirty_quotas_;  // namespaces of which to tell anew
  bool sums_dirty_ = false;                          // min_sums_ or pool_sums_ changed
  std::set<std::string, std::less<>> reselected_;    // namespaces whose budgets select otherwise
  std::vector<state::Removal> removals_;

  std::vector<bool> outside_pool_;         // by NameId of a node
  bool pool_moved_ = false;                // some node that a pod may name entered or left the pool
  std::vector<std::uint32_t> queue_uses_;  // by NameId: families and gangs that name the queue
  std::map<std::string, state::QueueChange, std::less<>> given_queues_;
  std::map<std::string, state::BudgetChange, std::less<>> given_budgets_;
  std::map<std::string, state::QuotaChange, std::less<>> given_quotas_;

  // Scratch, so that a lookup does not allocate.
  std::string pod_key_, claims_key_, labels_key_, owner_key_;
};

template <typename Wanted>
std::string_view Intake::Store::FirstUpwards(std::string_view queue, Wanted wanted) const {
  // Bounded: there may be a cycle. A quota's queue and their parent may stand above all others.
  for (std::size_t steps = 0;
       steps <= queues_.size() + kueue_model_.queues.size() + 2 && !queue.empty(); ++steps) {
    if (wanted(queue)) return queue;
    queue = ParentOf(queue);
  }
  return {};
}

}  // namespace fairlead::intake
