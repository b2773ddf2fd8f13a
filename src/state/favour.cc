#include "state/favour.h"

namespace fairlead::state {

void Favour::Set(WorkloadId w) {
  Tables& t = cluster_.t_;
  const WorkloadId was = t.demands.favoured();
  if (was == w) return;
  const auto count = [&](WorkloadId of, bool favoured) {
    if (!of.valid() || !t.workloads[of].in_use) return;
    cluster_.ForEachPodOf(of, [&](PodId p) {
      const Pod& pod = t.pods[p];
      if (!pod.placed() || !pod.claims()) return;
      const std::vector<TermId>& holds = t.shapes[pod.shape].dynamic->holds;
      t.demands.Give(holds, pod.node, Stay::kComes, !favoured);
      t.demands.Take(holds, pod.node, Stay::kComes, favoured);
    });
  };
  count(was, false);
  t.demands.SetFavoured(w);
  count(w, true);
}

}  // namespace fairlead::state
