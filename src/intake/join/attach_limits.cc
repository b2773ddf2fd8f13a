// Worked: a CSINode says that n1 takes 25 volumes of ebs. So n1 has `attachable-volumes-csi-ebs:
// 25`, every other node as many as it likes of it, and a pod with two volumes of ebs requests two.
// Two attachments on n1 are of volumes that no pod on n1 uses: two of the 25 are taken until they
// go.

#include "intake/join/attach_limits.h"

#include <algorithm>

#include "intake/tables/users.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

// On nodes that do not limit a driver which others limit.
constexpr std::int64_t kAnyNumber = std::int64_t{1} << 30;

std::string SlotsNamed(std::string_view driver) {
  return std::string(objects::kAttachPrefix).append(driver);
}

}  // namespace

std::string AttachLimits::SlotsOf(std::string_view driver) const {
  return limited_.contains(driver) ? SlotsNamed(driver) : std::string();
}

void AttachLimits::MarkNode(std::string_view name) {
  if (const NodeId id = tables_.nodes.Find(name); id.valid()) marks_.Mark(id);
}

void AttachLimits::MarkNodesOf(std::string_view volume) {
  const auto found = of_volume_.find(volume);
  if (found == of_volume_.end()) return;
  for (const std::string& name : found->second) MarkNode(attachments_.find(name)->second.node);
}

void AttachLimits::Count(const objects::CSINode& node, int by) {
  for (const objects::CSINode::Driver& driver : node.drivers) {
    if (!driver.most) continue;
    int& nodes = limited_[driver.name];
    nodes += by;
    moved_ |= nodes == 0 || (by > 0 && nodes == by);
    if (nodes == 0) limited_.erase(driver.name);
  }
}

void AttachLimits::Upsert(const objects::CSINode& node) {
  auto [at, added] = nodes_.try_emplace(node.meta.name);
  if (!added && at->second.drivers == node.drivers) return;
  Count(node, +1);
  Count(at->second, -1);
  at->second = {.meta = {}, .drivers = node.drivers};
  MarkNode(node.meta.name);
}

bool AttachLimits::RemoveNode(std::string_view name) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return false;
  Count(found->second, -1);
  nodes_.erase(found);
  MarkNode(name);
  return true;
}

void AttachLimits::Move(const std::string& name, const objects::VolumeAttachment& before,
                        const objects::VolumeAttachment& now) {
  Name(on_node_, before.node, now.node, name);
  Name(of_volume_, before.volume, now.volume, name);
  MarkNode(before.node);
  MarkNode(now.node);
}

void AttachLimits::Upsert(const objects::VolumeAttachment& attachment) {
  objects::VolumeAttachment fresh = attachment;
  fresh.meta = {};
  const auto [at, added] = attachments_.try_emplace(attachment.meta.name);
  if (!added && at->second == fresh) return;
  Move(at->first, at->second, fresh);
  at->second = std::move(fresh);
}

bool AttachLimits::RemoveAttachment(std::string_view name) {
  const auto found = attachments_.find(name);
  if (found == attachments_.end()) return false;
  Move(found->first, found->second, {});
  attachments_.erase(found);
  return true;
}

void AttachLimits::AddSlots(const std::function<bool(const std::string&)>& is_used,
                            state::NodeChange& change) const {
  if (limited_.empty()) return;
  const auto node = nodes_.find(change.name);
  for (const auto& [name, nodes] : limited_) {
    std::int64_t most = kAnyNumber;
    if (node != nodes_.end()) {
      const auto& drivers = node->second.drivers;
      const auto driver = std::ranges::find(drivers, name, &objects::CSINode::Driver::name);
      if (driver != drivers.end() && driver->most) most = *driver->most;
    }
    change.allocatable.Edit().emplace_back(SlotsNamed(name), most);
  }
  std::ranges::sort(change.allocatable.Edit());
  const auto attached = on_node_.find(change.name);
  if (attached == on_node_.end()) return;
  std::map<std::string, std::int64_t> leaving;
  for (const std::string& name : attached->second) {
    const objects::VolumeAttachment& attachment = attachments_.find(name)->second;
    if (limited_.contains(attachment.driver) && !is_used(attachment.volume)) {
      ++leaving[SlotsNamed(attachment.driver)];
    }
  }
  change.slots_leaving.assign(leaving.begin(), leaving.end());
}

}  // namespace fairlead::intake
