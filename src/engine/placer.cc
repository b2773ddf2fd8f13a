#include "engine/placer.h"

#include <algorithm>

#include "policy/node_fit.h"

namespace fairlead::engine {

using state::NodeId;
using state::ShapeId;

Placer::Placer(state::Cluster& cluster)
    : cluster_(cluster),
      classes_(cluster),
      gpu_order_{NodeOrder(cluster, classes_, policy::Axis::kGpu)},
      cpu_order_{NodeOrder(cluster, classes_, policy::Axis::kCpu)} {}

void Placer::CatchUp() {
  state::Journal& journal = cluster_.journal();
  const bool new_shapes = witnesses_.size() < cluster_.shapes().size();
  if (journal.touched.empty() && journal.reshaped.empty() && !new_shapes &&
      !journal.configuration_changed) {
    touched_.clear();
    return;
  }
  const bool reranked = cluster_.RerankNodes();
  const bool reclassed = classes_.Refresh(journal.reshaped);
  const bool widened = stride_ != cluster_.nodes().stride();
  stride_ = cluster_.nodes().stride();
  touched_ = journal.touched;
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  ForgetTouched();
  if (reranked || reclassed || widened || journal.configuration_changed) RebuildOrders();
  UpdatePlaceable(journal.reshaped, reclassed);
  journal.reshaped.clear();
}

void Placer::EndRound() { ForgetTouched(); }

void Placer::ForgetTouched() {
  TakeTouched();
  cluster_.journal().touched.clear();
  taken_ = 0;
}

// The journal keeps its entries until the next round has seen them: who asks in between (an
// explanation) must not make the round forget whom to wake.
void Placer::TakeTouched() {
  const std::vector<NodeId>& touched = cluster_.journal().touched;
  log_.insert(log_.end(), touched.begin() + static_cast<std::ptrdiff_t>(taken_), touched.end());
  taken_ = touched.size();
  const std::size_t seen = std::min(gpu_order_.seen, cpu_order_.seen);
  if (log_.size() - seen > 4 * std::size_t{cluster_.nodes().size()} + 64) RebuildOrders();
  if (gpu_order_.seen == log_.size() && cpu_order_.seen == log_.size()) {
    log_.clear();
    gpu_order_.seen = cpu_order_.seen = 0;
  }
}

void Placer::RebuildOrders() {
  for (FollowedOrder* order : {&gpu_order_, &cpu_order_}) {
    order->order.Rebuild();
    order->seen = log_.size();
  }
}

NodeOrder& Placer::OrderOf(const state::Shape& shape) {
  if (cluster_.journal().touched.size() > taken_) TakeTouched();
  FollowedOrder& order = policy::AxisOf(shape) == policy::Axis::kGpu ? gpu_order_ : cpu_order_;
  // Many changes at once, as at the start: to sort all is cheaper than to move each.
  if ((log_.size() - order.seen) * 4 > cluster_.nodes().size() + std::size_t{64}) {
    order.order.Rebuild();
    order.seen = log_.size();
  }
  for (; order.seen < log_.size(); ++order.seen) order.order.Refresh(log_[order.seen]);
  return order.order;
}

bool Placer::FindWitness(ShapeId s, const std::vector<NodeId>* among) {
  const state::Shape& shape = cluster_.shapes()[s];
  auto holds = [&](NodeId n) {
    return cluster_.nodes().exists(n) &&
           state::Holds(cluster_.nodes().allocatable(n), shape.request) && classes_.Fits(s, n);
  };
  if (witnesses_[s.value()].valid() && holds(witnesses_[s.value()])) return true;
  witnesses_[s.value()] = NodeId();
  auto try_node = [&](NodeId n) {
    if (holds(n)) witnesses_[s.value()] = n;
    return witnesses_[s.value()].valid();
  };
  if (!shape.only_nodes.empty()) {
    for (const std::string& name : shape.only_nodes) {
      const NodeId n = cluster_.nodes().Find(name);
      if (n.valid() && try_node(n)) return true;
    }
    return false;
  }
  if (among != nullptr) return std::any_of(among->begin(), among->end(), try_node);
  for (std::uint32_t n = 0; n < cluster_.nodes().size(); ++n) {
    if (try_node(NodeId(n))) return true;
  }
  return false;
}

void Placer::UpdatePlaceable(const std::vector<NodeId>& reshaped, bool all) {
  const auto known = static_cast<std::uint32_t>(witnesses_.size());
  witnesses_.resize(cluster_.shapes().size());
  const bool only_new = !all && reshaped.empty();
  for (std::uint32_t i = only_new ? known : 0; i < witnesses_.size(); ++i) {
    const ShapeId s(i);
    // A known shape without a witness can only have gained one among the nodes that changed; one
    // whose witness changed looks everywhere.
    const bool only_changed = i < known && !all && !witnesses_[i].valid();
    const bool supported = cluster_.shapes()[s].needs->unsupported_field.empty();
    cluster_.SetPlaceable(s, supported && FindWitness(s, only_changed ? &reshaped : nullptr));
  }
}

NodeId Placer::Best(ShapeId s) {
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.placeable) return NodeId();
  if (!shape.only_nodes.empty()) {
    NodeId best;
    std::uint64_t best_key = 0;
    for (const std::string& name : shape.only_nodes) {
      const NodeId n = cluster_.nodes().Find(name);
      if (!n.valid() || !FitsNow(s, n)) continue;
      const std::uint64_t key =
          static_cast<std::uint64_t>(policy::Score(cluster_, n, policy::AxisOf(shape))) << 32 |
          cluster_.nodes().rank(n);
      if (!best.valid() || key < best_key) {
        best = n;
        best_key = key;
      }
    }
    return best;
  }
  return OrderOf(shape).First(
      shape.fit, classes_.Mask(s), policy::LeastUsefulScore(cluster_, shape),
      [&](NodeId n) { return classes_.Fits(s, n) && policy::PortsFree(cluster_, shape, n); });
}

bool Placer::FitsNow(ShapeId s, NodeId n) {
  const state::Shape& shape = cluster_.shapes()[s];
  return cluster_.nodes().exists(n) && state::Holds(cluster_.nodes().free(n), shape.fit) &&
         classes_.Fits(s, n) && policy::PortsFree(cluster_, shape, n);
}

std::int64_t Placer::RoomOn(const state::Shape& shape, NodeId n) const {
  if (shape.has_ports) return 1;
  const std::int64_t* free = cluster_.nodes().free(n);
  std::int64_t room = state::kUnlimited;
  for (const state::Amount& a : shape.fit) {
    // Shares of one device: the sum over the devices bounds how many there can be.
    const bool share = a.resource == state::kGpuShare;
    const std::int64_t have = share ? free[state::kGpu.value()] : free[a.resource.value()];
    room = std::min(room, have / a.amount);
  }
  return room;
}

std::int64_t Placer::RoomFor(ShapeId s, std::int64_t enough) {
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.placeable) return 0;
  std::int64_t room = 0;
  auto count = [&](NodeId n) {
    if (classes_.Fits(s, n) && policy::PortsFree(cluster_, shape, n)) room += RoomOn(shape, n);
    return room >= enough;
  };
  if (!shape.only_nodes.empty()) {
    for (const std::string& name : shape.only_nodes) {
      const NodeId n = cluster_.nodes().Find(name);
      if (n.valid() && FitsNow(s, n) && count(n)) break;
    }
    return room;
  }
  OrderOf(shape).First(shape.fit, classes_.Mask(s), policy::LeastUsefulScore(cluster_, shape),
                       count);
  return room;
}

}  // namespace fairlead::engine
