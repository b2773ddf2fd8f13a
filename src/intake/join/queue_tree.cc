#include "intake/join/queue_tree.h"

namespace fairlead::intake {

bool QueueTree::HasBesideKueue(std::string_view queue) const {
  return tables_.queues.contains(queue) || quotas_.OwnerOf(queue) != nullptr ||
         (queue == kElasticQuotas && quotas_.any());
}

bool QueueTree::HasOwn(std::string_view queue) const {
  return HasBesideKueue(queue) || kueue_.model().queues.contains(queue);
}

bool QueueTree::Has(std::string_view queue) const {
  return HasOwn(queue) || queue == tables_.configuration->default_queue;
}

std::optional<state::QueueChange> QueueTree::Find(const std::string& name) const {
  if (name == kElasticQuotas && quotas_.any()) return quotas_.Parent();
  if (auto found = tables_.queues.find(name); found != tables_.queues.end()) {
    return ChangeOf(found->second);
  }
  if (auto of_quota = quotas_.QueueNamed(name)) return of_quota;
  if (auto made = kueue_.model().queues.find(name); made != kueue_.model().queues.end()) {
    return made->second;
  }
  if (name != tables_.configuration->default_queue || !uses_.IsUsed(name)) return std::nullopt;
  state::QueueChange made;
  made.name = name;
  made.created = Time::Max();  // the youngest of all
  return made;
}

std::string_view QueueTree::ParentOf(std::string_view queue) const {
  if (auto found = tables_.queues.find(queue); found != tables_.queues.end()) {
    return found->second.queue.parent;
  }
  if (quotas_.OwnerOf(queue) != nullptr) return kElasticQuotas;
  auto made = kueue_.model().queues.find(queue);
  return made == kueue_.model().queues.end() ? std::string_view() : made->second.parent;
}

bool QueueTree::IsAtOrBelow(std::string_view queue, std::string_view ancestor) const {
  return !FirstUpwards(queue, [&](std::string_view at) { return at == ancestor; }).empty();
}

}  // namespace fairlead::intake
