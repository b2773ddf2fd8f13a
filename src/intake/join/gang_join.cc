#include "intake/join/gang_join.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "intake/facts/codes.h"
#include "intake/join/group_pods.h"
#include "objects/key.h"

namespace fairlead::intake {

void GangJoin::Join(GangId id) {
  GangRow& gang = tables_.gangs[id];
  const GangSource before = gang.source;
  const std::int32_t priority_before = gang.priority;
  const bool opted_out_before = gang.opted_out;
  const bool stayed_put = gang.stays_put;
  const auto demands_before = std::exchange(gang.demands, nullptr);
  const JobFacts* const job_before = gang.job;
  gang.pods_say = AskPods(tables_, gang);
  gang.pods = FactsOfPods(tables_, gang, gang.pods_say);
  const GangTraits::Counting counting = traits_.CountingJob(gang);
  gang.job = counting.job;
  gang.base = counting.base;
  gang.source = traits_.SourceOf(gang);
  gang.priority = 0;
  gang.opted_out = false;
  NameId queue = Names::kEmpty;
  if (gang.source != GangSource::kNone) {
    const state::WorkloadTraits traits = traits_.Own(gang);
    gang.priority = traits.priority;
    queue = tables_.names.Intern(traits.queue);
    gang.demands = kueue_.DemandsOf(traits.queue);
    gang.opted_out = traits_.PriorityOf(gang).opted_out;
  }
  gang.stays_put = gang.facts() != nullptr && gang.facts()->stays_put;
  uses_.Move(gang.queue, queue);
  gang.queue = queue;
  if (gang.source == before && gang.priority == priority_before &&
      gang.opted_out == opted_out_before && gang.stays_put == stayed_put &&
      gang.job == job_before && gang.demands == demands_before) {
    return;
  }
  for (FamilyId family : gang.families) marks_.Mark(family);
}

std::vector<Tally> CountPods(const Tables& tables, const GangRow& gang) {
  std::vector<Tally> tallies(gang.pod_sets().size());
  for (FamilyId id : gang.families) {
    const Family& family = tables.families[id];
    if (!IsOf(tables, family, gang)) continue;
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
  change.step = set.step;
  if (!job.kind->counts_successes()) change.succeeded = tally.succeeded;
  // Who makes the pods of one that is let go by them has begun: those that are not there yet come,
  // be it when the first of them have nodes, or run.
  const bool come = job.suspend || job.kind->is_let_go_by_pods() || workload != nullptr;
  if (come && !job.complete) change.expected_needs = set.expected;
  if (workload == nullptr || job.suspend) return change;
  // What was asked is in the Workload: the job may be smaller since.
  const auto asked = std::ranges::find(workload->pod_sets, set.name, &PodSetFacts::name);
  const std::int32_t given = jobs::CountOf(workload->admission, set.name).value_or(0);
  const std::int32_t ended = set.count_stays && given > 0 ? tally.succeeded : 0;
  change.admitted = std::min(given + ended, set.left);
  if (asked == workload->pod_sets.end() || (given > 0 && change.admitted == 0)) return change;
  change.count = asked->count.value_or(set.left);
  change.min_count = std::min(asked->min_count.value_or(change.count), change.count);
  return change;
}

// Of one that runs: pods of its elastic sets come and go, and what is there is what it was let go
// with; of the others there are as many as that.
void LetComeAndGo(const PodSetFacts& set, const Tally& tally, bool is_admitted,
                  state::PodSetChange& change) {
  if (!set.max) {
    if (change.admitted > 0) change.count = change.admitted;
    change.min_count = change.count;
    return;
  }
  change.count = std::max(set.left, tally.live() + tally.succeeded);
  change.min_count = std::min(*set.min_count, change.count);
  if (is_admitted) change.admitted = change.count;
}

// Kueue's Workload says with how few pods its job may start.
void LowerMinimum(const GangFacts& workload, state::PodSetChange& set) {
  const auto asked = std::ranges::find(workload.pod_sets, set.name, &PodSetFacts::name);
  if (asked == workload.pod_sets.end() || !asked->min_count) return;
  set.min_count = std::min(set.min_count, *asked->min_count);
}

}  // namespace

JobNotice GangJoin::NoticeOf(const GangRow& gang, const JobFacts& job) const {
  const bool counts = gang.job == &job;
  const bool stands = counts && gang.StandsForJob();
  const bool waits = job.suspend && IsOneWorkload(job, tables_.configuration->scheduler_name);
  if (!waits || stands || (counts && gang.source == GangSource::kJob)) {
    return intake::NoticeOf(job, stands ? gang.facts()->admission : jobs::Assignments());
  }
  std::string other;
  if (gang.OwnWorkload() != nullptr) {
    other = "a Workload of the same name is there that is not the job's own";
  } else if (gang.has_group()) {
    other = "a PodGroup of the same name is there";
  } else {
    other = fmt::format("a queued {} of the same name is there", gang.job->kind->kind());
  }
  return {.code = kNameTaken, .message = other + ", and counts; the job stays suspended"};
}

// The first thing that an owner of its jobs should mend.
std::optional<state::JobProblem> GangJoin::ProblemOf(const GangRow& gang) const {
  for (const auto& job : gang.jobs) {
    if (job->complete || job->part_of_job) continue;
    const bool concerns =
        gang.StandsForJob() || IsOneWorkload(*job, tables_.configuration->scheduler_name);
    if (!concerns) continue;
    JobNotice notice = NoticeOf(gang, *job);
    if (notice.message.empty()) continue;
    return state::JobProblem{.kind = std::string(job->kind->kind()),
                             .code = std::string(notice.code),
                             .message = std::move(notice.message)};
  }
  return std::nullopt;
}

std::string_view KindOf(const GangRow& gang) {
  if (gang.source == GangSource::kJob || gang.StandsForJob()) return gang.job->kind->kind();
  return gang.group() == objects::GroupApi::kNone ? "Workload" : objects::kPodGroup;
}

state::WorkloadChange GangJoin::ChangeOf(const GangRow& gang) const {
  const std::vector<Tally> tallies = CountPods(tables_, gang);
  const std::vector<PodSetFacts>& pod_sets = gang.pod_sets();
  const bool of_job = gang.source == GangSource::kJob || gang.StandsForJob();
  state::WorkloadChange change;
  change.name = gang.name;
  change.kind = KindOf(gang);
  change.traits = traits_.Of(gang);
  if (!change.traits.hold) change.traits.hold = asks_.HoldOfPods(gang);
  TopologyJoined topology = topologies_.Of(gang, change.traits.queue);
  if (!change.traits.hold) change.traits.hold = std::move(topology.hold);
  change.topology = std::move(topology.constraints);
  change.problem = ProblemOf(gang);
  change.job_is_over = of_job && gang.job->complete;
  change.comes_in_order = of_job && gang.job->in_order;
  change.is_suspended = of_job && gang.job->suspend;
  if (gang.source == GangSource::kJob) {
    change.uid = gang.job->uid;
    change.announces_admission = gang.job->suspend;
  } else {
    change.uid = gang.facts()->uid;
    change.resize = of_job ? objects::Resize::kAtAdmission : gang.facts()->resize;
    change.recorded_start = gang.facts()->recorded_start;
    change.admitted_since = gang.facts()->admitted_since;
    change.broken_since = gang.facts()->broken_since;
    change.activity_untold = gang.facts()->activity_untold;
  }
  if (gang.group() != objects::GroupApi::kNone) {
    // Its pods are let go by themselves, and nobody is to be told: a job of its name is another.
    change.announces_admission = false;
    change.leaves_whole = gang.facts()->leaves_whole;
    change.shows_conditions = gang.group() == objects::GroupApi::kNative;
  }
  const bool comes_and_goes =
      of_job && !gang.job->suspend && !gang.job->complete &&
      std::ranges::any_of(pod_sets, [](const PodSetFacts& set) { return set.max.has_value(); });
  const bool is_admitted = gang.facts() != nullptr && !gang.facts()->admission.empty();
  if (comes_and_goes) change.resize = objects::Resize::kAnytime;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    change.pod_sets.push_back(of_job ? PodSetOf(*gang.job, pod_sets[i], tallies[i], gang.facts())
                                     : PodSetOf(pod_sets[i], tallies[i], *gang.facts()));
    state::PodSetChange& set = change.pod_sets.back();
    if (comes_and_goes) LetComeAndGo(pod_sets[i], tallies[i], is_admitted, set);
    if (gang.source == GangSource::kKueueWorkload && of_job && gang.job->suspend) {
      LowerMinimum(*gang.facts(), set);
    }
    set.expected_needs = kueue_.Demanded(
        WithShare(tables_, set.expected_needs, asks_.GpuMilliOf(pod_sets[i].foreign)),
        gang.demands);
    if (!pod_sets[i].volume_claims.empty()) {
      const std::string_view name_space = objects::SplitKey(gang.name).name_space;
      const std::string& claims = pod_sets[i].volume_claims;
      const VolumeJoin volumes =
          asks_.VolumesOf({.claims = claims, .name_space = name_space, .of_template = claims});
      set.expected_needs =
          WithClaims(tables_, set.expected_needs, &volumes.demands, state::PodState::kPending);
    }
    set.expected_needs =
        demands_.Joined(set.expected_needs, gang.carries.empty() ? DemandsId() : gang.carries[i],
                        gang.counted_by.empty() ? nullptr : gang.counted_by[i]);
    if (gang.source == GangSource::kPodGroup && set.min_count < set.count) {
      change.resize = objects::Resize::kAnytime;
    }
  }
  return change;
}

void GangJoin::MarkPods(const GangRow& gang) {
  for (const FamilyId id : gang.families) {
    const Family& family = tables_.families[id];
    if (!IsOf(tables_, family, gang)) continue;
    for (const PodId member : family.members) marks_.Mark(member);
  }
}

bool GangJoin::IsOver(const GangRow& gang) const {
  if (gang.source == GangSource::kPods) {
    return std::ranges::none_of(
        gang.families, [&](FamilyId id) { return IsOf(tables_, tables_.families[id], gang); });
  }
  if (gang.source != GangSource::kJob) return gang.source == GangSource::kNone;
  return PodsLeft(*gang.job) == 0 &&
         std::ranges::all_of(CountPods(tables_, gang),
                             [](const Tally& tally) { return tally.live() == 0; });
}

}  // namespace fairlead::intake
