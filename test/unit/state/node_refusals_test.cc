// When a shape avoids a node, as Cluster is told of failed pods and of what happens on the node.

#include "state/node_refusals.h"

#include <map>
#include <string>

#include <gmock/gmock.h>

#include "state/cluster.h"
#include "unit/base/at.h"

namespace fairlead::state {
namespace {

constexpr std::int64_t kMinute = 60;

class NodeRefusalsTest : public testing::Test {
 protected:
  NodeRefusalsTest() {
    Node(4000);
    cluster_.Apply(Pod("other", PodState::kBound, 2000));
  }

  void Node(std::int64_t cpu) {
    cluster_.Apply(NodeChange{.name = "n", .allocatable = {{"cpu", cpu}}});
  }
  PodChange Pod(const std::string& name, PodState pod_state, std::int64_t cpu = 1000) {
    PodChange change{.name = name, .uid = Uid(name), .state = pod_state};
    NeedsPtr& needs = needs_[cpu];
    if (needs == nullptr) {
      auto fresh = std::make_shared<objects::PodNeeds>();
      fresh->request = {{"cpu", cpu}};
      needs = std::move(fresh);
    }
    change.needs = needs;
    change.solo.emplace().queue = "q";
    if (pod_state != PodState::kPending) change.node = "n";
    return change;
  }
  void Refuse(const std::string& name, std::int64_t at) {
    PodChange change = Pod(name, PodState::kFinished);
    change.refusal = KubeletRefusal{.needs = change.needs, .at = At(at), .message = name};
    cluster_.Apply(change);
  }
  void Delete(const std::string& name) {
    cluster_.Apply(Removal{.kind = RowKind::kPod, .name = name});
  }

  // No volume could be had for it there.
  void RefuseVolume(const std::string& name, std::int64_t at) {
    cluster_.Apply(BindFailed{
        .pod = name, .refusal = BindFailed::Refusal{.node = "n", .at = At(at), .message = "none"}});
  }

  // Until when, in minutes; 0: it does not avoid the node.
  std::int64_t AvoidsUntil(std::int64_t cpu = 1000,
                           NodeRefusals::By by = NodeRefusals::By::kKubelet) {
    cluster_.Apply(Pod("asker", PodState::kPending, cpu));
    const ShapeId shape = cluster_.pods()[cluster_.pods().Find("asker")].shape;
    const auto* found = cluster_.refusals().Find({shape, cluster_.nodes().Find("n"), by});
    return found == nullptr ? 0 : (found->Until() - At(0)).us / Duration::Seconds(kMinute).us;
  }

  std::int64_t HasNoVolumeUntil(std::int64_t cpu = 1000) {
    return AvoidsUntil(cpu, NodeRefusals::By::kProvisioner);
  }

  Cluster cluster_;
  std::map<std::int64_t, NeedsPtr> needs_;
};

// Times in objects are whole seconds.
TEST_F(NodeRefusalsTest, AlsoWhereTheNodeChangedWithinTheSameSecond) {
  Refuse("p", 0);
  Node(5000);
  EXPECT_EQ(AvoidsUntil(), 0);
  Refuse("q", 0);
  EXPECT_EQ(AvoidsUntil(), 10);
}

TEST_F(NodeRefusalsTest, TwiceAsLongEachTimeAndAnHourAtMost) {
  std::string pod = "p";
  for (const std::int64_t minutes : {5, 10, 20, 40, 60, 60, 60}) {
    Refuse(pod += 'p', 0);
    EXPECT_EQ(AvoidsUntil(), minutes);
  }
  EXPECT_EQ(AvoidsUntil(500), 0);  // who asks something else
}

TEST_F(NodeRefusalsTest, IsOverInTime) {
  Refuse("p", kMinute);
  EXPECT_EQ(cluster_.refusals().NextEnd(), At(6 * kMinute));
  cluster_.PassTo(At(6 * kMinute - 1));
  EXPECT_EQ(AvoidsUntil(), 6);
  cluster_.PassTo(At(6 * kMinute));
  EXPECT_EQ(AvoidsUntil(), 0);
  EXPECT_EQ(cluster_.refusals().NextEnd(), std::nullopt);
  Refuse("p", kMinute);  // told again
  EXPECT_EQ(AvoidsUntil(), 0);
  Refuse("p2", 7 * kMinute);
  EXPECT_EQ(AvoidsUntil(), 17);
}

TEST_F(NodeRefusalsTest, IsOverWhenTheNodeChanges) {
  Refuse("p", 0);
  Node(4000);
  EXPECT_EQ(AvoidsUntil(), 5);  // it is as it was
  Node(8000);
  EXPECT_EQ(AvoidsUntil(), 0);
}

TEST_F(NodeRefusalsTest, IsOverWhenSomebodyLeavesTheNode) {
  Refuse("p", 0);
  cluster_.Apply(Pod("newcomer", PodState::kBound, 500));
  EXPECT_EQ(AvoidsUntil(), 5);
  Delete("other");
  EXPECT_EQ(AvoidsUntil(), 0);
}

// Those who were refused never ran: that the room which they were given is free again is no news.
TEST_F(NodeRefusalsTest, IsNotOverByWhoIsRefused) {
  Refuse("p1", 0);
  cluster_.Apply(Pod("p2", PodState::kBound));
  Refuse("p2", kMinute);
  EXPECT_EQ(AvoidsUntil(), 11);
}

TEST_F(NodeRefusalsTest, IsForgottenWithThePods) {
  Refuse("p1", 0);
  Refuse("p2", kMinute);
  Delete("p2");
  EXPECT_EQ(AvoidsUntil(), 5);
  cluster_.Apply(Pod("p1", PodState::kPending));  // another of its name
  EXPECT_EQ(AvoidsUntil(), 0);
  EXPECT_TRUE(cluster_.refusals().empty());
}

// Whom no volume could be made for lives on, and is told of again and again.
TEST_F(NodeRefusalsTest, OfVolumesCountEachTime) {
  cluster_.Apply(Pod("p", PodState::kPending));
  for (const std::int64_t minutes : {5, 10, 20, 40, 60, 60}) {
    RefuseVolume("p", 0);
    EXPECT_EQ(HasNoVolumeUntil(), minutes);
    EXPECT_EQ(AvoidsUntil(), 0) << "its kubelet did not refuse it";
  }
  EXPECT_EQ(HasNoVolumeUntil(500), 0);
  cluster_.Apply(Pod("p", PodState::kPending));
  EXPECT_EQ(HasNoVolumeUntil(), 60) << "it is shown anew";
  cluster_.PassTo(At(60 * kMinute));
  EXPECT_EQ(HasNoVolumeUntil(), 0);
  RefuseVolume("p", 70 * kMinute);
  EXPECT_EQ(HasNoVolumeUntil(), 130);
  Delete("p");
  EXPECT_EQ(HasNoVolumeUntil(), 0);
  EXPECT_TRUE(cluster_.refusals().empty());
}

TEST_F(NodeRefusalsTest, OfVolumesAreOverWhenTheNodeChanges) {
  cluster_.Apply(Pod("p", PodState::kPending));
  RefuseVolume("p", 0);
  EXPECT_EQ(cluster_.refusals().NextEnd(), At(5 * kMinute));
  Node(8000);
  EXPECT_EQ(HasNoVolumeUntil(), 0);
}

}  // namespace
}  // namespace fairlead::state
