#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "intake/intake.h"
#include "state/change.h"

namespace fairlead::host {

// Which workload and queue a pod has, and where it is: what the engine was told, by name, for
// people who ask by name. It keeps nothing: a look at intake's rows, as long as these live. Views
// are good until something changes. Cost: a look-up each; ToldNames and PodsOf sort.
class StateIndex {
 public:
  explicit StateIndex(const intake::Intake& intake) : intake_(&intake) {}

  using Pod = intake::ToldPod;
  struct PodSet {
    std::string name;
    std::int32_t count = 0, min_count = 0, admitted = 0;
  };
  struct Workload {
    std::string_view queue;
    std::int32_t priority = 0;
    bool preemptible = true;
    Time created;
    std::optional<Time> recorded_start;
    bool is_pod = false;  // a workload of one pod, named after it
    std::vector<PodSet> pod_sets;
  };

  std::optional<Pod> FindPod(std::string_view name) const { return intake_->FindTold(name); }
  // Of which workload the pod of that name is.
  static std::string_view WorkloadOf(std::string_view name, const Pod& pod) {
    return pod.alone ? name : pod.workload;
  }
  std::optional<Workload> FindWorkload(std::string_view name) const;
  // The pods of a workload, by name.
  std::vector<std::string_view> PodsOf(std::string_view workload) const {
    return intake_->ToldPodsOf(workload);
  }
  // Names of all workloads and pods, sorted.
  std::vector<std::string> Names() const { return intake_->ToldNames(); }

 private:
  const intake::Intake* intake_;
};

}  // namespace fairlead::host
