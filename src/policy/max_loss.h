#pragma once

#include <limits>
#include <string>

#include "policy/entitlement.h"
#include "policy/eviction_cost.h"
#include "policy/room_action.h"
#include "state/cluster.h"

namespace fairlead::policy {

// What leaves of others' work, and how much more it is each second.
struct Loss {
  Work lost = 0;
  Work rate = 0;
  Time falls_at = Time::Max();  // somebody makes a checkpoint then, as far as is known
  void Add(const Loss& more);
};
// REQUIRES: the pod runs and is ours.
Loss LossOf(const state::Cluster& cluster, state::PodId p, std::int64_t dominant_part, Time now);

// How much work of other queues may be lost for what is placed at once (time.md §5.1):
//
//   dominant request × (grace + part × the time that it has waited)
//
// Worked: a job of 8 GPUs has waited 2 h, the ceiling is {grace: 4h, waitedPercent: 10}. Others may
// lose 8 × (4 h + 10 % of 2 h) = 33.6 GPU hours for it now.
class LossCeiling {
 public:
  static constexpr Work kAny = std::numeric_limits<Work>::max();

  LossCeiling() = default;  // none
  // Of work in `queue` that asks `request` on the right, waiting since then; by reclaim or moves.
  static LossCeiling Of(const state::Cluster& cluster, state::QueueId queue, Right right,
                        const state::Amounts& request, Time waits_since, Time now,
                        RoomAction action = RoomAction::kReclaim);

  bool binds() const { return most_ != kAny; }
  Work most() const { return most_; }
  // From then on the preemptor is past all measure; Time::Max(): never.
  Time deadline() const { return deadline_; }
  // The earliest moment at which so much may be lost as will be lost then; Time::Max(): never.
  // At the next checkpoint at the latest: it may be less then.
  Time AllowsFrom(const Loss& loss) const;

 private:
  Work most_ = kAny;
  Work hundredfold_ = 0;  // of most_, before it was rounded down
  Work rate_ = 0;         // in hundredths: by so much it grows each second
  Time deadline_ = Time::Max();
  Time now_;
};

// Whether there is a ceiling for the queue's work on any right.
bool BoundsLosses(const state::Cluster& cluster, state::QueueId queue,
                  RoomAction action = RoomAction::kReclaim);

// For sentences: work in hours of the resource of which it is most, "33.6 GPU hours", "12 core
// hours".
std::string LossText(const state::Cluster& cluster, Work loss, const state::Amounts& request);

}  // namespace fairlead::policy
