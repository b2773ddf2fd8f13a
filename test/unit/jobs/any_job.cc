#include "unit/jobs/any_job.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace fairlead::jobs {
namespace {

using objects::CountFactor;
using objects::JobObject;
using objects::JobRow;

class JobDraw {
 public:
  JobDraw(const JobRow& row, const objects::PodTemplate& pod_template, Random& random)
      : row_(row), pod_template_(pod_template), random_(random) {}

  JobObject Object() {
    JobObject job(row_);
    job.suspend = !row_.suspend.empty();
    if (!row_.components.empty()) AddComponents(job);
    for (const JobRow::PodSet& set : row_.pod_sets) {
      if (set.is_of_each()) {
        const std::uint64_t elements = 1 + random_.Below(2);
        for (std::uint64_t i = 0; i < elements; ++i) {
          Add(set, i, fmt::format("part{}", i), job);
        }
      } else if (!set.optional || (!row_.makes.empty() && !set.names_scheduler) || !OneIn(3)) {
        Add(set, std::nullopt, set.name, job);
      }
    }
    SayMinimumsByName(job);
    std::int64_t pods = 0;
    for (const JobObject::Replicas& set : job.pod_sets) pods += set.count();
    if (!row_.min_total.empty() && pods > 0 && OneIn(2)) job.min_total = UpTo(pods);
    if (!row_.order.path.empty() && OneIn(3)) job.order = row_.order.values.front();
    if (!row_.groups.empty()) job.groups = UpTo(2);
    return job;
  }

  // Of Indexed ones, some follow with their completions.
  objects::Job Batch(int most_pods) {
    objects::Job job;
    job.suspend = true;
    job.parallelism = 2 + static_cast<std::int32_t>(UpTo(most_pods - 2));
    job.completions = job.parallelism;
    job.indexed = true;
    job.pod_template = pod_template_;
    if (OneIn(2)) {
      job.meta.annotations.emplace_back("fairlead.dev/completions-equal-parallelism", "true");
    }
    job.meta.annotations.emplace_back("fairlead.dev/min-parallelism", "2");
    return job;
  }

 private:
  bool OneIn(std::uint64_t n) { return random_.Below(n) == 0; }
  std::int64_t UpTo(std::int64_t most) {
    return 1 + static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(most)));
  }

  void Add(const JobRow::PodSet& row, std::optional<std::size_t> element, std::string name,
           JobObject& job) {
    JobObject::Replicas set{.row = &row, .element = element, .name = std::move(name)};
    set.pod_template = pod_template_;
    const std::int64_t units = row.only_count ? *row.only_count : UpTo(3);
    for (const CountFactor& factor : row.count) {
      const bool is_first = &factor == &row.count.front();
      Say(factor, is_first ? units : UpTo(2), set.counts);
    }
    if (!row.min.empty()) set.min = MinimumOf(row, set);
    if (!row.max.empty()) set.max = MaximumOf(row, set);
    job.pod_sets.push_back(std::move(set));
  }

  // Jobs, by the list's own word: no two of one name in all worlds of a test.
  void AddComponents(JobObject& job) {
    static const JobRow::PodSet declared = {.count = {CountFactor::At("replicas")}};
    for (std::size_t i = 0, all = 1 + random_.Below(2); i < all; ++i) {
      JobObject::Replicas set{.row = &declared, .name = fmt::format("part{}", i)};
      set.counts.emplace_back(UpTo(3));
      set.pod_template = pod_template_;
      set.component = JobObject::Component{.at = i,
                                           .api_version = "batch/v1",
                                           .kind = "Job",
                                           .name = fmt::format("part{}", random_.Below(1'000'000)),
                                           .pod_set = "main",
                                           .declared_at = "template.spec.template"};
      job.pod_sets.push_back(std::move(set));
    }
  }

  // Fields that make the factor come to `value`.
  void Say(const CountFactor& factor, std::int64_t value, objects::CountValues& into) {
    using Type = CountFactor::Type;
    switch (factor.type) {
      case Type::kNumber:
        return;
      case Type::kField:
        into.emplace_back(value);
        return;
      case Type::kLeast:
        for (const CountFactor& each : factor.of) {
          Say(each, &each == &factor.of.front() ? value : value + UpTo(2) - 1, into);
        }
        return;
      case Type::kMost:
        for (const CountFactor& each : factor.of) {
          if (&each == &factor.of.front()) {
            Say(each, value, into);
          } else {
            into.emplace_back(std::nullopt);
          }
        }
        return;
      case Type::kWithin:
        Say(factor.of[0], UpTo(value + 1) - 1, into);
        Say(factor.of[1], value, into);
        Say(factor.of[2], value + UpTo(2) - 1, into);
        return;
      case Type::kLess:
        Say(factor.of[0], value + factor.of[1].number.value_or(1), into);
        Say(factor.of[1], 1, into);
    }
  }

  // Among those of the count.
  static std::optional<std::size_t> PlaceOf(const objects::FieldPath& field,
                                            const JobRow::PodSet& row) {
    std::size_t next = 0;
    std::optional<std::size_t> same;
    ForEachField(row.count, [&](const objects::FieldPath& path) {
      if (path == field) same = next;
      ++next;
    });
    return same;
  }

  // A field that the count has too says one thing only. None of them scales itself.
  std::optional<std::int64_t> MaximumOf(const JobRow::PodSet& row, const JobObject::Replicas& set) {
    if (const auto same = PlaceOf(row.max, row)) return set.counts[*same];
    return row.elastic_if.empty() ? std::optional(set.units() + UpTo(2) - 1) : std::nullopt;
  }

  std::optional<std::int64_t> MinimumOf(const JobRow::PodSet& row, const JobObject::Replicas& set) {
    if (const auto same = PlaceOf(row.min, row)) return set.counts[*same];
    if (OneIn(2)) return std::nullopt;
    return UpTo(set.units());
  }

  void SayMinimumsByName(JobObject& job) {
    std::string said;
    std::string annotation;
    for (JobObject::Replicas& set : job.pod_sets) {
      if (set.row->min_annotation.empty() || OneIn(2)) continue;
      annotation = set.row->min_annotation;
      set.min = UpTo(set.units());
      said += fmt::format("{}\"{}\": {}", said.empty() ? "" : ", ", set.name, *set.min);
    }
    if (!said.empty()) job.meta.annotations.emplace_back(annotation, "{" + said + "}");
  }

  const JobRow& row_;
  const objects::PodTemplate& pod_template_;
  Random& random_;
};

std::int64_t PodsOf(const JobObject& job) {
  std::int64_t pods = 0;
  for (const JobObject::Replicas& set : job.pod_sets) pods += set.count();
  return pods * (job.row->groups.empty() ? 1 : job.groups.value_or(1));
}

}  // namespace

std::vector<const JobRow*> DrawnRows() {
  std::vector<const JobRow*> rows;
  for (const JobRow& row : objects::JobRows()) {
    if (!row.has_pod_sets_of_made && !row.gang_if_asked) rows.push_back(&row);
  }
  return rows;
}

objects::Object DrawJob(const JobRow& row, const objects::PodTemplate& pod_template, int most_pods,
                        Random& random) {
  JobDraw draw(row, pod_template, random);
  if (!row.is_generic()) return draw.Batch(most_pods);
  for (int tries = 0; tries < 1000; ++tries) {
    JobObject job = draw.Object();
    if (const std::int64_t pods = PodsOf(job); pods >= 2 && pods <= most_pods) return job;
  }
  CHECK(false);  // a row that is always larger, or smaller, needs a way of its own here
}

std::string UnlikeItsAdmission(const objects::Object& job, const Assignments& admitted) {
  const std::vector<PodSet> sets = jobs::KindOf(job)->PodSets(job);
  if (sets.size() != admitted.size()) {
    return fmt::format("it has {} pod sets, {} are admitted", sets.size(), admitted.size());
  }
  for (const PodSet& set : sets) {
    const std::int32_t count = CountOf(admitted, set.name).value_or(0);
    const bool stays = set.count_stays && count >= set.min_count && count < set.count &&
                       (set.count - count) % set.step == 0;
    if (count == set.count || stays) continue;
    return fmt::format("{} has {} pods, {} at least, {} are admitted", set.name, set.count,
                       set.min_count, count);
  }
  return {};
}

}  // namespace fairlead::jobs
