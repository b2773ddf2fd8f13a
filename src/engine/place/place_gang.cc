// Placing a gang: all of it on one plan, or nothing.
//
// 1. Bounds: for each shape, Σ over nodes ⌊free / request⌋ must reach the count. If not, that is a
//    proof that the gang does not fit.
//    Where its pods are kept apart, drawn together or spread over domains of several nodes, another
//    search does the rest (engine/place/demanding_gang.h).
// 2. Greedy: pods of the best node each, pod sets in their order. For a gang of one shape this is
//    exact: pods of one shape take each other's places, and every node takes ⌊free / request⌋ of
//    them in whatever order they come.
// 3. Several shapes: the same with the largest first, which leaves the small ones the gaps.
// 4. Node after node is filled (engine/place/filling.h), which minds that some shapes have few
// nodes.
// 5. Still nothing: depth first over the nodes, largest first, each pod on its best node first
// where
//    it prefers any, up to kMaxSteps looks at a node.
//    Nodes that look the same to every part (class and free amounts) are tried once. An end before
//    the bound is a proof.
//
// Example: free 3 and 5, parts {1 × 2, 2 × 3}. Greedy by binpack puts 2 on the first node and then
// has 1 and 5 for two 3s; largest first puts 3 on the first node, 3 and 2 on the second.

#include <algorithm>
#include <numeric>

#include "engine/place/demanding_gang.h"
#include "engine/place/filling.h"
#include "engine/place/gang_part.h"
#include "engine/place/placer.h"
#include "engine/place/topology_gang.h"
#include "state/favour.h"

namespace fairlead::engine {
namespace {

using state::NodeId;

constexpr std::int64_t kMaxSteps = 200'000;
constexpr std::int64_t kFew = 16;        // pods
constexpr std::int64_t kMaxDepth = 256;  // pods of a gang that is searched depth first

class GangSearch {
 public:
  GangSearch(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
             const std::vector<GangPart>& parts, state::When when, state::Trial& trial)
      : placer_(placer),
        cluster_(cluster),
        workload_(w),
        parts_(parts),
        when_(when),
        trial_(trial),
        may_be_alike_(!DependOnOthers(cluster, parts)),
        have_preferences_(HavePreferences(cluster, parts)) {}

  bool WithinBounds() const {
    const std::vector<ShapeCount> wanted = ShapeCounts();
    return std::all_of(wanted.begin(), wanted.end(), [this](const ShapeCount& each) {
      return placer_.RoomFor(each.shape, each.pods, when_) >= each.pods;
    });
  }

  // Whether the bounds are the answer: one shape, and every node's room for it is exact.
  bool BoundsAreExact() const {
    return AreOfOneShape(parts_) && cluster_.shapes()[parts_[0].shape].gpu_milli == 0 &&
           !DependOnDomains(cluster_, parts_);
  }

  // Of a few pods, which cost less than a look at every node.
  bool CouldPlaceFew() {
    std::int64_t pods = 0;
    for (const GangPart& part : parts_) pods += part.count();
    if (pods > kFew || DependOnDomains(cluster_, parts_)) return false;
    std::vector<std::size_t> order(parts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t mark = trial_.Mark();
    const bool placed = Greedy(order);
    trial_.UndoTo(mark);
    return placed;
  }
  bool CouldFill() const { return Filling(cluster_, placer_, when_).Of(ShapeCounts()).has_value(); }

  GangVerdict Run() {
    if (!WithinBounds()) return GangVerdict::kNoRoom;
    // What is claimed here counts in favour of the others as if it were placed now.
    const bool favours = when_ == state::When::kLater && PreferPods(cluster_, parts_);
    const state::Favour favour(cluster_, favours ? workload_ : cluster_.demands().favoured());
    if (DependOnDomains(cluster_, parts_)) {
      return DemandingGang(placer_, cluster_, workload_, parts_, when_, trial_).Run();
    }
    std::vector<std::size_t> order(parts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (Greedy(order)) return GangVerdict::kPlaced;
    if (AreOfOneShape(parts_)) return GangVerdict::kNoRoom;
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return SizeOfPart(a) > SizeOfPart(b);
    });
    if (Greedy(order) || Fill(order)) return GangVerdict::kPlaced;
    std::int64_t pods = 0;
    for (const GangPart& part : parts_) pods += part.count();
    if (pods > kMaxDepth) return GangVerdict::kNotFound;
    if (Deep(order, 0, 0)) return GangVerdict::kPlaced;
    return steps_ < kMaxSteps ? GangVerdict::kNoRoom : GangVerdict::kNotFound;
  }

 private:
  std::int64_t SizeOfPart(std::size_t k) const {
    return SizeOf(cluster_, cluster_.shapes()[parts_[k].shape]);
  }

  void PlaceOne(const GangPart& part, std::int64_t i, NodeId n) {
    PutPod(trial_, workload_, part, i, n, when_);
  }

  bool Greedy(const std::vector<std::size_t>& order) {
    const std::size_t mark = trial_.Mark();
    for (std::size_t k : order) {
      for (std::int64_t i = 0; i < parts_[k].count(); ++i) {
        const NodeId n = placer_.Best(parts_[k].shape, when_);
        if (!n.valid()) {
          trial_.UndoTo(mark);
          return false;
        }
        PlaceOne(parts_[k], i, n);
      }
    }
    return true;
  }

  std::vector<ShapeCount> ShapeCounts() const {
    std::vector<ShapeCount> counts;
    for (const GangPart& part : parts_) AddPods(counts, part.shape, part.count());
    return counts;
  }

  bool Fill(const std::vector<std::size_t>& order) {
    auto filled = Filling(cluster_, placer_, when_).Of(ShapeCounts());
    if (!filled) return false;
    for (std::size_t k : order) {
      auto from = filled->begin();
      for (std::int64_t i = 0; i < parts_[k].count(); ++i) {
        while (from->shape != parts_[k].shape || from->pods == 0) ++from;
        PlaceOne(parts_[k], i, from->node);
        --from->pods;
      }
    }
    return true;
  }

  std::vector<NodeId> BestFirst(const GangPart& part) {
    std::vector<NodeId> fitting;
    for (const NodeId n : placer_.classes().nodes()) {
      if (placer_.Fits(part.shape, n, when_)) fitting.push_back(n);
    }
    placer_.SortByPlace(part.shape, when_, fitting);
    return fitting;
  }

  // Places pod `i` of part order[k] and all after it.
  bool Deep(const std::vector<std::size_t>& order, std::size_t k, std::int64_t i) {
    while (k < order.size() && i == parts_[order[k]].count()) {
      ++k;
      i = 0;
    }
    if (k == order.size()) return true;
    const GangPart& part = parts_[order[k]];
    std::vector<NodeId> tried, preferred;
    if (have_preferences_) preferred = BestFirst(part);
    for (NodeId n : have_preferences_ ? preferred : placer_.classes().nodes()) {
      if (++steps_ >= kMaxSteps) return false;
      if (!placer_.Fits(part.shape, n, when_)) continue;
      const bool was_tried = may_be_alike_ && std::ranges::any_of(tried, [&](NodeId t) {
                               return LookTheSame(cluster_, placer_, parts_, t, n, when_);
                             });
      if (was_tried) continue;
      tried.push_back(n);
      const std::size_t mark = trial_.Mark();
      PlaceOne(part, i, n);
      if (Deep(order, k, i + 1)) return true;
      trial_.UndoTo(mark);
    }
    return false;
  }

  Placer& placer_;
  state::Cluster& cluster_;
  state::WorkloadId workload_;
  const std::vector<GangPart>& parts_;
  state::When when_;
  state::Trial& trial_;
  bool may_be_alike_;  // nodes are: who stands on them makes no difference but by the room taken
  bool have_preferences_;
  std::int64_t steps_ = 0;
};

}  // namespace

GangVerdict PlaceAnywhere(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                          const std::vector<GangPart>& parts, state::When when,
                          state::Trial& trial) {
  return GangSearch(placer, cluster, w, parts, when, trial).Run();
}

GangVerdict PlaceGang(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                      const std::vector<GangPart>& parts, state::When when, state::Trial& trial) {
  if (AsksTopology(cluster, w)) {
    return TopologyGang(placer, cluster, w, parts, when, trial).Run();
  }
  return PlaceAnywhere(placer, cluster, w, parts, when, trial);
}

GangVerdict CouldPlaceGang(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                           const std::vector<GangPart>& parts, state::Trial& trial) {
  if (AsksTopology(cluster, w)) {
    return TopologyGang(placer, cluster, w, parts, state::When::kNow, trial).Could();
  }
  GangSearch search(placer, cluster, w, parts, state::When::kNow, trial);
  if (!search.WithinBounds()) return GangVerdict::kNoRoom;
  const bool could = search.BoundsAreExact() || search.CouldPlaceFew() || search.CouldFill();
  if (could) return GangVerdict::kPlaced;
  return search.Run();
}

}  // namespace fairlead::engine
