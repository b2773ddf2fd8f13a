#include <gmock/gmock.h>

#include "objects/job_rows.h"
#include "unit/virtual/run.h"

// A kind of job that nobody knows but its row: what a new kind needs is that, and nothing else.

namespace fairlead::virtual_cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

[[maybe_unused]] const objects::JobRow& training_row = objects::AddJobRow(
    {.group = "made-up.example.com",
     .versions = {"v1"},
     .kind = "TrainingRun",
     .plural = "trainingruns",
     .suspend = "spec.paused",
     .priority_class = {"spec.class"},
     .finished = {.conditions = {"Done", "Broken"}, .succeeded = {"Done"}},
     .pod_labels = {.job = "made-up.example.com/run", .pod_set = "made-up.example.com/part"},
     .pod_sets = {{.name = "server",
                   .count = {objects::CountFactor::At("spec.server.copies")},
                   .only_count = 1,
                   .pod_template = {"spec.server.template"}},
                  {.name = "trainer",
                   .count = {objects::CountFactor::At("spec.training.nodes.number")},
                   .pod_template = {"spec.training.nodes.pod"},
                   .min = "spec.training.fewest",
                   .count_writable = true,
                   .index_label = "made-up.example.com/index"}}});

std::string Training(int trainers, std::string_view status = "") {
  std::string text =
      "{apiVersion: made-up.example.com/v1, kind: TrainingRun, metadata: {name: t, namespace: a, "
      "labels: {fairlead.dev/queue: q}}, spec: {paused: true, server: {copies: 1, template: ";
  text.append(Template("1", "fairlead.dev/run-duration: 10s")).append("}, training: {fewest: 2, ");
  text.append("nodes: {number: ").append(std::to_string(trainers)).append(", pod: ");
  text.append(Template("1", "fairlead.dev/run-duration: 20s")).append("}}}");
  return text.append(status) + "}\n---\n";
}

// "paused 1+6": its pods by pod set.
std::string TrainingOf(const Simulated& run) {
  const auto& job = std::get<objects::JobObject>(*run.cluster.Find("TrainingRun", "a", "t"));
  return (job.complete() ? "complete "
          : job.suspend  ? "paused "
                         : "running ") +
         std::to_string(job.pod_sets[0].count()) + "+" + std::to_string(job.pod_sets[1].count());
}

TEST(MadeUpJob, StartsWithFewerAndEndsWithAllOfThem) {
  Simulated run(Queue("q", "guaranteed: {cpu: 1}") + Node("n1", "cpu: 4") + Training(6));
  run.Until(5);
  EXPECT_EQ(TrainingOf(run), "running 1+3");
  EXPECT_THAT(run.Pods(), ElementsAre("a/t-server Running n1", "a/t-trainer-0 Running n1",
                                      "a/t-trainer-1 Running n1", "a/t-trainer-2 Running n1"));
  const auto& pod = std::get<objects::Pod>(*run.cluster.Find("Pod", "a", "t-trainer-1"));
  EXPECT_EQ(pod.meta.labels, (objects::Labels{{"made-up.example.com/index", "1"},
                                              {"made-up.example.com/part", "trainer"},
                                              {"made-up.example.com/run", "t"}}));
  EXPECT_EQ(pod.meta.owners.at(0).api_version, "made-up.example.com/v1");
  EXPECT_THAT(run.Workloads(), ElementsAre("a/t Running server 1/1 trainer 3/3"));
  run.Until(15);
  EXPECT_EQ(TrainingOf(run), "running 1+3");  // its server alone does not end it
  EXPECT_THAT(run.ToIdle(), testing::Contains("20s Complete TrainingRun a/t"));
  EXPECT_EQ(TrainingOf(run), "complete 1+3");
  EXPECT_THAT(run.Workloads(), ElementsAre(HasSubstr("a/t Finished")));
}

TEST(MadeUpJob, IsStoppedAndGetsBackWhatItAsked) {
  Simulated run(Queue("q", "guaranteed: {cpu: 1}") + Queue("r", "guaranteed: {cpu: 3}") +
                Node("n1", "cpu: 4") + Training(6));
  run.Until(5);
  EXPECT_EQ(TrainingOf(run), "running 1+3");
  std::string others;
  for (const char* name : {"x", "y", "z"}) {
    others += Pod(name, "1",
                  "labels: {fairlead.dev/queue: r}, annotations: {"
                  "fairlead.dev/run-duration: 30s}");
  }
  run.Submit(others);
  run.Until(10);
  EXPECT_EQ(TrainingOf(run), "paused 1+6");
  EXPECT_THAT(run.Pods(), ElementsAre("a/x Running n1", "a/y Running n1", "a/z Running n1"));
  run.Submit(Node("n2", "cpu: 7"));
  run.Until(20);
  EXPECT_EQ(TrainingOf(run), "running 1+6");
  run.ToIdle();
  EXPECT_EQ(TrainingOf(run), "complete 1+6");
}

TEST(MadeUpJob, SaysWhatIsWrongByItsOwnFields) {
  objects::Manifest manifest;
  objects::ReadText(
      "{apiVersion: made-up.example.com/v1, kind: TrainingRun, metadata: {name: t}, "
      "spec: {paused: maybe, server: {template: {}}, training: {fewest: none, nodes: {pod: {}}}}}",
      "in.yaml", objects::CoreDecoders(), manifest);
  std::vector<std::string> faults;
  for (const objects::Fault& fault : manifest.faults) faults.push_back(fault.field);
  EXPECT_THAT(faults, ElementsAre("spec.paused", "spec.training.fewest"));
  manifest = {};
  objects::ReadText(Training(1, ", status: {conditions: [{type: Done, status: 'True'}]}"),
                    "in.yaml", objects::CoreDecoders(), manifest);
  ASSERT_EQ(manifest.objects.size(), 1U);
  EXPECT_TRUE(std::get<objects::JobObject>(manifest.objects[0]).complete());
}

}  // namespace
}  // namespace fairlead::virtual_cluster
