#include "policy/typical_pods.h"

#include <vector>

namespace fairlead::policy {

objects::PodKinds KindsOfPods(const state::Cluster& cluster) {
  std::vector<std::int64_t> pods(cluster.shapes().size());
  for (std::uint32_t i = 0; i < cluster.pods().size(); ++i) {
    const state::Pod& pod = cluster.pods()[state::PodId(i)];
    const bool counts = pod.in_use && !pod.foreign && !pod.expected && pod.workload.valid() &&
                        pod.daemon_set == state::OfDaemonSet::kNo;
    if (counts) ++pods[pod.shape.value()];
  }
  objects::PodKinds kinds;
  for (std::uint32_t s = 0; s < pods.size(); ++s) {
    if (pods[s] > 0) kinds.Add(*cluster.shapes()[state::ShapeId(s)].needs, pods[s]);
  }
  return kinds;
}

}  // namespace fairlead::policy
