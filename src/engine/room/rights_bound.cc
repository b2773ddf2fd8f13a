// Bounds on what rights let donors give, before any victim is looked at.
//
// A donor's units leave as long as it is above its line when they do: so all that leave it but the
// last together stay within what it is above, and the last may go below. That bounds what comes
// free on a node by arithmetic over amounts: per donor the smallest units first, while they stay
// within the line, and the largest last. In sum over nodes likewise.
//
// Worked: a donor stands 5 GPUs above its fair share; its pods on the node hold 2, 2, 2 and 4. Two
// of 2 stay within the five, then one more may go, the largest: 8 GPUs at most. A pod that needs 16
// here is refused by a few additions.

#include "engine/room/rights_bound.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "base/check.h"
#include "base/sorted_set.h"
#include "policy/dynamic_demand.h"

namespace fairlead::engine {

using state::NodeId;
using state::ShapeId;

namespace {

// The most that leaves a donor none of whose units is larger.
std::int64_t MostBy(const policy::Entitlement::Leave& leave, std::int64_t largest) {
  return std::min(leave.in_all, leave.before_last + largest);
}

}  // namespace

void RightsBound::CatchUp() {
  for (auto& [resource, nodes] : nodes_) nodes.CatchUp();
}

bool RightsBound::MightServe(const VictimScope& scope, const RoomStep& step) {
  if (!scope.bounded()) return true;
  all_units_.clear();
  return std::all_of(step.parts.begin(), step.parts.end(), [&](const GangPart& part) {
    return MightHold(scope, part.shape, PodsOf(step, part.shape));
  });
}

// What must leave for the pods that need the least, `pods` of them.
bool RightsBound::MightHold(const VictimScope& scope, ShapeId s, std::int64_t pods) {
  const state::Shape& shape = cluster_.shapes()[s];
  const state::ResourceId bounded = *scope.bounded();
  const std::int64_t asked = state::AmountOf(shape.request, bounded);
  const auto wanted = static_cast<std::size_t>(pods);
  std::int64_t budget = scope.MostInAll();
  std::priority_queue<std::int64_t> needs;  // the most on top
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    const NodeId n(i);
    if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) continue;
    const Sums sums = Gather(scope, scope.leaves(), shape, n);
    std::int64_t more =
        policy::MostOnNode(cluster_, shape, n, PodsAfter(scope, shape, n, sums.most));
    std::int64_t free = more > 0 ? cluster_.nodes().later(n)[bounded.value()] : 0;
    for (; more > 0; --more, free = std::max<std::int64_t>(0, free - asked)) {
      const std::int64_t need = std::max<std::int64_t>(0, asked - free);
      if (needs.size() == wanted && needs.top() <= need) break;
      needs.push(need);
      sum += need;
      if (needs.size() <= wanted) continue;
      sum -= needs.top();
      needs.pop();
    }
    if (needs.size() < wanted || sum > budget) continue;
    if (wanted == 1) return true;
    // What all of them may give is known only once all nodes have been looked at.
    budget = std::min(budget, Budget(scope));
    if (sum <= budget) return true;
  }
  return false;
}

// Of all donors together: each may go below its line with one unit, its last; and gives a multiple
// of what divides all its units.
std::int64_t RightsBound::Budget(const VictimScope& scope) {
  if (all_units_.empty()) SumUpUnits(scope);
  std::int64_t budget = 0;
  for (std::size_t i = 0; i < scope.donors().size(); ++i) {
    const AllUnits& all = all_units_[i];
    const std::int64_t most = MostBy(scope.leaves()[i], all.largest);
    if (all.divisor > 0) budget += most / all.divisor * all.divisor;
  }
  return budget;
}

void RightsBound::SumUpUnits(const VictimScope& scope) {
  all_units_.resize(scope.donors().size());
  NodeUnits& nodes = UnitsOf(*scope.bounded());
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    if (!cluster_.nodes().exists(NodeId(i))) continue;
    nodes.ForEachQueue(NodeId(i), [&](const NodeUnits::OfQueue& of_queue) {
      const auto donor = scope.DonorOfQueue(of_queue.queue);
      if (!donor) return;
      AllUnits& all = all_units_[*donor];
      for (const NodeUnits::Unit& unit : of_queue.units) {
        const std::int64_t pods = unit.whole ? cluster_.workloads()[unit.workload].live : 1;
        all.largest = std::max(all.largest, unit.of_pod * pods);
        all.divisor = std::gcd(all.divisor, unit.amount);
      }
    });
  }
}

RightsBound::OfNode RightsBound::Of(const VictimScope& scope, const VictimScope::Leaves& leaves,
                                    ShapeId s, NodeId n) {
  if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) return {};
  const state::Shape& shape = cluster_.shapes()[s];
  const Sums sums = Gather(scope, leaves, shape, n);
  const std::int64_t pods =
      policy::MostOnNode(cluster_, shape, n, PodsAfter(scope, shape, n, sums.most));
  if (pods > 0) return {.pods = pods};
  return {.refused = PodsAfter(scope, shape, n, sums.all) > 0};
}

// The donors' units on the node. Where a pod lacks room even if each queue gave what its largest
// unit lets it give, that is all there is to know.
RightsBound::Sums RightsBound::Gather(const VictimScope& scope, const VictimScope::Leaves& leaves,
                                      const state::Shape& shape, NodeId n) {
  const state::ResourceId bounded = *scope.bounded();
  queues_.clear();
  Sums sums;
  UnitsOf(bounded).ForEachQueue(n, [&](const NodeUnits::OfQueue& of_queue) {
    const auto donor = scope.DonorOfQueue(of_queue.queue);
    if (!donor) return;
    queues_.push_back({*donor, of_queue});
    sums.most += std::min(of_queue.amount, MostBy(leaves[*donor], of_queue.units.back().amount));
    sums.all += of_queue.amount;
  });
  if (LacksRoom(bounded, shape, n, sums.most)) return sums;
  units_.clear();
  for (const auto& [donor, of_queue] : queues_) {
    for (const NodeUnits::Unit& unit : of_queue.units) units_.push_back({donor, unit.amount});
  }
  std::ranges::sort(units_);
  const std::int64_t bound = std::exchange(sums.most, 0);
  for (auto first = units_.begin(); first != units_.end();) {
    const auto last = std::find_if(first, units_.end(),
                                   [&](const Unit& unit) { return unit.donor != first->donor; });
    sums.most += MostOf({first, last}, leaves[first->donor]);
    first = last;
  }
  DCHECK(sums.most <= bound);
  return sums;
}

// The largest sum of one donor's units that may leave: of some of them all but the largest leave it
// above its line.
std::int64_t RightsBound::MostOf(std::span<const Unit> units,
                                 const policy::Entitlement::Leave& leave) {
  constexpr std::size_t kMostSums = 64;
  std::int64_t all = 0;
  for (const Unit& unit : units) all += unit.amount;
  const std::int64_t largest = units.back().amount;
  if (all <= leave.in_all && all - largest <= leave.before_last) return all;
  std::int64_t most = 0;
  sums_.assign(1, 0);
  for (const Unit& unit : units) {
    const std::size_t had = sums_.size();
    if (had > kMostSums) return std::min(all, MostBy(leave, largest));
    for (std::size_t i = 0; i < had; ++i) {
      const std::int64_t sum = sums_[i] + unit.amount;
      if (sums_[i] > leave.before_last || sum > leave.in_all) continue;
      most = std::max(most, sum);
      sums_.push_back(sum);
    }
    MakeSet(sums_);
  }
  return most;
}

// Whether the node holds no pod of the shape for want of the resource, when so much of it has left.
bool RightsBound::LacksRoom(state::ResourceId r, const state::Shape& shape, NodeId n,
                            std::int64_t leaves) const {
  return cluster_.nodes().later(n)[r.value()] + leaves < state::AmountOf(shape.request, r);
}

// How many pods the node at hand would hold in numbers alone if so much of the bounded resource
// left it, and of all others what the donors have.
std::int64_t RightsBound::PodsAfter(const VictimScope& scope, const state::Shape& shape, NodeId n,
                                    std::int64_t leaves) {
  const state::ResourceId bounded = *scope.bounded();
  if (LacksRoom(bounded, shape, n, leaves)) return 0;
  const std::int64_t* later = cluster_.nodes().later(n);
  room_.assign(later, later + cluster_.nodes().stride());
  for (const OfDonor& queue : queues_) {
    const std::span<const std::int64_t> others = queue.of_queue.others;
    for (std::size_t r = 0; r < others.size(); ++r) room_[r] += others[r];
  }
  room_[bounded.value()] += leaves;
  return PodsInSum(room_, shape);
}

}  // namespace fairlead::engine
