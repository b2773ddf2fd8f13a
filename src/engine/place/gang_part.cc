#include "engine/place/gang_part.h"

#include <algorithm>
#include <iterator>

#include "engine/place/placer.h"
#include "policy/dynamic_demand.h"
#include "policy/preference.h"

namespace fairlead::engine {

GangPart& PartFor(std::vector<GangPart>& parts, std::uint16_t pod_set, state::ShapeId shape) {
  if (parts.empty() || parts.back().pod_set != pod_set || parts.back().shape != shape) {
    parts.push_back({.pod_set = pod_set, .shape = shape, .pods = {}, .expected = 0});
  }
  return parts.back();
}

std::vector<GangPart> PartsOf(const state::GangTopology& demand,
                              const std::vector<GangPart>& parts) {
  std::vector<GangPart> of;
  std::ranges::copy_if(parts, std::back_inserter(of),
                       [&](const GangPart& part) { return demand.IsOf(part.pod_set); });
  return of;
}

bool AreOfOneShape(const std::vector<GangPart>& parts) {
  return std::ranges::all_of(
      parts, [&](const GangPart& part) { return part.shape == parts.front().shape; });
}

bool DependOnOthers(const state::Cluster& cluster, const std::vector<GangPart>& parts) {
  return std::ranges::any_of(parts, [&](const GangPart& part) {
    return policy::DependsOnOthers(cluster.shapes()[part.shape]);
  });
}

bool DependOnDomains(const state::Cluster& cluster, const std::vector<GangPart>& parts) {
  return std::ranges::any_of(parts, [&](const GangPart& part) {
    return policy::DependsOnDomains(cluster, cluster.shapes()[part.shape]);
  });
}

bool PreferPods(const state::Cluster& cluster, const std::vector<GangPart>& parts) {
  return std::ranges::any_of(parts, [&](const GangPart& part) {
    return policy::PrefersPods(cluster.shapes()[part.shape]);
  });
}

std::size_t MostVolumes(const state::Cluster& cluster, const std::vector<GangPart>& parts) {
  std::size_t most = 0;
  for (const GangPart& part : parts) {
    const state::Shape& shape = cluster.shapes()[part.shape];
    if (shape.dynamic->takes_volumes)
      most = std::max(most, shape.needs->rare->volume_wishes.size());
  }
  return most;
}

bool HavePreferences(const state::Cluster& cluster, const std::vector<GangPart>& parts) {
  return std::ranges::any_of(parts, [&](const GangPart& part) {
    return policy::HasPreferences(cluster, cluster.shapes()[part.shape]);
  });
}

void PutPod(state::Trial& trial, state::WorkloadId w, const GangPart& part, std::int64_t i,
            state::NodeId n, state::When when, std::int32_t index) {
  if (i < std::ssize(part.pods)) {
    trial.Put(part.pods[static_cast<std::size_t>(i)], n, when);
  } else {
    trial.PutExpected(w, part.pod_set, n, when, index);
  }
}

bool LookTheSame(const state::Cluster& cluster, Placer& placer, const std::vector<GangPart>& parts,
                 state::NodeId a, state::NodeId b, state::When when) {
  const state::NodeTable& nodes = cluster.nodes();
  return std::equal(nodes.room(a, when), nodes.room(a, when) + nodes.stride(),
                    nodes.room(b, when)) &&
         std::ranges::all_of(parts, [&](const GangPart& part) {
           const state::Shape& shape = cluster.shapes()[part.shape];
           return !shape.by_node && shape.gpu_milli == 0 && !shape.dynamic->takes_volumes &&
                  placer.classes().Fits(part.shape, a) == placer.classes().Fits(part.shape, b);
         });
}

}  // namespace fairlead::engine
