#include "intake/join/gang_traits.h"

#include <algorithm>

#include "intake/facts/job_facts.h"
#include "intake/facts/run_time.h"
#include "intake/join/asked_spec.h"
#include "intake/tables/hold_reasons.h"
#include "objects/key.h"

namespace fairlead::intake {
namespace {

using objects::GroupApi;

constexpr std::int32_t kKaiPriority = 50;           // KAI: where no class is named
constexpr std::int32_t kFirstNonPreemptible = 100;  // KAI: where preemptibility is not said

// Where its object does not say so: by its priority with KAI, else as its pods say.
bool IsPreemptible(const GangRow& gang, std::int32_t priority) {
  if (gang.group() == GroupApi::kNone) return true;
  if (gang.group() == GroupApi::kKai) return priority < kFirstNonPreemptible;
  return gang.pods_say.preemptible;
}

}  // namespace

// The row of a job that comes in groups is none itself.
GangTraits::Counting GangTraits::CountingJob(const GangRow& gang) const {
  const JobFacts* counting = nullptr;
  const JobFacts* first = nullptr;
  const GangFacts* own = gang.OwnWorkload();
  for (const auto& job : gang.jobs) {
    if (!job->kind->group_label().empty()) continue;
    if (own != nullptr && own->owner_kind == job->kind) return {.job = job.get(), .base = {}};
    if (counting == nullptr && IsOneWorkload(*job, tables_.configuration->scheduler_name)) {
      counting = job.get();
    }
    if (first == nullptr) first = job.get();
  }
  if (counting != nullptr) return {.job = counting, .base = {}};
  const Counting of_group = JobOfGroup(gang);
  return of_group.job != nullptr ? of_group : Counting{.job = first, .base = {}};
}

GangTraits::Counting GangTraits::JobOfGroup(const GangRow& gang) const {
  Counting counting;
  for (const FamilyId id : gang.families) {
    const Family& family = tables_.families[id];
    if (!family.base.valid() || &tables_.gangs[family.group_of_job()] != &gang) continue;
    const GangRow& base = tables_.gangs[family.base];
    const JobFacts* job = JobNamed(base, JobOf(UnpackTraits(family.name)));
    if (job == nullptr || !IsOneWorkload(*job, tables_.configuration->scheduler_name)) continue;
    const auto rank = [&](const JobFacts& of, GangId at) {
      return std::pair(std::string_view(tables_.gangs[at].name), of.kind->kind());
    };
    if (counting.job == nullptr || rank(*job, family.base) < rank(*counting.job, counting.base)) {
      counting = {.job = job, .base = family.base};
    }
  }
  return counting;
}

GangSource GangTraits::SourceOf(const GangRow& gang) const {
  if (gang.workload != nullptr) return GangSource::kWorkload;
  if (gang.has_group()) return GangSource::kPodGroup;
  if (gang.kueue != nullptr) return GangSource::kKueueWorkload;
  if (gang.job != nullptr && IsOneWorkload(*gang.job, tables_.configuration->scheduler_name)) {
    return GangSource::kJob;
  }
  return gang.pods != nullptr ? GangSource::kPods : GangSource::kNone;
}

PriorityGiven GangTraits::PriorityOf(const GangRow& gang, const GangFacts& facts) const {
  const GroupApi group = gang.group();
  const bool by_pods = group != GroupApi::kNone && group != GroupApi::kKai &&
                       facts.priority_class.empty() && !facts.priority;
  if (by_pods) {
    return tables_.classes.Resolve(
        {.class_name = gang.pods_say.priority_class,
         .number = gang.pods_say.priority,
         .never_preempts = facts.never_preempts || gang.pods_say.never_preempts});
  }
  return tables_.classes.Resolve({.class_name = facts.priority_class,
                                  .number = facts.priority,
                                  .never_preempts = facts.never_preempts,
                                  .otherwise = group == GroupApi::kKai ? kKaiPriority : 0});
}

PriorityGiven GangTraits::PriorityOf(const JobFacts& job) const {
  return tables_.classes.Resolve({.class_name = job.priority_class,
                                  .number = job.priority,
                                  .never_preempts = job.never_preempts});
}

state::WorkloadTraits GangTraits::Of(const GangRow& gang) const {
  state::WorkloadTraits traits = Own(gang);
  traits.drained = IsDrained(gang, traits.queue);
  state::RunTime run_time = RunTimeOf(gang);
  bounds_.Apply(traits.queue, run_time);
  if (run_time.known()) traits.run_time.Edit() = std::move(run_time);
  traits.submitter =
      SubmitterOf(tables_, objects::SplitKey(gang.name).name_space, SubmitterSaidOf(gang));
  if (const GangFacts* facts = gang.facts()) {
    traits.waits_anew = facts->waits_anew;
    traits.stops = facts->stops;
    traits.reservation = facts->reservation;
    traits.landings = facts->landings;
    traits.moved_at = facts->moved_at;
    traits.loan = facts->loan;
    // Behind those that waited when it was stopped.
    if (facts->waits_again) traits.created = std::max(traits.created, *facts->waits_again);
    if (IsKeptOut(gang, *facts)) traits.hold = RanToItsLimit(facts->kept_out->why);
  }
  return traits;
}

bool GangTraits::IsKeptOut(const GangRow& gang, const GangFacts& facts) {
  if (!facts.kept_out) return false;
  return facts.kept_out->spec.empty() || facts.kept_out->spec == AskedSpecOf(gang);
}

// The outermost owner: the job, be it its Workload or a group that is decided about.
std::string_view GangTraits::SubmitterSaidOf(const GangRow& gang) {
  const bool of_job = gang.source == GangSource::kJob || gang.StandsForJob();
  if (of_job && gang.job != nullptr) return gang.job->submitter;
  const GangFacts* facts = gang.facts();
  if (facts != nullptr && !facts->submitter.empty()) return facts->submitter;
  return gang.group() == GroupApi::kNone ? std::string_view() : gang.pods_say.submitter;
}

state::RunTime GangTraits::RunTimeOf(const GangRow& gang) {
  state::RunTime run_time;
  if (const GangFacts* facts = gang.facts()) run_time = facts->run_time;
  const bool counts = gang.source == GangSource::kJob || gang.StandsForJob();
  return counts && gang.job != nullptr ? Together(run_time, gang.job->run_time) : run_time;
}

bool GangTraits::IsDrained(const GangRow& gang, std::string_view queue) const {
  const KueueLeaf* leaf = kueue_.FindLeaf(queue);
  if (leaf != nullptr && leaf->drains) return true;
  const std::string_view named = gang.NamesLocalQueue() ? gang.NamedQueue()
                                 : gang.job != nullptr && gang.job->local_queue
                                     ? gang.job->queue
                                     : std::string_view();
  const KueueLocal* local = kueue_.FindLocal(objects::SplitKey(gang.name).name_space, named);
  return local != nullptr && local->drains;
}

state::WorkloadTraits GangTraits::Own(const GangRow& gang) const {
  if (gang.source == GangSource::kJob) return Of(gang, *gang.job);
  // What Kueue wrote of a job's priority is in its Workload only.
  const bool by_job = gang.StandsForJob() && gang.job->suspend;
  if (!by_job || gang.source == GangSource::kKueueWorkload) return Of(gang, *gang.facts());
  state::WorkloadTraits traits = Of(gang, *gang.job);
  traits.active = gang.facts()->active;
  return traits;
}

state::WorkloadTraits GangTraits::Of(const GangRow& gang, const GangFacts& facts) const {
  const GroupApi group = gang.group();
  QueueChoice choice =
      queues_.Choose(objects::SplitKey(gang.name).name_space,
                     {.queue = gang.NamedQueue(), .local = gang.NamesLocalQueue()});
  const PriorityGiven given = PriorityOf(gang, facts);
  state::WorkloadTraits traits;
  traits.queue = choice.queue;
  traits.priority = given.priority;
  traits.preemptible = facts.preemptible.value_or(IsPreemptible(gang, given.priority));
  traits.never_preempts = given.never_preempts;
  traits.active = facts.active;
  traits.created = facts.created;
  traits.hold = std::move(choice.hold);
  if (!traits.hold && given.class_missing) {
    traits.hold = ClassMissing(facts.priority_class.empty() ? gang.pods_say.priority_class
                                                            : facts.priority_class);
  }
  if (!traits.hold && gang.source == GangSource::kPods && !gang.pods_say.fault.empty()) {
    traits.hold = GroupInvalid(gang.pods_say.fault);
  }
  if (!traits.hold) traits.hold = OtherScheduler(gang, facts);
  if (!traits.hold && !facts.unsupported_field.empty()) {
    traits.hold = Unsupported(group == GroupApi::kNone ? "Workload" : objects::kPodGroup,
                              facts.unsupported_field);
  }
  if (!traits.hold) {
    traits.hold = asks_.HoldOfPodSets(facts.pod_sets, {.gang = true, .queue = true},
                                      objects::SplitKey(gang.name).name_space);
  }
  return traits;
}

std::optional<state::Reason> GangTraits::OtherScheduler(const JobFacts& job) const {
  const std::string& ours = tables_.configuration->scheduler_name;
  const auto theirs = std::ranges::find_if(
      job.pod_sets, [&](const PodSetFacts& set) { return set.scheduler != ours; });
  if (theirs == job.pod_sets.end()) return std::nullopt;
  return NotOurScheduler(theirs->scheduler, ours, theirs->template_path);
}

std::optional<state::Reason> GangTraits::OtherScheduler(const GangRow& gang,
                                                        const GangFacts& facts) const {
  // Its templates are copies from when Kueue made it, and pods are made of the job's.
  if (gang.source == GangSource::kKueueWorkload && gang.StandsForJob()) {
    return OtherScheduler(*gang.job);
  }
  const std::string& ours = tables_.configuration->scheduler_name;
  if (facts.scheduler.empty() || facts.scheduler == ours) return std::nullopt;
  return TemplateOfOtherScheduler(facts.scheduler, ours);
}

state::WorkloadTraits GangTraits::Of(const GangRow& gang, const JobFacts& job) const {
  const bool local = job.local_queue && !job.queue.empty();
  QueueChoice choice =
      queues_.Choose(objects::SplitKey(gang.name).name_space,
                     {.queue = job.queue.empty() ? job.template_queue : job.queue, .local = local});
  const PriorityGiven given = PriorityOf(job);
  state::WorkloadTraits traits;
  traits.queue = choice.queue;
  traits.priority = given.priority;
  traits.preemptible = job.preemptible;
  traits.never_preempts = given.never_preempts;
  traits.created = job.created;
  traits.hold = std::move(choice.hold);
  if (!traits.hold && given.class_missing) traits.hold = ClassMissing(job.priority_class);
  if (!traits.hold) traits.hold = OtherScheduler(job);
  if (!traits.hold && job.suspend && !job.cannot_suspend_for.empty()) {
    traits.hold = CannotBeSuspended(job.kind->kind(), job.cannot_suspend_for);
  }
  const MetAlready met = asks_.MetFor(gang, job);
  if (!traits.hold) traits.hold = ForeignHold(job.foreign, met, "");
  if (!traits.hold) {
    traits.hold = asks_.HoldOfPodSets(job.pod_sets, met, objects::SplitKey(gang.name).name_space);
  }
  return traits;
}

PriorityGiven GangTraits::PriorityOf(const GangRow& gang) const {
  return gang.source == GangSource::kJob ? PriorityOf(*gang.job) : PriorityOf(gang, *gang.facts());
}

}  // namespace fairlead::intake
