#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "objects/pod.h"
#include "state/ids.h"
#include "state/nodes.h"
#include "state/resources.h"

namespace fairlead::state {

// What takes a node's slots for volumes beside its pods' own volumes, which are part of what they
// request (objects::kAttachPrefix): volumes that several pods use take one slot for all of them
// on a node, and an attachment that no pod uses has one until it is gone. Placing and leaving keep
// it (Sums::Occupy, Vacate, Restand), so that a Trial undoes it as it undoes room.
//
// Cost: a look-up for each volume that is shared; memory what is shared and on a node.
class Attachments {
 public:
  using Volumes = std::vector<objects::SharedVolume>;
  // Both must outlive it.
  Attachments(NodeTable& nodes, ResourceTable& resources) : nodes_(nodes), resources_(resources) {}

  // Slots that become free by themselves: they are taken now and not later.
  void SetLeaving(NodeId n, const objects::ResourceList& slots);
  const Amounts& LeavingOf(NodeId n) const;

  // A pod with these volumes comes to stand there so, or stood there.
  void Take(const Volumes& volumes, NodeId n, Stay stay) { Count(volumes, n, stay, +1); }
  void Give(const Volumes& volumes, NodeId n, Stay stay) { Count(volumes, n, stay, -1); }
  // Whether there are slots for those that nobody has there, beside what the pod requests itself.
  bool Suffice(const Volumes& volumes, const Amounts& request, NodeId n, When when) const;

  // How the volumes of the node take its slots: look(resource, stay), in the volumes' order.
  template <typename Look>
  void ForEachShared(NodeId n, Look look) const {
    const auto found = shared_.find(n.value());
    if (found == shared_.end()) return;
    for (const auto& [volume, users] : found->second) {
      look(resources_.Find(volume.slots), users.stay());
    }
  }

 private:
  // Pods that use it on one node.
  struct Users {
    std::int32_t staying = 0, leaving = 0, coming = 0;
    bool any() const { return staying + leaving + coming > 0; }
    // REQUIRES: any.
    Stay stay() const {
      if (staying > 0 || (leaving > 0 && coming > 0)) return Stay::kStays;
      return leaving > 0 ? Stay::kLeaves : Stay::kComes;
    }
    bool IsThere(When when) const { return staying + (when == When::kNow ? leaving : coming) > 0; }
  };
  void Count(const Volumes& volumes, NodeId n, Stay stay, std::int32_t times);

  NodeTable& nodes_;
  ResourceTable& resources_;
  std::map<NodeId, Amounts> leaving_;
  boost::unordered_flat_map<std::uint32_t, std::map<objects::SharedVolume, Users>> shared_;
};

}  // namespace fairlead::state
