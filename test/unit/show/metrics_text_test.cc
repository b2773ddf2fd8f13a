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

}  // namespace
}  // namespace fairlead::show
