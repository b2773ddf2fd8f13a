#include <fmt/format.h>
#include <fmt/ranges.h>

#include "intake/facts/codes.h"
#include "intake/facts/job_facts.h"
#include "intake/findings/findings_pass.h"
#include "intake/join/group_pods.h"
#include "intake/tables/hold_reasons.h"
#include "objects/keys.h"

// What is wrong with namespaces, priority classes, Workloads, PodGroups and Jobs.

namespace fairlead::intake {

void FindingsPass::NameSpacesAndClasses() {
  for (const auto& [name, bound] : tables_.bound_name_spaces) {
    if (known_.queues.Has(bound.queue)) continue;
    Add("Namespace " + name, ToString(bound.source, tables_.names), "QueueNotFound",
        fmt::format("its label {} names the queue {}, which is not there", objects::kQueueLabel,
                    bound.queue));
  }
  for (const auto& [name, foreign] : tables_.foreign_name_spaces) {
    ForeignOf("Namespace " + name, ToString(foreign.source, tables_.names), "", foreign.asks,
              {.queue = tables_.bound_name_spaces.contains(name)});
  }
  for (const auto& [name, entry] : tables_.classes.entries()) {
    InvalidAllowPreemption("PriorityClass " + name, entry.source, entry.allow_preemption_invalid,
                           "");
  }
  const std::vector<std::string_view> defaults = tables_.classes.GlobalDefaults();
  if (defaults.size() < 2) return;
  for (std::string_view name : defaults) {
    Add("PriorityClass " + std::string(name), tables_.classes.entries().find(name)->second.source,
        "SeveralDefaults",
        fmt::format("{} are all globalDefault; the one of the smallest value counts",
                    fmt::join(defaults, ", ")));
  }
}

void FindingsPass::InvalidAllowPreemption(const std::string& object, const std::string& source,
                                          std::string_view invalid, std::string_view more) {
  if (invalid.empty()) return;
  Add(object, source, "AllowPreemptionInvalid",
      fmt::format("its allow-preemption is \"{}\", expected true or false; it is passed over{}",
                  invalid, more));
}

void FindingsPass::InvalidRunTime(const std::string& object, const std::string& source,
                                  std::string_view invalid, std::string_view more) {
  if (invalid.empty()) return;
  std::string_view code = "CheckpointInvalid";
  if (invalid.starts_with(objects::kExpectedDurationKey)) code = "ExpectedDurationInvalid";
  for (const std::string_view key :
       {objects::kMaxRunTimeKey, objects::kOnRunTimeLimitKey, objects::kKueueMaxExecTimeLabel}) {
    if (invalid.starts_with(key)) code = "RunTimeLimitInvalid";
  }
  Add(object, source, code, fmt::format("its {}; it is passed over{}", invalid, more));
}

// It would be stopped and made again for ever.
void FindingsPass::ReplacedForEver(const std::string& object, const std::string& source,
                                   std::string_view maker, const state::RunTime& run_time,
                                   std::string_view more) {
  using By = state::OwnLimit::By;
  const state::RareOwnLimit& limit = run_time.own_limit;
  if (!limit || limit->by == By::kItself) return;
  Add(object, source, "ReplacedAtLimit",
      fmt::format("the {} of queue {} stops it each time that it has run {}, and its {} makes it "
                  "again: another queue is for what runs for ever{}",
                  limit->by == By::kQueue ? "maxRunTime" : "defaultRunTime", limit->queue,
                  FormatDuration(limit->after), maker, more));
}

void FindingsPass::QueueOf(const std::string& object, const std::string& source,
                           std::string_view queue) {
  if (!known_.queues.Has(queue)) {
    Add(object, source, "QueueNotFound", fmt::format("its queue {} is not there", queue));
  }
  if (auto found = children_.find(queue); found != children_.end()) {
    Add(object, source, "QueueNotReady",
        fmt::format("its queue {} holds queues ({}); only those without any hold workloads", queue,
                    SomeOf(found->second)));
  }
}

void FindingsPass::HoldOf(const std::string& object, const std::string& source,
                          const state::Reason& hold) {
  const bool no_class = hold.field == kPriorityClassField;
  Add(object, source, no_class ? "PriorityClassNotFound" : state::ToString(hold.code),
      hold.message);
}

void FindingsPass::ForeignOf(const std::string& object, const std::string& source,
                             std::string_view more, std::string_view foreign, MetAlready met) {
  TellForeign(foreign, met, [&](std::string_view code, std::string message) {
    Add(object, source, code, std::move(message).append(more));
  });
}

void FindingsPass::TopologyOf(const std::string& object, const std::string& source,
                              const GangRow& gang, std::string_view queue) {
  if (gang.source == GangSource::kNone) return;
  const TopologyJoined joined = known_.topology_join.Of(gang, queue);
  if (joined.hold) HoldOf(object, source, *joined.hold);
}

void FindingsPass::Gangs() {
  tables_.gangs.ForEach([&](GangId, const GangRow& gang) {
    for (const auto& group : gang.pod_groups) {
      if (gang.facts() == group.get() || gang.pods_say.of_others) continue;
      Add("PodGroup " + gang.name, ToString(group->source, tables_.names), "NameTaken",
          gang.workload != nullptr
              ? std::string("a Workload of the same name is there, and counts")
              : fmt::format("it is of {}, and one of {} has the same name, and counts",
                            objects::RowOf(group->api).group, objects::RowOf(gang.group()).group));
    }
    if (gang.facts() != nullptr) GangOf(gang, *gang.facts());
    for (const auto& job : gang.jobs) JobOf(gang, *job);
  });
}

void FindingsPass::GangOf(const GangRow& gang, const GangFacts& facts) {
  const bool pod_group = gang.group() != objects::GroupApi::kNone;
  const std::string& name = facts.dialect_name.empty() ? gang.name : facts.dialect_name;
  const std::string object = (pod_group ? "PodGroup " : "Workload ") + name;
  // Where no object says that they are a group, the first of its pods stands for it.
  const PodRow* pod = gang.source == GangSource::kPods ? FirstPodOf(tables_, gang) : nullptr;
  const std::string source = ToString(pod != nullptr ? pod->source : facts.source, tables_.names);
  const state::WorkloadTraits traits = known_.traits.Of(gang, facts);
  QueueOf(object, source, traits.queue);
  if (traits.hold) HoldOf(object, source, *traits.hold);
  if (!traits.hold && gang.facts() == &facts) TopologyOf(object, source, gang, traits.queue);
  if (!facts.minimum_fault.empty()) Add(object, source, "MinimumInvalid", facts.minimum_fault);
  InvalidRunTime(object, source, facts.run_time_invalid, "");
  InvalidMove(object, source, facts.move_invalid, "");
  for (const std::string& field : facts.passed_over) {
    Add(object, source, "NotSupported", fmt::format("{} is not supported, and passed over", field));
  }
  for (const PodSetFacts& set : facts.pod_sets) {
    if (set.expected == nullptr) continue;
    const std::string of_set = fmt::format(" (pod set {})", set.name);
    ForeignOf(object, source, of_set, set.foreign, {.gang = true, .queue = true});
    NeedsOf(object, source, of_set,
            *WithShare(tables_, set.expected, known_.asks.GpuMilliOf(set.foreign)));
  }
}

// A job that nobody suspended names a queue of ours, and another scheduler in all of its templates:
// its pods run elsewhere, uncounted. One that is suspended is held back with the same words.
void FindingsPass::OtherSchedulerOf(const std::string& object, const std::string& source,
                                    const GangRow& gang, const JobFacts& job) {
  if ((job.queue.empty() && job.template_queue.empty()) || job.pod_sets.empty()) return;
  if (!known_.queues.Has(known_.traits.Of(gang, job).queue)) return;
  HoldOf(object, source, *known_.traits.OtherScheduler(job));
}

void FindingsPass::JobOf(const GangRow& gang, const JobFacts& job) {
  const std::string object = fmt::format("{} {}", job.kind->kind(), gang.name);
  const std::string source = ToString(job.source, tables_.names);
  const std::string& ours = tables_.configuration->scheduler_name;
  const bool one_workload = IsOneWorkload(job, ours);
  if (job.suspend && !job.queue.empty() && job.pod_sets.empty() && !job.part_of_job) {
    Add(object, source, "NoPods",
        job.kind->has_pod_sets_of_made()
            ? fmt::format("the {} of its name is not there, which says what pods it has: its "
                          "controller makes that from its runtime",
                          job.kind->makes().front().kind)
            : std::string("it is suspended and makes no pods of its own, so nobody lets it go; "
                          "take its queue label and `suspend` away"));
  }
  const bool runs_ours = std::ranges::any_of(
      job.pod_sets, [&](const PodSetFacts& set) { return set.scheduler == ours; });
  if (job.complete || job.part_of_job) return;
  if (!runs_ours && !one_workload) {
    OtherSchedulerOf(object, source, gang, job);
    return;
  }
  const JobNotice notice = known_.gangs.NoticeOf(gang, job);
  if (!notice.message.empty()) Add(object, source, notice.code, notice.message);
  if (notice.code == kNameTaken) return;
  if (job.suspend && job.queue.empty()) {
    Add(object, source, "NotQueued",
        fmt::format(
            "it is suspended and names no queue, so nobody lets it go; label it `{}: QUEUE`",
            objects::kQueueLabel));
  }
  if (gang.facts() == nullptr) {  // else the Workload's queue counts
    const state::WorkloadTraits traits = known_.traits.Of(gang, job);
    QueueOf(object, source, traits.queue);
    if (traits.hold) HoldOf(object, source, *traits.hold);
    if (!traits.hold && gang.job == &job) TopologyOf(object, source, gang, traits.queue);
    if (!job.suspend && !one_workload) NotTogether(object, source, job);
  }
  InvalidRunTime(object, source, job.run_time_invalid, "");
  if (job.kind->is_let_go_by_pods() && one_workload && gang.job == &job &&
      gang.source != GangSource::kNone) {
    ReplacedForEver(object, source, "controller", *known_.traits.Of(gang).run_time, "");
  }
  const MetAlready met = known_.asks.MetFor(gang, job);
  ForeignOf(object, source, "", job.foreign, met);
  for (const PodSetFacts& set : job.pod_sets) {
    const bool only = job.pod_sets.size() == 1;
    const std::string of_set = only ? "" : fmt::format(" (pod set {})", set.name);
    ForeignOf(object, source, of_set, set.foreign, met);
    NeedsOf(object, source, of_set,
            *WithShare(tables_, set.expected, known_.asks.GpuMilliOf(set.foreign)));
  }
}

}  // namespace fairlead::intake
