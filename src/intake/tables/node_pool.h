#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/wide_int.h"
#include "intake/facts/gpu_share.h"
#include "intake/facts/node_levels.h"
#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// Nodes as rows, which of them are of the pool that the configuration selects, and what those have
// together. Sums follow each node that comes, changes or goes; none is ever walked for them.
class NodePool {
 public:
  using Sums = std::map<std::string, WideInt, std::less<>>;

  NodePool(Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  void Upsert(const objects::Node& node);
  bool Remove(std::string_view name);
  void SelectAnew();  // the configuration is another

  // Whether a node of the name is there and not of the pool. Cost: ≈ 1 ns.
  bool IsOutside(NameId node) const {
    return node.value() < outside_.size() && outside_[node.value()];
  }
  // Whether for some name that became another since the last call.
  bool TakeMoved() { return std::exchange(moved_, false); }

  const Sums& allocatable() const { return allocatable_; }  // of the pool's nodes
  std::int64_t size() const { return size_; }
  std::uint64_t version() const { return version_; }  // goes up where one of the two changes

  const DeviceMemory& devices() const { return devices_; }
  bool TakeDevicesMoved() { return devices_.TakeMoved(); }
  const NodeLevels& levels() const { return levels_; }
  bool TakeLevelsMoved() { return levels_.TakeMoved(); }

 private:
  objects::SharedResources Shared(const objects::ResourceList& allocatable);
  bool Selects(const NodeRow& row) const;
  void Set(NodeRow& row, bool in_pool);
  void Count(const NodeRow& row, std::int64_t by);

  Tables& tables_;
  Marks& marks_;
  std::vector<bool> outside_;  // by NameId of a node
  bool moved_ = false;
  std::vector<objects::SharedResources> sizes_;  // nodes come in few: those seen last
  Sums allocatable_;
  std::int64_t size_ = 0;
  std::uint64_t version_ = 0;
  DeviceMemory devices_;
  NodeLevels levels_;
};

}  // namespace fairlead::intake
