#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/names.h"
#include "base/text.h"
#include "base/time.h"
#include "base/uid.h"
#include "intake/facts/facts.h"
#include "intake/facts/source.h"
#include "jobs/job_kind.h"
#include "objects/objects.h"
#include "state/change.h"

// The rows of Tables (tables.h): what intake keeps of each object, and what the joins made of it.

namespace fairlead::intake {

struct GroupDemand;
using FlavorDemands = std::vector<GroupDemand>;  // intake/kueue/flavor_demand.h

using PodId = Id<struct PodRowTag>;
using FamilyId = Id<struct FamilyTag>;
using GangId = Id<struct GangTag>;
using NodeId = Id<struct NodeRowTag>;
using LabelsId = Id<struct LabelsRowTag>;
using DemandsId = Id<struct DemandsTag>;  // of intake/join/demands.h

// Rows of counts, by number.
using objects::DemandRowsPtr;

struct PodRow {
  Text name;  // "namespace/name"
  Uid uid;
  state::NeedsPtr needs;
  PodFacts facts;
  FamilyId family;
  std::uint32_t place = 0;  // in its family's `members`
  LabelsId labels;
  std::uint32_t labels_place = 0;  // in their `pods`
  DemandsId demands;               // that it carries; invalid: none
  Source source;
  std::uint32_t grace_seconds : 26 = 0;  // its own, from an eviction to the end of its containers
  bool dirty : 1 = false;                // is in Marks
  bool given : 1 = false;                // the engine has it
  bool outside : 1 = false;              // … as a pod on a node outside the pool
  bool surplus : 1 = false;              // beyond the count of its workload: it waits by itself
  bool owned : 1 = false;                // it counts in Owners
  bool owns_pods : 1 = false;            // some other pod that is there to stay has it as owner
};
static_assert(sizeof(PodRow) <= 128);  // there may be millions

// What claims of volumes come to for the pods that name them (RareNeeds has all but the last).
struct ClaimDemands {
  std::vector<std::vector<objects::NodeSelectorTerm>> reach;
  std::vector<objects::VolumeWishPtr> wishes;
  std::vector<std::string> one_pod, one_node, made_of;
  std::map<std::string, std::int64_t> slots;  // of nodes, for volumes of its own, by resource
  std::vector<objects::SharedVolume> shared_volumes;
  std::vector<state::ClaimToBind> unbound;  // for its node, once it has one
  bool operator==(const ClaimDemands&) const = default;
};

// How a family's pods are joined: what the engine is told of each, apart from its facts.
struct FamilyJoin {
  bool ours = false;  // else: of another scheduler
  state::OfDaemonSet of_daemon_set = state::OfDaemonSet::kNo;
  GangId gang;  // that they are of; invalid: each is a workload of its own
  std::uint32_t pod_set = 0;
  NameId queue = Names::kEmpty;  // of a workload of its own, as the next seven
  state::RunTime run_time;
  objects::SubmitterPtr submitter;
  std::int32_t stops = 0;
  bool preemptible = true;
  bool never_preempts = false;
  std::shared_ptr<const state::Reason> hold;
  std::int32_t priority = 0;  // its own, or its gang's
  bool opted_out = false;     // says so itself, or, where it says nothing, its class or its gang's
  bool may_move = false;      // as it says, and its gang
  SharedOptional<std::string> made_by;           // of a workload of its own: "KIND/NAMESPACE/NAME"
  std::shared_ptr<const FlavorDemands> demands;  // of its queue; null: none
  // A share of a device, asked as KAI's pods do: while a pod waits, and once it has a node.
  std::int64_t gpu_milli = 0, gpu_taken = 0;
  std::shared_ptr<const ClaimDemands> claims;  // of volumes; null: they demand nothing
  // Of a workload of its own: labels that its node must carry, for the domain that it is to be in.
  std::vector<std::string> node_labels;
};
bool Same(const FamilyJoin& a, const FamilyJoin& b);

// How many of some pods are in which state. Terminating ones are in none: they are on their way
// out, and what replaces them may be there already.
struct Tally {
  std::int32_t bound = 0, pending = 0, succeeded = 0;
  std::int32_t live() const { return bound + pending; }
};

// Pods of the same traits (pod_traits.h): one namespace, one workload, one class, one owner.
// Joined once for all of them, so that a change of a namespace, a class or a Workload costs one
// join a family.
struct Family {
  std::string name;  // the packed traits
  std::vector<PodId> members;
  // The workload that they name, be it there or not, or that of the job which made theirs; invalid:
  // they name none.
  GangId gang;
  GangId made;  // of a job that others may have made: the row of its name (join/makers.h)
  // The job that controls them, where they name a group besides: it counts where it is one
  // workload.
  GangId outer;
  // Where that job comes in groups: the row of the job's own name, be the job there or not.
  GangId base;
  GangId group_of_job() const { return outer.valid() ? outer : gang; }  // REQUIRES: base is valid
  objects::GroupApi group = objects::GroupApi::kNone;  // `gang` is named as this one's
  Time oldest = Time::Max();                           // when the first of its members was made
  Tally tally;
  FamilyJoin join;
  bool dirty = false;         // is in Marks
  bool joined = false;        // `join` was worked out once
  bool names_claims = false;  // of volumes
  bool asks_topology = false;
};

// Which object makes a name a workload: the first of these that is there counts.
// kPods: no object, its pods say that they are a group.
enum class GangSource : std::uint8_t { kNone, kWorkload, kPodGroup, kKueueWorkload, kJob, kPods };

// What the pods of a group say where its object does not. Of several that say different things the
// answer does not depend on the order in which they came.
struct PodsSay {
  std::string queue;
  bool local_queue = false;    // `queue` is a LocalQueue, where there is one
  std::string priority_class;  // of those with the highest priority, as the next two
  std::optional<std::int32_t> priority;
  bool never_preempts = false;
  bool preemptible = true;
  std::string submitter;              // of those who say it, the first; packed
  std::optional<std::int32_t> total;  // how many there are to be
  std::string fault;                  // what is wrong with what they say of that
  bool of_others = false;             // there are some, and all name another scheduler
  Time created = Time::Max();         // when the first of them was made
  bool operator==(const PodsSay&) const = default;
};

// A name under which there is a workload of several pods, could be one, or is one missed.
struct GangRow {
  std::string name;  // "namespace/name"
  std::unique_ptr<GangFacts> workload;
  std::vector<std::unique_ptr<GangFacts>> pod_groups;  // of different systems, in GroupApi's order
  std::shared_ptr<const GangFacts> kueue;              // the Kueue Workload that counts
  std::unique_ptr<GangFacts> pods;  // as joined: of kPods, what stands in an object's place
  PodsSay pods_say;                 // as joined, of its families that are of a group
  std::vector<std::unique_ptr<JobFacts>> jobs;  // of different kinds, in the order of AllKinds()
  std::vector<FamilyId> families;               // that name it
  std::vector<FamilyId> of_groups;              // that name a group of its jobs

  GangSource source = GangSource::kNone;         // as joined
  const JobFacts* job = nullptr;                 // as joined: of `jobs` the one that counts …
  GangId base;                                   // … or of this one's: it is a group of it
  std::int32_t priority = 0;                     // as joined
  bool opted_out = false;                        // as joined: its class says so
  bool stays_put = false;                        // as joined
  NameId queue = Names::kEmpty;                  // as joined
  std::shared_ptr<const FlavorDemands> demands;  // as joined
  std::unique_ptr<state::WorkloadChange> given;  // what the engine has; null: nothing
  bool dirty = false;                            // is in Marks
  // By pod set, of its template's pods: the demands that they carry, and those that count them.
  // Empty: none.
  std::vector<DemandsId> carries;
  std::vector<DemandRowsPtr> counted_by;
  // The counts beyond which members were found surplus, by pod set; empty: none is.
  std::vector<std::optional<std::int32_t>> surplus_caps;

  // A PodGroup that is not left to the scheduler that all of its pods name.
  bool has_group() const { return !pod_groups.empty() && !pods_say.of_others; }
  const GangFacts* facts() const {
    if (workload != nullptr) return workload.get();
    if (has_group()) return pod_groups.front().get();
    return source == GangSource::kPods ? pods.get() : kueue.get();
  }
  // The group that it is, as its source says it.
  objects::GroupApi group() const {
    const bool is = source == GangSource::kPodGroup || source == GangSource::kPods;
    const GangFacts* of = is ? facts() : nullptr;
    return of == nullptr ? objects::GroupApi::kNone : of->api;
  }
  bool InUse() const {
    return facts() != nullptr || !pod_groups.empty() || !jobs.empty() || !families.empty() ||
           !of_groups.empty();
  }
  // visit(const JobFacts&): the jobs of its name, and the one of which it is a group.
  template <typename Visit>
  void ForEachJob(Visit visit) const {
    for (const auto& own : jobs) visit(*own);
    if (base.valid() && job != nullptr) visit(*job);
  }
  // The Workload that may stand for a job; null: none is there.
  const GangFacts* OwnWorkload() const {
    return workload != nullptr ? workload.get() : has_group() ? nullptr : kueue.get();
  }
  // Whether the Workload is that of the job: what runs follows the job, what is admitted the
  // Workload.
  bool StandsForJob() const;
  // REQUIRES: source is not kNone.
  const std::vector<PodSetFacts>& pod_sets() const {
    return source == GangSource::kJob || StandsForJob() ? job->pod_sets : facts()->pod_sets;
  }
  // Which queue is named: by facts(), else by the pods of the group; empty: none. And whether that
  // is a LocalQueue, where there is one of the name. REQUIRES: facts() is not null.
  const std::string& NamedQueue() const;
  bool NamesLocalQueue() const;
};

// What binds a namespace to a queue.
enum class BoundBy : std::uint8_t { kLabel, kQuota };
struct Bond {
  std::string_view name_space, queue;
  BoundBy by = BoundBy::kLabel;
};

struct NodeRow {
  std::string name;
  state::NodeChange change;
  Source source;
  bool in_pool = true;
  bool dirty = false;
  bool given = false;
};

// Labels that some pods of one namespace have: which budgets select those is worked out once.
struct LabelsRow {
  std::string name;  // both, packed (budgets.cc)
  std::string name_space;
  objects::Labels labels;
  std::vector<PodId> pods;           // that have them
  std::vector<std::string> budgets;  // that select them, "namespace/name", sorted
  DemandRowsPtr counted_by;          // the demands of others that count them
  bool selected = false;             // that was looked up once (intake/join/demands.h)
};

// A Queue.
struct QueueRow {
  objects::Queue queue;
  Time created;
  bool bounds_run_time() const { return queue.max_run_time || queue.default_run_time; }
};
state::QueueChange ChangeOf(const QueueRow& row);

// A namespace that says something to another scheduler.
struct ForeignNameSpace {
  std::string asks;  // packed (facts/foreign_asks.h)
  Source source;
};

struct BoundNameSpace {
  std::string queue;  // its label
  Source source;
};

}  // namespace fairlead::intake
