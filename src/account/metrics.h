#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "account/durations.h"
#include "account/fold.h"
#include "account/fold_reader.h"
#include "account/metrics_report.h"
#include "base/time.h"
#include "base/wide_int.h"
#include "engine/plan/daemon_set_counts.h"

namespace fairlead::account {

// The sums behind a MetricsReport, kept thing by thing as a Fold tells them: so of any source of
// changes, a virtual cluster, a replay, a live one. Times are integrated before what changes them
// is told, so that every sum is exact.
//
// A pod that is a workload of its own counts as one workload. Submission is the workload's creation
// time; a start is when its minimum is placed for the first time (bound: the start delay of
// kubelets is not waiting).
// Thread safety: none. Cost: a few additions a thing; memory for durations that differ
// (durations.h).
class Metrics : public FoldReader {
 public:
  // Reads `fold`, which must outlive it, from `start` on.
  Metrics(Fold& fold, Time start);
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void OnMoment(Time now, std::span<const state::Change> changes) override;
  void OnShape(FoldIndex shape, const objects::ResourceList& asked) override;
  void OnOffer(Time now, FoldIndex node, const objects::ResourceList& before,
               const objects::ResourceList& offered) override;
  void OnGang(FoldIndex gang) override;
  void OnGangStarted(Time now, FoldIndex gang, bool began_before) override;
  void OnGangComplete(Time now, FoldIndex gang) override;
  void OnSeen(Time now, FoldIndex pod, const state::PodChange& change) override;
  void OnPlaced(Time now, FoldIndex pod, const state::PodChange& change, bool first) override;
  void OnPassed(Time now, FoldIndex pod, const state::PodChange& change) override;
  void OnResized(Time now, FoldIndex pod, FoldIndex shape_before) override;
  void OnLeft(Time now, FoldIndex pod) override;
  void OnEnded(Time now, FoldIndex pod) override;
  void OnEvicted(const drive::Event& event, FoldIndex pod) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;

  // As of `now`, at or after the last event.
  MetricsReport Report(Time now) const;

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffffffff;
  struct Resource {
    std::string name;
    std::int64_t allocated = 0, capacity = 0, peak = 0;
    WideInt allocated_us = 0, capacity_us = 0;
    WideInt lost_us = 0;  // amount × µs
    Duration lost_as_dominant{};
  };
  using Amounts = std::vector<std::pair<Index, std::int64_t>>;  // by resource

  Index ResourceOf(std::string_view name);
  Amounts AmountsOf(const objects::ResourceList& list);
  void Hold(FoldIndex shape, bool foreign, std::int64_t sign);
  void Submit(Time created);
  void Wait(FoldIndex queue, Duration waited);
  Index DominantOf(const Amounts& amounts) const;
  void CountPods(MetricsReport& report, std::vector<std::int64_t>& pending) const;
  void AddResources(Time now, MetricsReport& report) const;

  const Fold& fold_;
  Time start_, last_;
  std::optional<Time> first_submission_;
  Time last_end_{};
  std::vector<Resource> resources_;
  std::vector<Amounts> shapes_;     // of the fold's
  std::vector<Durations> waiting_;  // by the fold's queues
  Durations completion_;
  std::int64_t pods_seen_ = 0, ever_bound_ = 0, finished_ = 0, evictions_ = 0;
  engine::DaemonSetCounts daemon_sets_;
};

}  // namespace fairlead::account
