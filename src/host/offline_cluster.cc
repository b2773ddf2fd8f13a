#include "host/offline_cluster.h"

#include <utility>

#include "view/view_builder.h"

namespace fairlead::host {

OfflineCluster::OfflineCluster(const std::vector<objects::Object>& objects, std::optional<Time> now)
    : now_(now ? *now : intake::NewestTime(objects)), driver_(nobody_) {
  driver_.AddObserver(&noted_);
  for (const objects::Object& object : objects) driver_.Take(drive::NewsOf(now_, object));
  driver_.TakeNews(now_);
}

const engine::PlanReport& OfflineCluster::Plan() {
  if (!plan_) {
    const engine::Plan plan = driver_.Decide(now_);
    plan_ = engine::Report(driver_.scheduler(), plan, std::move(noted_.decisions));
  }
  return *plan_;
}

const engine::Scheduler& OfflineCluster::Settled() {
  driver_.Settle(now_);
  return driver_.scheduler();
}

std::vector<engine::QueueReport> OfflineCluster::Shares() {
  return engine::ReportShares(Settled());
}

std::shared_ptr<const view::View> OfflineCluster::Look() {
  view::ViewBuilder builder(Settled());
  return builder.Publish(now_, {}, intake().KnownTopologies());
}

}  // namespace fairlead::host
