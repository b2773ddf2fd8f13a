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

namespace fairlead::host {

// Which workload and queue a pod has, and where it is: what the engine was told, by name, for
// people who ask by name. Fed with the same changes as the engine. Thread safety: none. Cost: O(log
// n) a change, about 250 bytes a pod; a workload of one pod has no row besides its pod's.
class StateIndex {
 public:
  struct Pod {
    bool alone = false;    // a workload of one pod, named after it
    std::string workload;  // "namespace/name", unless alone; foreign: ""
    std::string node;
    state::NeedsPtr needs;  // may be null
    state::PodState state = state::PodState::kPending;
    bool foreign = false;
    bool gated = false;
    bool terminating = false;
    Time created;
    std::optional<Time> scheduled_time;
    // Of the workload that it is alone; the queue's name is the index's.
    std::string_view queue;
    std::int32_t priority = 0;
    bool preemptible = true;
  };
  struct PodSet {
    std::string name;
    std::int32_t count = 0, min_count = 0, admitted = 0;
  };
  // What is known of a workload; good until the next Apply.
  struct Workload {
    std::string_view queue;
    std::int32_t priority = 0;
    bool preemptible = true;
    Time created;
    std::optional<Time> recorded_start;
    bool is_pod = false;  // a workload of one pod, named after it
    std::span<const PodSet> pod_sets;
  };

  void Apply(std::span<const state::Change> changes);

  const Pod* FindPod(std::string_view name) const;
  // Of which workload the pod of that name is.
  static std::string_view WorkloadOf(std::string_view name, const Pod& pod) {
    return pod.alone ? name : std::string_view(pod.workload);
  }
  std::optional<Workload> FindWorkload(std::string_view name) const;  // known ones only
  // The pods of a workload, known or not, by name.
  std::vector<std::string_view> PodsOf(std::string_view workload) const;
  // Names of all known workloads and pods of ours, sorted.
  std::vector<std::string> Names() const;

 private:
  struct Gang {
    state::WorkloadTraits traits;
    std::optional<Time> recorded_start;
    std::vector<PodSet> pod_sets;
    std::set<std::string, std::less<>> pods;  // may hold some before the workload itself is known
    bool known = false;                       // false: only its pods are
  };

  void Upsert(const state::PodChange& change);
  void Upsert(const state::WorkloadChange& change);
  void Remove(const state::Removal& removal);
  void Detach(const std::string& pod_name, const Pod& pod);

  std::map<std::string, Pod, std::less<>> pods_;
  std::map<std::string, Gang, std::less<>> gangs_;
  std::set<std::string, std::less<>> queues_;  // names that pods refer to
};

}  // namespace fairlead::host
