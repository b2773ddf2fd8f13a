#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/room/room_step.h"
#include "engine/scheduler.h"
#include "state/change.h"
#include "state/cluster.h"

// Small worlds in which one workload waits and others may have to make room for it: as plain
// numbers, as the changes that intake would give, and in words.

namespace fairlead::engine {

constexpr int kNow = 1000;  // seconds
constexpr int kUnset = -1;  // not set

// Amounts are whole CPUs and whole GPUs.
using Two = std::array<int, 2>;
inline Two operator+(Two a, Two b) { return {a[0] + b[0], a[1] + b[1]}; }
inline Two operator-(Two a, Two b) { return {a[0] - b[0], a[1] - b[1]}; }

struct RoomQueue {
  std::string name;
  int parent = kUnset;  // index of an earlier queue
  Two guaranteed = {kUnset, kUnset}, limit = {kUnset, kUnset};
  int weight = 1;
  int lend = 100;
  int reclaim_min_s = kUnset, preempt_min_s = kUnset;
};

struct RoomVictim {
  struct Pod {
    int node = 0;
    Two size{};
    int age_s = 0;  // since it was placed
  };
  int queue = 0;
  int priority = 0;
  bool preemptible = true;
  bool terminating = false;
  bool budget = false;        // the world's budget selects its pods
  int checkpoint_s = kUnset;  // it makes one so often
  int stops = 0;              // by others, before it started
  int surplus = 0;            // of its pods, above the minimum
  std::vector<Pod> pods;
};

// How much others may lose (time.md §5.1), on any right.
struct RoomCeiling {
  int grace_s = 0, waited_percent = 0;
  int deadline_s = kUnset;
};

struct RoomWorld {
  std::vector<Two> nodes;
  std::vector<RoomQueue> queues;
  std::vector<RoomVictim> victims;  // named in this order
  int queue = 0;                    // the preemptor's: a leaf
  int priority = 0;
  bool preemptible = true;
  std::vector<Two> pods;       // what it wants to place, all or nothing
  int budget_allows = kUnset;  // pods of the budget that may go
  bool budgets_yield = false;  // where they are on borrowed room
  std::optional<RoomCeiling> ceiling;
  int waited_s = 0;  // the preemptor
  int lend = 100;    // percent: the root
  int repeat_s = 0;  // what was stopped is protected for so long, doubled each time
};

// "s/v1-0" is pod 0 of victim 1, "s/preemptor-0" the first of the preemptor's.
std::string VictimName(std::size_t v);
std::string VictimPodName(const RoomWorld& world, std::size_t v, std::size_t p);

std::vector<state::Change> ChangesOf(const RoomWorld& world);
std::string Tell(const RoomWorld& world);

// What the preemptor asks at once.
RoomStep StepOf(const state::Cluster& cluster, const RoomWorld& world);

// A world by number: its digits, in a mixed radix, choose from menus. Numbers that follow each
// other make worlds that are far apart. `large`: of about 9 to 16 units.
RoomWorld RoomWorldOf(std::uint64_t number, bool large);

}  // namespace fairlead::engine
