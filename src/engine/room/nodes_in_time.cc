// What may stand where some day: bounds, to know at once who will find no room.
//
// For a shape, each node has a moment from which on one pod may stand there: now, or once enough of
// its pods have left by their told ends. Whoever asks about all moments before T looks at the nodes
// whose moment is before T, and counts on each what it holds when all have left who do before T:
// if that is too little in sum, no moment before T has room, whatever else is demanded.
//
// Of nodes on which room is kept for others that room is nobody's: before they begin whoever would
// outlast their beginning finds it kept, and from then on they stand there. So it is taken off,
// where it is kept beyond T and the step cannot end before it begins: off what is there at T, or
// when it begins, if that is later. Of several on one node each bounds what is left, whether or not
// they are there at the same time.
//
// Worked: n1 and n2 with 8 GPUs. `a` (8) ends on n1 at 10:00, `b` (4) and `c` (4) on n2 at 11:00
// and 12:00. A pod of 8 may stand on n1 from 10:00 and on n2 from 12:00. Two of them before 12:00:
// n1 alone comes before that, which holds one.

#include "engine/room/nodes_in_time.h"

#include <algorithm>

#include "base/random.h"
#include "engine/room/nodes_of.h"
#include "policy/run_time.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::ShapeId;
using state::WorkloadId;

namespace {

// When the pod leaves by what is told; Max: it stays, or has left already.
Time ToldToLeave(const state::Cluster& cluster, PodId p) {
  const state::Pod& pod = cluster.pods()[p];
  if (!pod.workload.valid() || (!pod.live() && !pod.claims())) return Time::Max();
  return policy::ToldEnd(cluster, pod.workload).value_or(Time::Max());
}

}  // namespace

NodesInTime::NodesInTime(state::Cluster& cluster, Placer& placer)
    : cluster_(cluster),
      placer_(placer),
      touched_(cluster.journal().touched),
      reshaped_(cluster.journal().reshaped),
      workloads_(cluster.journal().workloads),
      timed_(cluster.journal().timed) {}

void NodesInTime::Forget() {
  follows_ = false;
  content_.clear();
  shapes_.clear();
  first_ += changed_.size() + 1;
  changed_.clear();
}

std::uint64_t NodesInTime::touched_position() const {
  return follows_ ? touched_.position() : cluster_.journal().touched.end();
}
std::uint64_t NodesInTime::reshaped_position() const {
  return follows_ ? reshaped_.position() : cluster_.journal().reshaped.end();
}
std::uint64_t NodesInTime::workloads_position() const {
  return follows_ ? workloads_.position() : cluster_.journal().workloads.end();
}
std::uint64_t NodesInTime::timed_position() const {
  return follows_ ? timed_.position() : cluster_.journal().timed.end();
}

// All of the node that makes a difference here. Pods of a node stand in no order.
std::uint64_t NodesInTime::ContentOf(NodeId n) const {
  if (!cluster_.nodes().exists(n)) return 0;
  std::uint64_t content = 1;
  const std::int64_t* later = cluster_.nodes().later(n);
  for (std::uint32_t r = 0; r < cluster_.nodes().stride(); ++r) {
    content = Stir(content) + static_cast<std::uint64_t>(later[r]);
  }
  content = Stir(content);
  for (const PodId p : cluster_.nodes().pods(n)) {
    const state::Pod& pod = cluster_.pods()[p];
    std::uint64_t of = Stir(p.value());
    const auto add = [&of](std::uint64_t more) { of = Stir(of) + more; };
    add(pod.shape.value());
    add(pod.workload.value());
    add((pod.live() ? 8U : 0U) + (pod.claims() ? 4U : 0U) + (pod.foreign ? 2U : 0U) +
        (pod.of_daemon_set() ? 1U : 0U));
    add(static_cast<std::uint64_t>(ToldToLeave(cluster_, p).us));
    if (pod.workload.valid()) {
      add(static_cast<std::uint64_t>(cluster_.workloads()[pod.workload].start.us));
      const objects::Loan* loan = cluster_.workloads().loan(pod.workload);
      if (loan != nullptr) add(static_cast<std::uint64_t>(loan->until.us));
    }
    content += Stir(of);
  }
  return content;
}

void NodesInTime::NoteChange(NodeId n) {
  if (changed_.size() >= kMostKept) {
    first_ += changed_.size();
    changed_.clear();
  }
  changed_.push_back(n);
  changed_at_[n.value()] = changes();
}

void NodesInTime::Keep(NodeId n, std::uint64_t content) {
  content_[n.value()] = content;
  std::vector<Leaves>& leave = leave_[n.value()];
  leave.clear();
  if (!cluster_.nodes().exists(n)) return;
  for (const PodId p : cluster_.nodes().pods(n)) {
    const Time told = ToldToLeave(cluster_, p);
    if (told != Time::Max()) leave.push_back({told, cluster_.pods()[p].shape});
  }
  std::sort(leave.begin(), leave.end());
}

void NodesInTime::Look(NodeId n, bool anew) {
  if (!anew && looked_at_[n.value()] == looks_) return;
  looked_at_[n.value()] = looks_;
  const std::uint64_t content = ContentOf(n);
  if (!anew && content == content_[n.value()]) return;
  Keep(n, content);
  NoteChange(n);
}

void NodesInTime::LookAtNodesOf(const std::vector<WorkloadId>& workloads) {
  for (const WorkloadId w : workloads) {
    if (w.value() >= cluster_.workloads().size()) continue;
    ForEachNodeOf(cluster_, w, [this](NodeId n) { Look(n, false); });
  }
}

void NodesInTime::CatchUp() {
  const std::uint64_t configuration = cluster_.journal().configuration;
  if (!follows_ || configuration_ != configuration || content_.size() < cluster_.nodes().size()) {
    Forget();
    touched_.Forget();
    reshaped_.Forget();
    workloads_.Forget();
    timed_.Forget();
    follows_ = true;
    configuration_ = configuration;
    content_.resize(cluster_.nodes().size());
    changed_at_.assign(cluster_.nodes().size(), changes());
    leave_.resize(content_.size());
    looked_at_.assign(content_.size(), 0);
    looks_ = 0;
    for (std::uint32_t i = 0; i < content_.size(); ++i) Keep(NodeId(i), ContentOf(NodeId(i)));
    return;
  }
  ++looks_;
  for (const NodeId n : reshaped_.Take()) Look(n, true);
  for (const NodeId n : touched_.Take()) Look(n, false);
  LookAtNodesOf(workloads_.Take());
  LookAtNodesOf(timed_.Take());
}

std::optional<std::span<const NodeId>> NodesInTime::ChangedSince(std::uint64_t changes) const {
  if (changes < first_) return std::nullopt;
  return std::span(changed_).subspan(static_cast<std::size_t>(changes - first_));
}

// By shape ---------------------------------------------------------------------------------------

NodesInTime::Row NodesInTime::RowOf(NodeId n) const {
  const std::int64_t* later = cluster_.nodes().later(n);
  return {later, later + cluster_.nodes().stride()};
}

void NodesInTime::Give(const Leaves& leaves, Row& row) const {
  for (const state::Amount& a : cluster_.shapes()[leaves.shape].request) {
    row[a.resource.value()] += a.amount;
  }
}

Time NodesInTime::FirstOn(ShapeId s, NodeId n) const {
  const state::NodeTable& nodes = cluster_.nodes();
  if (!nodes.exists(n)) return Time::Max();
  // What a pod that runs there takes of it is no matter of the node's.
  if (nodes.misread_pod(n).empty() && !placer_.classes().Suits(s, n)) return Time::Max();
  const state::Shape& shape = cluster_.shapes()[s];
  Row row = RowOf(n);
  if (PodsInSum(row, shape) > 0) return Time{std::numeric_limits<std::int64_t>::min()};
  for (const Leaves& leaves : leave_[n.value()]) {
    Give(leaves, row);
    if (PodsInSum(row, shape) > 0) return leaves.told;
  }
  return Time::Max();
}

const NodesInTime::OfShape& NodesInTime::Follow(ShapeId s) {
  const auto found = shapes_.find(s.value());
  if (found != shapes_.end()) {
    OfShape& of = found->second;
    if (const auto changed = ChangedSince(of.seen)) {
      for (const NodeId n : *changed) {
        const Time first = FirstOn(s, n);
        const Time known = std::exchange(of.first[n.value()], first);
        if (known == first) continue;
        const auto place = [&](Time at) {
          return std::ranges::lower_bound(of.in_order, std::pair(at, n));
        };
        if (known != Time::Max()) of.in_order.erase(place(known));
        if (first != Time::Max()) of.in_order.insert(place(first), {first, n});
      }
      of.seen = changes();
      return of;
    }
  }
  if (shapes_.size() >= kMostShapes) shapes_.clear();
  OfShape& of = shapes_[s.value()];
  of.seen = changes();
  of.first.clear();
  of.in_order.clear();
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    const Time first = of.first.emplace_back(FirstOn(s, NodeId(i)));
    if (first != Time::Max()) of.in_order.emplace_back(first, NodeId(i));
  }
  std::sort(of.in_order.begin(), of.in_order.end());
  return of;
}

std::span<const NodesInTime::From> NodesInTime::Before(ShapeId s, Time until) {
  const OfShape& of = Follow(s);
  return {of.in_order.begin(), std::ranges::lower_bound(of.in_order, until, {}, &From::first)};
}

// Bounds -----------------------------------------------------------------------------------------

namespace {

// The booking's seats, by node.
void AddSeatsThere(const Booking& booking, Time by, std::vector<TakenOn>& taken) {
  std::span<const Booking::Seat> rest = booking.seats;
  while (!rest.empty()) {
    const NodeId n = rest.front().node;
    const auto next = std::ranges::find_if(rest, [n](const auto& seat) { return seat.node != n; });
    const auto count = static_cast<std::size_t>(next - rest.begin());
    taken.push_back({n, by, rest.first(count)});
    rest = rest.subspan(count);
  }
}

}  // namespace

std::int64_t NodesInTime::MostOn(ShapeId s, NodeId n, Time until,
                                 std::span<const TakenOn> taken) const {
  if (!cluster_.nodes().exists(n)) return 0;
  const state::Shape& shape = cluster_.shapes()[s];
  const auto left_by = [&](Time by) {
    Row row = RowOf(n);
    for (const Leaves& leaves : leave_[n.value()]) {
      if (leaves.told >= by) break;
      Give(leaves, row);
    }
    return row;
  };
  Row row = left_by(until);
  std::int64_t most = PodsInSum(row, shape);
  for (const TakenOn& each : std::ranges::equal_range(taken, n, {}, &TakenOn::node)) {
    if (most == 0) break;
    Row left = each.by == until ? row : left_by(each.by);
    for (const Booking::Seat& seat : each.seats) {
      for (const state::Amount& a : cluster_.shapes()[seat.shape].request) {
        left[a.resource.value()] -= a.amount;
      }
    }
    most = std::min(most, PodsInSum(left, shape));
  }
  return most;
}

std::vector<TakenOn> TakenBefore(const state::Cluster& cluster, const RoomStep& step,
                                 const Bookings& bookings, Time now, Time until) {
  const std::optional<Duration> runs = cluster.workloads().run_time(step.workload).least();
  const bool shares = std::ranges::any_of(
      step.parts, [&](const GangPart& part) { return cluster.shapes()[part.shape].gpu_milli > 0; });
  // What is kept is kept in whole devices.
  if (shares) return {};
  Time first = now;
  for (const Booking& booking : bookings) first = std::min(first, booking.at.value_or(now));
  std::vector<TakenOn> taken;
  for (const Booking& booking : bookings) {
    const bool meets = booking.at && booking.end >= until && (!runs || first + *runs > *booking.at);
    if (meets) AddSeatsThere(booking, std::max(until, *booking.at + Duration{1}), taken);
  }
  std::ranges::stable_sort(taken, {}, &TakenOn::node);
  return taken;
}

}  // namespace fairlead::engine
