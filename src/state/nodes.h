#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "objects/selector.h"
#include "state/change.h"
#include "state/ids.h"
#include "state/resources.h"

namespace fairlead::state {

// The devices of a node's GPUs. Pods that ask whole devices and pods that share one never meet on
// the same device. Amounts are thousandths of a device.
struct GpuDevices {
  std::int32_t whole_free = 0;            // devices without any pod
  std::vector<std::int16_t> shared_free;  // what is free on each device in shared use; kUnused
  static constexpr std::int16_t kUnused = -1;

  std::int64_t MostFree() const;
  // Takes `milli` of the device with the least room that has enough, or of `wanted` when it is ≥ 0.
  // Returns the device's number.
  std::int8_t TakeShare(std::int32_t milli, std::int8_t wanted);
  void GiveShare(std::int8_t device, std::int32_t milli);
};

// Nodes in columns. A row of resources is `stride` amounts, by ResourceId.
//
// Invariants:
//   - free = allocatable − Σ requests of the pods on the node (may be negative: other schedulers).
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
  // Ready and not cordoned: its allocatable is part of the capacity.
  bool in_service(NodeId n) const { return info_[n.value()].in_service; }
  const objects::Labels& labels(NodeId n) const { return info_[n.value()].labels; }
  // With those that a cordon or a lost readiness stands for.
  const std::vector<objects::Taint>& taints(NodeId n) const { return info_[n.value()].taints; }
  const std::vector<PodId>& pods(NodeId n) const { return pods_[n.value()]; }
  std::vector<PodId>& pods(NodeId n) { return pods_[n.value()]; }
  std::vector<objects::HostPort>& ports(NodeId n) { return info_[n.value()].ports; }
  const std::vector<objects::HostPort>& ports(NodeId n) const { return info_[n.value()].ports; }

  const std::int64_t* free(NodeId n) const { return &free_[n.value() * stride_]; }
  const std::int64_t* allocatable(NodeId n) const { return &allocatable_[n.value() * stride_]; }
  std::uint32_t stride() const { return stride_; }
  std::uint32_t rank(NodeId n) const { return ranks_[n.value()]; }
  const std::vector<NodeId>& by_name() const { return order_; }  // as of the last Rerank

  // Replaces what the node object says; usage stays. Returns whether anything but free amounts
  // changed (labels, taints, allocatable, existence).
  bool Update(NodeId n, const NodeChange& change, ResourceTable& resources);
  void Retire(NodeId n);  // the node object is gone

  // Takes or gives back room. `gpu_device` as in GpuDevices; returns the device taken, −1 without.
  std::int8_t Take(NodeId n, const Amounts& request, std::int32_t gpu_milli, std::int8_t wanted);
  void Give(NodeId n, const Amounts& request, std::int32_t gpu_milli, std::int8_t device);

  // Makes rows wide enough for every resource that is known by now.
  void Widen(const ResourceTable& resources);
  // Orders new nodes among the old by name. Returns whether ranks of old nodes changed.
  bool Rerank();

 private:
  struct Info {
    objects::Labels labels;
    std::vector<objects::Taint> taints;
    std::vector<objects::HostPort> ports;  // in use by pods on the node
    GpuDevices gpus;
    bool exists = false;
    bool in_service = false;
  };
  void RefreshGpuColumns(NodeId n);

  std::uint32_t stride_ = 8;
  std::vector<std::string> names_;
  std::vector<Info> info_;
  std::vector<std::vector<PodId>> pods_;
  std::vector<std::int64_t> allocatable_, free_;
  std::vector<std::uint32_t> ranks_;
  boost::unordered_flat_map<std::string, NodeId> by_name_;
  std::vector<NodeId> order_;     // ranked nodes by name
  std::vector<NodeId> unranked_;  // named since the last Rerank
};

// Whether a row of free amounts holds `need`.
inline bool Holds(const std::int64_t* row, const Amounts& need) {
  for (const Amount& a : need) {
    if (row[a.resource.value()] < a.amount) return false;
  }
  return true;
}

}  // namespace fairlead::state
