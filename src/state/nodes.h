#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_map.h"
#include "base/rare.h"
#include "objects/selector.h"
#include "state/change.h"
#include "state/ids.h"
#include "state/resources.h"

namespace fairlead::state {

// When room is asked for. What is leaving (being deleted, or chosen as a victim) still takes room
// now and none later; what a pod claims takes none now and will later.
enum class When : std::uint8_t { kNow, kLater };

// How a pod takes room on its node.
enum class Stay : std::uint8_t {
  kStays,   // now and later
  kLeaves,  // now
  kComes,   // later: a claim on what leaves
};

// The devices of a node's GPUs. Pods that ask whole devices and pods that share one never meet on
// the same device. Amounts are thousandths of a device.
//
// Where it is not known for certain which device a pod shares, the worst case holds: who comes must
// find room however those pods stand. Each may have a device for itself: so many devices fewer are
// whole. And all of them may stand on the one that somebody else wants a part of: so much less is
// free on every device. Worked: 4 devices, two such pods of 300. Two devices are whole; 400 are
// free on each. Both bounds are reached by some arrangement, but for devices that are known to be
// in shared use and have no room for all of them.
struct GpuDevices {
  std::int32_t whole_free = 0;            // devices on which nobody is known to be
  std::vector<std::int32_t> shared_free;  // what is free on each device in shared use; kUnused
  static constexpr std::int32_t kUnused = std::numeric_limits<std::int32_t>::min();
  std::int32_t astray = 0;  // pods that share a device, and nobody knows which
  std::int64_t astray_milli = 0;

  std::int64_t WholeFree() const { return whole_free - astray; }
  std::int64_t MostFree() const;
  std::int64_t FreeOn(std::size_t device) const;
  void TakeShare(std::int8_t device, std::int32_t milli);
  void GiveShare(std::int8_t device, std::int32_t milli);
};

// Nodes in columns. A row of resources is `stride` amounts, by ResourceId.
//
// Invariants:
//   - later = allocatable − Σ requests of the pods that stay or come (may be negative: other
//     schedulers); now = allocatable − Σ requests of the pods that stay or leave.
//   - free = the smaller of the two: what can be given away without waiting and without breaking a
//     claim. On nodes that nobody leaves or claims, all three are the same.
//   - a node that was named but never seen (a pod bound to it) has exists() == false, allocatable
//   0.
//   - rank orders existing nodes by name; it may skip numbers, and changes only in Rerank.
class NodeTable {
 public:
  explicit NodeTable(const ResourceTable& resources);

  NodeId Find(std::string_view name) const;  // invalid when unknown
  NodeId Intern(std::string_view name);
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

  const std::string& name(NodeId n) const { return names_[n.value()]; }
  bool exists(NodeId n) const { return info_[n.value()].exists; }
  // Of the cluster and not of the pool: it has labels, and nothing else is known of it.
  bool is_outside(NodeId n) const { return info_[n.value()].outside; }
  // Ready, not cordoned, and without a misread pod: its allocatable is part of the capacity.
  bool in_service(NodeId n) const { return info_[n.value()].in_service; }
  // Runs there and takes nobody knows what: nothing new may come. Empty: there is none.
  const std::string& misread_pod(NodeId n) const { return info_[n.value()].barriers->misread_pod; }
  const objects::Labels& labels(NodeId n) const { return info_[n.value()].labels; }
  // With those that a cordon or a lost readiness stands for.
  const std::vector<objects::Taint>& taints(NodeId n) const {
    return info_[n.value()].barriers->taints;
  }
  // Of these what its object does not have: it is cordoned, or not ready, and nobody said so yet.
  const std::vector<objects::Taint>& implied_taints(NodeId n) const {
    return info_[n.value()].barriers->implied_taints;
  }
  // How many nodes have a taint with PreferNoSchedule.
  std::uint32_t prefer_no_schedule_nodes() const { return prefer_no_schedule_nodes_; }
  const std::vector<PodId>& pods(NodeId n) const { return pods_[n.value()]; }
  std::vector<PodId>& pods(NodeId n) { return pods_[n.value()]; }
  const std::int64_t* free(NodeId n) const { return &free_[std::size_t{n.value()} * stride_]; }
  const std::int64_t* later(NodeId n) const { return &later_[std::size_t{n.value()} * stride_]; }
  const std::int64_t* room(NodeId n, When when) const {
    return when == When::kNow ? free(n) : later(n);
  }
  // Whether somebody leaves or claims room here: else now and later are the same.
  bool in_turnover(NodeId n) const { return info_[n.value()].turnover > 0; }
  // Of one device in shared use; below 0: more is claimed than there will be.
  std::int64_t FreeLaterOn(NodeId n, std::int8_t device) const {
    return info_[n.value()].gpus->later.FreeOn(static_cast<std::size_t>(device));
  }
  // Those nodes, in an order that means nothing.
  const std::vector<NodeId>& nodes_in_turnover() const { return nodes_in_turnover_; }
  // Whether pods share devices of it, now or later, and nobody knows which.
  bool has_astray(NodeId n) const {
    const Gpus& gpus = *info_[n.value()].gpus;
    return gpus.now.astray + gpus.later.astray > 0;
  }
  const std::int64_t* allocatable(NodeId n) const {
    return &allocatable_[std::size_t{n.value()} * stride_];
  }
  std::uint32_t stride() const { return stride_; }
  std::uint32_t rank(NodeId n) const { return ranks_[n.value()]; }
  const std::vector<NodeId>& by_name() const { return order_; }  // as of the last Rerank
  NodeId Ranked(std::uint32_t rank) const;  // REQUIRES: some node's, as of the last Rerank

  // Replaces what the node object says; usage stays. Returns whether anything but free amounts
  // changed (labels, taints, allocatable, existence).
  bool Update(NodeId n, const NodeChange& change, ResourceTable& resources);
  void Retire(NodeId n);                                           // the node object is gone
  void SetOutside(NodeId n, const objects::SharedLabels& labels);  // REQUIRES: it does not exist

  // Takes or gives back room. A share of a GPU is taken on `wanted` when that is ≥ 0, else on the
  // device with the least room that has enough; kAstray: the pod is there already, and nobody knows
  // on which. Returns the device taken, or kAstray; −1 without.
  static constexpr std::int8_t kBestDevice = -1;
  static constexpr std::int8_t kAstray = -2;
  std::int8_t Take(NodeId n, const Amounts& request, std::int32_t gpu_milli, std::int8_t wanted,
                   Stay stay);
  void Give(NodeId n, const Amounts& request, std::int32_t gpu_milli, std::int8_t device,
            Stay stay);

  // The devices that a pod which stays so would find: look(number, free, how many are like it).
  // Those in shared use come one by one, in order; those without any pod last, as one, be there any
  // or not.
  template <typename Look>
  void ForEachDevice(NodeId n, Stay stay, Look look) const;

  // Makes rows wide enough for every resource that is known by now.
  void Widen(const ResourceTable& resources);
  // Orders new nodes among the old by name. Returns whether ranks of old nodes changed.
  bool Rerank();

 private:
  // What may keep pods off.
  struct Barriers {
    std::vector<objects::Taint> taints, implied_taints;
    std::string misread_pod;
    bool operator==(const Barriers&) const = default;
  };
  struct Gpus {
    GpuDevices now, later;
  };
  // What is asked of every node that is tried: of most nodes little more than a cache line.
  struct Info {
    bool exists = false;
    bool in_service = false;
    bool outside = false;
    std::int32_t turnover = 0;      // pods that leave or come
    std::uint32_t turnover_at = 0;  // while in turnover: where in nodes_in_turnover_, turnovers_
    objects::SharedLabels labels;
    Rare<Barriers> barriers;
    Rare<Gpus> gpus;
  };
  // What the pods take that leave or claim room.
  struct Turnover {
    Amounts leaving, claimed;
  };
  void Count(NodeId n, const Amounts& request, std::int64_t sign, Stay stay);
  void NoteTurnover(NodeId n, bool begins);
  void AddDevices(NodeId n, std::int32_t devices);
  void RefreshGpuColumns(NodeId n);
  std::int8_t PickDevice(NodeId n, std::int32_t milli, Stay stay) const;

  std::uint32_t stride_ = 8;
  std::uint32_t prefer_no_schedule_nodes_ = 0;
  std::vector<NodeId> nodes_in_turnover_;
  std::vector<Turnover> turnovers_;  // of those
  std::vector<std::string> names_;
  std::vector<Info> info_;
  std::vector<std::vector<PodId>> pods_;
  std::vector<std::int64_t> allocatable_, free_, later_;
  std::vector<std::uint32_t> ranks_;
  NameMap<NodeId> by_name_;
  std::vector<NodeId> order_;     // ranked nodes by name
  std::vector<NodeId> unranked_;  // named since the last Rerank
};

template <typename Look>
void NodeTable::ForEachDevice(NodeId n, Stay stay, Look look) const {
  const Info& info = info_[n.value()];
  const GpuDevices& a = stay == Stay::kComes ? info.gpus->later : info.gpus->now;
  const GpuDevices& b = stay == Stay::kLeaves ? info.gpus->now : info.gpus->later;
  auto shared = [](const GpuDevices& gpus, std::size_t d) {
    return d < gpus.shared_free.size() && gpus.shared_free[d] != GpuDevices::kUnused;
  };
  const std::size_t known = std::max(a.shared_free.size(), b.shared_free.size());
  std::size_t unused = known;
  for (std::size_t d = 0; d < known; ++d) {
    if (shared(a, d) || shared(b, d)) {
      look(static_cast<std::int8_t>(d), std::min(a.FreeOn(d), b.FreeOn(d)), 1);
    } else {
      unused = std::min(unused, d);
    }
  }
  const auto whole =
      static_cast<std::int32_t>(std::max<std::int64_t>(0, std::min(a.WholeFree(), b.WholeFree())));
  look(static_cast<std::int8_t>(unused), std::min(a.FreeOn(unused), b.FreeOn(unused)), whole);
}

// Whether a row of free amounts holds `need`.
inline bool Holds(const std::int64_t* row, const Amounts& need) {
  for (const Amount& a : need) {
    if (row[a.resource.value()] < a.amount) return false;
  }
  return true;
}

}  // namespace fairlead::state
