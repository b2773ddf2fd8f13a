#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/cluster.h"

namespace fairlead::policy {

// When a workload ends by what is said of it: at the earlier of start + limit and start + expected
// duration, which may be over. Empty: it has not started, or nothing is said.
std::optional<Time> ToldEnd(const state::Cluster& cluster, state::WorkloadId w);
// The same as far as anybody knows (time.md §1): one that should have ended by `now` runs longer
// than was said, and its end is moved to now + a quarter of its age.
std::optional<Time> ExpectedEnd(const state::Cluster& cluster, state::WorkloadId w, Time now);

// Whether it may depend on how long waiting work of the queue runs when it starts: room is kept for
// others until they need it, nodes close for a while, or the shorter goes first.
bool RunTimeMatters(const state::Cluster& cluster, state::QueueId queue);

// Whose limit it is, behind "its limit": "", " of queue lab", " by default of queue lab".
std::string OwnerText(const state::OwnLimit& limit);
// "ran 8h, its limit of queue lab". REQUIRES, these two: the workload has a limit of ours.
std::string RanToLimitText(const state::Cluster& cluster, state::WorkloadId w);
// Why it does not start any more; as intake says it of what the cluster shows (RanToItsLimit).
state::Reason KeptOutAtLimit(const state::Cluster& cluster, state::WorkloadId w);

// When a workload is expected to end.
struct End {
  Time at;
  state::WorkloadId workload;
  auto operator<=>(const End&) const = default;
};

// All expected ends that come some day, earliest first; those of one time in the order of their
// ids. Costs a look at each workload: rounds follow them instead (engine/room/known_ends.h).
std::vector<End> EndsOf(const state::Cluster& cluster, Time now);
// Where those of each time begin among them. REQUIRES: they are sorted.
std::vector<std::size_t> GroupsOf(std::span<const End> ends);

}  // namespace fairlead::policy
