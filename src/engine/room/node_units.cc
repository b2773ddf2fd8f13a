#include "engine/room/node_units.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "base/check.h"
#include "policy/victims.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;

void NodeUnits::ForgetAll() {
  for (OfNode& of_node : nodes_) of_node.known = false;
  any_ = false;
}

void NodeUnits::CatchUp() {
  const state::Journal& journal = cluster_.journal();
  const std::uint64_t touched = std::exchange(touched_, journal.touched.end());
  const std::uint64_t workloads = std::exchange(workloads_, journal.workloads.end());
  const bool others_are_spared = std::exchange(spared_, journal.spared) != journal.spared;
  const std::uint32_t last_stride = std::exchange(stride_, cluster_.nodes().stride());
  if (!any_) return;
  const bool missed = touched < journal.touched.begin() || workloads < journal.workloads.begin();
  if (missed || others_are_spared || last_stride != stride_) return ForgetAll();
  for (const NodeId n : journal.touched.Since(touched)) Forget(n);
  for (const state::WorkloadId w : journal.workloads.Since(workloads)) {
    if (!cluster_.workloads()[w].in_use) continue;  // its pods have left, which touched their nodes
    cluster_.ForEachPodOf(w, [&](PodId p) {
      if (cluster_.pods()[p].node.valid()) Forget(cluster_.pods()[p].node);
    });
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
  std::vector<Unit>& units = of_node.units;
  of_node.known = true;
  units.clear();
  units.reserve(cluster_.nodes().pods(n).size());
  const auto for_each_pod = [&](auto take) {
    for (const PodId p : cluster_.nodes().pods(n)) {
      if (!policy::MayBeEvicted(cluster_, p)) continue;
      const state::WorkloadId w = cluster_.pods()[p].workload;
      if (!cluster_.workloads()[w].preemptible) continue;
      take(w, cluster_.workloads()[w], cluster_.shapes()[cluster_.pods()[p].shape].request);
    }
  };
  for_each_pod(
      [&](state::WorkloadId w, const state::Workload& workload, const state::Amounts& request) {
        const std::int64_t amount = state::AmountOf(request, resource_);
        const bool whole = !workload.solo() && !cluster_.workloads().gang(w).gives_singly();
        const auto known = whole ? std::ranges::find(units, w, &Unit::workload) : units.end();
        if (known != units.end()) {
          known->amount += amount;
          known->of_pod = std::max(known->of_pod, amount);
        } else {
          units.push_back({workload.queue, w, amount, amount, whole});
        }
      });
  std::ranges::sort(units, {}, [](const Unit& unit) {
    return std::tuple(unit.queue, unit.amount, unit.workload);
  });
  boost::container::small_vector<state::QueueId, 8> queues;
  for (const Unit& unit : units) {
    if (queues.empty() || queues.back() != unit.queue) queues.push_back(unit.queue);
  }
  const std::size_t stride = cluster_.nodes().stride();
  of_node.others.assign(queues.size() * stride, 0);
  for_each_pod(
      [&](state::WorkloadId, const state::Workload& workload, const state::Amounts& request) {
        const auto nth = std::ranges::find(queues, workload.queue) - queues.begin();
        std::int64_t* others = of_node.others.data() + static_cast<std::size_t>(nth) * stride;
        for (const state::Amount& a : request) {
          if (a.resource != resource_) others[a.resource.value()] += a.amount;
        }
      });
}

bool NodeUnits::IsUpToDate(NodeId n) const {
  OfNode anew;
  Look(n, anew);
  const OfNode& of_node = nodes_[n.value()];
  return anew.others == of_node.others && anew.units == of_node.units;
}

}  // namespace fairlead::engine
