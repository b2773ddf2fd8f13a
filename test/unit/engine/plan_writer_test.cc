#include "engine/plan/plan_writer.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace fairlead::engine {
namespace {

using state::NodeId;
using state::PodId;
using state::WorkloadId;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsNull;
using testing::NotNull;

constexpr WorkloadId kGang(7U);
constexpr NodeId kSomeNode(3U);

Decision BindOf(std::uint32_t pod) {
  return {.type = DecisionType::kBind, .pod = PodId(pod), .node = kSomeNode, .workload = kGang};
}

Decision EvictionOf(std::uint32_t pod) {
  return {.type = DecisionType::kEvict, .pod = PodId(pod), .workload = kGang};
}

// "bind 1", "nominate 2 waits 5 6", "nominate 2 no more", "admit 3 4"
std::vector<std::string> DecisionsIn(const Plan& plan, std::size_t sets = 1) {
  std::vector<std::string> told;
  for (const Decision& d : plan.decisions) {
    std::string line;
    if (d.type == DecisionType::kAdmit) {
      line = "admit";
      for (std::size_t i = 0; i < sets; ++i) {
        line += fmt::format(" {}", plan.counts[d.first_count + i]);
      }
    } else if (d.type == DecisionType::kNominate) {
      line = fmt::format("nominate {}{}", d.pod.value(), d.node.valid() ? " waits" : " no more");
      for (std::uint32_t i = 0; i < d.wait_count; ++i) {
        line += fmt::format(" {}", plan.waits[d.first_wait + i].value());
      }
    } else {
      line = fmt::format("{} {}", d.type == DecisionType::kBind ? "bind" : "evict", d.pod.value());
    }
    told.push_back(line);
  }
  return told;
}

class PlanWriterTest : public testing::Test {
 protected:
  PlanWriterTest() { writer_.Begin(Time{.us = 1}); }
  std::vector<std::string> Finished() { return DecisionsIn(writer_.Finish(std::nullopt)); }

  PlanWriter writer_;
};

TEST_F(PlanWriterTest, WhatStandsKeepsItsOrder) {
  for (std::uint32_t pod = 0; pod < 5; ++pod) writer_.Give(BindOf(pod));
  writer_.Give(EvictionOf(9));
  writer_.TakeBackBind(PodId(3U));
  writer_.TakeBackBind(PodId(0U));
  EXPECT_FALSE(writer_.Binds(PodId(3U)));
  EXPECT_TRUE(writer_.Binds(PodId(4U)));
  EXPECT_THAT(Finished(), ElementsAre("bind 1", "bind 2", "bind 4", "evict 9"));
}

TEST_F(PlanWriterTest, APodThatIsTakenBackMayBeBoundAgain) {
  writer_.Give(BindOf(1));
  writer_.TakeBackBind(PodId(1U));
  writer_.Give(BindOf(2));
  writer_.Give(BindOf(1));
  EXPECT_TRUE(writer_.Binds(PodId(1U)));
  EXPECT_THAT(Finished(), ElementsAre("bind 2", "bind 1"));
}

TEST_F(PlanWriterTest, KnowsNothingOfEarlierPlans) {
  writer_.Give(BindOf(1));
  writer_.Nominate(PodId(2U), kSomeNode, kGang, {});
  writer_.Admit(kGang, std::vector<std::int32_t>{4});
  EXPECT_EQ(writer_.Finish(Time{.us = 5}).next_round, Time{.us = 5});
  writer_.Begin(Time{.us = 2});
  writer_.Give(EvictionOf(1));
  EXPECT_FALSE(writer_.Binds(PodId(1U)));
  EXPECT_THAT(writer_.NominationOf(PodId(2U)), IsNull());
  EXPECT_FALSE(writer_.Admits(kGang));
  const Plan plan = writer_.Finish(std::nullopt);
  EXPECT_EQ(plan.now, Time{.us = 2});
  EXPECT_THAT(DecisionsIn(plan), ElementsAre("evict 1"));
}

// A promise that the cluster shows is given up, another one made, and that one taken back: the
// first is still given up.
TEST_F(PlanWriterTest, ThePromiseBeforeComesBackToLight) {
  const PodId p(2U);
  writer_.Give({.type = DecisionType::kNominate, .pod = p, .workload = kGang});
  writer_.Nominate(p, kSomeNode, kGang, std::vector<PodId>{PodId(5U), PodId(6U)});
  ASSERT_THAT(writer_.NominationOf(p), NotNull());
  EXPECT_EQ(writer_.NominationOf(p)->node, kSomeNode);
  writer_.TakeBackNomination(p);
  ASSERT_THAT(writer_.NominationOf(p), NotNull());
  EXPECT_FALSE(writer_.NominationOf(p)->node.valid());
  writer_.Nominate(p, kSomeNode, kGang, std::vector<PodId>{PodId(6U)});
  EXPECT_THAT(Finished(), ElementsAre("nominate 2 no more", "nominate 2 waits 6"));
}

TEST_F(PlanWriterTest, AWorkloadIsAdmittedOnceWithItsLastCounts) {
  writer_.Admit(kGang, std::vector<std::int32_t>{1, 2});
  writer_.Give(BindOf(1));
  writer_.Admit(WorkloadId(8U), std::vector<std::int32_t>{9, 9});
  writer_.Admit(kGang, std::vector<std::int32_t>{3, 4});
  EXPECT_THAT(DecisionsIn(writer_.Finish(std::nullopt), 2),
              ElementsAre("admit 3 4", "bind 1", "admit 9 9"));
}

TEST_F(PlanWriterTest, AnAdmissionThatIsTakenBackWasNeverGiven) {
  writer_.Admit(kGang, std::vector<std::int32_t>{1});
  writer_.TakeBackAdmit(kGang);
  EXPECT_FALSE(writer_.Admits(kGang));
  EXPECT_THAT(Finished(), IsEmpty());
}

}  // namespace
}  // namespace fairlead::engine
