#pragma once

#include <optional>

#include "engine/round/gang_starts.h"
#include "engine/round/round_context.h"
#include "policy/windows.h"

namespace fairlead::engine {

// What windows do when they begin and end (time.md §4): at `from` what else runs on their nodes is
// stopped, gangs whole, where they say so; at `until` who waits is asked again.
//
// Nobody's room is taken for another's sake, so that who may not be preempted is stopped too.
// Budgets hold: what they keep is stopped in a later round, as soon as they let it go. DaemonSets'
// pods, pods of files and the work of a window's own queues are left alone.
class WindowStops {
 public:
  WindowStops(RoundContext& round, GangStarts& starts, const policy::Windows& windows)
      : round_(round), cluster_(round.cluster), starts_(starts), windows_(windows) {}

  // When the next one begins or ends.
  std::optional<Time> NextDue() const;
  // Looks at all that have begun or ended. Whether anything was stopped. REQUIRES: nothing is
  // decided in this round yet.
  bool Serve();

 private:
  bool Stop(std::size_t i);

  RoundContext& round_;
  state::Cluster& cluster_;
  GangStarts& starts_;
  const policy::Windows& windows_;
  Time served_at_;  // the last round in which they were looked at
};

}  // namespace fairlead::engine
