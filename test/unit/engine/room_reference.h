#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unit/engine/room_world.h"

// Who has to make room in a small world: semantics.md §4 and §6 read word by word, and every set of
// units tried. Slow and obvious, and of its own: it takes nothing from the engine but fair shares.

namespace fairlead::engine {

class RoomReference {
 public:
  enum class Verdict : std::uint8_t {
    kFits,
    kFitsLater,  // into free room, and under its limits once those who leave have left
    kComing,
    kFound,
    kNone
  };
  struct Cost {
    int highest_priority = -1;
    int workloads_stopped = 0;
    std::int64_t work_lost = 0;
    int pods = 0;
    auto operator<=>(const Cost&) const = default;
  };
  using Units = std::uint32_t;  // a bit each
  struct Answer {
    Verdict verdict = Verdict::kNone;
    Cost cost;
    Units units = 0;
  };

  // `fair_shares`: by queue, in thousandths of a CPU and of a GPU. `now`: seconds.
  RoomReference(const RoomWorld& world, std::vector<std::array<std::int64_t, 2>> fair_shares,
                int now);

  Answer Solve() const;

  std::size_t unit_count() const { return units_.size(); }
  // The names of their pods, sorted.
  std::vector<std::string> PodsOf(Units units) const;
  // The units of these pods; empty: they are no units.
  std::optional<Units> UnitsOf(std::vector<std::string> pods) const;
  Cost CostOf(Units units) const;
  // What is wrong with these victims, whatever field they were looked for in: nothing, where they
  // serve and each of them is needed.
  std::string Fault(Units units) const;
  // The earliest moment after now at which a protection lapses.
  std::optional<int> NextLapse() const;

 private:
  enum class Right : std::uint8_t { kNone, kGuarantee, kShare };
  enum class Tier : std::uint8_t { kAboveShare, kAboveGuarantee, kAny };
  struct Unit {
    std::size_t victim = 0;
    int donor = kUnset;  // the queue V; none: the preemptor's own queue
    int beside = kUnset;
    bool stops = false;
    bool stopped_before = false;  // and is protected for that
    bool follows = false;         // the unit before it must leave first
    std::vector<std::size_t> pods;
    Cost cost;
  };

  void SetUpQueues();
  void AddUnits(std::size_t v);
  int StartOf(const RoomVictim& victim) const;
  int RuntimeOf(const RoomVictim& victim, int donor) const;
  int RepeatOf(const RoomVictim& victim, int donor) const;
  std::pair<int, int> Meet(int queue) const;
  bool IsWithin(int queue, int ancestor) const;
  std::vector<int> PathOf(int queue) const;

  std::int64_t Figure(Right right, int queue, std::size_t r) const;
  bool LooksAt(Right right, std::size_t r) const;
  bool AppliesAtAll(Right right) const;
  bool IsAbove(Right right, int queue, const std::array<std::int64_t, 2>& allocated) const;
  bool KeepsTier(Right right, Tier tier, int queue, const std::array<std::int64_t, 2>& before,
                 const std::array<std::int64_t, 2>& after) const;
  struct Saturation {
    std::int64_t allocated = 0, share = 1;  // 0: without end
  };
  static bool Less(const Saturation& a, const Saturation& b);
  Saturation SaturationOf(Right right, int queue,
                          const std::array<std::int64_t, 2>& allocated) const;

  Answer Cheapest(Right right, Tier tier, Units among) const;
  std::vector<Units> Prefixes(Right right) const;
  bool Serves(Right right, Tier tier, Units units) const;
  // §3: what is leaving counts until it has left.
  enum class Leaving : std::uint8_t { kCounts, kIsGone };
  bool LimitsHold(Units units, Leaving leaving = Leaving::kIsGone) const;
  bool IsLent(Units units) const;
  bool AnyGoesForRight(Units units) const;
  bool IsPastDeadline(Right right) const;
  bool LossAllowed(Right right, Units units) const;
  std::int64_t DominantOf(const std::array<std::int64_t, 2>& amounts) const;
  bool RightsHold(Right right, Tier tier, Units units) const;
  std::array<std::int64_t, 2> AllocatedAfter(int queue, Units units) const;
  bool InOrder(Units units) const;
  bool GivesBefore(Units a, Units b) const;
  std::vector<Two> FreeAfter(Units units, bool terminating_too) const;
  static bool Arrange(const std::vector<Two>& pods, std::size_t at, std::vector<Two>& free);

  const RoomWorld& world_;
  std::vector<std::array<std::int64_t, 2>> fair_shares_;
  int now_;
  std::array<std::int64_t, 2> request_{};
  std::array<bool, 2> guaranteed_in_tree_{};
  std::vector<std::array<std::int64_t, 2>> allocated_, non_preemptible_;  // by queue
  std::vector<int> path_;    // the preemptor's queues, from the leaf up
  std::vector<Unit> units_;  // in the order of giving
};

}  // namespace fairlead::engine
