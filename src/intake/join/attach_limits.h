#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"
#include "objects/volumes.h"
#include "state/change.h"

namespace fairlead::intake {

// How many volumes of which CSI drivers nodes take, and what is attached to them (CSINode,
// VolumeAttachment). To the engine a node's slots are a resource of it; a driver that no node
// limits is none.
//
// Cost: what changed marks its node; a driver that nobody limited before, or nobody limits any
// more, makes all nodes and claims be looked at again.
class AttachLimits {
 public:
  AttachLimits(const Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  void Upsert(const objects::CSINode& node);
  void Upsert(const objects::VolumeAttachment& attachment);
  bool RemoveNode(std::string_view name);
  bool RemoveAttachment(std::string_view name);

  bool any() const { return !limited_.empty(); }
  // The resource that its volumes take a slot of; empty: no node limits it.
  std::string SlotsOf(std::string_view driver) const;
  // Other drivers are limited since the last call.
  bool TakeMoved() { return std::exchange(moved_, false); }
  // Who uses the volume has changed: marks the nodes that it is attached to.
  void MarkNodesOf(std::string_view volume);

  // Adds the slots that the node has, and those that leave: `is_used(volume)` says whether one of
  // its pods uses an attached one.
  void AddSlots(const std::function<bool(const std::string&)>& is_used,
                state::NodeChange& change) const;

 private:
  template <typename Row>
  using ByName = Tables::ByName<Row>;

  void MarkNode(std::string_view name);
  void Count(const objects::CSINode& node, int by);
  void Move(const std::string& name, const objects::VolumeAttachment& before,
            const objects::VolumeAttachment& now);

  const Tables& tables_;
  Marks& marks_;
  ByName<objects::CSINode> nodes_;
  ByName<objects::VolumeAttachment> attachments_;
  std::map<std::string, std::set<std::string>, std::less<>> on_node_, of_volume_;  // attachments
  std::map<std::string, int, std::less<>> limited_;  // drivers: nodes that limit them
  bool moved_ = false;
};

}  // namespace fairlead::intake
