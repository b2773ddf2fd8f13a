// Worked: room for 4 pods of 2 GPUs is lacking. Pods of 1 GPU and of 8 run, of priority 0: the one
// frees room for 1 at most, the other for 4. One workload stops at least, and at least the work of
// the cheapest is lost, each taken for as much of the room as it may give.

#include "engine/room/cost_bound.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "policy/victims.h"

namespace fairlead::engine {
namespace {

using policy::EvictionCost;
using policy::Work;

// A pod that may leave, and for how many pods of the shape that makes room at most.
struct Leaver {
  state::WorkloadId workload;
  std::int32_t priority = 0;
  bool stops = true;  // its workload, with all of it
  std::int64_t gain = 0;
  Work work = 0;
};

std::int64_t MostGained(const state::Shape& shape, const state::Shape& leaves) {
  std::int64_t most = 0;
  for (const state::Amount& asked : shape.request) {
    const std::int64_t freed = state::AmountOf(leaves.request, asked.resource);
    most = std::max(most, (freed + asked.amount - 1) / asked.amount);
  }
  return most;
}

// Of each workload that stops, what all of its leavers gain together.
std::vector<std::int64_t> GainsOfStopped(const std::vector<Leaver>& leavers) {
  std::vector<std::pair<state::WorkloadId, std::int64_t>> of_workload;
  bool sorted = true;
  for (const Leaver& leaver : leavers) {
    if (!leaver.stops) continue;
    sorted = sorted && (of_workload.empty() || of_workload.back().first <= leaver.workload);
    of_workload.emplace_back(leaver.workload, leaver.gain);
  }
  if (!sorted) std::sort(of_workload.begin(), of_workload.end());
  std::vector<std::int64_t> gains;
  for (std::size_t i = 0; i < of_workload.size(); ++i) {
    if (i > 0 && of_workload[i - 1].first == of_workload[i].first) {
      gains.back() += of_workload[i].second;
    } else {
      gains.push_back(of_workload[i].second);
    }
  }
  return gains;
}

std::int64_t FewestStopped(const std::vector<Leaver>& leavers, std::int64_t need) {
  for (const Leaver& leaver : leavers) need -= leaver.stops ? 0 : leaver.gain;
  std::vector<std::int64_t> gains = GainsOfStopped(leavers);
  if (!std::is_sorted(gains.begin(), gains.end(), std::greater<>())) {
    std::sort(gains.begin(), gains.end(), std::greater<>());
  }
  std::int64_t stopped = 0;
  for (const std::int64_t gain : gains) {
    if (need <= 0) break;
    need -= gain;
    ++stopped;
  }
  return stopped;
}

// As if each could leave by parts.
Work LeastWork(std::vector<Leaver>& leavers, std::int64_t need) {
  const auto cheaper = [](const Leaver& a, const Leaver& b) {
    return a.gain == b.gain
               ? a.work < b.work
               : a.work * static_cast<Work>(b.gain) < b.work * static_cast<Work>(a.gain);
  };
  if (!std::is_sorted(leavers.begin(), leavers.end(), cheaper)) {
    std::sort(leavers.begin(), leavers.end(), cheaper);
  }
  Work lost = 0;
  for (const Leaver& leaver : leavers) {
    if (need <= 0) break;
    const std::int64_t taken = std::min(need, leaver.gain);
    lost += leaver.work * static_cast<Work>(taken) / static_cast<Work>(leaver.gain);
    need -= taken;
  }
  return lost;
}

}  // namespace

std::optional<EvictionCost> CostBound::Least(const VictimScope& scope, const RoomStep& step) {
  const state::ShapeId s = step.parts.front().shape;
  const state::Shape& shape = cluster_.shapes()[s];
  if (!AreOfOneShape(step.parts) || !shape.dynamic->empty() || shape.gpu_milli > 0)
    return std::nullopt;
  const std::int64_t wanted = PodsOf(step);
  const std::int64_t need = wanted - placer_.RoomFor(s, wanted, state::When::kLater);
  if (need <= 0) return EvictionCost{};
  std::vector<Leaver> leavers;
  placer_.classes().ForEachInReach([&](state::NodeId n) {
    if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) return true;
    for (const state::PodId p : cluster_.nodes().pods(n)) {
      if (!policy::MayBeEvicted(cluster_, p)) continue;
      const state::Pod& pod = cluster_.pods()[p];
      const std::int64_t gain = MostGained(shape, cluster_.shapes()[pod.shape]);
      if (gain == 0 || !scope.DonorOf(pod.workload)) continue;
      const state::Workload& workload = cluster_.workloads()[pod.workload];
      const bool singly =
          !workload.solo() && cluster_.workloads().gang(pod.workload).gives_singly();
      leavers.push_back({.workload = pod.workload,
                         .priority = workload.priority,
                         .stops = !singly,
                         .gain = gain,
                         .work = losses_.LostBy(p)});
    }
    return true;
  });
  const auto lower = [](const Leaver& a, const Leaver& b) { return a.priority < b.priority; };
  if (!std::is_sorted(leavers.begin(), leavers.end(), lower)) {
    std::sort(leavers.begin(), leavers.end(), lower);
  }
  std::int64_t gained = 0;
  std::size_t taken = 0;
  while (taken < leavers.size() && gained < need) gained += leavers[taken++].gain;
  EvictionCost least{.highest_priority = std::numeric_limits<std::int32_t>::max()};
  if (gained < need) return least;  // nobody's leaving is enough
  least.highest_priority = leavers[taken - 1].priority;
  std::erase_if(leavers,
                [&](const Leaver& leaver) { return leaver.priority > least.highest_priority; });
  least.workloads_stopped = FewestStopped(leavers, need);
  least.work_lost = LeastWork(leavers, need);
  const auto roomiest =
      std::max_element(leavers.begin(), leavers.end(),
                       [](const Leaver& a, const Leaver& b) { return a.gain < b.gain; });
  least.pods = (need + roomiest->gain - 1) / roomiest->gain;
  return least;
}

}  // namespace fairlead::engine
