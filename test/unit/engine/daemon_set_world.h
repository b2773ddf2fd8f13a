#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "objects/objects.h"
#include "state/change.h"
#include "unit/engine/room_world.h"

// Small worlds in which a DaemonSet's pod waits for its one node: as plain numbers, as the changes
// that intake would give, and in words. Amounts (Two) are units of CPU and of memory, times are
// seconds.

namespace fairlead::engine {

struct DaemonSetWorld {
  enum class Whose : std::uint8_t { kOurs, kForeign, kDaemonSet, kStatic };
  struct Pod {
    Two size{};
    int priority = 0;
    int scheduled_s = 0;
    int created_s = 0;
    Whose whose = Whose::kOurs;
    bool terminating = false;
    bool opted_out = false;    // by a label
    bool preemptible = true;   // a gang's: the gang says it
    bool owns_pods = false;    // a live pod names it as its owner
    bool port = false;         // holds the host port that there is
    int queue = 0;             // a gang's: the gang says it
    int gang = kUnset;         // of one: its priority is the gang's
    int set = 0;               // of its gang's
    std::vector<int> budgets;  // indices
  };
  struct Gang {
    struct Set {
      int minimum = 1;               // of an elastic one; else all of them
      std::vector<int> elsewhere_s;  // its pods on another node, by the time they were scheduled
    };
    int queue = 0;
    int priority = 0;
    bool preemptible = true;
    bool anytime = true;  // elastic
    std::vector<Set> sets;
  };
  struct Queue {
    int parent = kUnset;  // index of an earlier queue
    int preempt_min_s = kUnset;
  };
  struct Budget {  // one of these is set
    int status_allowed = kUnset, min_available = kUnset, max_unavailable = kUnset;
    int elsewhere = 0;  // so many healthy pods on another node
  };
  // How it is configured.
  struct Rules {
    std::vector<objects::VictimSelection> strategies = {objects::VictimSelection::kMultiple};
    int deviation_percent = 20;
    int victims = 10;
    int delay_s = 0;
    bool respect = true;  // minimum runtimes
  };

  Two node{};
  int pod_limit = kUnset;  // of the node
  std::vector<Queue> queues = {Queue{}};
  std::vector<Gang> gangs;
  std::vector<Budget> budgets;
  std::vector<Pod> pods;  // on the node
  Rules rules;

  // The DaemonSet's pod.
  Two size{};
  int priority = 0;
  int created_s = 0;
  int reserved_s = kUnset;  // as its condition shows
  bool port = false;
  bool never_preempts = false;
  bool limited = false;    // its queue's limit is below what it asks
  bool nominated = false;  // as its status shows
};

inline constexpr const char* kDaemonSetPod = "s/preemptor";
int CountOf(const DaemonSetWorld& world, int gang, int set);
int MinimumOf(const DaemonSetWorld& world, int gang, int set);
// "s/p0" is the first pod of the node.
std::string NodePodName(std::size_t p);

std::vector<state::Change> ChangesOf(const DaemonSetWorld& world);
std::string Tell(const DaemonSetWorld& world);

}  // namespace fairlead::engine
