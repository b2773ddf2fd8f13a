// Worked: a node takes 3 volumes of a driver. Pods a and b use `data` there and each one of its
// own; a third volume's attachment is nobody's. Now: a's and b's own, `data`, the attachment: 4,
// one too many. Later, 3. So a pod c that uses `data` alone may come now: it is attached already; a
// pod d with a volume of its own may not come, now or later.

#include "state/attachments.h"

#include "base/check.h"

namespace fairlead::state {
namespace {

Amounts OneOf(ResourceId slots) { return Amounts{{slots, 1}}; }

}  // namespace

void Attachments::SetLeaving(NodeId n, const objects::ResourceList& slots) {
  const Amounts fresh = ToAmounts(slots, resources_);
  const auto found = leaving_.find(n);
  if (found == leaving_.end() && fresh.empty()) return;
  if (found != leaving_.end() && found->second == fresh) return;
  nodes_.Widen(resources_);
  if (found != leaving_.end()) {
    nodes_.Give(n, found->second, 0, -1, Stay::kLeaves);
    leaving_.erase(found);
  }
  if (fresh.empty()) return;
  nodes_.Take(n, fresh, 0, -1, Stay::kLeaves);
  leaving_.emplace(n, fresh);
}

const Amounts& Attachments::LeavingOf(NodeId n) const {
  static const Amounts kNone;
  const auto found = leaving_.find(n);
  return found == leaving_.end() ? kNone : found->second;
}

void Attachments::Count(const Volumes& volumes, NodeId n, Stay stay, std::int32_t times) {
  if (volumes.empty()) return;
  auto& on_node = shared_[n.value()];
  for (const objects::SharedVolume& volume : volumes) {
    Users& users = on_node[volume];
    const Amounts one = OneOf(resources_.Find(volume.slots));
    if (users.any()) nodes_.Give(n, one, 0, -1, users.stay());
    std::int32_t& count = stay == Stay::kStays    ? users.staying
                          : stay == Stay::kLeaves ? users.leaving
                                                  : users.coming;
    count += times;
    DCHECK(count >= 0);
    if (users.any()) {
      nodes_.Take(n, one, 0, -1, users.stay());
    } else {
      on_node.erase(volume);
    }
  }
  if (on_node.empty()) shared_.erase(n.value());
}

bool Attachments::Suffice(const Volumes& volumes, const Amounts& request, NodeId n,
                          When when) const {
  const auto found = shared_.find(n.value());
  const auto is_there = [&](const objects::SharedVolume& volume, When at) {
    if (found == shared_.end()) return false;
    const auto users = found->second.find(volume);
    return users != found->second.end() && users->second.IsThere(at);
  };
  const auto holds = [&](const std::int64_t* room, When at) {
    Amounts need;
    for (const objects::SharedVolume& volume : volumes) {
      if (!is_there(volume, at)) AddTo(need, OneOf(resources_.Find(volume.slots)), 1);
    }
    for (Amount& each : need) each.amount += AmountOf(request, each.resource);
    return Holds(room, need);
  };
  return holds(nodes_.later(n), When::kLater) &&
         (when == When::kLater || holds(nodes_.free(n), When::kNow));
}

}  // namespace fairlead::state
