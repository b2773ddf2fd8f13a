#include "host/real_tables.h"

#include <string>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "host/live_view.h"
#include "intake/intake.h"
#include "objects/read/reader.h"
#include "view/view_builder.h"
#include "virtual/cluster.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;

constexpr const char* kLab = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110", nvidia.com/gpu: "2"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
spec: {unschedulable: true}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: lab}
spec: {limit: {cpu: "4"}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: train, namespace: lab}
spec:
  queueName: lab
  maxRunTime: 2h
  podSets: [{name: main, count: 2, template: {spec: {schedulerName: fairlead, containers: [
    {name: main, resources: {requests: {cpu: "1500m", nvidia.com/gpu: "1"}}}]}}}]
---
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: waits, namespace: lab}
spec:
  queueName: lab
  podSets: [{name: main, count: 1, template: {spec: {schedulerName: fairlead, containers: [
    {name: main, resources: {requests: {cpu: "3"}}}]}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: lab, labels: {fairlead.dev/queue: lab}}
spec:
  schedulerName: fairlead
  schedulingGates: [{name: quality}]
  containers: [{name: main, resources: {requests: {cpu: "1"}}}]
)";

// A virtual cluster that is looked at as a real one is, too.
class RealTablesTest : public ::testing::Test, private drive::Observer {
 protected:
  RealTablesTest() : cluster_({.start = Time{} + Duration::Seconds(1'000'000'000)}) {
    cluster_.AddObserver(this);
    cluster_.AddObserver(&log_);
    objects::Manifest manifest;
    objects::ReadText(kLab, "lab.yaml", intake::AllDecoders(), manifest);
    EXPECT_TRUE(manifest.faults.empty());
    EXPECT_TRUE(cluster_.Submit(std::move(manifest.objects)));
    cluster_.RunUntil(cluster_.Now() + Duration::Seconds(90));
  }

  std::string Virtual(const char* kind) {
    const auto view = builder_.Publish(cluster_.Now(), {});
    const json::value table =
        TableOf({cluster_, log_, *view}, {.kind = server::FindKind(kind)}).value();
    return json::serialize(table.at("columns")) + "\n" + json::serialize(table.at("rows"));
  }
  std::string Real(const char* kind) {
    const auto view = builder_.Publish(cluster_.Now(), {});
    const auto rows = RealRows({.view = *view,
                                .scheduler = cluster_.scheduler(),
                                .intake = cluster_.intake(),
                                .events = &log_,
                                .now = cluster_.Now()},
                               {.kind = server::FindKind(kind)});
    if (!rows) return "none";
    return json::serialize(rows->columns) + "\n" + json::serialize(rows->rows);
  }

 private:
  void OnChanges(Time /*now*/, std::span<const state::Change> changes) override {
    builder_.OnChanges(changes);
  }
  void OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& plan) override {
    builder_.OnRound(plan);
  }

  virtual_cluster::VirtualCluster cluster_;
  view::ViewBuilder builder_{cluster_.scheduler()};
  EventLog log_;
};

TEST_F(RealTablesTest, AreThoseOfAVirtualCluster) {
  EXPECT_EQ(Real("workloads"), Virtual("workloads"));
  EXPECT_EQ(Real("pods"), Virtual("pods"));
  EXPECT_EQ(Real("queues"), Virtual("queues"));
  EXPECT_EQ(Real("events"), Virtual("events"));
  EXPECT_NE(Real("workloads").find(R"("train","Running","2/2","2/2","lab","1h58m","","","")"),
            std::string::npos)
      << Real("workloads");
}

// How old a node is, who schedules does not know.
TEST_F(RealTablesTest, NodesHaveNoAge) {
  EXPECT_EQ(Real("nodes"), R"(["NAME","STATUS","CPU","MEMORY","GPU","AGE"])"
                           "\n"
                           R"([["n1","Ready","3/4","0/8Gi","2/2",""],)"
                           R"(["n2","Ready,SchedulingDisabled","0/4","0/8Gi","",""]])");
}

TEST_F(RealTablesTest, OfOtherKindsThereAreNone) { EXPECT_EQ(Real("jobs"), "none"); }

}  // namespace
}  // namespace fairlead::host
