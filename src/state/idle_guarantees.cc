#include "state/idle_guarantees.h"

#include <algorithm>

#include "state/queues.h"

namespace fairlead::state {
namespace {

std::int64_t LeftOf(const QueueTree& queues, QueueId leaf, ResourceId r) {
  return GuaranteeOf(queues, leaf, r) - queues.Get(leaf, Figure::kAllocated, r);
}

}  // namespace

void IdleGuarantees::Settle(const QueueTree& queues, std::uint32_t width) {
  const std::vector<QueueId>& order = queues.order();
  kept_ = std::ranges::any_of(order, [&](QueueId q) { return queues[q].lend < 100; });
  of_capacity_ = false;
  if (!kept_) return;
  width_ = width;
  idle_.assign(std::size_t{queues.size()} * width, 0);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const QueueId q = *it;
    for (std::uint32_t i = 0; i < width && q != QueueTree::Root(); ++i) {
      const ResourceId r(i);
      std::int64_t& idle = idle_[std::size_t{q.value()} * width + i];
      if (queues[q].exists && IsLeaf(queues, q)) {
        idle = std::max<std::int64_t>(0, LeftOf(queues, q, r));
        of_capacity_ |= queues.Get(q, Figure::kGuaranteed, r) >= kUnlimited;
      }
      idle_[std::size_t{queues[q].parent.value()} * width + i] += idle;
    }
  }
}

void IdleGuarantees::Add(const QueueTree& queues, QueueId q, const Amounts& request,
                         std::int64_t times) {
  if (!kept_) return;
  // What runs on in a queue that is gone counts above.
  while (!queues[q].exists) q = queues[q].parent;
  if (q == QueueTree::Root() || !IsLeaf(queues, q)) return;
  for (const Amount& a : request) {
    const std::int64_t left = LeftOf(queues, q, a.resource);
    const std::int64_t more =
        std::max<std::int64_t>(0, left - a.amount * times) - std::max<std::int64_t>(0, left);
    for (QueueId at = q; more != 0 && at.valid(); at = queues[at].parent) {
      idle_[std::size_t{at.value()} * width_ + a.resource.value()] += more;
    }
  }
}

}  // namespace fairlead::state
