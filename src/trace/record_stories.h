#pragma once

#include <istream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::trace {

// What became of a pod, job or Workload of a recorded cluster, from when it came until it went. One
// of its name that comes when it is gone has a story of its own.
struct Story {
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  objects::Object object;  // as it was at the start, or when it was first seen
  Time seen;
  bool at_start = false, gone = false;

  // Of a pod. It holds its room from `bound`, and works from `running`.
  std::optional<Time> bound, running;
  std::string node;  // that it was bound to
  std::optional<Time> ended;
  objects::PodPhase end = objects::PodPhase::kRunning;  // kSucceeded, kFailed; else it was removed
  std::size_t owner = kNobody;  // whose pods it is of, where a controller makes them: an index
  std::string pod_set;          // of the owner

  const objects::Pod& pod() const { return std::get<objects::Pod>(object); }
  bool is_pod() const { return std::holds_alternative<objects::Pod>(object); }

  // How long it worked, up to `now` where it still does; absent where it never began, or was cut
  // off at once: that says nothing.
  std::optional<Duration> Worked(Time now) const;
};

// A record as the stories of what is in it. It begins when all was listed: with the first round.
struct Stories {
  Time start, end;
  bool cut_off = false;  // the record's last line lacks its end
  objects::SchedulerConfiguration configuration;
  std::vector<Story> work;  // in the order in which it came
  // By name: what a node was, and from when on. One that is gone is cordoned and not ready.
  std::map<std::string, std::vector<std::pair<Time, objects::Node>>> nodes;
  std::map<std::pair<std::string, std::string>, objects::Object> rest;  // by kind and key: the last
  std::int64_t nodes_gone = 0;
};

// Errors: as ReadRecord.
Result<Stories> ReadStories(std::istream& file, const std::string& path);

}  // namespace fairlead::trace
