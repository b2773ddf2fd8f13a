#include "trace/arrivals.h"

#include <set>

#include <gmock/gmock.h>

#include "trace/run.h"

namespace fairlead::trace {
namespace {

using objects::Object;
using testing::ElementsAre;
using testing::SizeIs;

objects::Node GpuNode(const std::string& name, std::int64_t gpus) {
  objects::Node node;
  node.meta.name = name;
  node.allocatable = {{"cpu", 64'000}};
  if (gpus > 0) node.allocatable.emplace_back("nvidia.com/gpu", gpus * 1000);
  node.allocatable.emplace_back("pods", 110);
  return node;
}

objects::Pod GpuPod(const std::string& name, std::int64_t cpu, std::int64_t gpus,
                    std::int32_t gpu_milli = 0) {
  objects::Pod pod;
  pod.meta.name = name;
  pod.meta.name_space = "t";
  pod.spec.scheduler_name = "fairlead";
  pod.spec.needs.request = {{"cpu", cpu}};
  if (gpus > 0) pod.spec.needs.request.emplace_back("nvidia.com/gpu", gpus * 1000);
  pod.spec.needs.gpu_milli = gpu_milli;
  return pod;
}

// 8 GPUs; the pods ask for 5.
std::vector<Object> SmallTrace() {
  return {GpuNode("a", 4),
          GpuNode("b", 4),
          GpuNode("plain", 0),
          GpuPod("p1", 1000, 1),
          GpuPod("p2", 2000, 2),
          GpuPod("p3", 1000, 0),
          GpuPod("p4", 1000, 0, 500),
          GpuPod("p5", 1000, 0, 500),
          GpuPod("p6", 1000, 1)};
}

std::vector<std::string> NamesOf(const std::vector<Object>& objects, bool pods) {
  std::vector<std::string> names;
  for (const Object& object : objects) {
    const bool is_pod = std::holds_alternative<objects::Pod>(object);
    if (is_pod == pods) names.push_back(objects::MetaOf(object).name);
  }
  return names;
}

std::int64_t GpuMilli(const std::vector<Object>& objects) {
  std::int64_t sum = 0;
  for (const Object& object : objects) {
    if (const auto* pod = std::get_if<objects::Pod>(&object)) {
      sum +=
          pod->spec.needs.gpu_milli + objects::AmountOf(pod->spec.needs.request, "nvidia.com/gpu");
    }
  }
  return sum;
}

TEST(Arrivals, DrawMoreUpToTheLoad) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto made = MakeArrivals({.load_percent = 200, .seed = seed}, SmallTrace());
    EXPECT_LE(GpuMilli(made), 16'000);
    EXPECT_GT(GpuMilli(made), 14'000);  // the next would have passed it: it asks at most 2
    const std::vector<std::string> pods = NamesOf(made, true);
    ASSERT_GT(pods.size(), 6u);
    // Each of the trace's first, in some order; then some again, under names of their own.
    EXPECT_EQ(std::set<std::string>(pods.begin(), pods.begin() + 6),
              (std::set<std::string>{"p1", "p2", "p3", "p4", "p5", "p6"}));
    EXPECT_EQ(std::set<std::string>(pods.begin(), pods.end()).size(), pods.size());
    EXPECT_THAT(NamesOf(made, false), SizeIs(2));  // no node without GPUs
  }
}

TEST(Arrivals, LeaveOutWhatIsTooMuch) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto made = MakeArrivals({.load_percent = 25, .seed = seed}, SmallTrace());
    EXPECT_LE(GpuMilli(made), 2'000);
    for (const std::string& name : NamesOf(made, true)) {
      EXPECT_EQ(name.size(), 2u);  // none is drawn again, none is left without a name
    }
  }
}

TEST(Arrivals, AreTheSameForASeedAndDifferForOthers) {
  const auto of = [](std::uint64_t seed) {
    const auto made = MakeArrivals({.load_percent = 150, .seed = seed}, SmallTrace());
    auto names = NamesOf(made, true);
    for (const std::string& node : NamesOf(made, false)) names.push_back(node);
    return names;
  };
  EXPECT_EQ(of(1), of(1));
  EXPECT_NE(of(1), of(2));
}

TEST(Arrivals, ComeASecondApartAndStay) {
  std::vector<Object> trace = SmallTrace();
  std::get<objects::Pod>(trace[3]).meta.annotations = {{"fairlead.dev/run-duration", "1s"}};
  const auto made = MakeArrivals({.load_percent = 62, .seed = 1}, std::move(trace));
  std::int64_t i = 0;
  for (const Object& object : made) {
    const auto* pod = std::get_if<objects::Pod>(&object);
    if (pod == nullptr) continue;
    EXPECT_THAT(pod->meta.annotations, ElementsAre(std::pair<std::string, std::string>(
                                           "fairlead.dev/arrives-at", std::to_string(++i) + "s")));
  }
}

// Kinds by count: two shares, then those that are there once, the one that asks more first, until
// 95 % are counted.
TEST(TypicalPods, AreTheMostFrequent) {
  const auto typical = TypicalPodsOf(SmallTrace());
  ASSERT_THAT(typical, SizeIs(4));  // 6 of 6: five would be 83 %
  EXPECT_EQ(typical[0].count, 2);
  EXPECT_EQ(typical[1].count, 2);
  EXPECT_EQ(typical[0].gpus, 1);  // p1 and p6: more of a device than p4 and p5
  EXPECT_EQ(typical[1].gpu_milli, 500);
  EXPECT_EQ(typical[2].gpus, 2);
  EXPECT_EQ(typical[3].gpus, 0);
  EXPECT_EQ(typical[3].gpu_milli, 0);
}

// 8 GPUs, three pods of 4: the third finds no room. Arrived 50, 100, 150 %; allocated 50, 100, 100.
TEST(AllocationCurve, TellsWhatIsAllocatedByWhatArrived) {
  RunOptions options;
  options.arrivals = Arrivals{.load_percent = 150, .seed = 1};
  const auto result = fairlead::trace::Run(
      {GpuNode("a", 4), GpuNode("b", 4), GpuPod("x", 1, 4), GpuPod("y", 1, 4), GpuPod("z", 1, 4)},
      options);
  ASSERT_TRUE(result);
  ASSERT_THAT(result->allocation, SizeIs(151));
  EXPECT_EQ(result->allocation[50], 5'000);
  EXPECT_EQ(result->allocation[100], 10'000);
  EXPECT_EQ(result->allocation[150], 10'000);
  EXPECT_EQ(result->allocation[75], -1);
  EXPECT_EQ(result->metrics.bound, 2);
  EXPECT_TRUE(result->idle);
}

TEST(Run, TakesAnotherConfiguration) {
  // Binpack fills node a, spread goes to the idle one: `wide` then finds no whole node.
  const std::vector<Object> trace = {GpuNode("a", 4), GpuNode("b", 4), GpuPod("p1", 1, 1),
                                     GpuPod("p2", 1, 1), GpuPod("wide", 1, 4)};
  RunOptions options;
  EXPECT_EQ(fairlead::trace::Run(trace, options)->metrics.bound, 3);
  options.configuration.emplace().gpu_placement = objects::NodeChoice::kSpread;
  EXPECT_EQ(fairlead::trace::Run(trace, options)->metrics.pending, 1);
}

}  // namespace
}  // namespace fairlead::trace
