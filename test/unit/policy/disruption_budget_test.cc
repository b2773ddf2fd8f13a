#include "policy/disruption_budget.h"

#include <gtest/gtest.h>

#include "unit/base/row_name.h"

namespace fairlead::policy {
namespace {

using objects::IntOrPercent;

constexpr IntOrPercent Pods(std::int64_t value) { return {.value = value, .percent = false}; }
constexpr IntOrPercent Percent(std::int64_t value) { return {.value = value, .percent = true}; }

struct BudgetRow {
  std::string name;
  int healthy, leaving, pending;  // members: placed, terminating, not placed
  std::optional<IntOrPercent> min_available, max_unavailable;
  std::optional<std::int32_t> status;
  std::int64_t expected;
};
void PrintTo(const BudgetRow& row, std::ostream* out) { *out << row.name; }

class DisruptionsAllowedTest : public testing::TestWithParam<BudgetRow> {};

TEST_P(DisruptionsAllowedTest, Is) {
  const BudgetRow& row = GetParam();
  state::Cluster cluster;
  state::NodeChange node;
  node.name = "n";
  cluster.Apply(node);
  int count = 0;
  auto pods = [&](int number, bool bound, bool terminating) {
    for (int i = 0; i < number; ++i) {
      state::PodChange pod;
      pod.name = "a/p" + std::to_string(count++);
      pod.needs = std::make_shared<const objects::PodNeeds>();
      pod.state = bound ? state::PodState::kBound : state::PodState::kPending;
      if (bound) pod.node = "n";
      pod.terminating = terminating;
      pod.foreign = bound && count % 2 == 0;  // those of other schedulers count as well
      if (!pod.foreign) pod.solo.emplace().queue = "q";
      pod.budgets = {"a/b"};
      cluster.Apply(pod);
    }
  };
  pods(row.healthy, true, false);
  pods(row.leaving, true, true);
  pods(row.pending, false, false);
  cluster.Apply(state::BudgetChange{.name = "a/b",
                                    .min_available = row.min_available,
                                    .max_unavailable = row.max_unavailable,
                                    .status_allowed = row.status});
  EXPECT_EQ(DisruptionsAllowed(cluster, cluster.budgets().Find("a/b")), row.expected);
}

INSTANTIATE_TEST_SUITE_P(
    Budgets, DisruptionsAllowedTest,
    testing::Values(BudgetRow{"MaxUnavailable", 5, 0, 0, {}, Pods(2), {}, 2},
                    // desired 5 - 2 = 3, healthy 4
                    BudgetRow{"OneIsAway", 4, 0, 1, {}, Pods(2), {}, 1},
                    BudgetRow{"LeavingOnesAreNotHealthy", 3, 2, 0, {}, Pods(2), {}, 0},
                    BudgetRow{"NeverBelowZero", 1, 0, 4, {}, Pods(1), {}, 0},
                    BudgetRow{"MaxUnavailableOfMoreThanThereAre", 3, 0, 0, {}, Pods(9), {}, 3},
                    BudgetRow{"MaxUnavailableZero", 3, 0, 0, {}, Pods(0), {}, 0},
                    // 30 % of 7 is 2.1, rounded up 3: desired 4
                    BudgetRow{"MaxUnavailablePercent", 7, 0, 0, {}, Percent(30), {}, 3},
                    BudgetRow{"MaxUnavailableAll", 7, 0, 0, {}, Percent(100), {}, 7},
                    BudgetRow{"MinAvailable", 5, 0, 0, Pods(3), {}, {}, 2},
                    BudgetRow{"MinAvailableOfMoreThanThereAre", 5, 0, 0, Pods(6), {}, {}, 0},
                    // 50 % of 7 is 3.5, rounded up 4
                    BudgetRow{"MinAvailablePercent", 7, 0, 0, Percent(50), {}, {}, 3},
                    // of 8 that are expected: 4; healthy 6
                    BudgetRow{"MinAvailablePercentOfExpected", 6, 1, 1, Percent(50), {}, {}, 2},
                    BudgetRow{"MinAvailableNone", 2, 0, 0, Pods(0), {}, {}, 2},
                    BudgetRow{"NeitherLetsNothingGo", 3, 0, 0, {}, {}, {}, 0},
                    BudgetRow{"TheStatusCounts", 5, 0, 0, {}, Pods(2), 1, 1},
                    BudgetRow{"TheStatusCountsThoughHigher", 1, 0, 4, {}, Pods(1), 4, 4},
                    BudgetRow{"NoPods", 0, 0, 0, {}, Pods(1), {}, 0}),
    RowName());

TEST(DisruptionsAllowed, ABudgetThatIsNotThereBindsNothing) {
  state::Cluster cluster;
  state::PodChange pod;
  pod.name = "a/p";
  pod.needs = std::make_shared<const objects::PodNeeds>();
  pod.solo.emplace().queue = "q";
  pod.budgets = {"a/b"};
  cluster.Apply(pod);
  const auto& budgets = cluster.budgets().Of(cluster.pods().Find("a/p"));
  ASSERT_EQ(budgets.size(), 1u);
  EXPECT_EQ(DisruptionsAllowed(cluster, budgets.front()), kAnyDisruptions);
}

}  // namespace
}  // namespace fairlead::policy
