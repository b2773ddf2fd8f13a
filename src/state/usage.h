#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "base/wide_int.h"
#include "objects/objects.h"
#include "state/ids.h"

namespace fairlead::state {

// What queues used over time (time.md §7), by resource: amounts × seconds, halved each half-life.
// At each whole minute u := (u·D + 2^39) >> 40, D = round(2^40 × 2^(−60 s / half-life)), and then
// that minute's Σ allocated × µs / 10^6 is added, floored once. Whole numbers throughout, so that
// the same minutes come to the same, whoever counts them.
//
// It has no clock: it is told what queues have from a moment on (Charge), and the next moment at
// which they may have something else (PassTo).
//
// Cost: a minute is a few ns for each queue and resource of which something was ever used.
class Usage {
 public:
  // Absent: nothing is kept, and what was is forgotten.
  void Configure(const std::optional<objects::UsageOverTime>& configured);
  bool kept() const { return kept_; }
  // Whether what was used decides anything.
  bool counts() const { return kept_ && influence_milli_ > 0; }
  std::int32_t influence_milli() const { return influence_milli_; }

  // By whole minutes up to this.
  Time at() const;
  WideInt Of(QueueId q, ResourceId r) const {
    const std::size_t i = Index(q, r);
    return r.value() < stride_ && i < rows_.size() ? rows_[i].used : 0;
  }

  // Of a queue of which nothing is known yet: begins with what the cluster shows, if that is not
  // later than `now`, and what its placed pods had since.
  struct Start {
    Time at;
    ResourceId resource;
    std::int64_t amount = 0;
  };
  bool has_begun(QueueId q) const { return q.value() < begun_.size() && begun_[q.value()]; }
  // `starts`: from the earliest on. `shown`: by resource, at `shown_at`; none: nothing is.
  struct Shown {
    Time at;
    std::vector<std::pair<ResourceId, WideInt>> used;
  };
  void Begin(QueueId q, const Shown* shown, const std::vector<Start>& starts);

  // All that queues have had since the last moment counts. Times that lie behind change nothing.
  void PassTo(Time now);
  // From the moment on to which time has passed a queue has so much.
  void Charge(QueueId q, ResourceId r, std::int64_t allocated);
  void Widen(std::uint32_t queues, std::uint32_t resources);

  // Whether minutes have passed, or queues have begun, since this was last asked.
  bool TakeNews() { return std::exchange(news_, false); }

 private:
  struct Row {
    WideInt used = 0;    // by whole minutes
    WideInt minute = 0;  // of the minute that has begun: amounts × µs
    std::int64_t allocated = 0;
  };
  std::size_t Index(QueueId q, ResourceId r) const {
    return std::size_t{q.value()} * stride_ + r.value();
  }
  void Pass(Row& row, Time from, Time to) const;

  bool kept_ = false;
  std::int32_t influence_milli_ = 0;
  std::uint64_t left_of_minute_ = 0;  // D
  Time now_;
  std::uint32_t stride_ = 0;
  std::vector<Row> rows_;
  std::vector<bool> begun_;  // by queue
  bool news_ = false;
};

// 2^40 × 2^(−60 s / half-life), rounded to the nearest. REQUIRES: a half-life of a minute or more.
std::uint64_t LeftAfterMinute(Duration half_life);

}  // namespace fairlead::state
