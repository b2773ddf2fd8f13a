#include "policy/max_loss.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/amount_text.h"

namespace fairlead::policy {
namespace {

// The first queue upward that says anything says all of it, for moves as well.
const objects::MaxLoss* MaxLossFor(const state::Cluster& cluster, state::QueueId queue,
                                   RoomAction action) {
  const state::QueueTree& queues = cluster.queues();
  for (state::QueueId q = queue; q.valid(); q = queues[q].parent) {
    if (queues[q].max_loss) return &*queues[q].max_loss;
  }
  const objects::SchedulerConfiguration& configuration = cluster.configuration();
  const auto& of_moves = configuration.consolidation.max_loss;
  const auto& configured =
      action == RoomAction::kConsolidate && of_moves ? of_moves : configuration.max_loss;
  return configured ? &*configured : nullptr;
}

// As far as is known: one that is told of comes with a change. One that is claimed for the future
// counts from then on.
Time NextCheckpoint(const state::RunTime& run_time, Time start, Time now) {
  Time next = Time::Max();
  if (run_time.checkpoint_every && start <= now) {
    const std::int64_t every = run_time.checkpoint_every->us;
    next = start + Duration{((now - start).us / every + 1) * every};
  }
  const std::optional<Time>& at = run_time.checkpointed_at;
  return at && *at > now ? std::min(next, *at) : next;
}

Work Times(Work a, std::int64_t b) { return a * static_cast<Work>(b); }

}  // namespace

bool BoundsLosses(const state::Cluster& cluster, state::QueueId queue, RoomAction action) {
  const objects::MaxLoss* max = MaxLossFor(cluster, queue, action);
  return max != nullptr && (max->by_guarantee || max->by_share);
}

void Loss::Add(const Loss& more) {
  lost += more.lost;
  rate += more.rate;
  falls_at = std::min(falls_at, more.falls_at);
}

Loss LossOf(const state::Cluster& cluster, state::PodId p, std::int64_t dominant_part, Time now) {
  const state::Pod& pod = cluster.pods()[p];
  return {
      .lost = WorkLost(cluster, p, dominant_part, now),
      .rate = static_cast<Work>(dominant_part),
      .falls_at = NextCheckpoint(cluster.workloads().run_time(pod.workload), pod.scheduled, now)};
}

LossCeiling LossCeiling::Of(const state::Cluster& cluster, state::QueueId queue, Right right,
                            const state::Amounts& request, Time waits_since, Time now,
                            RoomAction action) {
  LossCeiling ceiling;
  const objects::MaxLoss* max = MaxLossFor(cluster, queue, action);
  if (max == nullptr) return ceiling;
  const auto& bound = right == Right::kGuarantee ? max->by_guarantee : max->by_share;
  if (!bound) return ceiling;
  const Duration waited = std::max(now, waits_since) - waits_since;
  if (right == Right::kGuarantee && bound->deadline) {
    ceiling.deadline_ = waits_since + *bound->deadline;
    if (now >= ceiling.deadline_) return ceiling;
  }
  const auto dominant = static_cast<Work>(DominantPart(cluster, request));
  ceiling.rate_ = Times(dominant, bound->waited_percent);
  ceiling.hundredfold_ = Times(Times(dominant, bound->grace.WholeSeconds()), 100) +
                         Times(ceiling.rate_, waited.WholeSeconds());
  ceiling.most_ = ceiling.hundredfold_ / 100;
  ceiling.now_ = now;
  return ceiling;
}

Time LossCeiling::AllowsFrom(const Loss& loss) const {
  if (loss.lost <= most_) return now_;
  Time from = deadline_;
  if (rate_ > 100 * loss.rate) {
    const Work gain = rate_ - 100 * loss.rate;  // a second
    const Work lacks = 100 * loss.lost - hundredfold_;
    const Work seconds = (lacks + gain - 1) / gain;
    constexpr Work kFar = 1'000'000'000'000;
    if (seconds < kFar) {
      from = std::min(from, now_ + Duration::Seconds(static_cast<std::int64_t>(seconds)));
    }
  }
  return std::min(from, loss.falls_at);
}

std::string LossText(const state::Cluster& cluster, Work loss, const state::Amounts& request) {
  const state::ResourceId r = DominantResource(cluster, request);
  const auto capacity = static_cast<Work>(std::max<std::int64_t>(0, cluster.queues().capacity(r)));
  auto amount = static_cast<std::int64_t>(loss * capacity / kWholeCluster / 3600);
  const std::string& name = cluster.resources().name(r);
  const bool of_devices = cluster.resources().IsGpu(r) || name == "cpu";
  if (of_devices) {  // in thousandths: three digits are enough
    const std::int64_t unit = amount >= 100'000 ? 1000 : amount >= 1000 ? 100 : 10;
    amount = (amount + unit / 2) / unit * unit;
  }
  const std::string text = HumanAmount(name, amount);
  if (cluster.resources().IsGpu(r)) return text + " GPU h";
  return name == "cpu" ? text + " core h" : fmt::format("{} h of {}", text, name);
}

}  // namespace fairlead::policy
