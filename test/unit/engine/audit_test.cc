// The audit finds what is wrong, whole and piece by piece. What is wrong is what a broken sum would
// leave behind: it is written into the tables past those who keep them.

#include "engine/audit/audit.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "engine/audit/sums_audit.h"
#include "state/cluster.h"

namespace fairlead::engine {
namespace {

using state::PodChange;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kAuditedNodes = 20;

// Two queues below one with a limit; on every node a pod of one core that runs, and as many wait.
class AuditTest : public testing::Test {
 protected:
  AuditTest() {
    cluster_.Apply(state::QueueChange{.name = "above", .limit = {{"cpu", 50'000}}});
    for (const char* name : {"a", "b"}) {
      cluster_.Apply(state::QueueChange{.name = name, .parent = "above"});
    }
    objects::PodNeeds needs;
    needs.request = {{"cpu", 1'000}};
    needs_ = std::make_shared<const objects::PodNeeds>(needs);
    for (int i = 0; i < kAuditedNodes; ++i) {
      const std::string n = "n" + std::to_string(i);
      cluster_.Apply(state::NodeChange{.name = n, .allocatable = {{"cpu", 4'000}, {"pods", 110}}});
      AddPod("runs/" + n, n, "a");
      AddPod("waits/" + n, "", "b");
    }
    cluster_.SetPlaceable(ShapeOf("runs/n0"), true);
    cluster_.Settle();
  }

  state::ShapeId ShapeOf(const std::string& pod) {
    return cluster_.pods()[cluster_.pods().Find(pod)].shape;
  }
  void AddPod(const std::string& name, const std::string& node, const std::string& queue) {
    PodChange pod{.name = name, .uid = Uid(name), .needs = needs_, .node = node};
    if (!node.empty()) pod.state = state::PodState::kBound;
    pod.solo = state::WorkloadTraits{.queue = queue};
    cluster_.Apply(pod);
  }

  state::Pod& Corrupt(const std::string& pod) {
    auto& pods = const_cast<state::PodTable&>(cluster_.pods());
    return pods[pods.Find(pod)];
  }
  const state::Amounts& OneCore() { return cluster_.shapes()[ShapeOf("runs/n0")].request; }

  // What the walks of one tour find.
  std::vector<std::string> Tour(std::int64_t rows, bool changes) {
    SumsAudit audit(cluster_);
    std::vector<std::string> faults;
    walks_ = 1;
    while (!audit.Walk(rows, faults)) {
      ++walks_;
      if (changes) audit.NoteChange();
    }
    return faults;
  }

  state::Cluster cluster_;
  state::NeedsPtr needs_;
  int walks_ = 0;
};

TEST_F(AuditTest, NothingIsWrong) {
  EXPECT_THAT(Audit(cluster_), IsEmpty());
  EXPECT_THAT(Tour(7, /*changes=*/false), IsEmpty());
  EXPECT_GT(walks_, 5);
  EXPECT_THAT(Tour(7, /*changes=*/true), IsEmpty());
}

TEST_F(AuditTest, ThePartsFindWhatTheWholeFinds) {
  const std::vector<std::function<void()>> broken = {
      [&] { Corrupt("runs/n3").shape = Corrupt("waits/n3").shape = state::ShapeId(1U); },
      [&] { cluster_.queues().AddRequested(cluster_.queues().Find("b"), OneCore(), 1); },
      [&] { cluster_.queues().AddTurnover(cluster_.queues().Find("above"), OneCore(), 1, true); },
      [&] { cluster_.queues().AddCapacity(OneCore()[0].resource, 1); },
      [&] { Corrupt("waits/n5").gated = true; },
      [&] { Corrupt("runs/n19").node = Corrupt("runs/n18").node; },
  };
  PodChange other{.name = "x/other", .uid = Uid("x")};
  objects::PodNeeds needs;
  needs.request = {{"cpu", 2'000}};
  other.needs = std::make_shared<const objects::PodNeeds>(needs);
  other.solo = state::WorkloadTraits{.queue = "b"};
  cluster_.Apply(other);
  ASSERT_THAT(Audit(cluster_), IsEmpty());
  std::vector<std::string> found;
  for (const auto& damage : broken) {
    damage();
    const std::vector<std::string> whole = Audit(cluster_);
    EXPECT_NE(whole, found);
    found = whole;
    EXPECT_EQ(Tour(7, /*changes=*/false), whole);
    EXPECT_EQ(Tour(1'000, /*changes=*/true), whole) << "all in one walk";
  }
}

TEST_F(AuditTest, AQueueIsJudgedWhereItsSumWentWrong) {
  cluster_.queues().AddTurnover(cluster_.queues().Find("above"), OneCore(), 3, true);
  EXPECT_THAT(Audit(cluster_),
              ElementsAre(HasSubstr("queue above: cpu in use is 23000, its pods and children say "
                                    "20000"),
                          HasSubstr("queue above: pods in use is 23")));
}

// A queue that is not done when something changes is left for the next tour; nodes are not.
TEST_F(AuditTest, ChangesHideNoNode) {
  Corrupt("runs/n19").node = Corrupt("runs/n18").node;
  EXPECT_THAT(Tour(7, /*changes=*/true), ElementsAre("pod runs/n19 is listed on n19"));
  cluster_.queues().AddRequested(cluster_.queues().Find("b"), OneCore(), 1);
  EXPECT_THAT(Tour(7, /*changes=*/true), ElementsAre("pod runs/n19 is listed on n19"));
  EXPECT_THAT(Tour(50, /*changes=*/true), testing::Contains(HasSubstr("queue b: requested cpu")));
}

TEST_F(AuditTest, WhatIsGivenAwayTwiceIsFound) {
  cluster_.Place(cluster_.pods().Find("waits/n0"), cluster_.nodes().Find("n1"));
  ASSERT_THAT(Audit(cluster_), IsEmpty());
  cluster_.Apply(state::Removal{.kind = state::RowKind::kPod, .name = "runs/n1"});
  cluster_.Settle();
  cluster_.Apply(state::NodeChange{.name = "n1", .allocatable = {{"cpu", 500}, {"pods", 110}}});
  cluster_.Settle();
  EXPECT_THAT(Audit(cluster_), ElementsAre("node n1 is over its allocatable cpu"));
  EXPECT_THAT(Tour(7, /*changes=*/false), IsEmpty()) << "a node may shrink below what it was given";
}

}  // namespace
}  // namespace fairlead::engine
