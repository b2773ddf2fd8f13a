#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "state/change.h"

namespace fairlead::cli {

// Which workload and queue a pod has, and where it is: what the engine was told, by name, for
// people who ask by name. Fed with the same changes as the engine. Thread safety: none. Cost: O(log
// n) a change.
class StateIndex {
 public:
  struct Pod {
    std::string workload;  // "namespace/name"; its own name for a workload of one pod; foreign: ""
    std::string pod_set;   // empty for a workload of one pod
    state::PodState state = state::PodState::kPending;
    std::string node;
    bool foreign = false;
    bool gated = false;
    bool terminating = false;
    Time created;
    std::optional<Time> scheduled_time;
    std::vector<std::string> passed_over;  // preferences that are not scored
  };
  struct PodSet {
    std::string name;
    std::int32_t count = 0, min_count = 0, admitted = 0;
  };
  struct Workload {
    std::string queue;
    std::int32_t priority = 0;
    bool preemptible = true;
    Time created;
    std::optional<Time> recorded_start;
    bool is_pod = false;  // a workload of one pod, named after it
    std::vector<PodSet> pod_sets;
    std::set<std::string> pods;  // may hold some before the workload itself is known
    bool known = false;          // false: only its pods are
  };

  void Apply(std::span<const state::Change> changes);

  const Pod* FindPod(std::string_view name) const;
  const Workload* FindWorkload(std::string_view name) const;  // known ones only
  // Names of all known workloads and pods of ours, sorted.
  std::vector<std::string> Names() const;

 private:
  void Upsert(const state::PodChange& change);
  void Upsert(const state::WorkloadChange& change);
  void Remove(const state::Removal& removal);
  void Detach(const std::string& pod_name, const Pod& pod);

  std::map<std::string, Pod, std::less<>> pods_;
  std::map<std::string, Workload, std::less<>> workloads_;
};

}  // namespace fairlead::cli
