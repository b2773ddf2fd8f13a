// Where a pod goes: the first node in an order, not the best of all nodes.
//
// For rules that look at the node alone there are four orders, by GPU and by CPU, now and later, in
// which nodes stand by score and then by name. A question walks its order from the front and stops
// at the first node that holds the shape; classes of nodes that cannot are skipped by a mask. For
// rules that look at the pod as well, each shape has a tree in which of two nodes the better goes
// up (shape_orders.h).
//
// Orders and trees follow a log of touched nodes, each from where it has read to. What was not
// asked about costs nothing, and catching up costs the nodes that changed; one that is too far
// behind is built anew.
//
// Worked: 5,000 nodes, binpack. A pod of 2 GPUs goes to the fullest node with 2 left. That node
// alone moves in its orders, O(log n); the next pod like it asks the same order again.

#include "engine/place/placer.h"

#include <algorithm>

#include "base/sorted_set.h"
#include "policy/dynamic_demand.h"
#include "policy/node_fit.h"

namespace fairlead::engine {

using state::NodeId;
using state::ShapeId;
using state::When;

namespace {

// One that the shape names; invalid: it is not known yet.
NodeId NodeNamed(const state::Cluster& cluster, const state::Shape& shape,
                 const std::string& name) {
  return shape.pinned_to.valid() ? shape.pinned_to : cluster.nodes().Find(name);
}

}  // namespace

Placer::Placer(state::Cluster& cluster)
    : cluster_(cluster),
      classes_(cluster),
      orders_{{{NodeOrder(cluster, classes_, policy::Axis::kGpu, When::kNow)},
               {NodeOrder(cluster, classes_, policy::Axis::kCpu, When::kNow)},
               {NodeOrder(cluster, classes_, policy::Axis::kGpu, When::kLater)},
               {NodeOrder(cluster, classes_, policy::Axis::kCpu, When::kLater)}}},
      shape_score_(cluster) {
  cluster.SetDeviceChooser(this);
}

void Placer::CatchUp() {
  const state::Journal& journal = cluster_.journal();
  const bool configured = configuration_ != journal.configuration;
  if (!HasNews() && !witnesses_.HasNews() && !configured) {
    touched_.clear();
    return;
  }
  configuration_ = journal.configuration;
  const std::vector<NodeId> reshaped = reshaped_.Take();
  const bool reranked = cluster_.RerankNodes();
  const bool reclassed = classes_.Refresh(reshaped);
  const bool widened = stride_ != cluster_.nodes().stride();
  stride_ = cluster_.nodes().stride();
  touched_ = news_.Take();
  MakeSet(touched_);
  if (reranked || reclassed || widened || configured) DropOrders();
  if (!reshaped.empty() || configured) {
    shape_score_.Prepare();
    shape_orders_.Clear();
  }
  if (reclassed || widened || !reshaped.empty()) when_empty_.clear();
  witnesses_.Update(reshaped, reclassed);
}

void Placer::ForgetShapes() {
  classes_.Forget();
  domain_rooms_.Clear();
  DropOrders();
  witnesses_.Forget();
  when_empty_.clear();
}

void Placer::EndRound() { news_.Forget(); }

// Orders follow what was touched for as long as that is cheaper than to build them anew.
std::uint64_t Placer::touched_position() const {
  const state::Log<NodeId>& touched = cluster_.journal().touched;
  const std::uint64_t most = 4 * std::uint64_t{cluster_.nodes().size()} + 64;
  const bool many = touched.end() - touched.begin() > most;
  return std::min(news_.position(), many ? touched.end() - most / 2 : touched.begin());
}

void Placer::DropOrders() {
  preference_orders_.Clear();
  for (FollowedOrder& order : orders_) order.built = false;
  shape_orders_.Clear();
}

NodeOrder& Placer::OrderOf(const state::Shape& shape, When when) {
  const state::Log<NodeId>& touched = cluster_.journal().touched;
  const std::size_t axis = policy::AxisOf(shape) == policy::Axis::kGpu ? 0 : 1;
  FollowedOrder& order = orders_[axis + (when == When::kLater ? 2 : 0)];
  // Many changes at once, as at the start: to sort all is cheaper than to move each.
  if (!order.built || order.seen < touched.begin() ||
      (touched.end() - order.seen) * 4 > cluster_.nodes().size() + std::size_t{64}) {
    order.order.Rebuild();
    order.built = true;
    order.seen = touched.end();
  }
  for (; order.seen < touched.end(); ++order.seen) order.order.Refresh(touched[order.seen]);
  return order.order;
}

// The first, in the order of their axis, of the nodes that hold the shape and at which to stop.
template <typename Stop>
NodeId Placer::FirstOfAxis(ShapeId s, When when, Stop stop) {
  const state::Shape& shape = cluster_.shapes()[s];
  const std::uint64_t mask = MaskOf(s, when);
  return OrderOf(shape, when)
      .First(shape.fit, mask, policy::LeastUsefulScore(cluster_, shape),
             [&](NodeId n) { return Suits(s, n, when, mask) && stop(n); });
}

// REQUIRES: the node has room.
bool Placer::Suits(ShapeId s, NodeId n, When when, std::uint64_t mask) {
  return (classes_.ClassBit(n) & mask) != 0 && classes_.Fits(s, n) &&
         policy::OthersAllow(cluster_, cluster_.shapes()[s], n, when, asked_);
}

// Domains that refuse the shape are passed over whole, where there are few.
std::uint64_t Placer::MaskOf(ShapeId s, When when) {
  const state::Shape& shape = cluster_.shapes()[s];
  if (shape.dynamic->empty() || classes_.columns().empty()) return classes_.Mask(s);
  return classes_.MaskWhere(s, [&](NodeId n) {
    return policy::OthersMightAllow(cluster_, shape, n, when, asked_, classes_.columns());
  });
}

// Who draws before anything is preferred draws one of all.
NodeId Placer::Best(ShapeId s, When when) {
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.placeable) return NodeId();
  if (classes_.reach() != nullptr) return BestAmong(s, when, classes_.nodes());
  const bool drawn_first = policy::ChoiceFor(cluster_, shape) == objects::NodeChoice::kRandom &&
                           cluster_.configuration().preferences == objects::PreferenceOrder::kTie;
  return policy::HasPreferences(cluster_, shape) && !drawn_first ? BestPreferred(s, when)
                                                                 : BestUnweighed(s, when);
}

NodeId Placer::BestUnweighed(ShapeId s, When when) {
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.only_nodes.empty()) return BestAmong(s, when, NodesNamedBy(cluster_, shape));
  const objects::NodeChoice choice = policy::ChoiceFor(cluster_, shape);
  if (choice == objects::NodeChoice::kRandom) return Drawn(s, when);
  if (policy::DependsOnShape(choice)) return BestForShape(s, when);
  return FirstOfAxis(s, when, [](NodeId) { return true; });
}

NodeId Placer::Best(ShapeId s, When when, policy::Asked asked) {
  asked_ = asked;
  const NodeId best = Best(s, when);
  asked_ = policy::Asked::kAll;
  return best;
}

bool Placer::AnyFits(ShapeId s, When when, policy::Asked asked) {
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.placeable) return false;
  asked_ = asked;
  bool any = false;
  if (classes_.reach() != nullptr) {
    any = BestAmong(s, when, classes_.nodes()).valid();
  } else if (policy::ChoiceFor(cluster_, shape) != objects::NodeChoice::kRandom ||
             !shape.only_nodes.empty()) {
    any = BestUnweighed(s, when).valid();
  } else {
    Random random(Draw());
    any = FirstDrawn(s, when, random).valid() ||
          FirstOfAxis(s, when, [](NodeId) { return true; }).valid();
  }
  asked_ = policy::Asked::kAll;
  return any;
}

std::uint32_t Placer::ScoreOf(ShapeId s, NodeId n, When when) const {
  const state::Shape& shape = cluster_.shapes()[s];
  return policy::DependsOnShape(policy::ChoiceFor(cluster_, shape))
             ? shape_score_.Of(shape, n, when)
             : policy::Score(cluster_, n, policy::AxisOf(shape), when);
}

std::uint64_t Placer::KeyOf(ShapeId s, NodeId n, When when) const {
  return static_cast<std::uint64_t>(ScoreOf(s, n, when)) << 32 | cluster_.nodes().rank(n);
}

std::vector<NodeId> NodesNamedBy(const state::Cluster& cluster, const state::Shape& shape) {
  std::vector<NodeId> nodes;
  for (const std::string& name : shape.only_nodes) {
    const NodeId n = NodeNamed(cluster, shape, name);
    if (n.valid()) nodes.push_back(n);
  }
  return nodes;
}

// Neither orders nor trees are asked, which are of all nodes, and no preference counts.
NodeId Placer::BestAmong(ShapeId s, When when, std::span<const NodeId> nodes) {
  NodeId best;
  std::uint64_t best_key = 0;
  for (const NodeId n : nodes) {
    if (!Fits(s, n, when, asked_)) continue;
    const std::uint64_t key = KeyOf(s, n, when);
    if (best.valid() && key >= best_key) continue;
    best = n;
    best_key = key;
  }
  return best;
}

NodeId Placer::BestForShape(ShapeId s, When when) {
  const state::Log<NodeId>& touched = cluster_.journal().touched;
  auto judge = [&](NodeId n) {
    return Fits(s, n, when, asked_) ? KeyOf(s, n, when) : ShapeOrders::kAbsent;
  };
  const std::uint64_t seen = shape_orders_.SeenBy(s, when);
  // What happens on one node may make a difference on all of its domain.
  const bool by_domains = policy::DependsOnDomains(cluster_, cluster_.shapes()[s]);
  const bool follow = !by_domains && seen != ShapeOrders::kAbsent && seen >= touched.begin();
  const std::uint64_t key =
      follow ? shape_orders_.Follow(s, when, touched.Since(seen), touched.end(), judge)
             : shape_orders_.Build(s, when, cluster_.nodes().size(), touched.end(), judge);
  if (key == ShapeOrders::kAbsent) return NodeId();
  return cluster_.nodes().Ranked(static_cast<std::uint32_t>(key));
}

// A number that looks like chance and depends on the state alone: on the seed, and on what is
// allocated by now. So whoever starts anew decides the same, and every placement draws another.
std::uint64_t Placer::Draw() const {
  std::uint64_t draw = static_cast<std::uint64_t>(cluster_.configuration().placement_seed);
  for (const state::ResourceId r : {state::kPods, state::kCpu, state::kMemory, state::kGpu}) {
    draw = Stir(draw) + static_cast<std::uint64_t>(cluster_.queues().Get(
                            state::QueueTree::Root(), state::Figure::kAllocated, r));
  }
  return Stir(draw);
}

// The first of some nodes drawn that fits.
NodeId Placer::FirstDrawn(ShapeId s, When when, Random& random) {
  constexpr int kTries = 16;
  const std::vector<NodeId>& nodes = cluster_.nodes().by_name();
  for (int i = 0; i < kTries && !nodes.empty(); ++i) {
    const NodeId n = nodes[static_cast<std::size_t>(random.Below(nodes.size()))];
    if (Fits(s, n, when, asked_)) return n;
  }
  return NodeId();
}

// Any node that fits, each with the same chance: by drawing until one fits or, where few do, by
// counting them.
NodeId Placer::Drawn(ShapeId s, When when) {
  Random random(Draw());
  if (const NodeId first = FirstDrawn(s, when, random); first.valid()) return first;
  std::vector<NodeId> fitting;
  FirstOfAxis(s, when, [&](NodeId n) {
    fitting.push_back(n);
    return false;
  });
  if (fitting.empty()) return NodeId();
  const auto drawn = fitting.begin() + static_cast<std::ptrdiff_t>(random.Below(fitting.size()));
  std::nth_element(fitting.begin(), drawn, fitting.end(), [&](NodeId a, NodeId b) {
    return cluster_.nodes().rank(a) < cluster_.nodes().rank(b);
  });
  return *drawn;
}

std::int8_t Placer::ChooseDevice(const state::Shape& shape, NodeId n, state::Stay stay) {
  const bool random = policy::ChoiceFor(cluster_, shape) == objects::NodeChoice::kRandom;
  return shape_score_.DeviceFor(shape, n, stay, random ? Stir(Draw()) : 0);
}

bool Placer::Fits(ShapeId s, NodeId n, When when, policy::Asked asked) {
  const state::Shape& shape = cluster_.shapes()[s];
  return cluster_.nodes().exists(n) && state::Holds(cluster_.nodes().room(n, when), shape.fit) &&
         classes_.Fits(s, n) && policy::OthersAllow(cluster_, shape, n, when, asked);
}

std::int64_t PodsIn(const std::int64_t* room, const state::Shape& shape) {
  std::int64_t pods = state::kUnlimited;
  for (const state::Amount& a : shape.fit) {
    // Shares of one device: the sum over the devices bounds how many there can be.
    const bool share = a.resource == state::kGpuShare;
    const std::int64_t have = share ? room[state::kGpu.value()] : room[a.resource.value()];
    pods = std::min(pods, have / a.amount);
  }
  return std::max<std::int64_t>(0, pods);
}

std::int64_t PodsInSum(std::span<std::int64_t> room, const state::Shape& shape) {
  room[state::kGpuWhole.value()] = room[state::kGpu.value()] / 1000;
  return PodsIn(room.data(), shape);
}

std::int64_t PodsWhenEmpty(const state::Cluster& cluster, const state::Shape& shape, NodeId n) {
  const state::NodeTable& nodes = cluster.nodes();
  std::vector<std::int64_t> row(nodes.allocatable(n), nodes.allocatable(n) + nodes.stride());
  return policy::MostOnNode(cluster, shape, n, PodsInSum(row, shape));
}

std::int64_t PodsThatFit(const state::Cluster& cluster, const state::Shape& shape, NodeId n,
                         When when) {
  const std::int64_t pods = PodsIn(cluster.nodes().room(n, when), shape);
  return policy::PodsWithVolumes(cluster, shape, n, policy::MostOnNode(cluster, shape, n, pods));
}

std::int64_t Placer::RoomOn(ShapeId s, NodeId n, When when) const {
  return PodsThatFit(cluster_, cluster_.shapes()[s], n, when);
}

namespace {

// Of domains in which there is one pod of a shape at most: those that were counted already.
class AloneIn {
 public:
  AloneIn(const state::Cluster& cluster, const state::Shape& shape) : cluster_(cluster) {
    for (const state::ColumnId column : shape.dynamic->alone_in) {
      if (!cluster.demands().columns().IsByNode(column)) shared_.push_back({column, {}});
    }
  }
  // So many more, of which the node holds `pods`: none where one of its domains is counted.
  std::int64_t Count(NodeId n, std::int64_t pods) {
    if (pods == 0 || shared_.empty()) return pods;
    // By one column alone it is exact; the others' would make it depend on the order.
    auto& [column, counted] = shared_.front();
    const state::DomainId domain = cluster_.demands().columns().Of(column, n);
    if (!domain.valid()) return pods;
    if (counted.size() <= domain.value()) counted.resize(domain.value() + std::size_t{1});
    if (counted[domain.value()]) return 0;
    counted[domain.value()] = true;
    return 1;
  }

 private:
  const state::Cluster& cluster_;
  std::vector<std::pair<state::ColumnId, std::vector<bool>>> shared_;
};

}  // namespace

std::int64_t Placer::RoomFor(ShapeId s, std::int64_t enough, When when) {
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.placeable) return 0;
  std::int64_t room = 0;
  AloneIn alone(cluster_, shape);
  auto count = [&](NodeId n) {
    if (classes_.Fits(s, n) &&
        policy::OthersAllow(cluster_, shape, n, when, policy::Asked::kRefusals)) {
      room += alone.Count(n, RoomOn(s, n, when));
    }
    return room >= enough;
  };
  if (!shape.only_nodes.empty()) {
    for (const std::string& name : shape.only_nodes) {
      const NodeId n = cluster_.nodes().Find(name);
      if (n.valid() && Fits(s, n, when, policy::Asked::kRefusals) && count(n)) break;
    }
    return room;
  }
  if (classes_.reach() != nullptr) {
    classes_.ForEachInReach([&](NodeId n) { return !count(n); });
    return room;
  }
  OrderOf(shape, when)
      .First(shape.fit, classes_.Mask(s), policy::LeastUsefulScore(cluster_, shape), count);
  return room;
}

std::int64_t Placer::RoomWhenEmpty(ShapeId s) {
  const state::NodeTable& nodes = cluster_.nodes();
  if (when_empty_.size() < cluster_.shapes().size()) {
    when_empty_.resize(cluster_.shapes().size(), -1);
  }
  std::int64_t& room = when_empty_[s.value()];
  if (room >= 0) return room;
  room = 0;
  AloneIn alone(cluster_, cluster_.shapes()[s]);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const NodeId n(i);
    if (!nodes.exists(n) || !classes_.SuitsWhenEmpty(s, n)) continue;
    room += alone.Count(n, PodsWhenEmpty(cluster_, cluster_.shapes()[s], n));
  }
  return room;
}

}  // namespace fairlead::engine
