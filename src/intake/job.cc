#include "intake/job.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "intake/keys.h"

namespace fairlead::intake {
namespace {

const std::string* FirstOf(const objects::Labels& labels,
                           std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys) {
    if (const std::string* value = objects::FindLabel(labels, key)) return value;
  }
  return nullptr;
}

std::string TextOf(const std::string* value) { return value == nullptr ? "" : *value; }

std::optional<std::string> Optional(const std::string* value) {
  return value == nullptr ? std::nullopt : std::optional<std::string>(*value);
}

bool Says(const objects::Labels& labels, std::string_view key, std::string_view wanted) {
  const std::string* value = objects::FindLabel(labels, key);
  return value != nullptr && *value == wanted;
}

}  // namespace

JobFacts FactsOf(const objects::Job& job, Time created, NeedsPool& needs, Names& names) {
  const objects::Meta& meta = job.meta;
  const objects::PodTemplate& pods = job.pod_template;
  JobFacts facts;
  facts.uid = meta.uid;
  facts.created = created;
  facts.queue = TextOf(FirstOf(meta.labels, {kQueueLabel, kKaiQueueLabel, kKueueQueueLabel}));
  facts.local_queue = FirstOf(meta.labels, {kQueueLabel, kKaiQueueLabel}) == nullptr;
  facts.template_queue = TextOf(FirstOf(pods.labels, {kQueueLabel, kKaiQueueLabel}));
  facts.scheduler = pods.spec.scheduler_name;
  facts.priority_class = pods.spec.priority_class_name;
  facts.priority = pods.spec.priority;
  facts.never_preempts = pods.spec.never_preempts;
  facts.preemptible = !Says(meta.labels, kPreemptibleLabel, "false") &&
                      !Says(pods.labels, kPreemptibleLabel, "false");
  facts.needs = needs.Intern(pods.spec.needs);
  facts.gang = Says(meta.annotations, kGangKey, "true") || Says(meta.labels, kGangKey, "true");
  facts.suspend = job.suspend;
  facts.complete = job.complete;
  facts.indexed = job.indexed;
  facts.parallelism = job.parallelism;
  facts.completions = job.completions;
  facts.succeeded = job.succeeded;
  facts.active = job.active;
  facts.min_parallelism = Optional(
      FirstOf(meta.annotations, {kMinParallelismAnnotation, kKueueMinParallelismAnnotation}));
  facts.completions_equal = Optional(
      FirstOf(meta.annotations, {kCompletionsEqualAnnotation, kKueueCompletionsEqualAnnotation}));
  facts.source = InternSource(meta.source, names);
  return facts;
}

bool IsOneWorkload(const JobFacts& job, std::string_view our_scheduler) {
  if (job.suspend) return !job.queue.empty();
  return job.gang && job.scheduler == our_scheduler;
}

std::int32_t PodsAtOnce(const JobFacts& job) {
  if (job.complete) return 0;
  if (job.completions)
    return std::max(0, std::min(job.parallelism, *job.completions - job.succeeded));
  return job.succeeded > 0 ? std::min(job.parallelism, job.active) : job.parallelism;
}

std::int32_t LeastPods(const JobFacts& job) {
  const std::int32_t pods = PodsAtOnce(job);
  if (!job.min_parallelism || !FaultOfMinimum(job).empty()) return pods;
  std::int32_t least = pods;
  const std::string& text = *job.min_parallelism;
  std::from_chars(text.data(), text.data() + text.size(), least);
  return std::min(least, pods);
}

std::string FaultOfMinimum(const JobFacts& job) {
  const std::int32_t pods = std::min(job.parallelism, job.completions.value_or(job.parallelism));
  if (job.min_parallelism) {
    const std::string& text = *job.min_parallelism;
    std::int32_t value = 0;
    auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = error == std::errc() && stop == text.data() + text.size();
    if (!number || value <= 0 || value >= pods) {
      return fmt::format(
          "its minimum is \"{}\", expected a whole number above 0 and below its {} "
          "pods; it is admitted whole or not at all",
          text, pods);
    }
  }
  if (job.completions_equal) {
    if (*job.completions_equal != "true" && *job.completions_equal != "false") {
      return fmt::format("completions-equal-parallelism is \"{}\", expected true or false",
                         *job.completions_equal);
    }
    const bool equal = job.completions && *job.completions == job.parallelism;
    if (*job.completions_equal == "true" && !(job.indexed && equal)) {
      return fmt::format(
          "completions-equal-parallelism needs an Indexed job whose completions are "
          "its parallelism; this one is {}, parallelism {}, completions {}",
          job.indexed ? "Indexed" : "NonIndexed", job.parallelism,
          job.completions ? std::to_string(*job.completions) : "absent");
    }
  }
  return {};
}

}  // namespace fairlead::intake
