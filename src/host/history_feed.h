#pragma once

#include <span>
#include <string>

#include "base/time.h"
#include "drive/observer.h"
#include "history/feed.h"
#include "history/recorder.h"

namespace fairlead::host {

// How the history is told of a cluster, virtual or real; on its owner's thread.
class HistoryFeed : public drive::Observer {
 public:
  // `scheduler` and `recorder` must outlive it.
  HistoryFeed(Time began, const engine::Scheduler& scheduler, history::Recorder& recorder);

  // It began then, as is known now. To be called before the first OnChanges.
  void Began(Time began) { feed_.Began(began); }
  // When those that wait are said to start.
  void Said(std::span<const history::Estimate> estimates) { feed_.Said(estimates); }
  // For the minutes in which nothing happens.
  void Tick(Time now) { feed_.Tick(now, scheduler_); }

  void OnObject(const drive::ObjectNews& news) override;
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;
  void OnDecisions(Time now, const engine::DecisionReports& decisions) override;

 private:
  const engine::Scheduler& scheduler_;
  history::Feed feed_;
};

// The recorder's figures in Prometheus' text format; docs/metrics.md.
std::string HistoryMetricsText(const history::Recorder::Counts& counts);

}  // namespace fairlead::host
