#include "engine/round/blocked_groups.h"

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>

namespace fairlead::engine {
namespace {

using state::QueueId;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Groups of 1, 4, 8 and 8 GPUs that wait, and a right that leaves their queue so many.
class BlockedGroupsTest : public testing::Test {
 protected:
  BlockedGroupsTest() {
    for (const std::int64_t gpus : {1, 4, 8, 8}) {
      Group& group = groups_.emplace_back();
      group.queue = QueueId(0U);
      group.wait = Group::Wait::kRoom;
      group.request = {{state::kGpuWhole, gpus}};
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) blocked_.Add(GroupId(i));
  }

  std::vector<GroupId> Ask() {
    std::vector<GroupId> asks = blocked_.TakeAsking(
        {.anyhow = [this](QueueId, std::int32_t highest) { return highest >= anyhow_from_; },
         .left =
             [this](QueueId, std::vector<std::int64_t>& into) {
               into.assign(state::kGpuWhole.value() + std::size_t{1}, left_);
             },
         .by_right = [](QueueId) { return true; },
         .may = [this](GroupId g) { return groups_[g.value()].request[0].amount <= left_; }});
    for (const GroupId g : asks) groups_[g.value()].wait = Group::Wait::kReady;
    for (const GroupId g : asks) blocked_.Changed(g);
    return asks;
  }
  // They were tried in vain.
  void BlockAgain(const std::vector<GroupId>& asked) {
    for (const GroupId g : asked) {
      groups_[g.value()].wait = Group::Wait::kRoom;
      blocked_.Changed(g);
      blocked_.Add(g);
    }
  }
  std::vector<std::uint32_t> Aside() const {
    std::vector<std::uint32_t> aside;
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
      if (blocked_.StandsAside(GroupId(i))) aside.push_back(i);
    }
    return aside;
  }

  BlockedGroups::Groups groups_;
  BlockedGroups blocked_{groups_};
  std::int64_t left_ = 4;
  std::int32_t anyhow_from_ = 1;
};

TEST_F(BlockedGroupsTest, WhoAsksMoreThanARightLeavesStandsAside) {
  EXPECT_THAT(Ask(), ElementsAre(GroupId(0U), GroupId(1U)));
  EXPECT_THAT(Aside(), ElementsAre(2, 3));
  BlockAgain({GroupId(0U), GroupId(1U)});
  left_ = 1;
  BlockAgain(Ask());
  EXPECT_THAT(Aside(), ElementsAre(1, 2, 3));
  left_ = 7;
  BlockAgain(Ask());
  EXPECT_THAT(Aside(), ElementsAre(2, 3));
  left_ = 8;
  EXPECT_THAT(Ask(), UnorderedElementsAre(GroupId(0U), GroupId(1U), GroupId(2U), GroupId(3U)));
  EXPECT_TRUE(blocked_.any());
  EXPECT_THAT(Aside(), IsEmpty());
  EXPECT_THAT(Ask(), IsEmpty());
  EXPECT_FALSE(blocked_.any());
}

TEST_F(BlockedGroupsTest, WhoMayAskByAnotherReasonIsLookedAt) {
  left_ = 1;
  Ask();
  EXPECT_THAT(Aside(), ElementsAre(1, 2, 3));
  anyhow_from_ = 0;
  EXPECT_THAT(Ask(), IsEmpty());
  EXPECT_THAT(Aside(), IsEmpty());
}

TEST_F(BlockedGroupsTest, WhoAsksAnotherAmountOrQueueIsLookedAtAgain) {
  left_ = 1;
  Ask();
  groups_[2].request[0].amount = 1;
  blocked_.Changed(GroupId(2U));
  groups_[3].queue = QueueId(1U);
  blocked_.Changed(GroupId(3U));
  groups_[1].wait = Group::Wait::kNothing;  // it is over
  blocked_.Changed(GroupId(1U));
  EXPECT_THAT(Ask(), ElementsAre(GroupId(2U)));
  left_ = 8;
  EXPECT_THAT(Ask(), ElementsAre(GroupId(3U)));
}

TEST_F(BlockedGroupsTest, WhoMovedToAnotherQueueWhileListedIsFoundThere) {
  groups_[2].queue = QueueId(1U);
  blocked_.Changed(GroupId(2U));
  left_ = 8;
  EXPECT_THAT(Ask(), UnorderedElementsAre(GroupId(0U), GroupId(1U), GroupId(2U), GroupId(3U)));
}

TEST_F(BlockedGroupsTest, WhoMayStartWithFewerPodsDoesNotStandAside) {
  groups_[3].wait = Group::Wait::kEither;
  left_ = 1;
  Ask();
  EXPECT_THAT(Aside(), ElementsAre(1, 2));
}

}  // namespace
}  // namespace fairlead::engine
