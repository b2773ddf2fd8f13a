#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "intake/kueue/flavor_demand.h"
#include "intake/names.h"
#include "jobs/job_kind.h"
#include "objects/objects.h"
#include "state/change.h"

// What intake keeps of each object: what the joins need, and no more.

namespace fairlead::intake {

// The queue under which namespaces with an ElasticQuota have theirs.
inline constexpr std::string_view kElasticQuotas = "elastic-quotas";

__extension__ using Wide = __int128;  // sums of amounts

using PodId = Id<struct PodRowTag>;
using FamilyId = Id<struct FamilyTag>;
using GangId = Id<struct GangTag>;
using NodeId = Id<struct NodeRowTag>;
using LabelsId = Id<struct LabelsRowTag>;
using OwnerId = Id<struct OwnerRowTag>;

// What the engine is told of a pod apart from the joins. A pod changed for the engine when these,
// its needs, or its family's join changed.
struct PodFacts {
  Time created;
  std::optional<Time> scheduled, reserved;
  NameId node = Names::kEmpty;  // where it is bound
  NameId nominated = Names::kEmpty;
  std::int32_t gpu_device = -1;
  state::PodState state = state::PodState::kPending;
  bool succeeded = false;  // kFinished: and ended well
  bool terminating = false;
  bool gated = false;
  bool is_static = false;
  bool room_unknown = false;
  bool operator==(const PodFacts&) const = default;
};

struct PodRow {
  std::string name;  // "namespace/name"
  std::string uid;
  state::NeedsPtr needs;
  PodFacts facts;
  FamilyId family;
  std::uint32_t place = 0;  // in its family's `members`
  LabelsId labels;
  Source source;
  bool dirty : 1 = false;      // is in Store::dirty_pods_
  bool given : 1 = false;      // the engine has it
  bool surplus : 1 = false;    // beyond the count of its workload: it waits by itself
  bool owned : 1 = false;      // it counts in Store::owners_, by Store::owned_
  bool owns_pods : 1 = false;  // some other pod that is there to stay has it as owner
};

// How a family's pods are joined: what the engine is told of each, apart from its facts.
struct FamilyJoin {
  bool ours = false;  // else: of another scheduler
  state::OfDaemonSet of_daemon_set = state::OfDaemonSet::kNo;
  bool in_gang = false;  // else: each is a workload of its own
  std::uint32_t pod_set = 0;
  NameId queue = Names::kEmpty;  // of a workload of its own, as the next four
  bool preemptible = true;
  bool never_preempts = false;
  std::shared_ptr<const state::Reason> hold;
  std::int32_t priority = 0;  // its own, or its gang's
  bool opted_out = false;     // says so itself, or, where it says nothing, its class or its gang's
  std::shared_ptr<const FlavorDemands> demands;  // of its queue; null: none
  // A share of a device, asked as KAI's pods do: while a pod waits, and once it has a node.
  std::int64_t gpu_milli = 0, gpu_taken = 0;
};
bool Same(const FamilyJoin& a, const FamilyJoin& b);

// How many of some pods are in which state. Terminating ones are in none: they are on their way
// out, and what replaces them may be there already.
struct Tally {
  std::int32_t bound = 0, pending = 0, succeeded = 0;
  std::int32_t live() const { return bound + pending; }
};

// Pods that claim the same (claims.h): one namespace, one workload, one class, one owner. Joined
// once for all of them, so that a change of a namespace, a class or a Workload costs one join a
// family.
struct Family {
  std::string name;  // the packed claims
  std::vector<PodId> members;
  GangId gang;  // the workload that they name, be it there or not; invalid: they name none
  Tally tally;
  FamilyJoin join;
  bool dirty = false;   // is in Store::dirty_families_
  bool joined = false;  // `join` was worked out once
};

// A pod set of a Workload, a PodGroup or a Job.
struct PodSetFacts {
  std::string name;
  std::optional<std::int32_t> count, min_count;
  state::NeedsPtr expected;  // its template's; null: it has none
  // Of a job:
  std::int32_t left = 0;           // of `count`, those that are still to run
  objects::Labels labels;          // of its template
  std::string scheduler;           // that its template names …
  std::string_view template_path;  // … and where that stands
  // What the template asks (Store::Asks), packed as in the claims of pods.
  std::string foreign, volume_claims;
};

// A Workload, or an object of a dialect that becomes one (KAI's PodGroup).
struct GangFacts {
  std::string uid;
  Time created;
  std::string queue;
  std::string priority_class;  // its own, else its templates'
  std::optional<std::int32_t> priority;
  bool never_preempts = false;
  std::optional<bool> preemptible;
  bool active = true;
  objects::Resize resize = objects::Resize::kAtAdmission;
  std::vector<PodSetFacts> pod_sets;
  std::vector<objects::PodSetAssignment> admission;
  std::optional<Time> recorded_start;
  std::optional<Time> admitted_since;
  std::string unsupported_field;
  std::string scheduler;  // that a template names; empty: none is named
  // The job that it says it stands for; null: none.
  const jobs::JobKind* owner_kind = nullptr;
  std::string owner_job, owner_uid;
  bool local_queue = false;  // `queue` names a LocalQueue where there is one
  std::string dialect_name;  // "namespace/name" of the object where the workload is named otherwise
  std::vector<std::string> passed_over;  // what it asks in vain, as field paths
  Source source;
};

// A Workload of Kueue's, and the workload that it is.
struct KueueWorkloadRow {
  std::string gang;
  std::shared_ptr<GangFacts> facts;
};

// A job of some kind (job.h).
struct JobFacts {
  const jobs::JobKind* kind = nullptr;
  std::string uid;
  Time created;
  std::string queue;           // named by the job itself
  bool local_queue = false;    // … as a LocalQueue, where there is one
  std::string template_queue;  // named by a template of its pods
  std::string priority_class;
  std::optional<std::int32_t> priority;
  bool never_preempts = false;
  bool preemptible = true;
  bool gang = false;
  bool suspend = false;
  bool complete = false;
  bool part_of_job = false;  // another job made it, and is the one that counts
  std::vector<PodSetFacts> pod_sets;
  std::string minimum_fault;
  std::string foreign;  // what its own keys ask, beside those of its templates
  Source source;
};

// Which object makes a name a workload: the first of these that is there counts.
enum class GangSource : std::uint8_t { kNone, kWorkload, kPodGroup, kKueueWorkload, kJob };

// A name under which there is a workload of several pods, could be one, or is one missed.
struct GangRow {
  std::string name;  // "namespace/name"
  std::unique_ptr<GangFacts> workload, pod_group;
  std::shared_ptr<const GangFacts> kueue;       // the Kueue Workload that counts
  std::vector<std::unique_ptr<JobFacts>> jobs;  // of different kinds, in the order of AllKinds()
  std::vector<FamilyId> families;               // that name it

  GangSource source = GangSource::kNone;         // as joined
  const JobFacts* job = nullptr;                 // as joined: of `jobs` the one that counts
  std::int32_t priority = 0;                     // as joined
  bool opted_out = false;                        // as joined: its class says so
  NameId queue = Names::kEmpty;                  // as joined
  std::shared_ptr<const FlavorDemands> demands;  // as joined
  std::unique_ptr<state::WorkloadChange> given;  // what the engine has; null: nothing
  bool dirty = false;                            // is in Store::dirty_gangs_
  // By pod set: the terms of others' anti-affinity that its template's pods match. Empty: none.
  std::vector<std::vector<std::uint64_t>> refused_by;
  // The counts beyond which members were found surplus, by pod set; empty: none is.
  std::vector<std::optional<std::int32_t>> surplus_caps;

  const GangFacts* facts() const {
    if (workload != nullptr) return workload.get();
    return pod_group != nullptr ? pod_group.get() : kueue.get();
  }
  bool InUse() const { return facts() != nullptr || !jobs.empty() || !families.empty(); }
  // The Workload that may stand for a job; null: none is there.
  const GangFacts* OwnWorkload() const {
    return workload == nullptr && pod_group != nullptr ? nullptr : facts();
  }
  // Whether the Workload is that of the job: what runs follows the job, what is admitted the
  // Workload.
  bool StandsForJob() const;
  // REQUIRES: source is not kNone.
  const std::vector<PodSetFacts>& pod_sets() const {
    return source == GangSource::kJob || StandsForJob() ? job->pod_sets : facts()->pod_sets;
  }
  bool NamesLocalQueue() const;  // facts()'s `queue` is one, where it is there
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
  std::vector<state::Refusal> refusals;  // as joined
  bool in_pool = true;
  bool dirty = false;
  bool given = false;
};

// Labels that some pods of one namespace have: which budgets select those is worked out once.
struct LabelsRow {
  std::string name;  // both, packed (budget_join.cc)
  std::string name_space;
  objects::Labels labels;
  std::uint32_t pods = 0;
  std::uint32_t waiting = 0;              // of these, on no node
  std::vector<std::string> budgets;       // that select them, "namespace/name", sorted
  std::vector<std::uint64_t> refused_by;  // terms of others' anti-affinity, while any wait
  bool reselected = false;  // one of the two changed and the pods are still to be marked
};

// A term of the anti-affinity of pods that run, and these pods.
struct RefusalRow {
  std::uint64_t number = 0;  // made of what the term says
  std::string name_space;    // of the pods
  objects::PodTerm term;
  std::map<std::string, NameId> pods;  // to the node that each is on
};

// Pods of one name that others name as their owner, be there one now or not.
struct OwnerRow {
  struct Claim {
    std::string uid;         // of the owner that is meant; empty: whichever has the name
    std::uint32_t pods = 0;  // that mean it; 0: free for another
  };
  std::string name;  // "namespace/name"
  std::vector<Claim> claims;
};

struct BudgetRow {
  objects::LabelSelector selector;
  bool selects_nothing = false;
  state::BudgetChange change;
};

struct QueueRow {
  objects::Queue queue;
  Time created;
};

// An ElasticQuota.
struct QuotaRow {
  std::string name;  // without its namespace
  objects::ResourceList min, max;
  Time created;
  std::string source;
};

// The ElasticQuotas of a namespace, by creation, then name. The first counts.
struct QuotaSpace {
  std::vector<QuotaRow> quotas;
  std::string queue;  // that of the namespace
};

// What the min of all quotas that count come to in one resource.
struct MinSum {
  std::int64_t named_by = 0;
  Wide sum = 0;
};

struct HardRow {
  objects::ResourceList hard;
  std::string source;
};

state::QueueChange ChangeOf(const QueueRow& row);  // take_changes.cc

// A PersistentVolumeClaim.
struct ClaimRow {
  std::string volume;
  bool bound = false, one_pod_only = false;
  bool leaves = false;  // it is being deleted
  bool operator==(const ClaimRow&) const = default;
};

// A PersistentVolume.
struct VolumeRow {
  std::string claim;  // "namespace/name"; empty: not said
  bool tied = false;  // to some nodes
  bool operator==(const VolumeRow&) const = default;
};

struct BoundNameSpace {
  std::string queue;  // its label
  Source source;
};

}  // namespace fairlead::intake
