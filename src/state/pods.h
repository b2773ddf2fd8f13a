#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "base/name_map.h"
#include "base/rare.h"
#include "base/text.h"
#include "base/time.h"
#include "state/ids.h"
#include "state/nodes.h"
#include "state/of_daemon_set.h"

namespace fairlead::state {

enum class Placement : std::uint8_t {
  kWaiting,  // on no node
  kClaimed,  // claims room on a node once others have left it (Nominate)
  kAssumed,  // placed by a decision of ours that the cluster does not show yet
  kBound,    // on a node, as the cluster shows it
};

// The hot record of a pod.
struct Pod {
  Time created;
  Time scheduled = Time::Max();  // when it was placed; Max() while that is unknown
  Time reserved = Time::Max();   // since when its one node is reserved for it; Max(): it is not
  WorkloadId workload;           // invalid: a pod of another scheduler
  ShapeId shape;
  NodeId node;                  // where it takes or claims room; invalid: nowhere
  NodeId nominated;             // as the cluster shows it
  std::uint32_t node_slot = 0;  // its place in the node's list
  std::uint32_t uid_hash = 0;
  std::int32_t priority = 0;
  std::uint32_t ticket = 0;  // new whenever it starts to wait: tells stale queue entries
  std::uint16_t pod_set = 0;
  Placement placement = Placement::kWaiting;
  std::int8_t gpu_device = -1;
  bool in_use : 1 = false;
  bool terminating : 1 = false;
  bool evicted : 1 = false;    // by a decision of ours that the cluster does not show yet
  bool renounced : 1 = false;  // the claim that `nominated` shows was taken back
  bool spared : 1 = false;     // no victim at this instant, at which it was moved enough
  bool gated : 1 = false;
  bool held : 1 = false;  // it must not start although its workload may (PodTable::hold)
  bool foreign : 1 = false;
  OfDaemonSet daemon_set : 2 = OfDaemonSet::kNo;
  bool reservation_told : 1 = false;  // by a decision, or the cluster shows it
  bool claim_told : 1 = false;        // likewise, of a reserved pod
  bool passed_by : 1 = false;  // of a DaemonSet: a round has seen it, and may not have reserved
  bool opted_out : 1 = false;
  bool owns_pods : 1 = false;
  bool may_move : 1 = false;
  bool is_static : 1 = false;
  bool expected : 1 = false;  // room held for a pod that does not exist yet

  bool of_daemon_set() const { return daemon_set == OfDaemonSet::kTrusted; }
  bool placed() const { return node.valid(); }
  bool claims() const { return placement == Placement::kClaimed; }
  bool leaves() const { return terminating || evicted; }
  // What queues count: placed and not on its way out.
  bool counts() const { return placed() && !leaves(); }
  // Running, or about to.
  bool live() const { return counts() && !claims(); }
  bool waits() const { return !placed() && !gated && !terminating && !foreign && !held; }
  Stay stay() const { return claims() ? Stay::kComes : leaves() ? Stay::kLeaves : Stay::kStays; }
};
static_assert(sizeof(Pod) <= 64);

// Pods by dense number. Numbers of removed pods are used again.
class PodTable {
 public:
  PodId Find(std::string_view name) const;
  PodId Add(const Text& name);
  void Remove(PodId p);
  const Pod& operator[](PodId p) const { return pods_[p.value()]; }
  Pod& operator[](PodId p) { return pods_[p.value()]; }
  std::string_view name(PodId p) const { return names_[p.value()]; }
  std::uint32_t size() const {
    return static_cast<std::uint32_t>(pods_.size());
  }  // rows, used or not
  std::uint32_t count() const { return static_cast<std::uint32_t>(by_name_.size()); }
  void SortByName(std::vector<PodId>& pods) const;
  // Which of its set's pods it says it is; −1: it does not say, or nobody asks.
  std::int32_t IndexSaidBy(PodId p) const {
    const auto said = indices_.find(p.value());
    return said == indices_.end() ? -1 : said->second;
  }
  void SetIndex(PodId p, std::int32_t index);
  // Since when it has no scheduling gates any more; absent: it had none.
  std::optional<Time> Ungated(PodId p) const {
    const auto since = ungated_.find(p.value());
    return since == ungated_.end() ? std::nullopt : std::optional(since->second);
  }
  bool AnyUngated() const { return !ungated_.empty(); }
  void SetUngated(PodId p, const Time* since);  // null: it had none
  // Who makes another in the place of a pod by itself that may move, "KIND/NAMESPACE/NAME"; empty:
  // it may not.
  std::string_view MadeBy(PodId p) const {
    const bool said = p.value() < made_by_.size() && made_by_[p.value()];
    return said ? std::string_view(*made_by_[p.value()]) : std::string_view();
  }
  void SetMadeBy(PodId p, const SharedOptional<std::string>& owner);

 private:
  std::vector<Pod> pods_;
  std::vector<Text> names_;
  std::vector<PodId> unused_;
  boost::unordered_flat_map<std::uint32_t, std::int32_t> indices_;  // of those that say one
  boost::unordered_flat_map<std::uint32_t, Time> ungated_;          // of those that had gates
  std::vector<SharedOptional<std::string>> made_by_;  // by pod; shorter: the rest may not move
  // Names by their hash and number: the text stands once, in names_.
  struct ByName {
    using is_transparent = void;
    const PodTable* table;
    std::size_t operator()(std::string_view name) const { return NameHash()(name); }
    std::size_t operator()(PodId p) const { return NameHash()(table->name(p)); }
  };
  struct SameName {
    using is_transparent = void;
    const PodTable* table;
    bool operator()(PodId a, PodId b) const { return a == b; }
    bool operator()(std::string_view a, PodId b) const { return a == table->name(b); }
    bool operator()(PodId a, std::string_view b) const { return table->name(a) == b; }
  };
  boost::unordered_flat_set<PodId, ByName, SameName> by_name_{0, ByName{this}, SameName{this}};
};

}  // namespace fairlead::state
