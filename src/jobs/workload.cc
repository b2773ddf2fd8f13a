// Our Workload: what it asks stands in its spec, with how many pods it runs in its status. There is
// nothing to restore: its spec is never touched.

#include "jobs/job_kind.h"

namespace fairlead::jobs {
namespace {

using objects::Object;
using objects::Workload;

class OurWorkload final : public JobKind {
 public:
  std::string_view api_version() const override { return "fairlead.dev/v1alpha1"; }
  std::string_view kind() const override { return "Workload"; }

  bool IsSuspended(const Object& object) const override { return In(object).admission.empty(); }
  bool IsComplete(const Object& /*object*/) const override { return false; }

  std::vector<PodSet> PodSets(const Object& object) const override {
    std::vector<PodSet> sets;
    for (const objects::PodSet& set : In(object).pod_sets) {
      const std::int32_t count = set.count.value_or(set.min_count.value_or(0));
      sets.push_back({.name = set.name,
                      .count = count,
                      .min_count = set.min_count.value_or(count),
                      .left = count,
                      .pod_template = set.pod_template ? &*set.pod_template : nullptr,
                      .template_path = "spec.podSets[*].template"});
    }
    return sets;
  }

  Priority PriorityOf(const Object& object) const override {
    return {.class_name = In(object).priority_class_name, .number = In(object).priority};
  }

  // Its counts are checked where it is read.
  std::string FaultOfMinimum(const Object& /*object*/) const override { return {}; }

  void RunWith(Object& object, const Assignments& admitted) const override {
    auto& workload = std::get<Workload>(object);
    workload.admission = admitted;
    workload.admission_queue = workload.queue_name;
  }

  void Restore(Object& object, const Assignments& /*admitted*/,
               const Assignments& /*asked*/) const override {
    auto& workload = std::get<Workload>(object);
    workload.admission.clear();
    workload.admission_queue.clear();
  }

  Written WrittenOf(const Object& object) const override {
    Written written{.suspend = IsSuspended(object), .counts = {}};
    for (const objects::PodSetAssignment& set : In(object).admission) {
      written.counts.emplace_back(set.count);
    }
    return written;
  }

  void SetWritten(Object& object, const Written& written) const override {
    auto& workload = std::get<Workload>(object);
    workload.admission.clear();
    if (written.suspend) return;
    for (std::size_t i = 0; i < workload.pod_sets.size() && i < written.counts.size(); ++i) {
      workload.admission.push_back(
          {.name = workload.pod_sets[i].name, .count = written.counts[i].value_or(0)});
    }
  }

 private:
  static const Workload& In(const Object& object) { return std::get<Workload>(object); }
};

}  // namespace

const JobKind& WorkloadKind() {
  static const OurWorkload kKind;
  return kKind;
}

}  // namespace fairlead::jobs
