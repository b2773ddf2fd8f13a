#include "engine/room/node_units.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "base/check.h"
#include "engine/room/nodes_of.h"
#include "policy/victims.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

void NodeUnits::ForgetAll() {
  for (OfNode& of_node : nodes_) of_node.known = false;
  any_ = false;
}

void NodeUnits::CatchUp() {
  const state::Journal& journal = cluster_.journal();
  const bool nothing_new = touched_ == journal.touched.end() &&
                           workloads_ == journal.workloads.end() && spared_ == journal.spared &&
                           stride_ == cluster_.nodes().stride();
  if (nothing_new) return;
  const std::uint64_t touched = std::exchange(touched_, journal.touched.end());
  const std::uint64_t workloads = std::exchange(workloads_, journal.workloads.end());
  const bool others_are_spared = std::exchange(spared_, journal.spared) != journal.spared;
  const std::uint32_t last_stride = std::exchange(stride_, cluster_.nodes().stride());
  if (!any_) return;
  const bool missed = touched < journal.touched.begin() || workloads < journal.workloads.begin();
  if (missed || others_are_spared || last_stride != stride_) return ForgetAll();
  for (const NodeId n : journal.touched.Since(touched)) Forget(n);
  for (const WorkloadId w : journal.workloads.Since(workloads)) {
    ForEachNodeOf(cluster_, w, [this](NodeId n) { Forget(n); });
  }
}

const NodeUnits::OfNode& NodeUnits::Of(NodeId n) {
  CatchUp();
  if (nodes_.size() < cluster_.nodes().size()) nodes_.resize(cluster_.nodes().size());
  OfNode& of_node = nodes_[n.value()];
  if (!of_node.known) {
    Look(n, of_node);
    any_ = true;
  }
  DCHECK(IsUpToDate(n));
  return of_node;
}

void NodeUnits::Look(NodeId n, OfNode& of_node) const {
  auto& [known, units, others] = of_node;
  known = true;
  units.clear();
  others.clear();
  const auto workload_of = [this](PodId p) { return cluster_.pods()[p].workload; };
  boost::container::small_vector<PodId, 16> pods;
  for (const PodId p : cluster_.nodes().pods(n)) {
    const bool may = policy::MayBeEvicted(cluster_, p);
    if (may && cluster_.workloads()[workload_of(p)].preemptible) pods.push_back(p);
  }
  std::ranges::sort(pods, {}, [&](PodId p) { return cluster_.workloads()[workload_of(p)].queue; });
  units.reserve(pods.size());
  const std::size_t stride = cluster_.nodes().stride();
  for (const PodId p : pods) {
    const WorkloadId w = workload_of(p);
    const state::Workload& workload = cluster_.workloads()[w];
    if (units.empty() || units.back().queue != workload.queue) {
      others.resize(others.size() + stride, 0);
    }
    std::int64_t amount = 0;
    for (const state::Amount& a : cluster_.shapes()[cluster_.pods()[p].shape].request) {
      if (a.resource == resource_) {
        amount = a.amount;
      } else {
        others[others.size() - stride + a.resource.value()] += a.amount;
      }
    }
    const bool whole = !workload.solo() && !cluster_.workloads().gang(w).gives_singly();
    const auto part = whole ? std::ranges::find(units, w, &Unit::workload) : units.end();
    if (part != units.end()) {
      part->amount += amount;
      part->of_pod = std::max(part->of_pod, amount);
    } else {
      units.push_back({workload.queue, w, amount, amount, whole});
    }
  }
  std::ranges::sort(units, {}, [](const Unit& unit) {
    return std::tuple(unit.queue, unit.amount, unit.workload);
  });
}

bool NodeUnits::IsUpToDate(NodeId n) const {
  OfNode anew;
  Look(n, anew);
  const OfNode& of_node = nodes_[n.value()];
  return anew.others == of_node.others && anew.units == of_node.units;
}

}  // namespace fairlead::engine
