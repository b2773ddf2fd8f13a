#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intake/join/pod_join.h"
#include "intake/join/told_pod.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// What the engine was told, for people who ask by name: a look at the rows, so that it is not kept
// a second time. As of what was joined last; what came since may be in it.
class Told {
 public:
  Told(const Tables& tables, const PodJoin& pods) : tables_(tables), pods_(pods) {}

  std::optional<ToldPod> Find(std::string_view pod) const;
  const state::WorkloadChange* FindWorkload(std::string_view name) const;  // null: there is none
  std::vector<std::string_view> PodsOf(std::string_view workload) const;   // by name
  std::vector<std::string> Names() const;  // of pods and workloads, sorted, unique
  // As the cluster shows it, told or not.
  std::optional<ShownPod> FindShown(std::string_view pod) const;

 private:
  const Tables& tables_;
  const PodJoin& pods_;
};

}  // namespace fairlead::intake
