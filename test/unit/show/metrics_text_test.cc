#include "show/metrics_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "intake/intake.h"
#include "objects/read/reader.h"

namespace fairlead::show {
namespace {

using testing::HasSubstr;
using testing::Not;

// Two borrow the room of `a` under a budget of theirs, and a pod in `queue` asks for as much as one
// of them has; `more` is one more document.
std::string TextOf(const std::string& queue, const std::string& more = "") {
  objects::Manifest manifest;
  objects::ReadText(R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "2"}}
---
{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: a}, spec: {guaranteed: {cpu: 1}}}
---
{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: b}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: mine, namespace: t}
spec: {maxUnavailable: 0, selector: {}}
---
apiVersion: v1
kind: Pod
metadata: {name: borrows-0, namespace: t, labels: {fairlead.dev/queue: b}}
spec:
  schedulerName: fairlead
  nodeName: n1
  containers: [{name: c, resources: {requests: {cpu: 1}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: borrows-1, namespace: t, labels: {fairlead.dev/queue: b}}
spec:
  schedulerName: fairlead
  nodeName: n1
  containers: [{name: c, resources: {requests: {cpu: 1}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: u, labels: {fairlead.dev/queue: )" +
                        queue +
                        R"(}}
spec:
  schedulerName: fairlead
  priority: 9
  containers: [{name: c, resources: {requests: {cpu: 1}}}]
---
)" + more,
                    "test", intake::AllDecoders(), manifest);
  EXPECT_TRUE(manifest.faults.empty()) << manifest.faults.front().ToString();
  intake::Intake intake;
  for (const objects::Object& object : manifest.objects) intake.Upsert(object, Time());
  engine::Scheduler scheduler;
  scheduler.Apply(intake.TakeChanges());
  scheduler.Round(Time());
  return MetricsText(scheduler);
}

TEST(MetricsText, NamesTheBudgetsThatKeepGuaranteesFromBeingMet) {
  const std::string series = "fairlead_disruption_budget_keeps_guarantees{";
  EXPECT_THAT(TextOf("a"), HasSubstr(series + "namespace=\"t\",budget=\"mine\"} 1\n"));
  EXPECT_THAT(TextOf("b"), Not(HasSubstr(series))) << "b is guaranteed nothing";
  EXPECT_THAT(TextOf("a",
                     "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, "
                     "disruptionBudgets: {onBorrowedRoom: Yield}}"),
              Not(HasSubstr(series)));
}

TEST(MetricsText, SaysWhatTheClusterHasAndWhatItsQueuesHave) {
  const std::string text = TextOf("a", R"(
{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: top}, spec: {limit: {cpu: 7}}}
---
{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: leaf}, spec: {parent: top}}
---
apiVersion: v1
kind: Pod
metadata: {name: waits, namespace: t, labels: {fairlead.dev/queue: leaf}}
spec:
  schedulerName: fairlead
  containers: [{name: c, resources: {requests: {cpu: 500m}}}]
---
apiVersion: v1
kind: Node
metadata: {name: n2}
spec: {unschedulable: true}
status: {allocatable: {cpu: "64"}}
)");
  // Two of n1's two cores are taken; n2 takes nobody.
  for (const char* line :
       {"fairlead_cluster_nodes{state=\"ready\"} 1", "fairlead_cluster_nodes{state=\"other\"} 1",
        "fairlead_cluster_allocatable{resource=\"cpu\"} 2",
        "fairlead_cluster_allocated{resource=\"cpu\"} 2",
        // p and waits, which top has as well as leaf.
        "fairlead_cluster_workloads{state=\"pending\"} 2",
        "fairlead_cluster_workloads{state=\"running\"} 2",
        "fairlead_queue_pending_workloads{queue=\"top\"} 1",
        "fairlead_queue_pending_workloads{queue=\"leaf\"} 1",
        "fairlead_queue_limit{queue=\"top\",resource=\"cpu\"} 7",
        "fairlead_queue_requested{queue=\"leaf\",resource=\"cpu\"} 0.5",
        "fairlead_queue_allocated{queue=\"b\",resource=\"cpu\"} 2"}) {
    EXPECT_THAT(text, HasSubstr(std::string(line) + "\n"));
  }
}

}  // namespace
}  // namespace fairlead::show
