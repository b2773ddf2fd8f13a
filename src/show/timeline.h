#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/name_map.h"
#include "drive/observer.h"
#include "show/table.h"
#include "virtual/cluster.h"

namespace fairlead::show {

// Counts what happens in a simulation, for a time line of so many rows at most. What it keeps grows
// with the rows, not with the run.
class Timeline : public drive::Observer {
 public:
  Timeline(Time start, int rows) : start_(start), rows_(rows) {}

  // To be told before the first event: a pod that is on a node already.
  void AddRunning(std::string pod) { on_node_.insert(std::move(pod)); }

  void OnEvent(const drive::Event& event) override;

  // From the start to `end`, the last event or later, in equal steps of a round length (1 s, 5 s, …
  // 1 h, 1 d, …): what arrived, started, ended and was evicted in each, and what was running at its
  // end.
  Table Rows(Time end) const;

 private:
  // What happened in a step of `width_`.
  struct Step {
    std::int64_t index = 0;  // from the start
    std::int64_t arrived = 0, started = 0, ended = 0, evicted = 0;
    std::int64_t running = 0;  // after it
  };
  void Widen(Duration passed);

  const Time start_;
  const int rows_;
  Duration width_ = Duration::Seconds(1);  // every row of the end is some of it
  std::vector<Step> steps_;                // those in which something happened
  std::int64_t first_running_ = 0;         // after the first event
  // As of the last event.
  boost::unordered_flat_set<std::string, NameHash, std::equal_to<>> on_node_;
};

}  // namespace fairlead::show
