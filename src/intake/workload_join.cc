#include <algorithm>

#include <fmt/format.h>

#include "intake/holds.h"
#include "intake/job.h"
#include "intake/store.h"
#include "objects/key.h"
#include "objects/keys.h"

// The joins of workloads of several pods: a Workload, a PodGroup, or a job that is one. Its queue,
// priority and preemptibility, and what its pods add: how many ended well, how many there are where
// nothing else says it, and which of them are beyond its count.
//
// A job that was admitted has a Workload of its own. While it is suspended the job alone says what
// it asks; while it runs, the Workload's status says with how many pods that may be.

namespace fairlead::intake {
namespace {

constexpr std::int32_t kPodGroupPriority = 50;      // KAI: where no class is named
constexpr std::int32_t kFirstNonPreemptible = 100;  // KAI: where preemptibility is not said

}  // namespace

// A Workload that stands for a job names its queue as the job does.
bool GangRow::NamesLocalQueue() const {
  const GangFacts* of = facts();
  if (of == nullptr || of->queue.empty()) return false;
  return of->local_queue || std::ranges::any_of(jobs, [&](const auto& each) {
           return each->local_queue && of->owner_kind == each->kind && of->queue == each->queue;
         });
}

bool GangRow::StandsForJob() const {
  const GangFacts* own = OwnWorkload();
  if (own == nullptr || job == nullptr || own->owner_kind != job->kind) return false;
  if (!std::string_view(name).ends_with("/" + own->owner_job)) return false;
  const std::string& uid = own->owner_uid;
  return uid.empty() || job->uid.empty() || uid == job->uid;
}

// The job that a Workload of the name is of; else the first that is a workload by itself.
const JobFacts* Intake::Store::CountingJob(const GangRow& gang) const {
  const JobFacts* counting = nullptr;
  const GangFacts* own = gang.OwnWorkload();
  for (const auto& job : gang.jobs) {
    if (own != nullptr && own->owner_kind == job->kind) return job.get();
    if (counting == nullptr && IsOneWorkload(*job, configuration_->scheduler_name)) {
      counting = job.get();
    }
  }
  return counting == nullptr && !gang.jobs.empty() ? gang.jobs.front().get() : counting;
}

GangSource Intake::Store::SourceOf(const GangRow& gang) const {
  if (gang.workload != nullptr) return GangSource::kWorkload;
  if (gang.pod_group != nullptr) return GangSource::kPodGroup;
  if (gang.kueue != nullptr) return GangSource::kKueueWorkload;
  if (gang.job != nullptr && IsOneWorkload(*gang.job, configuration_->scheduler_name)) {
    return GangSource::kJob;
  }
  return GangSource::kNone;
}

PriorityGiven Intake::Store::PriorityOf(const GangRow& gang, const GangFacts& facts) const {
  const bool pod_group = gang.source == GangSource::kPodGroup;
  return classes_.Resolve({.class_name = facts.priority_class,
                           .number = facts.priority,
                           .never_preempts = facts.never_preempts,
                           .otherwise = pod_group ? kPodGroupPriority : 0});
}

PriorityGiven Intake::Store::PriorityOf(const JobFacts& job) const {
  return classes_.Resolve({.class_name = job.priority_class,
                           .number = job.priority,
                           .never_preempts = job.never_preempts});
}

// REQUIRES: gang.source is not kNone.
state::WorkloadTraits Intake::Store::TraitsOf(const GangRow& gang) const {
  state::WorkloadTraits traits = OwnTraitsOf(gang);
  traits.drained = IsDrained(gang, traits.queue);
  return traits;
}

// Whether the ClusterQueue, or the LocalQueue by which it came, stops what it has admitted.
bool Intake::Store::IsDrained(const GangRow& gang, std::string_view queue) const {
  const KueueLeaf* leaf = FindLeaf(queue);
  if (leaf != nullptr && leaf->drains) return true;
  const GangFacts* facts = gang.facts();
  const std::string_view named = gang.NamesLocalQueue() ? facts->queue
                                 : gang.job != nullptr && gang.job->local_queue
                                     ? gang.job->queue
                                     : std::string_view();
  const KueueLocal* local = FindLocal(objects::SplitKey(gang.name).name_space, named);
  return local != nullptr && local->drains;
}

state::WorkloadTraits Intake::Store::OwnTraitsOf(const GangRow& gang) const {
  if (gang.source == GangSource::kJob) return TraitsOf(gang, *gang.job);
  // What Kueue wrote of a job's priority is in its Workload only.
  const bool by_job = gang.StandsForJob() && gang.job->suspend;
  if (!by_job || gang.source == GangSource::kKueueWorkload) return TraitsOf(gang, *gang.facts());
  state::WorkloadTraits traits = TraitsOf(gang, *gang.job);
  traits.active = gang.facts()->active;
  return traits;
}

state::WorkloadTraits Intake::Store::TraitsOf(const GangRow& gang, const GangFacts& facts) const {
  const bool pod_group = gang.source == GangSource::kPodGroup;
  QueueChoice choice = ChooseQueue(objects::SplitKey(gang.name).name_space, facts.queue,
                                   gang.NamesLocalQueue() ? NamedBy::kLocalQueue : NamedBy::kQueue);
  const PriorityGiven given = PriorityOf(gang, facts);
  state::WorkloadTraits traits;
  traits.queue = choice.queue;
  traits.priority = given.priority;
  traits.preemptible =
      facts.preemptible.value_or(!pod_group || given.priority < kFirstNonPreemptible);
  traits.never_preempts = given.never_preempts;
  traits.active = facts.active;
  traits.created = facts.created;
  traits.hold = std::move(choice.hold);
  if (!traits.hold && given.class_missing) traits.hold = ClassMissing(facts.priority_class);
  if (!traits.hold && !facts.scheduler.empty() &&
      facts.scheduler != configuration_->scheduler_name) {
    traits.hold = TemplateOfOtherScheduler(facts.scheduler, configuration_->scheduler_name);
  }
  if (!traits.hold && !facts.unsupported_field.empty()) {
    traits.hold = Unsupported(pod_group ? "PodGroup" : "Workload", facts.unsupported_field);
  }
  if (!traits.hold) {
    traits.hold = HoldOfPodSets(facts.pod_sets, {.gang = true, .queue = true},
                                objects::SplitKey(gang.name).name_space);
  }
  return traits;
}

state::WorkloadTraits Intake::Store::TraitsOf(const GangRow& gang, const JobFacts& job) const {
  const bool local = job.local_queue && !job.queue.empty();
  QueueChoice choice = ChooseQueue(objects::SplitKey(gang.name).name_space,
                                   job.queue.empty() ? job.template_queue : job.queue,
                                   local ? NamedBy::kLocalQueue : NamedBy::kQueue);
  const PriorityGiven given = PriorityOf(job);
  state::WorkloadTraits traits;
  traits.queue = choice.queue;
  traits.priority = given.priority;
  traits.preemptible = job.preemptible;
  traits.never_preempts = given.never_preempts;
  traits.created = job.created;
  traits.hold = std::move(choice.hold);
  if (!traits.hold && given.class_missing) traits.hold = ClassMissing(job.priority_class);
  for (const PodSetFacts& set : job.pod_sets) {
    if (traits.hold || set.scheduler == configuration_->scheduler_name) continue;
    traits.hold = NotOurScheduler(set.scheduler, configuration_->scheduler_name, set.template_path);
  }
  const MetAlready met = MetFor(gang, job);
  if (!traits.hold) traits.hold = ForeignHold(job.foreign, met, "");
  if (!traits.hold) {
    traits.hold = HoldOfPodSets(job.pod_sets, met, objects::SplitKey(gang.name).name_space);
  }
  return traits;
}

// Works out what the gang's families need to know of it, and has them joined where that changed.
void Intake::Store::JoinGang(GangId id) {
  GangRow& gang = gangs_[id];
  const GangSource before = gang.source;
  const std::int32_t priority_before = gang.priority;
  const bool opted_out_before = gang.opted_out;
  const auto demands_before = std::exchange(gang.demands, nullptr);
  const JobFacts* const job_before = gang.job;
  gang.job = CountingJob(gang);
  gang.source = SourceOf(gang);
  gang.priority = 0;
  gang.opted_out = false;
  NameId queue = Names::kEmpty;
  if (gang.source != GangSource::kNone) {
    state::WorkloadTraits traits = TraitsOf(gang);
    gang.priority = traits.priority;
    queue = names_.Intern(traits.queue);
    gang.demands = DemandsOf(traits.queue);
    const PriorityGiven given =
        gang.source == GangSource::kJob ? PriorityOf(*gang.job) : PriorityOf(gang, *gang.facts());
    gang.opted_out = given.opted_out;
  }
  UseQueue(gang.queue, queue);
  gang.queue = queue;
  if (gang.source == before && gang.priority == priority_before &&
      gang.opted_out == opted_out_before && gang.job == job_before &&
      gang.demands == demands_before) {
    return;
  }
  for (FamilyId family : gang.families) Mark(family);
}

// By pod set. REQUIRES: gang.source is not kNone, its families are joined.
std::vector<Tally> Intake::Store::CountPods(const GangRow& gang) const {
  std::vector<Tally> tallies(gang.pod_sets().size());
  for (FamilyId id : gang.families) {
    const Family& family = families_[id];
    if (!family.join.in_gang) continue;
    Tally& tally = tallies[family.join.pod_set];
    tally.bound += family.tally.bound;
    tally.pending += family.tally.pending;
    tally.succeeded += family.tally.succeeded;
  }
  return tallies;
}

namespace {

// A pod set of a Workload or a PodGroup. Without a count (PodGroup) it has as many pods as join,
// and waits for its minimum to come.
state::PodSetChange PodSetOf(const PodSetFacts& set, const Tally& tally, const GangFacts& facts) {
  state::PodSetChange change;
  change.name = set.name;
  change.count =
      set.count.value_or(std::max(set.min_count.value_or(0), tally.live() + tally.succeeded));
  change.min_count = std::min(set.min_count.value_or(change.count), change.count);
  change.succeeded = tally.succeeded;
  change.expected_needs = set.expected;
  change.admitted = jobs::CountOf(facts.admission, set.name).value_or(0);
  return change;
}

// A pod set of a job. `workload`: that stands for it; null: none does yet.
state::PodSetChange PodSetOf(const JobFacts& job, const PodSetFacts& set, const Tally& tally,
                             const GangFacts* workload) {
  state::PodSetChange change;
  change.name = set.name;
  change.count = set.left;
  change.min_count = job.suspend ? std::min(*set.min_count, set.left) : set.left;
  if (!job.kind->counts_successes()) change.succeeded = tally.succeeded;
  if (job.suspend || (workload != nullptr && !job.complete)) change.expected_needs = set.expected;
  if (workload == nullptr || job.suspend) return change;
  // What was asked is in the Workload: the job may be smaller since.
  const auto asked = std::ranges::find(workload->pod_sets, set.name, &PodSetFacts::name);
  const std::int32_t given = jobs::CountOf(workload->admission, set.name).value_or(0);
  change.admitted = std::min(given, set.left);
  if (asked == workload->pod_sets.end() || (given > 0 && change.admitted == 0)) return change;
  change.count = asked->count.value_or(set.left);
  change.min_count = std::min(asked->min_count.value_or(change.count), change.count);
  return change;
}

// Kueue's Workload says with how few pods its job may start.
void LowerMinimum(const GangFacts& workload, state::PodSetChange& set) {
  const auto asked = std::ranges::find(workload.pod_sets, set.name, &PodSetFacts::name);
  if (asked == workload.pod_sets.end() || !asked->min_count) return;
  set.min_count = std::min(set.min_count, *asked->min_count);
}

}  // namespace

// Under its name something else may count.
JobNotice Intake::Store::NoticeOf(const GangRow& gang, const JobFacts& job) const {
  const bool counts = gang.job == &job;
  const bool stands = counts && gang.StandsForJob();
  const bool waits = job.suspend && IsOneWorkload(job, configuration_->scheduler_name);
  if (!waits || stands || (counts && gang.source == GangSource::kJob)) {
    return intake::NoticeOf(job, stands ? gang.facts()->admission : jobs::Assignments());
  }
  std::string other;
  if (gang.OwnWorkload() != nullptr) {
    other = "a Workload of the same name is there that is not the job's own";
  } else if (gang.pod_group != nullptr) {
    other = "a PodGroup of the same name is there";
  } else {
    other = fmt::format("a queued {} of the same name is there", gang.job->kind->kind());
  }
  return {.code = kNameTaken, .message = other + ", and counts; the job stays suspended"};
}

// The first thing that an owner of its jobs should mend.
std::optional<state::JobProblem> Intake::Store::ProblemOf(const GangRow& gang) const {
  for (const auto& job : gang.jobs) {
    if (job->complete || job->part_of_job) continue;
    const bool concerns =
        gang.StandsForJob() || IsOneWorkload(*job, configuration_->scheduler_name);
    if (!concerns) continue;
    JobNotice notice = NoticeOf(gang, *job);
    if (notice.message.empty()) continue;
    return state::JobProblem{.kind = std::string(job->kind->kind()),
                             .code = std::string(notice.code),
                             .message = std::move(notice.message)};
  }
  return std::nullopt;
}

namespace {

// What people know it by: the job, where a Workload stands for one.
std::string_view KindOf(const GangRow& gang) {
  if (gang.source == GangSource::kJob || gang.StandsForJob()) return gang.job->kind->kind();
  return gang.source == GangSource::kPodGroup ? "PodGroup" : "Workload";
}

}  // namespace

state::WorkloadChange Intake::Store::ChangeOf(const GangRow& gang) const {
  const std::vector<Tally> tallies = CountPods(gang);
  const std::vector<PodSetFacts>& pod_sets = gang.pod_sets();
  const bool of_job = gang.source == GangSource::kJob || gang.StandsForJob();
  state::WorkloadChange change;
  change.name = gang.name;
  change.kind = KindOf(gang);
  change.traits = TraitsOf(gang);
  if (!change.traits.hold) change.traits.hold = HoldOfPods(gang);
  change.problem = ProblemOf(gang);
  if (gang.source == GangSource::kJob) {
    change.uid = gang.job->uid;
    change.announces_admission = gang.job->suspend;
  } else {
    change.uid = gang.facts()->uid;
    change.resize = of_job ? objects::Resize::kAtAdmission : gang.facts()->resize;
    change.recorded_start = gang.facts()->recorded_start;
    change.admitted_since = gang.facts()->admitted_since;
  }
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    change.pod_sets.push_back(of_job ? PodSetOf(*gang.job, pod_sets[i], tallies[i], gang.facts())
                                     : PodSetOf(pod_sets[i], tallies[i], *gang.facts()));
    state::PodSetChange& set = change.pod_sets.back();
    if (gang.source == GangSource::kKueueWorkload && of_job && gang.job->suspend) {
      LowerMinimum(*gang.facts(), set);
    }
    set.expected_needs =
        Demanded(WithShare(set.expected_needs, GpuMilliOf(pod_sets[i].foreign)), gang.demands);
    if (!gang.refused_by.empty()) {
      set.expected_needs = Refused(set.expected_needs, gang.refused_by[i]);
    }
    if (gang.source == GangSource::kPodGroup && set.min_count < set.count) {
      change.resize = objects::Resize::kAnytime;
    }
  }
  return change;
}

// How many pods of a set may be of the workload: what is admitted, where counts are fixed then;
// else what it asks. None: a Job's controller, or the count of the pods themselves, is the rule.
std::optional<std::int32_t> Intake::Store::CapOf(const GangRow& gang, std::size_t pod_set) const {
  if (gang.source == GangSource::kJob) return std::nullopt;
  const GangFacts& facts = *gang.facts();
  const PodSetFacts& set = gang.pod_sets()[pod_set];
  if (facts.resize == objects::Resize::kAnytime || facts.admission.empty()) return set.count;
  return jobs::CountOf(facts.admission, set.name).value_or(0);
}

// Finds the pods beyond the count. Bound ones are of the workload whatever their name: they run,
// and a running pod does not wait. Of the pending ones the first by name fill the count. Cost: O(1)
// a pod set where no pod is beyond, else O(n log n) over the workload's pods.
void Intake::Store::MarkSurplus(GangRow& gang) {
  const std::vector<Tally> tallies = CountPods(gang);
  std::vector<std::optional<std::int32_t>> caps(tallies.size());
  bool beyond = false;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    caps[i] = CapOf(gang, i);
    beyond |= caps[i] && tallies[i].live() > *caps[i];
  }
  if (!beyond && gang.surplus_caps.empty()) return;

  std::vector<std::vector<PodId>> pending(tallies.size());
  for (FamilyId id : gang.families) {
    const Family& family = families_[id];
    if (!family.join.in_gang) continue;
    for (PodId member : family.members) {
      const PodFacts& facts = pods_[member].facts;
      if (facts.state == state::PodState::kPending && !facts.terminating) {
        pending[family.join.pod_set].push_back(member);
      } else {
        SetSurplus(member, false);
      }
    }
  }
  const bool recounted = caps != gang.surplus_caps;  // the count stands in their hold
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    std::ranges::sort(pending[i], {}, [&](PodId id) -> std::string_view { return pods_[id].name; });
    const std::int64_t room = caps[i] ? std::int64_t{*caps[i]} - tallies[i].bound : 0;
    for (std::size_t k = 0; k < pending[i].size(); ++k) {
      SetSurplus(pending[i][k], caps[i] && static_cast<std::int64_t>(k) >= room);
      if (recounted && pods_[pending[i][k]].surplus) Mark(pending[i][k]);
    }
  }
  gang.surplus_caps = beyond ? std::move(caps) : decltype(caps)();
}

void Intake::Store::SetSurplus(PodId id, bool surplus) {
  if (pods_[id].surplus == surplus) return;
  pods_[id].surplus = surplus;
  Mark(id);
}

void Intake::Store::DropIfUnused(GangId id) {
  if (!gangs_[id].InUse()) gangs_.Erase(id);
}

}  // namespace fairlead::intake
