#include "policy/queue_order.h"

#include <algorithm>

#include "base/check.h"
#include "base/wide_int.h"

namespace fairlead::policy {
namespace {

using state::Figure;
constexpr Duration kUsualRun = Duration::Seconds(3600);
constexpr Duration kDefaultAgeing = Duration::Seconds(86'400);
constexpr int kFraction = 16;  // bits

// log2(x) in units of 2^-kFraction, rounded down, digit by digit: squaring doubles it.
// REQUIRES: x > 0.
std::int64_t Log2(std::uint64_t x) {
  __extension__ using UnsignedWide = unsigned __int128;
  const int whole = 63 - __builtin_clzll(x);
  std::int64_t log = whole;
  std::uint64_t rest = x << (63 - whole);  // in [1, 2), as 2^63 parts
  for (int i = 0; i < kFraction; ++i) {
    const UnsignedWide square = static_cast<UnsignedWide>(rest) * rest >> 63;
    const bool digit = square >> 64 != 0;
    rest = static_cast<std::uint64_t>(digit ? square >> 1 : square);
    log = 2 * log + (digit ? 1 : 0);
  }
  return log;
}

}  // namespace

bool LessShare(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  if (b == 0) return false;
  if (d == 0) return true;
  return static_cast<WideInt>(a) * d < static_cast<WideInt>(c) * b;
}

QueueTurn TurnOf(const state::QueueTree& queues, state::QueueId q, const state::Amounts& request,
                 const state::ResourceTable& resources) {
  DCHECK(queues.settled());
  const state::Queue& queue = queues[q];
  QueueTurn turn{.priority = queue.priority, .created = queue.created, .name = &queue.name};
  const std::int64_t* allocated = queues.Row(q, Figure::kAllocated);
  const std::int64_t* share = queues.Row(q, Figure::kFairShare);
  const std::int64_t* guaranteed = queues.Row(q, Figure::kGuaranteed);

  bool any_guaranteed = false;
  bool over_guarantee = false;
  for (const state::Amount& a : request) {
    const std::uint32_t r = a.resource.value();
    if (!queues.Counts(a.resource)) continue;
    if (allocated[r] < share[r]) turn.below_fair_share = true;
    if (!queues.GuaranteedInTree(a.resource)) continue;
    any_guaranteed = true;
    if (allocated[r] + a.amount > guaranteed[r]) over_guarantee = true;
  }
  turn.within_guarantee = any_guaranteed && !over_guarantee;

  std::size_t next = 0;
  for (std::uint32_t r = 0; r < resources.size(); ++r) {
    std::int64_t with = allocated[r];
    if (next < request.size() && request[next].resource.value() == r)
      with += request[next++].amount;
    if (with <= 0 || !queues.Counts(state::ResourceId(r))) continue;
    if (LessShare(turn.share_numerator, turn.share_denominator, with, share[r])) {
      turn.share_numerator = with;
      turn.share_denominator = share[r];
    }
  }
  return turn;
}

bool GoesFirst(const QueueTurn& a, const QueueTurn& b) {
  if (a.below_fair_share != b.below_fair_share) return a.below_fair_share;
  if (a.within_guarantee != b.within_guarantee) return a.within_guarantee;
  if (a.priority != b.priority) return a.priority > b.priority;
  if (LessShare(a.share_numerator, a.share_denominator, b.share_numerator, b.share_denominator)) {
    return true;
  }
  if (LessShare(b.share_numerator, b.share_denominator, a.share_numerator, a.share_denominator)) {
    return false;
  }
  if (a.created != b.created) return a.created < b.created;
  return *a.name < *b.name;
}

Time ServedAt(const state::Cluster& cluster, state::WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  const state::Queue& queue = cluster.queues()[workload.queue];
  if (queue.order == objects::WorkOrder::kCreated) return workload.created;
  const Duration run =
      cluster.workloads().run_time(w).said().value_or(queue.median_duration.value_or(kUsualRun));
  const std::int64_t log = Log2(static_cast<std::uint64_t>(std::max<std::int64_t>(1, run.us))) -
                           Log2(static_cast<std::uint64_t>(kUsualRun.us));
  const WideInt later =
      static_cast<WideInt>(log) * queue.ageing.value_or(kDefaultAgeing).us >> kFraction;
  constexpr WideInt kMost = std::int64_t{1} << 61;
  return workload.created + Duration{static_cast<std::int64_t>(std::clamp(later, -kMost, kMost))};
}

bool IsServedFirst(const state::Cluster& cluster, state::WorkloadId a, state::WorkloadId b) {
  const state::Workload& x = cluster.workloads()[a];
  const state::Workload& y = cluster.workloads()[b];
  if (x.priority != y.priority) return x.priority > y.priority;
  const Time at_a = ServedAt(cluster, a);
  const Time at_b = ServedAt(cluster, b);
  if (at_a != at_b) return at_a < at_b;
  return a != b && cluster.NameOf(a) < cluster.NameOf(b);
}

}  // namespace fairlead::policy
