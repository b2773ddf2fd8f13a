#include "trace/openb.h"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "account/fold.h"
#include "account/metrics.h"
#include "intake/intake.h"
#include "virtual/cluster.h"

namespace fairlead::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kHeader =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n";

objects::Manifest Pods(std::string_view rows, std::string_view header = kHeader) {
  objects::Manifest manifest;
  ReadOpenbPods(std::string(header).append(rows), "pods.csv", manifest);
  return manifest;
}

const objects::Pod& PodAt(const objects::Manifest& manifest, std::size_t i) {
  return std::get<objects::Pod>(manifest.objects.at(i));
}

std::string Annotation(const objects::Pod& pod, std::string_view key) {
  const std::string* value = objects::FindLabel(pod.meta.annotations, key);
  return value == nullptr ? "none" : *value;
}

TEST(Openb, ReadsNodes) {
  objects::Manifest manifest;
  ReadOpenbNodes("sn,cpu_milli,memory_mib,gpu,model\nn0,32000,1024,0,\nn1,64000,2048,2,P100\n",
                 "nodes.csv", manifest);
  EXPECT_THAT(manifest.faults, IsEmpty());
  ASSERT_THAT(manifest.objects, SizeIs(2));
  const auto& plain = std::get<objects::Node>(manifest.objects[0]);
  EXPECT_EQ(objects::AmountOf(plain.allocatable, "cpu"), 32'000);
  EXPECT_EQ(objects::AmountOf(plain.allocatable, "memory"), std::int64_t{1} << 30);
  EXPECT_EQ(objects::AmountOf(plain.allocatable, "nvidia.com/gpu"), 0);
  EXPECT_EQ(objects::FindLabel(plain.meta.labels, "gpu.nvidia.com/model"), nullptr);
  const auto& gpus = std::get<objects::Node>(manifest.objects[1]);
  EXPECT_EQ(objects::AmountOf(gpus.allocatable, "nvidia.com/gpu"), 2'000);
  EXPECT_EQ(*objects::FindLabel(gpus.meta.labels, "gpu.nvidia.com/model"), "P100");
}

TEST(Openb, ReadsWhatPodsAsk) {
  const objects::Manifest manifest = Pods(
      "cpu,4000,8192,0,0,,LS,Running,0,10,0\n"
      "part,1000,1024,1,460,,BE,Failed,0,10,0\n"
      "whole,1000,1024,1,1000,T4|P100,LS,Running,0,10,0\n"
      "eight,0,0,8,1000,,LS,Running,0,10,0\r\n");
  EXPECT_THAT(manifest.faults, IsEmpty());
  ASSERT_THAT(manifest.objects, SizeIs(4));
  const objects::PodNeeds& cpu = PodAt(manifest, 0).spec.needs;
  EXPECT_EQ(cpu.request,
            (objects::ResourceList{{"cpu", 4'000}, {"memory", std::int64_t{8} << 30}}));
  EXPECT_EQ(cpu.gpu_milli, 0);
  const objects::PodNeeds& part = PodAt(manifest, 1).spec.needs;
  EXPECT_EQ(part.gpu_milli, 460);
  EXPECT_EQ(objects::AmountOf(part.request, "nvidia.com/gpu"), 0);
  const objects::PodNeeds& whole = PodAt(manifest, 2).spec.needs;
  EXPECT_EQ(whole.gpu_milli, 0);
  EXPECT_EQ(objects::AmountOf(whole.request, "nvidia.com/gpu"), 1'000);
  ASSERT_TRUE(whole.has_required_terms);
  ASSERT_THAT(whole.required_terms, SizeIs(1));
  EXPECT_THAT(whole.required_terms[0].labels[0].values, ElementsAre("T4", "P100"));
  EXPECT_EQ(PodAt(manifest, 3).spec.needs.request,
            (objects::ResourceList{{"nvidia.com/gpu", 8'000}}));
}

TEST(Openb, ReadsTimes) {
  const objects::Manifest manifest = Pods(
      "ran,1,1,0,0,,LS,Running,100,1000,400\n"  // queued 300 s as published, ran 600 s
      "never,1,1,0,0,,LS,Running,100,1000,\n"   // was not scheduled as published
      "endless,1,1,0,0,,LS,Running,100,,100\n");
  ASSERT_THAT(manifest.objects, SizeIs(3));
  EXPECT_EQ(Annotation(PodAt(manifest, 0), "fairlead.dev/arrives-at"), "100s");
  EXPECT_EQ(Annotation(PodAt(manifest, 0), "fairlead.dev/run-duration"), "600s");
  EXPECT_EQ(Annotation(PodAt(manifest, 1), "fairlead.dev/run-duration"), "900s");
  EXPECT_EQ(Annotation(PodAt(manifest, 2), "fairlead.dev/run-duration"), "none");
  const objects::Manifest timeless =
      Pods("a,1,1,0,0\nb,1,1,0,0\n", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n");
  ASSERT_THAT(timeless.objects, SizeIs(2));
  EXPECT_EQ(Annotation(PodAt(timeless, 0), "fairlead.dev/arrives-at"), "0s");
  EXPECT_EQ(Annotation(PodAt(timeless, 1), "fairlead.dev/arrives-at"), "1s");
  EXPECT_EQ(Annotation(PodAt(timeless, 1), "fairlead.dev/run-duration"), "none");
}

struct BadRow {
  std::string_view row, fault;
};

TEST(Openb, SaysWhereARowIsWrong) {
  const BadRow rows[] = {
      {"p,x,1,0,0,,LS,R,0,1,0",
       "pods.csv:2: cpu_milli: found \"x\", expected a whole number "
       "0..1000000000"},
      {"p,-1,1,0,0,,LS,R,0,1,0",
       "pods.csv:2: cpu_milli: found \"-1\", expected a whole number "
       "0..1000000000"},
      {"p,1,,0,0,,LS,R,0,1,0",
       "pods.csv:2: memory_mib: found \"\", expected a whole number "
       "0..1000000000"},
      {"p,1,1,1,0,,LS,R,0,1,0",
       "pods.csv:2: gpu_milli: found \"0\", expected a whole number "
       "1..1000"},
      {"p,1,1,2,500,,LS,R,0,1,0",
       "pods.csv:2: gpu_milli: is a part of a GPU, expected 1000 where "
       "num_gpu is above 1"},
      {"p,1,1,1,1000,|T4,LS,R,0,1,0",
       "pods.csv:2: gpu_spec: found \"|T4\", expected models "
       "separated by |"},
      {"p,1,1,1,1000,T4|,LS,R,0,1,0",
       "pods.csv:2: gpu_spec: found \"T4|\", expected models "
       "separated by |"},
      {"p,1,1,0,0,,LS,R,10,5,",
       "pods.csv:2: deletion_time: is before the pod begins, expected at "
       "least 10"},
      {"p,1,1,0,0,,LS,R,,5,",
       "pods.csv:2: creation_time: found \"\", expected a whole number "
       "0..100000000000"},
      {"p,1,1,0,0", "pods.csv:2: has 5 fields, expected 11 as in the header"},
      {",1,1,0,0,,LS,R,0,1,0", "pods.csv:2: name: is empty, expected a name"},
  };
  for (const BadRow& bad : rows) {
    const objects::Manifest manifest = Pods(bad.row);
    EXPECT_THAT(manifest.objects, IsEmpty()) << bad.row;
    ASSERT_THAT(manifest.faults, SizeIs(1)) << bad.row;
    EXPECT_EQ(manifest.faults[0].ToString(), bad.fault);
  }
}

TEST(Openb, SaysWhichColumnIsMissing) {
  const objects::Manifest manifest = Pods("p,1,1,0\n", "name,cpu_milli,memory_mib,num_gpu\n");
  ASSERT_THAT(manifest.faults, SizeIs(1));
  EXPECT_EQ(manifest.faults[0].ToString(),
            "pods.csv:1: column \"gpu_milli\" is missing in the header");
  EXPECT_THAT(Pods("", "").faults, SizeIs(1));
}

TEST(Openb, RefusesTwins) {
  const objects::Manifest manifest = Pods("p,1,1,0,0,,LS,R,0,1,0\np,1,1,0,0,,LS,R,0,1,0\n");
  ASSERT_THAT(manifest.faults, SizeIs(1));
  EXPECT_EQ(manifest.faults[0].ToString(),
            "pods.csv:3: name: \"p\" is there twice, expected unique names");
}

TEST(Openb, DoesNotDrownItsReader) {
  std::string rows;
  for (int i = 0; i < 500; ++i) rows += "nonsense\n";
  EXPECT_THAT(Pods(rows).faults, SizeIs(100));
}

TEST(Openb, SaysWhatCannotBeRead) {
  objects::Manifest manifest;
  ReadOpenbFiles("/no/such/file", "/", manifest);
  ASSERT_THAT(manifest.faults, SizeIs(2));
  EXPECT_EQ(manifest.faults[0].ToString(), "/no/such/file: cannot be read");
}

// The published trace, where it lies beside the checkout.
std::filesystem::path DataDirectory() {
  if (const char* given = std::getenv("FAIRLEAD_DATA")) return given;
  return std::filesystem::path(__FILE__).parent_path() / "../../../../shared/data";
}

TEST(Openb, RunsWhole) {
  const std::filesystem::path openb = DataDirectory() / "openb";
  if (!std::filesystem::exists(openb)) {
    GTEST_SKIP() << "no trace at " << openb << "; FAIRLEAD_DATA names the folder that has it";
  }
  const auto run = [&openb] {
    objects::Manifest manifest;
    ReadOpenbFiles(openb / "openb_node_list_all_node.csv", openb / "openb_pod_list_default.csv",
                   manifest);
    EXPECT_THAT(manifest.faults, IsEmpty());
    EXPECT_THAT(manifest.objects, SizeIs(1'523 + 8'152));
    const Time start = intake::NewestTime(manifest.objects);
    virtual_cluster::VirtualCluster cluster({.start = start});
    account::Fold fold;
    account::Metrics metrics(fold, start);
    cluster.AddObserver(&fold);
    EXPECT_TRUE(cluster.Submit(std::move(manifest.objects)));
    EXPECT_TRUE(cluster.RunToIdle());
    return std::pair(metrics.Report(cluster.Now()), cluster.EventDigest());
  };
  const auto [report, digest] = run();
  EXPECT_EQ(report.pods, 8'152);
  EXPECT_EQ(report.bound, 8'152);
  EXPECT_EQ(report.finished, 8'152);
  EXPECT_EQ(report.pending, 0);
  EXPECT_EQ(report.waiting.count, 8'152);
  EXPECT_EQ(run().second, digest);
}

}  // namespace
}  // namespace fairlead::trace
