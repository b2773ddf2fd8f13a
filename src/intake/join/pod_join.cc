#include "intake/join/pod_join.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/integer.h"
#include "intake/facts/job_facts.h"
#include "intake/facts/run_time.h"
#include "intake/join/asked_spec.h"
#include "intake/join/gang_join.h"
#include "intake/join/surplus.h"
#include "intake/tables/hold_reasons.h"
#include "objects/key.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

std::string NamesOf(const std::vector<PodSetFacts>& pod_sets) {
  std::string names;
  for (const PodSetFacts& set : pod_sets) {
    if (!names.empty()) names += ", ";
    names += set.name;
  }
  return names;
}

// Which of its pod sets the pods say they are in; empty: they do not say.
std::string_view PartOf(Membership by, const PodTraits& traits, const NamedJob& job) {
  if (by == Membership::kByJob && !job.pod_set.empty()) return job.pod_set;
  return by == Membership::kByGroup ? traits.group_part : traits.pod_set;
}

// Who made the pods, "KIND/NAMESPACE/NAME".
SharedOptional<std::string> MakerOf(const PodTraits& traits) {
  if (!traits.daemon_set.empty()) {
    return fmt::format("DaemonSet/{}/{}", traits.name_space, traits.daemon_set);
  }
  if (traits.made_by.empty()) return {};
  const auto [kind, name] = objects::SplitKey(traits.made_by);
  return std::string(kind).append(1, '/').append(traits.name_space).append(1, '/').append(name);
}

// Which of the set's pods it says it is; −1: it does not say. The Jobs of a JobSet count each their
// own: a completion index is that in its unit.
std::int32_t IndexIn(const PodSetFacts& set, const PodFacts& pod, const objects::Labels& labels) {
  const std::int32_t index = pod.index - set.first_index;
  const std::string* said = objects::FindLabel(labels, set.unit_label);
  if (set.unit_label.empty() || said == nullptr ||
      objects::FindLabel(labels, objects::kCompletionIndexKey) == nullptr) {
    return std::max(-1, index);
  }
  const std::int64_t unit = ParseInteger<std::int32_t>(*said).value_or(-1);
  if (unit < 0 || index < 0 || index >= set.step) return -1;
  const std::int64_t of_set = unit * set.step + index;
  return of_set < set.count.value_or(0) ? static_cast<std::int32_t>(of_set) : -1;
}

// What has the name of a group in its place.
std::string WhatCounts(const GangRow& gang) {
  if (gang.source == GangSource::kPods) return "pods of Kueue's groups have its name";
  return fmt::format("one of {} has its name", objects::RowOf(gang.group()).group);
}

// Whether what the pods say is enough to be of `gang`. A label is; a group's name is where no
// group of another system has it; the pods of a Job are of it only where the Job is one workload.
// Of a job that comes in groups, whose row is `base`, they are where their group is one of it.
bool JoinsBy(const GangRow& gang, GangId base, Membership by, const PodTraits& traits,
             const NamedJob& job) {
  if (gang.source == GangSource::kNone) return false;
  if (by == Membership::kByLabel) return true;
  if (by == Membership::kByGroup) {
    return gang.group() == objects::GroupApi::kNone || gang.group() == traits.group_api;
  }
  if (base.valid() || gang.base.valid()) {
    return gang.source == GangSource::kJob && gang.base == base && gang.job != nullptr &&
           gang.job->kind->kind() == job.kind;
  }
  const GangFacts* facts = gang.facts();
  if (facts != nullptr && facts->owner_kind != nullptr && facts->owner_job == job.name &&
      facts->owner_kind->kind() == job.kind) {
    return true;
  }
  if (gang.job == nullptr || gang.job->kind->kind() != job.kind) return false;
  // A job made anew under the name of one that was deleted has another uid, and other pods.
  const std::string& uid = gang.job->uid;
  if (!uid.empty() && !job.uid.empty() && uid != job.uid) return false;
  return gang.source == GangSource::kJob || gang.job->gang;
}

std::optional<std::uint32_t> FindPodSet(const GangRow& gang, GangId base, Membership by,
                                        const PodTraits& traits, const NamedJob& job) {
  if (!JoinsBy(gang, base, by, traits, job)) return std::nullopt;
  const std::vector<PodSetFacts>& sets = gang.pod_sets();
  const std::string_view part = PartOf(by, traits, job);
  // A group that asks for no parts takes its pods whatever they say of theirs. One of a job may
  // have no workers by now, and then takes none.
  const bool has_no_parts =
      (gang.source == GangSource::kJob && by == Membership::kByJob && !base.valid()) ||
      (gang.group() != objects::GroupApi::kNone && sets.front().name == "main");
  if (sets.size() == 1 && (part.empty() || has_no_parts)) return 0;
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    if (sets[i].name == part) return i;
  }
  return part.find('/') == part.npos ? std::nullopt : jobs::FindByComponent(sets, part);
}

// The kind of what the pods name; "PodGroup (scheduling.x-k8s.io)".
std::string NamedKind(Membership by, const PodTraits& traits) {
  if (by != Membership::kByGroup) return "Workload";
  return fmt::format("{} ({})", objects::kPodGroup, objects::RowOf(traits.group_api).group);
}

// Why the pods named a workload and are not of it.
state::Reason NotJoined(const GangRow& gang, GangId base, Membership by, const PodTraits& traits,
                        const NamedJob& job) {
  std::string message;
  const std::string_view part = PartOf(by, traits, job);
  if (gang.source == GangSource::kNone) {
    message =
        fmt::format("the {} {} that the pod names is not there", NamedKind(by, traits), gang.name);
  } else if (!JoinsBy(gang, base, by, traits, job)) {
    message = traits.group_api == objects::GroupApi::kKueuePods
                  ? fmt::format("a PodGroup ({}) has the name {} of its group, and counts",
                                objects::RowOf(gang.group()).group, gang.name)
                  : fmt::format("the {} {} that the pod names does not count: {}",
                                NamedKind(by, traits), gang.name, WhatCounts(gang));
  } else if (part.empty()) {
    message = fmt::format("the {} {} has several pod sets ({}) and the pod names none of them",
                          KindOf(gang), gang.name, NamesOf(gang.pod_sets()));
  } else {
    message = fmt::format("the {} {} has no pod set {}; it has {}", KindOf(gang), gang.name, part,
                          NamesOf(gang.pod_sets()));
  }
  return state::Reason{.code = state::ReasonCode::kWorkloadNotFound, .message = std::move(message)};
}

// Whether a pod of the job ran as long as it may, and it asks what it did then.
bool IsKeptOut(const JobFacts& job) {
  return job.kept_out && (job.kept_out->spec.empty() || job.kept_out->spec == AskedSpecOf(job));
}

// A Job may count it as a failure, or give up, unless it says that it does not mind.
bool MayBeEvicted(const Tables& tables, const Family& family, const PodTraits& traits) {
  if (!traits.made_by.starts_with("Job/")) return true;
  const JobFacts* job = JobOfPods(tables, family, traits);
  return job != nullptr && job->ignores_disruption;
}

// What is said of the volumes comes last. The hold, where there is one, is the join's.
void Take(VolumeJoin volumes, std::optional<state::Reason> hold, FamilyJoin& join) {
  if (!hold) hold = std::move(volumes.hold);
  if (hold) join.hold = std::make_shared<const state::Reason>(std::move(*hold));
  if (!(volumes.demands == ClaimDemands())) {
    join.claims = std::make_shared<const ClaimDemands>(std::move(volumes.demands));
  }
}

}  // namespace

FamilyJoin PodJoin::Join(const Family& family) const {
  const PodTraits traits = UnpackTraits(family.name);
  const PriorityGiven given = tables_.classes.Resolve({.class_name = traits.priority_class,
                                                       .number = traits.priority,
                                                       .never_preempts = traits.never_preempts});
  FamilyJoin join;
  join.priority = given.priority;
  join.opted_out = IsOptedOut(traits.allow_preemption, given.opted_out);
  join.may_move = traits.may_move && MayBeEvicted(tables_, family, traits);
  join.of_daemon_set = daemon_sets_.Judge(traits);
  join.ours = traits.scheduler == tables_.configuration->scheduler_name;
  if (!traits.foreign.empty()) {
    const GpuShare share = GpuShareOf(traits.foreign, pool_.devices(), "");
    join.gpu_milli = share.milli;
    join.gpu_taken = share.taken_milli;
  }
  const NamedJob job = OutermostJob(tables_, family, traits);
  Membership by = MembershipOf(traits);
  GangId gang_id = family.gang;
  // case 0
  if (family.outer.valid() &&
      JoinsBy(tables_.gangs[family.outer], family.base, Membership::kByJob, traits, job)) {
    by = Membership::kByJob;
    gang_id = family.outer;
  }
  const GangRow* const named = gang_id.valid() ? &tables_.gangs[gang_id] : nullptr;
  const auto pod_set =
      named != nullptr ? FindPodSet(*named, family.base, by, traits, job) : std::nullopt;
  VolumeJoin volumes = asks_.VolumesOf(
      {.claims = traits.volume_claims,
       .name_space = traits.name_space,
       .of_template = pod_set ? named->pod_sets()[*pod_set].volume_claims : std::string_view()});
  if (!join.ours) {  // case 1
    Take(std::move(volumes), std::nullopt, join);
    join.hold = nullptr;
    return join;
  }
  std::optional<state::Reason> hold;
  if (named != nullptr) {
    const GangRow& gang = *named;
    if (pod_set) {  // case 2
      join.gang = gang_id;
      join.pod_set = *pod_set;
      join.priority = gang.priority;
      join.opted_out = IsOptedOut(traits.allow_preemption, given.opted_out || gang.opted_out);
      join.may_move = join.may_move && !gang.stays_put;
      join.demands = gang.demands;
      hold = asks_.HoldOf(traits.foreign, {.gang = true, .queue = true}, "");
      Take(std::move(volumes), std::move(hold), join);
      return join;
    }
    hold = WhyNot(family, gang, by, traits, job);  // case 3
    if (!hold) hold = asks_.HoldOfJob(gang, job, !traits.queue.empty());
  }
  // case 4
  const QueueNamed queue = QueueOfPods(tables_, family, traits);
  QueueChoice choice = queues_.Choose(traits.name_space, queue);
  if (!hold) hold = std::move(choice.hold);
  if (!hold && given.class_missing) hold = ClassMissing(traits.priority_class);
  if (!hold) hold = asks_.HoldOf(traits.foreign, {.queue = !queue.queue.empty()}, "");
  const JobFacts* const of = JobOfPods(tables_, family, traits);
  const bool asks_itself = !traits.topology.empty() || of == nullptr;
  TopologyJoin::Alone near = topologies_.OfPod(
      asks_itself ? traits.topology : std::string_view(of->topology), choice.queue);
  if (!hold) hold = std::move(near.hold);
  if (of != nullptr && IsKeptOut(*of)) hold = RanToItsLimit(of->kept_out->why, of->kind->kind());
  join.node_labels = std::move(near.node_labels);
  Take(std::move(volumes), std::move(hold), join);
  join.queue = tables_.names.Intern(choice.queue);
  join.demands = kueue_.DemandsOf(choice.queue);
  join.run_time = traits.run_time;
  join.submitter = SubmitterOf(tables_, traits.name_space,
                               of == nullptr ? traits.submitter : std::string_view(of->submitter));
  if (of != nullptr) {
    join.run_time = Together(join.run_time, of->run_time);
    join.stops = of->stops;
  }
  if (!traits.stays) bounds_.Apply(choice.queue, join.run_time);
  join.preemptible = traits.preemptible;
  join.made_by = MakerOf(traits);
  join.never_preempts = given.never_preempts;
  return join;
}

std::optional<state::Reason> PodJoin::WhyNot(const Family& family, const GangRow& gang,
                                             Membership by, const PodTraits& traits,
                                             const NamedJob& named) const {
  if (by != Membership::kByJob || JoinsBy(gang, family.base, by, traits, named)) {
    return NotJoined(gang, family.base, by, traits, named);
  }
  // News of it come later than those of the job, and of its pods: how many may run is not known
  // yet.
  const JobFacts* own = JobNamed(gang, named);
  if (own != nullptr && own->let_go && gang.source == GangSource::kNone) {
    return state::Reason{
        .code = state::ReasonCode::kWorkloadNotFound,
        .message = fmt::format("the {} {} was let go by a Workload that is not there",
                               own->kind->kind(), gang.name)};
  }
  if (!family.base.valid()) {
    if (own != nullptr || !IsAwaited(tables_, named)) return std::nullopt;
    return state::Reason{
        .code = state::ReasonCode::kWorkloadNotFound,
        .message = fmt::format("the {} {} that owns the pod is not there, or not yet", named.kind,
                               gang.name)};
  }
  const GangRow& base = tables_.gangs[family.base];
  const JobFacts* job = JobNamed(base, named);
  const bool one_workload =
      job != nullptr && IsOneWorkload(*job, tables_.configuration->scheduler_name);
  if (job != nullptr && !one_workload) return std::nullopt;
  std::string message = fmt::format("the {} {} that the pod names ", traits.job_kind, base.name);
  if (job == nullptr) {
    message += "is not there";
  } else {
    message +=
        fmt::format("has a group whose name is another's: a {} {} counts", KindOf(gang), gang.name);
  }
  return state::Reason{.code = state::ReasonCode::kWorkloadNotFound, .message = std::move(message)};
}

void PodJoin::JoinFamily(FamilyId id) {
  Family& family = tables_.families[id];
  FamilyJoin fresh = Join(family);
  if (family.joined && Same(family.join, fresh)) return;
  const bool moved = !family.joined || family.join.ours != fresh.ours ||
                     family.join.gang != fresh.gang || family.join.pod_set != fresh.pod_set ||
                     family.join.hold != fresh.hold;
  uses_.Move(family.join.queue, fresh.queue);
  family.join = std::move(fresh);
  told_ = {};
  family.joined = true;
  if (moved && family.gang.valid()) marks_.Mark(family.gang);
  if (moved && family.outer.valid()) marks_.Mark(family.outer);
  for (PodId member : family.members) {
    if (!family.join.gang.valid()) tables_.pods[member].surplus = false;
    marks_.Mark(member);
  }
}

state::NeedsPtr PodJoin::NeedsOf(const PodRow& row, As as) const {
  const FamilyJoin& join = tables_.families[row.family].join;
  const bool bound = as == As::kItIs && row.facts.state == state::PodState::kBound;
  const bool waits = as == As::kWaiting || row.facts.state == state::PodState::kPending;
  state::NeedsPtr needs =
      kueue_.Demanded(WithShare(tables_, row.needs, bound ? join.gpu_taken : join.gpu_milli),
                      join.demands, as == As::kWaiting ? Names::kEmpty : row.facts.node);
  if (waits) needs = WithNodeLabels(tables_, needs, join.node_labels);
  needs = WithClaims(tables_, needs, join.claims.get(),
                     waits ? state::PodState::kPending : row.facts.state);
  return demands_.Joined(needs, row.demands, tables_.labels[row.labels].counted_by);
}

void PodJoin::Tell(const PodRow& row, state::PodChange& into) const {
  const Family& family = tables_.families[row.family];
  into.name = row.name;
  into.uid = row.uid;
  into.needs = NeedsOf(row, As::kItIs);
  into.state = row.facts.state;
  const ClaimDemands* claims = family.join.claims.get();
  if (into.state == state::PodState::kPending && claims != nullptr && !claims->unbound.empty()) {
    into.volumes = claims->unbound;
  }
  into.node = tables_.names[row.facts.node];
  into.gpu_device = row.facts.gpu_device;
  into.terminating = row.facts.terminating;
  into.gated = row.facts.gated;
  // Outside the pool nothing of it is ours to decide.
  into.foreign = !family.join.ours || pool_.IsOutside(row.facts.node);
  into.of_daemon_set = family.join.of_daemon_set;
  into.opted_out = family.join.opted_out;
  into.owns_pods = row.owns_pods;
  into.may_move = family.join.may_move;
  into.made_by = family.join.made_by;
  into.is_static = row.facts.is_static;
  into.priority = family.join.priority;
  into.created = row.facts.created;
  into.scheduled_time = row.facts.scheduled;
  into.reserved_time = row.facts.reserved;
  into.nominated_node = tables_.names[row.facts.nominated];
  into.budgets = tables_.labels[row.labels].budgets;
  if (into.foreign) return;
  if (into.state == state::PodState::kPending) into.ungated = row.facts.rare->ungated;
  if (row.facts.rare->refusal) {
    into.refusal = state::KubeletRefusal{.needs = NeedsOf(row, As::kWaiting),
                                         .at = row.facts.rare->refusal->at,
                                         .message = row.facts.rare->refusal->message};
  }
  if (family.join.gang.valid()) {
    const GangRow& gang = tables_.gangs[family.join.gang];
    into.workload = gang.name;
    into.pod_set = static_cast<std::int32_t>(family.join.pod_set);
    if (gang.given != nullptr && !gang.given->topology.empty()) {
      into.index = IndexIn(gang.pod_sets()[family.join.pod_set], row.facts,
                           tables_.labels[row.labels].labels);
    }
    if (row.surplus) {
      into.hold = BeyondCount(gang, gang.pod_sets()[family.join.pod_set].name,
                              *CapOf(gang, family.join.pod_set));
    }
    return;
  }
  const bool as_the_last = told_.traits && told_.family == row.family &&
                           told_.created == row.facts.created && !row.facts.rare->reservation &&
                           !row.facts.rare->landings && !row.facts.rare->loan;
  if (as_the_last) {
    into.solo = told_.traits;
    return;
  }
  state::WorkloadTraits& traits = into.solo.emplace();
  traits.queue = tables_.names[family.join.queue];
  traits.priority = family.join.priority;
  traits.preemptible = family.join.preemptible;
  traits.never_preempts = family.join.never_preempts;
  traits.created = row.facts.created;
  traits.submitter = family.join.submitter;
  traits.stops = family.join.stops;
  traits.reservation = row.facts.rare->reservation;
  traits.landings = row.facts.rare->landings;
  traits.loan = row.facts.rare->loan;
  if (family.join.run_time.known()) traits.run_time.Edit() = family.join.run_time;
  if (family.join.hold) traits.hold = *family.join.hold;
  if (traits.reservation || traits.landings || traits.loan) return;
  told_ = {.family = row.family, .created = row.facts.created, .traits = into.solo};
}

std::optional<ToldPod> PodJoin::Told(const PodRow& row) const {
  const Family& family = tables_.families[row.family];
  if (!row.given || !family.joined) return std::nullopt;
  ToldPod told{.node = tables_.names[row.facts.node],
               .needs = NeedsOf(row, As::kItIs),
               .state = row.facts.state,
               .foreign = !family.join.ours || pool_.IsOutside(row.facts.node),
               .gated = row.facts.gated,
               .terminating = row.facts.terminating,
               .created = row.facts.created,
               .scheduled_time = row.facts.scheduled};
  if (told.foreign) return told;
  if (family.join.gang.valid()) {
    told.workload = tables_.gangs[family.join.gang].name;
    return told;
  }
  told.alone = true;
  told.queue = tables_.names[family.join.queue];
  told.priority = family.join.priority;
  told.preemptible = family.join.preemptible;
  return told;
}

bool PodJoin::IsVisible(const PodRow& row) const {
  const FamilyJoin& join = tables_.families[row.family].join;
  const bool bound = row.facts.state == state::PodState::kBound;
  if (!pool_.IsOutside(row.facts.node)) return join.ours || bound;
  const bool has_claim = join.claims != nullptr && !join.claims->one_pod.empty();
  return bound && (has_claim || demands_.IsCounted(row));
}

}  // namespace fairlead::intake
