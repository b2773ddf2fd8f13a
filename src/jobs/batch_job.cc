// batch/v1 Job: one pod set, main. It says by annotations, ours or Kueue's, or by the minCount of
// its gang, with how few pods it may run, and by annotations whether its completions follow its
// parallelism.
//
//   parallelism 20, completions 20, Indexed, min-parallelism 10, completions-equal-parallelism true
//   admitted with 15:  parallelism 15, completions 15, suspend false
//   stopped:           parallelism 20, completions 20, suspend true

#include <algorithm>

#include <fmt/format.h>

#include "base/integer.h"
#include "jobs/kinds.h"

namespace fairlead::jobs {
namespace {

using objects::Job;
using objects::Object;

constexpr std::string_view kMain = "main";

const std::string* AnnotationOf(const Job& job, std::string_view ours, std::string_view kueues) {
  const std::string* value = objects::FindLabel(job.meta.annotations, ours);
  return value != nullptr ? value : objects::FindLabel(job.meta.annotations, kueues);
}

// As it says it; absent: it says none. Kubernetes' own, the last that counts, may be all of its
// pods.
std::optional<std::string> MinimumOf(const Job& job) {
  const std::string* text =
      AnnotationOf(job, "fairlead.dev/min-parallelism", "kueue.x-k8s.io/job-min-parallelism");
  if (text != nullptr) return *text;
  const std::int32_t all = std::min(job.parallelism, job.completions.value_or(job.parallelism));
  if (!job.gang_min || *job.gang_min == all) return std::nullopt;
  return std::to_string(*job.gang_min);
}

const std::string* CompletionsFollow(const Job& job) {
  return AnnotationOf(job, "fairlead.dev/completions-equal-parallelism",
                      "kueue.x-k8s.io/job-completions-equal-parallelism");
}

bool Follows(const Job& job) {
  const std::string* follow = CompletionsFollow(job);
  return follow != nullptr && *follow == "true";
}

// Pods that run at once, by the spec.
std::int32_t AskedOf(const Job& job) {
  return std::min(job.parallelism, job.completions.value_or(job.parallelism));
}

// Those that are still to run: without completions (a work queue) no pod is made after the first
// success.
std::int32_t LeftOf(const Job& job) {
  if (job.complete) return 0;
  if (job.completions) {
    return std::max(0, std::min(job.parallelism, *job.completions - job.succeeded));
  }
  return job.succeeded > 0 ? std::min(job.parallelism, job.active) : job.parallelism;
}

std::string FaultOf(const Job& job) {
  if (const std::optional<std::string> text = MinimumOf(job)) {
    const std::optional<std::int32_t> least = ParseInteger<std::int32_t>(*text);
    if (!least || *least <= 0 || *least >= AskedOf(job)) {
      return fmt::format(
          "its minimum is \"{}\", expected a whole number above 0 and below its {} pods; it is "
          "admitted whole or not at all",
          *text, AskedOf(job));
    }
  }
  const std::string* follow = CompletionsFollow(job);
  if (follow == nullptr) return {};
  if (*follow != "true" && *follow != "false") {
    return fmt::format(
        "completions-equal-parallelism is \"{}\", expected true or false; it is admitted whole or "
        "not at all",
        *follow);
  }
  const bool equal = job.completions && *job.completions == job.parallelism;
  if (*follow == "false" || (job.indexed && equal)) return {};
  return fmt::format(
      "completions-equal-parallelism needs an Indexed job whose completions are its parallelism; "
      "this one is {}, parallelism {}, completions {}; it is admitted whole or not at all",
      job.indexed ? "Indexed" : "NonIndexed", job.parallelism,
      job.completions ? std::to_string(*job.completions) : "absent");
}

// A job whose completions would follow is not cut once some indexes are done: fewer completions
// could pass them over, or end it.
std::int32_t LeastOf(const Job& job) {
  const std::optional<std::string> text = MinimumOf(job);
  if (!text || !FaultOf(job).empty()) return AskedOf(job);
  if (job.succeeded > 0 && Follows(job)) return AskedOf(job);
  return ParseInteger<std::int32_t>(*text).value_or(AskedOf(job));
}

void SetCount(Job& job, std::int32_t count) {
  job.parallelism = count;
  if (Follows(job)) job.completions = count;
}

class BatchJob final : public JobKind {
 public:
  std::string_view api_version() const override { return "batch/v1"; }
  std::string_view kind() const override { return "Job"; }
  bool counts_successes() const override { return true; }

  bool IsSuspended(const Object& object) const override { return In(object).suspend; }
  bool IsComplete(const Object& object) const override { return In(object).complete; }

  std::vector<PodSet> PodSets(const Object& object) const override {
    const Job& job = In(object);
    return {{.name = kMain,
             .count = AskedOf(job),
             .min_count = LeastOf(job),
             .left = LeftOf(job),
             .pod_template = &job.pod_template,
             .template_path = "spec.template"}};
  }

  Priority PriorityOf(const Object& object) const override {
    const objects::PodSpec& spec = In(object).pod_template.spec;
    return {.class_name = spec.priority_class_name,
            .number = spec.priority,
            .never_preempts = spec.never_preempts};
  }

  std::optional<Duration> DeadlineOf(const Object& object) const override {
    return In(object).deadline;
  }

  std::string FaultOfMinimum(const Object& object) const override { return FaultOf(In(object)); }

  void RunWith(Object& object, const Assignments& admitted) const override {
    Job& job = std::get<Job>(object);
    if (job.complete) return;
    const std::optional<std::int32_t> count = CountOf(admitted, kMain);
    if (count && *count < LeftOf(job)) SetCount(job, *count);
    job.suspend = false;
  }

  void Restore(Object& object, const Assignments& admitted,
               const Assignments& asked) const override {
    Job& job = std::get<Job>(object);
    if (job.complete) return;
    const std::optional<std::int32_t> given = CountOf(admitted, kMain);
    const std::optional<std::int32_t> wanted = CountOf(asked, kMain);
    if (given && wanted && *given < *wanted && AskedOf(job) == *given) SetCount(job, *wanted);
    job.suspend = true;
  }

  Written WrittenOf(const Object& object) const override {
    const Job& job = In(object);
    return {.suspend = job.suspend, .counts = {job.parallelism, job.completions}};
  }

  void SetWritten(Object& object, const Written& written) const override {
    Job& job = std::get<Job>(object);
    job.suspend = written.suspend;
    job.parallelism = written.counts[0].value_or(job.parallelism);
    job.completions = written.counts[1];
  }

 private:
  static const Job& In(const Object& object) { return std::get<Job>(object); }
};

}  // namespace

const JobKind& BatchJobKind() {
  static const BatchJob kKind;
  return kKind;
}

}  // namespace fairlead::jobs
