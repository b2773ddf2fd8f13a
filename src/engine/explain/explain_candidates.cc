#include "engine/explain/explain_candidates.h"

#include <algorithm>

#include "engine/explain/what_if.h"

namespace fairlead::engine {
namespace {

using state::NodeId;
using state::PodId;
using state::ShapeId;

struct Asked {
  PodId pod;  // invalid: it is yet to be made
  ShapeId shape;
};

std::optional<Asked> WaitingPod(const state::Cluster& cluster, std::string_view name) {
  const auto waits = [&](PodId p) { return p.valid() && cluster.pods()[p].waits(); };
  const PodId named = cluster.pods().Find(name);
  if (waits(named)) return Asked{.pod = named, .shape = cluster.pods()[named].shape};
  const state::WorkloadId w = state::FindWorkload(cluster, name);
  if (!w.valid() || cluster.workloads()[w].solo()) return std::nullopt;
  for (const state::PodSet& set : cluster.workloads().gang(w).sets) {
    PodId first;
    for (const PodId p : set.pods) {
      if (!waits(p) || cluster.pods()[p].expected) continue;
      if (!first.valid() || cluster.pods().name(p) < cluster.pods().name(first)) first = p;
    }
    if (first.valid()) return Asked{.pod = first, .shape = cluster.pods()[first].shape};
    if (set.MissingExpected() > 0) return Asked{.pod = PodId(), .shape = set.expected_shape};
  }
  return std::nullopt;
}

}  // namespace

std::optional<CandidatesReport> ReportCandidates(const Scheduler& scheduler,
                                                 std::string_view name) {
  const WhatIf what_if(scheduler);
  const state::Cluster& cluster = what_if.cluster();
  const std::optional<Asked> asked = WaitingPod(cluster, name);
  if (!asked) return std::nullopt;
  const state::Shape& shape = cluster.shapes()[asked->shape];
  CandidatesReport report;
  if (asked->pod.valid()) report.pod = cluster.pods().name(asked->pod);
  std::vector<NodeId> fitting;
  for (const NodeId n : cluster.nodes().by_name()) {
    if (shape.placeable && what_if.placer().Fits(asked->shape, n)) fitting.push_back(n);
  }
  what_if.placer().SortByPlace(asked->shape, state::When::kNow, fitting);
  const bool weighed = policy::HasPreferences(cluster, shape);
  policy::PreferenceScale scale;
  for (const NodeId n : fitting) {
    CandidateReport& each = report.nodes.emplace_back();
    each.node = cluster.nodes().name(n);
    each.raw = policy::PreferenceOf(cluster, shape, n, state::When::kNow);
    scale.Add(each.raw);
  }
  for (CandidateReport& each : report.nodes) {
    if (!weighed) continue;
    each.preferred = scale.Of(each.raw);
    for (std::size_t kind = 0; kind < policy::kPreferences; ++kind) {
      each.points[kind] = scale.PointsOf(static_cast<policy::Preference>(kind), each.raw);
    }
  }
  return report;
}

}  // namespace fairlead::engine
