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

// Counts what happens in a simulation, for a time line with a dozen rows.
class Timeline : public drive::Observer {
 public:
  // To be told before the first event: a pod that is on a node already.
  void AddRunning(std::string pod) { on_node_.insert(std::move(pod)); }

  void OnEvent(const drive::Event& event) override;

  // Events so far of one type.
  std::int64_t CountOf(drive::EventType type) const;
  std::int64_t total() const { return static_cast<std::int64_t>(marks_.size()); }

  // From `start` to `end` in at most `rows` equal steps of a round length (1 s, 5 s, … 1 h, 1 d,
  // …): what arrived, started, ended and was evicted in each, and what was running at its end.
  Table Rows(Time start, Time end, int rows) const;

 private:
  struct Mark {
    Time time;
    drive::EventType type;
    std::int32_t running = 0;  // after it
  };
  std::vector<Mark> marks_;
  // As of the last event.
  boost::unordered_flat_set<std::string, NameHash, std::equal_to<>> on_node_;
};

}  // namespace fairlead::show
