#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "account/metrics.h"
#include "account/starts.h"
#include "base/time.h"
#include "state/change.h"

namespace fairlead::account {

// The sums behind Metrics, kept change by change. Times are integrated before what changes them is
// applied, so that every sum is exact.
class Metrics::Books {
 public:
  explicit Books(Time start) : start_(start), last_(start) {}

  void Advance(Time now);  // integrates up to `now`
  void Apply(Time now, const state::Change& change);
  void JudgeGangs(Time now);  // after all changes of one moment
  void CountEviction(Time now, std::string_view pod);
  void CountCompletion(Time now, std::string_view workload);
  MetricsReport Report(Time now) const;

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffffffff;

  struct Resource {
    std::string name;
    std::int64_t allocated = 0, capacity = 0, peak = 0;
    __int128 allocated_us = 0, capacity_us = 0;
    __int128 lost_us = 0;  // amount × µs
    Duration lost_as_dominant{};
  };
  using Amounts = std::vector<std::pair<Index, std::int64_t>>;  // by resource
  struct Shape {
    state::NeedsPtr needs;  // held, so that its address stays its own
    Amounts amounts;
  };
  struct Queue {
    std::string name;
    std::vector<std::int64_t> waiting_us;
  };
  struct Pod {
    std::size_t uid_hash = 0;
    Time created, since;
    Index shape = kNone, queue = kNone, gang = kNone;
    std::int32_t set = 0;
    state::PodState state = state::PodState::kPending;
    bool foreign = false, terminating = false, started = false, evicted = false;
    bool placed() const { return state == state::PodState::kBound; }
  };
  struct Gang {
    std::string name;
    Time created;
    Index queue = kNone;
    bool complete = false;
  };

  Index ResourceOf(std::string_view name);
  Index ShapeOf(const state::NeedsPtr& needs);
  Index QueueOf(const std::string& name);
  Index GangOf(const std::string& name);
  Amounts AmountsOf(const objects::ResourceList& list);
  void ApplyNode(const state::NodeChange& change);
  void RemoveNode(const std::string& name);
  void ApplyPod(Time now, const state::PodChange& change);
  void RemovePod(const std::string& name);
  void ApplyWorkload(const state::WorkloadChange& change);
  void Take(const Pod& pod, std::int64_t sign);  // its room, and its place in its gang
  void Wait(Index queue, Duration waited);
  Index DominantOf(const Amounts& amounts) const;

  Time start_, last_;
  std::optional<Time> first_submission_;
  Time last_end_{};
  std::vector<Resource> resources_;
  std::vector<Shape> shapes_;
  std::vector<Queue> queues_;
  std::vector<Gang> gangs_;
  Starts starts_;  // of gangs_
  boost::unordered_flat_map<const objects::PodNeeds*, Index> shape_by_needs_;
  boost::unordered_flat_map<std::string, Index> queue_by_name_, gang_by_name_;
  boost::unordered_flat_map<std::string, Amounts> nodes_;  // those in service
  boost::unordered_flat_map<std::string, Pod> pods_;
  std::vector<std::int64_t> completion_us_;
  std::int64_t pods_seen_ = 0, ever_bound_ = 0, finished_ = 0, evictions_ = 0;
};

}  // namespace fairlead::account
