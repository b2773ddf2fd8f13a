#include "engine/explain/explain_topology.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/place/topology_gang.h"
#include "objects/topology.h"
#include "policy/node_fit.h"
#include "state/trial.h"

namespace fairlead::engine {
namespace {

using state::DomainId;
using state::DomainTree;
using state::GangTopology;
using state::Reason;
using state::ReasonCode;

const std::string& KeyOf(const DomainTree& tree, std::int32_t level) {
  return tree.levels()[static_cast<std::size_t>(level)];
}
std::string LevelWord(const DomainTree& tree, std::int32_t level) {
  return std::string(objects::LastWordOf(KeyOf(tree, level)));
}

class TopologyTeller {
 public:
  TopologyTeller(const WhatIf& what_if, TopologyGang& placing, const state::Gang& gang,
                 const GangTopology& demand)
      : what_if_(what_if),
        placing_(placing),
        gang_(gang),
        demand_(demand),
        tree_(what_if.cluster().trees()[demand.tree]) {}

  std::optional<Reason> Tell() {
    const bool runs = !placing_.RunsOn(demand_).empty();
    if (runs && demand_.slice_size > 1) {
      if (auto reason = TellSlices()) return reason;
    }
    if (demand_.required == GangTopology::kNoLevel) return std::nullopt;
    if (runs) return TellHome();
    const TopologyGang::Rooms rooms = placing_.RoomsAt(demand_, demand_.required);
    const std::int64_t best = rooms.domains.empty() ? 0 : rooms.domains.front().pods;
    if (best >= rooms.wanted) return std::nullopt;
    const std::string level = LevelWord(tree_, demand_.required);
    std::string message = fmt::format("no {} holds {} of its pods at once", level, rooms.wanted);
    message +=
        rooms.domains.empty()
            ? fmt::format(": no node carries the label {}", KeyOf(tree_, demand_.required))
            : ": " + Closest(rooms) + EvenWhenEmpty(rooms, level) + IfOthersLeft(rooms, level);
    return With(ReasonCode::kGangDoesNotFit, message + Wider(rooms.wanted), rooms.wanted, best);
  }

 private:
  static Reason With(ReasonCode code, std::string message, std::int64_t wanted,
                     std::int64_t available) {
    return {.code = code,
            .message = std::move(message),
            .resource = "pods",
            .requested = std::to_string(wanted),
            .available = std::to_string(available)};
  }

  // "b1/r7 has room for 12, b1/r2 for 9, and 3 more for no more than that".
  std::string Closest(const TopologyGang::Rooms& rooms) const {
    constexpr std::size_t kMostNamed = 2;
    std::string text;
    const std::size_t named = std::min(kMostNamed, rooms.domains.size());
    for (std::size_t i = 0; i < named; ++i) {
      text += fmt::format("{}{} {} {}", i == 0 ? "" : ", ", tree_.PathOf(rooms.domains[i].domain),
                          i == 0 ? "has room for" : "for", rooms.domains[i].pods);
    }
    if (rooms.domains.size() > named) {
      text += fmt::format(", and {} more for no more than that", rooms.domains.size() - named);
    }
    return text;
  }

  std::string EvenWhenEmpty(const TopologyGang::Rooms& rooms, const std::string& level) const {
    std::int64_t most = 0;
    for (const auto& each : rooms.domains) {
      most = std::max(most, what_if_.placer()
                                .domain_rooms()
                                .WhenEmpty(demand_.tree, rooms.shape)
                                .PodsIn(each.domain));
    }
    return most >= rooms.wanted ? std::string()
                                : fmt::format("; an empty {} would hold {} at most", level, most);
  }

  // How many domains would hold all of them without what is preemptible there: whether that may be
  // had is said by who could make room.
  std::string IfOthersLeft(const TopologyGang::Rooms& rooms, const std::string& level) const {
    std::int64_t could = 0;
    for (const auto& each : rooms.domains) {
      std::int64_t pods = 0;
      for (const state::NodeId n : tree_.NodesIn(each.domain)) {
        pods += PodsIfOthersLeft(rooms.shape, n);
      }
      could += pods >= rooms.wanted ? 1 : 0;
    }
    if (could == 0) return {};
    return fmt::format("; {} {}{} could hold them if others left", could, level,
                       could == 1 ? "" : "s");
  }

  std::int64_t PodsIfOthersLeft(state::ShapeId s, state::NodeId n) const {
    const state::Cluster& cluster = what_if_.cluster();
    const state::Shape& shape = cluster.shapes()[s];
    if (!cluster.nodes().in_service(n) || !policy::FitsClass(cluster, shape, n)) return 0;
    const std::int64_t* free = cluster.nodes().free(n);
    std::vector<std::int64_t> room(free, free + cluster.nodes().stride());
    for (const state::PodId p : cluster.nodes().pods(n)) {
      const state::Pod& pod = cluster.pods()[p];
      const bool may_leave = !pod.foreign && !pod.is_static && !pod.of_daemon_set() &&
                             cluster.workloads()[pod.workload].preemptible;
      if (!may_leave) continue;
      for (const state::Amount& has : cluster.shapes()[pod.shape].fit) {
        room[has.resource.value()] += has.amount;
      }
    }
    return PodsIn(room.data(), shape);
  }

  // What would help: the narrowest of the wider levels of which one has room.
  std::string Wider(std::int64_t wanted) {
    for (std::int32_t level = demand_.required - 1; level >= 0; --level) {
      const TopologyGang::Rooms rooms = placing_.RoomsAt(demand_, level);
      if (rooms.domains.empty() || rooms.domains.front().pods < wanted) continue;
      return fmt::format("; {} {} has room for all of them", LevelWord(tree_, level),
                         tree_.PathOf(rooms.domains.front().domain));
    }
    return {};
  }

  // Those that run say where it has to be.
  std::optional<Reason> TellHome() {
    const std::string level = LevelWord(tree_, demand_.required);
    const TopologyGang::Rooms rooms = placing_.RoomsAt(demand_, demand_.required);
    if (rooms.domains.empty()) {
      return With(ReasonCode::kTopologyBroken,
                  fmt::format("its pods run on nodes that are not of one {}", level), rooms.wanted,
                  0);
    }
    const auto& home = rooms.domains.front();
    if (home.pods >= rooms.wanted) return std::nullopt;
    const std::int64_t lacks = std::max<std::int64_t>(rooms.wanted, Lacks());
    return With(ReasonCode::kTopologyBroken,
                fmt::format("{} {}, in which its other pods run, has room for {} of the {} that "
                            "it lacks",
                            level, tree_.PathOf(home.domain), home.pods, lacks),
                lacks, home.pods);
  }

  // A slice of which some run says where the others of it have to be; one that is lost as a whole
  // needs a domain of its own, where the whole gang may be.
  std::optional<Reason> TellSlices() {
    const std::string level = LevelWord(tree_, demand_.slice_level);
    for (const TopologyGang::Slice& slice : placing_.SlicesOf(demand_)) {
      std::int64_t lacks = 0;
      for (const GangPart& part : slice.parts) lacks += part.count();
      if (!slice.home) {
        return With(ReasonCode::kTopologyBroken,
                    fmt::format("pods of its slice {} run on nodes that are not of one {}",
                                slice.number, level),
                    lacks, 0);
      }
      const DomainId best = slice.home->valid() ? *slice.home : Roomiest(slice);
      const std::int64_t room = best.valid() ? RoomIn(best, slice) : 0;
      if (room >= lacks) continue;
      return With(ReasonCode::kTopologyBroken,
                  slice.home->valid()
                      ? fmt::format("{} {}, in which others of its slice {} run, has room for {} "
                                    "of the {} that it lacks",
                                    level, tree_.PathOf(best), slice.number, room, lacks)
                      : fmt::format("no {} near its other pods has room for the {} pods of its "
                                    "slice {}: {} at most",
                                    level, lacks, slice.number, room),
                  lacks, room);
    }
    return std::nullopt;
  }

  std::int64_t RoomIn(DomainId d, const TopologyGang::Slice& slice) const {
    return what_if_.placer()
        .domain_rooms()
        .Of(demand_.tree, slice.parts.front().shape, state::When::kNow)
        .PodsIn(d);
  }

  DomainId Roomiest(const TopologyGang::Slice& slice) const {
    const std::optional<DomainId> home = placing_.HomeOf(demand_);
    if (!home) return {};
    DomainId roomiest;
    for (const DomainId d :
         tree_.Within(home->valid() ? *home : DomainTree::Root(), demand_.slice_level)) {
      if (!roomiest.valid() || RoomIn(d, slice) > RoomIn(roomiest, slice)) roomiest = d;
    }
    return roomiest;
  }

  // How many of its pods are missing from the minimum, those that do not wait yet too.
  std::int64_t Lacks() const {
    const state::Cluster& cluster = what_if_.cluster();
    std::int64_t lacks = 0;
    for (const std::uint16_t of : demand_.sets) {
      const state::PodSet& set = gang_.sets[of];
      const auto placed = std::ranges::count_if(
          set.pods, [&](state::PodId p) { return cluster.pods()[p].counts(); });
      lacks += std::max<std::int64_t>(0, set.min_count - set.succeeded - placed);
    }
    return lacks;
  }

  const WhatIf& what_if_;
  TopologyGang& placing_;
  const state::Gang& gang_;
  const GangTopology& demand_;
  const DomainTree& tree_;
};

}  // namespace

std::optional<Reason> TopologyReason(const WhatIf& what_if, state::WorkloadId w,
                                     const std::vector<GangPart>& parts) {
  state::Cluster& cluster = what_if.cluster();
  state::Trial trial(cluster);
  TopologyGang placing(what_if.placer(), cluster, w, parts, state::When::kNow, trial);
  const state::Gang& gang = cluster.workloads().gang(w);
  for (const GangTopology& demand : gang.topology) {
    if (!placing.HasItems(demand)) continue;
    if (auto reason = TopologyTeller(what_if, placing, gang, demand).Tell()) return reason;
  }
  return std::nullopt;
}

}  // namespace fairlead::engine
