// A job whose kind a row describes (objects/job_rows.h). Where its row says so, admission writes
// how many units of a pod set there are; where it does not, and the job may do with fewer, it is
// let go as it is, and pods beyond what was admitted wait.
//
//   launcher 1, worker 6, minAvailable 2
//   admitted with 3 workers:  worker 3, suspend false
//   stopped:                  worker 6, suspend true
//
// Counts go in whole units: 4 replicas of 3 pods may be 9 pods, and never 10.

#include <algorithm>

#include <fmt/format.h>

#include "jobs/kinds.h"
#include "objects/key.h"

namespace fairlead::jobs {
namespace {

using objects::JobObject;
using objects::JobRow;
using objects::Object;

// Units. Who scales a job may go down to none where it does not say.
std::optional<std::int64_t> MinimumOf(const JobObject::Replicas& set) {
  const bool none = !set.min && set.elastic && !set.row->elastic_if.empty();
  return none ? 0 : set.min;
}

std::string FaultOf(const JobObject::Replicas& set) {
  const JobRow::PodSet& row = *set.row;
  const std::int64_t all = set.units();
  if (!set.min || (*set.min > 0 && *set.min <= all + row.min_beyond)) return {};
  if (*set.min == 0 && (row.zero_means_all || set.elastic)) return {};
  return fmt::format(
      "its {} is {}, expected a number of {}s above 0 and below its {}; it is admitted whole or "
      "not at all",
      row.min.empty() ? row.min_annotation : row.min.last(), *set.min, set.name, all);
}

std::int32_t PodsOf(const JobObject::Replicas& set, std::int64_t units) {
  if (units > objects::kMostPods) return objects::kMostPods;
  return static_cast<std::int32_t>(std::min(units * set.pods_per_unit(), objects::kMostPods));
}

std::int32_t LeastOf(const JobObject::Replicas& set) {
  const std::optional<std::int64_t> min = MinimumOf(set);
  const bool all = !min || (*min == 0 && !set.elastic) || !FaultOf(set).empty();
  return all ? set.count() : PodsOf(set, std::min(*min, set.units()));
}

std::optional<std::int32_t> MostOf(const JobObject::Replicas& set) {
  if (!set.elastic) return std::nullopt;
  return PodsOf(set, std::max(set.units(), set.max.value_or(objects::kMostPods)));
}

class GenericJob final : public JobKind {
 public:
  explicit GenericJob(const JobRow& row) : row_(row) {}

  std::string_view api_version() const override { return row_.api_versions.front(); }
  std::string_view ApiVersionOf(const Object& object) const override {
    return In(object).api_version();
  }
  std::string_view kind() const override { return row_.kind; }
  std::string_view name_label() const override { return row_.pod_labels.job; }
  std::string_view pod_set_label() const override { return row_.pod_labels.pod_set; }
  bool is_let_go_by_pods() const override { return row_.is_let_go_by_pods(); }
  bool is_gang_if_asked() const override { return row_.gang_if_asked; }
  bool has_pods_of_others() const override {
    return !name_label().empty() && (is_let_go_by_pods() || row_.pod_labels.whoever_owns);
  }
  std::string_view group_label() const override { return row_.pod_labels.group; }
  std::string_view PodSetOf(std::string_view value) const override {
    if (value.empty()) return {};
    const auto& values = row_.pod_labels.values;
    auto named = values.find(value);
    if (named == values.end()) named = values.find("*");
    return named == values.end() ? value : std::string_view(named->second);
  }

  std::span<const JobRow::Made> makes() const override { return row_.makes; }
  bool makes_any() const override { return !row_.components.empty(); }
  bool has_pod_sets_of_made() const override { return row_.has_pod_sets_of_made; }
  std::string_view CannotSuspendFor(const Object& object) const override {
    return In(object).suspends_if ? std::string_view() : std::string_view(row_.suspends_if.text());
  }

  bool IsInOrder(const Object& object) const override { return In(object).is_in_order(); }
  bool IsSuspended(const Object& object) const override { return In(object).suspend; }
  bool IsComplete(const Object& object) const override { return In(object).complete(); }

  std::vector<PodSet> PodSets(const Object& object) const override {
    const JobObject& job = In(object);
    std::vector<PodSet> sets;
    for (const JobObject::Replicas& set : job.pod_sets) {
      const std::int32_t count = set.count();
      if (count == 0 && !set.elastic) continue;
      const std::int32_t least = OthersWaitFor(job, set) ? count : LeastOf(set);
      sets.push_back({.name = set.name,
                      .count = count,
                      .min_count = least,
                      .step = static_cast<std::int32_t>(set.pods_per_unit()),
                      .unit_label = set.row->unit_label,
                      .first_index = set.row->first_index,
                      .count_stays = !set.count_writable() && least < count,
                      .max = MostOf(set),
                      .left = job.complete() ? 0 : count,
                      .pod_template = &set.pod_template,
                      .template_path = set.template_path,
                      .of_component = !set.component ? std::string()
                                                     : objects::JoinKey(set.component->name,
                                                                        set.component->pod_set)});
    }
    if (job.min_total && FaultOfTotal(job).empty()) GiveDownTo(job, sets);
    return sets;
  }

  // As Kueue takes it: the job's own, else that of the first pod set that says one.
  Priority PriorityOf(const Object& object) const override {
    const JobObject& job = In(object);
    if (!job.priority_class.empty()) return {.class_name = job.priority_class};
    Priority priority;
    for (const JobObject::Replicas& set : job.pod_sets) {
      const objects::PodSpec& spec = set.pod_template.spec;
      priority.class_name = spec.priority_class_name;
      priority.number = spec.priority;
      priority.never_preempts |= spec.never_preempts;
      if (!priority.class_name.empty() || priority.number) break;
    }
    return priority;
  }

  std::optional<Duration> DeadlineOf(const Object& object) const override {
    return In(object).deadline;
  }

  std::string FaultOfMinimum(const Object& object) const override {
    const JobObject& job = In(object);
    for (const JobObject::Replicas& set : job.pod_sets) {
      if (std::string fault = FaultOf(set); !fault.empty()) return fault;
      if (!OthersWaitFor(job, set) || LeastOf(set) == set.count()) continue;
      return fmt::format(
          "{} may do with fewer, and pods that come when all of it runs would never come; it is "
          "admitted whole or not at all",
          set.name);
    }
    return FaultOfTotal(job);
  }

  void RunWith(Object& object, const Assignments& admitted) const override {
    JobObject& job = In(object);
    if (job.complete()) return;
    ForEachWritten(job, [&](JobObject::Replicas& set) {
      const std::int64_t per_unit = std::max<std::int64_t>(1, set.pods_per_unit());
      const std::optional<std::int32_t> pods = CountOf(admitted, set.name);
      if (pods) set.SetUnits(std::min(set.units(), *pods / per_unit));
    });
    job.suspend = false;
  }

  void Restore(Object& object, const Assignments& admitted,
               const Assignments& asked) const override {
    JobObject& job = In(object);
    if (job.complete()) return;
    ForEachWritten(job, [&](JobObject::Replicas& set) {
      const std::int64_t per_unit = std::max<std::int64_t>(1, set.pods_per_unit());
      const std::optional<std::int32_t> wanted = CountOf(asked, set.name);
      if (wanted && CountOf(admitted, set.name) == set.count()) set.SetUnits(*wanted / per_unit);
    });
    job.suspend = true;
  }

  Written WrittenOf(const Object& object) const override {
    JobObject job = In(object);
    Written written{.suspend = job.suspend, .counts = {}};
    ForEachWritten(job, [&](JobObject::Replicas& set) {
      written.counts.emplace_back(static_cast<std::int32_t>(set.units()));
    });
    return written;
  }

  void SetWritten(Object& object, const Written& written) const override {
    JobObject& job = In(object);
    job.suspend = written.suspend;
    std::size_t next = 0;
    ForEachWritten(job, [&](JobObject::Replicas& set) {
      if (next < written.counts.size() && written.counts[next]) set.SetUnits(*written.counts[next]);
      ++next;
    });
  }

 private:
  static const JobObject& In(const Object& object) { return std::get<JobObject>(object); }
  static JobObject& In(Object& object) { return std::get<JobObject>(object); }

  // Its pods beyond what is admitted come when others of it have ended, and those of later sets
  // when all of it runs.
  static bool OthersWaitFor(const JobObject& job, const JobObject::Replicas& set) {
    return job.is_in_order() && !set.count_writable() && !set.elastic &&
           &set != &job.pod_sets.back();
  }

  // The pod sets whose units admission writes.
  template <typename Visit>
  static void ForEachWritten(JobObject& job, Visit visit) {
    for (JobObject::Replicas& set : job.pod_sets) {
      if (set.count_writable()) visit(set);
    }
  }

  static std::string FaultOfTotal(const JobObject& job) {
    if (!job.min_total) return {};
    std::int64_t all = 0;
    for (const JobObject::Replicas& set : job.pod_sets) all += set.count();
    if (*job.min_total > 0 && *job.min_total <= all) return {};
    return fmt::format(
        "its {} is {}, expected a number of pods above 0 and no more than its {}; it is admitted "
        "whole or not at all",
        job.row->min_total.last(), *job.min_total, all);
  }

  // The last sets that may be fewer, and say nothing themselves, give first. One pod of a set
  // stays.
  static void GiveDownTo(const JobObject& job, std::vector<PodSet>& sets) {
    std::int64_t give = -*job.min_total;
    for (const PodSet& set : sets) give += set.min_count;
    for (auto set = sets.rbegin(); set != sets.rend() && give > 0; ++set) {
      const auto of = std::ranges::find(job.pod_sets, set->name, &JobObject::Replicas::name);
      if (!of->count_writable() || of->min) continue;
      const std::int32_t least = set->step;
      const auto gives = static_cast<std::int32_t>(
          std::min<std::int64_t>(give, std::max(0, set->min_count - least)) / set->step *
          set->step);
      set->min_count -= gives;
      give -= gives;
    }
  }

  const JobRow& row_;
};

}  // namespace

std::unique_ptr<JobKind> MakeGenericJob(const JobRow& row) {
  return std::make_unique<GenericJob>(row);
}

}  // namespace fairlead::jobs
