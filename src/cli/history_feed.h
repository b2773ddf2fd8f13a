#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/time.h"
#include "history/feed.h"
#include "history/recorder.h"
#include "kube/live_scheduler.h"
#include "kube/loop.h"
#include "virtual/event.h"

// How the history is told of a cluster: the same feed behind either kind of observer.

namespace fairlead::cli {

// Of a virtual cluster; on its owner's thread.
class VirtualHistory : public virtual_cluster::Observer {
 public:
  // Both must outlive it.
  VirtualHistory(Time start, const engine::Scheduler& scheduler, history::Recorder& recorder);

  // For the minutes in which nothing happens.
  void Tick(Time now) { feed_.Tick(now, scheduler_); }

  void OnObject(const objects::Object& object, bool gone) override;
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;
  void OnDecisions(Time now, std::span<const engine::DecisionReport> decisions) override;

 private:
  const engine::Scheduler& scheduler_;
  history::Feed feed_;
};

// Of a real one; on the loop's thread. It looks at the clock by itself.
class RealHistory : public kube::LiveObserver {
 public:
  // All must outlive it. Start is to be called on the loop's thread, or before that runs.
  RealHistory(kube::Loop& loop, const kube::LiveScheduler& live, history::Recorder& recorder);
  ~RealHistory() override;
  void Start();

  void OnObject(Time now, const kube::Resource& resource, const kube::ObjectRef& ref,
                const objects::Object* object, std::string_view json) override;
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(Time now, const engine::Scheduler& scheduler, const engine::Plan& plan,
               Duration took) override;
  void OnDecisions(Time now, std::span<const engine::DecisionReport> decisions) override;

 private:
  kube::Loop& loop_;
  const kube::LiveScheduler& live_;
  const Time made_;  // by the loop's Now
  bool began_ = false;
  history::Feed feed_;
  kube::TimerId timer_ = 0;
};

// The recorder's figures in Prometheus' text format; docs/metrics.md.
std::string HistoryMetricsText(const history::Recorder::Counts& counts);

}  // namespace fairlead::cli
