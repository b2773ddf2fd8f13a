#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "view/view.h"

namespace fairlead::view {

// Which workloads are asked for, and in which order.
struct WorkloadQuery {
  enum class Sort : std::uint8_t { kWaiting, kName, kCreated, kPriority, kQueue, kAsks, kStarts };
  std::optional<WorkloadState> state;
  std::string queue;                     // and those below it; empty: all
  std::string name_space, user, reason;  // its code; empty: all
  std::optional<bool> hopeless;          // of those that wait: whether they can never start
  std::string text;                      // within the name or the queue's, whatever the case
  Sort sort = Sort::kWaiting;
  bool reversed = false;
  std::size_t offset = 0, limit = 100;
};
inline constexpr std::size_t kMostRows = 10'000;

// state, queue, namespace, user, reason, waits, q, sort, offset, limit, as they stand in a URL.
// Error: an unknown one, or a value that is not one; says what was found and what is expected.
Result<WorkloadQuery> ParseWorkloadQuery(const std::map<std::string, std::string>& parameters);

// Longest waiting, newest, highest, largest, soonest first; names and queues from a to z; in the
// end by name.
struct WorkloadPage {
  std::vector<const WorkloadRow*> rows;  // of the view
  std::int64_t total = 0, matching = 0;  // in the whole view
};
WorkloadPage ListWorkloads(const View& view, const WorkloadQuery& query);

// Of each row where it stands among those of its queue that wait for their turn, from 1 on; 0: it
// does not. Cost: O(workloads), and sorting those of the queues.
std::vector<std::int64_t> PositionsOf(const Tables& tables,
                                      const std::vector<const WorkloadRow*>& rows);

// When one that waits is expected to start: as was worked out, else from when on room is kept for
// it (basis "Reserved"); absent: nobody knows, or it does not wait.
std::optional<ExpectedStart> StartOf(const View& view, const WorkloadRow& row);

// Of each queue how many of those that wait in it or below it can never start as they are written;
// queues without any are left out.
std::map<std::string, std::int64_t, std::less<>> HopelessByQueue(const Tables& tables);

// From its creation to its start, or to now; never below zero.
std::int64_t WaitingSeconds(const WorkloadRow& row, Time now);

}  // namespace fairlead::view
