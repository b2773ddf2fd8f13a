// Budgets and their pods, as Cluster keeps them while both come, change and go.

#include "state/budgets.h"

#include <gmock/gmock.h>

#include "state/cluster.h"

namespace fairlead::state {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PodChange PodOf(const std::string& name, std::vector<std::string> budgets,
                const std::string& uid = "u") {
  PodChange change;
  change.name = name;
  change.uid = Uid(uid);
  change.needs = std::make_shared<const objects::PodNeeds>();
  change.solo.emplace().queue = "q";
  change.budgets = std::move(budgets);
  return change;
}

std::vector<std::string> Members(const Cluster& cluster, std::string_view budget) {
  std::vector<std::string> names;
  const BudgetId b = cluster.budgets().Find(budget);
  if (!b.valid()) return {"no such budget"};
  for (const PodId p : cluster.budgets()[b].members) names.emplace_back(cluster.pods().name(p));
  return names;
}

std::vector<std::string> BudgetsOf(const Cluster& cluster, std::string_view pod) {
  std::vector<std::string> names;
  for (const BudgetId b : cluster.budgets().Of(cluster.pods().Find(pod))) {
    names.push_back(cluster.budgets()[b].name);
  }
  return names;
}

// Whether the journal says so since it was asked last.
class BudgetNews {
 public:
  explicit BudgetNews(const Cluster& cluster) : journal_(cluster.journal()) {}
  bool Take() { return std::exchange(seen_, journal_.budgets) != journal_.budgets; }

 private:
  const state::Journal& journal_;
  std::uint64_t seen_ = 0;
};

TEST(Budgets, MembersFollowThePods) {
  Cluster cluster;
  cluster.Apply(PodOf("a/early", {"a/x"}));  // before its budget
  EXPECT_FALSE(cluster.budgets().Find("a/x").valid());
  cluster.Apply(
      BudgetChange{.name = "a/x", .min_available = {}, .max_unavailable = {}, .status_allowed = 1});
  cluster.Apply(BudgetChange{
      .name = "a/y", .min_available = {}, .max_unavailable = {}, .status_allowed = {}});
  cluster.Apply(PodOf("a/p", {"a/x", "a/y"}));
  cluster.Apply(PodOf("a/bare", {}));
  EXPECT_THAT(Members(cluster, "a/x"), ElementsAre("a/early", "a/p"));
  EXPECT_THAT(BudgetsOf(cluster, "a/p"), ElementsAre("a/x", "a/y"));
  EXPECT_THAT(BudgetsOf(cluster, "a/bare"), IsEmpty());

  cluster.Apply(PodOf("a/p", {"a/y"}));
  EXPECT_THAT(Members(cluster, "a/x"), ElementsAre("a/early"));
  cluster.Apply(PodOf("a/p", {}, "another pod of the name"));
  EXPECT_THAT(Members(cluster, "a/y"), IsEmpty());
  PodChange finished = PodOf("a/early", {"a/x"});
  finished.state = PodState::kFinished;
  cluster.Apply(finished);
  EXPECT_THAT(Members(cluster, "a/x"), IsEmpty());
  cluster.Apply(PodOf("a/p", {"a/y"}, "another pod of the name"));
  cluster.Apply(Removal{.kind = RowKind::kPod, .name = "a/p"});
  EXPECT_THAT(Members(cluster, "a/y"), IsEmpty());
}

TEST(Budgets, AGoneBudgetKeepsItsPodsUntilTheySayOtherwise) {
  Cluster cluster;
  const BudgetChange x{
      .name = "a/x", .min_available = {}, .max_unavailable = {}, .status_allowed = 1};
  cluster.Apply(x);
  cluster.Apply(PodOf("a/p", {"a/x"}));
  cluster.Apply(Removal{.kind = RowKind::kBudget, .name = "a/x"});
  EXPECT_FALSE(cluster.budgets().Find("a/x").valid());
  cluster.Apply(x);  // and comes back before its pods were told
  EXPECT_THAT(Members(cluster, "a/x"), ElementsAre("a/p"));
  cluster.Apply(Removal{.kind = RowKind::kBudget, .name = "a/x"});
  cluster.Apply(PodOf("a/p", {}));
  const std::uint32_t rows = cluster.budgets().size();
  cluster.Apply(BudgetChange{
      .name = "a/z", .min_available = {}, .max_unavailable = {}, .status_allowed = {}});
  EXPECT_EQ(cluster.budgets().size(), rows) << "the row is used again";
  EXPECT_THAT(Members(cluster, "a/z"), IsEmpty());
  EXPECT_EQ(cluster.budgets()[cluster.budgets().Find("a/z")].status_allowed, std::nullopt);
}

TEST(Budgets, TheJournalTellsOfChangesOnly) {
  Cluster cluster;
  BudgetNews news(cluster);
  const BudgetChange x{
      .name = "a/x", .min_available = {}, .max_unavailable = {}, .status_allowed = 1};
  cluster.Apply(x);
  EXPECT_TRUE(news.Take());
  cluster.Apply(x);
  EXPECT_FALSE(news.Take());
  cluster.Apply(PodOf("a/bare", {}));
  EXPECT_FALSE(news.Take());
  cluster.Apply(PodOf("a/p", {"a/x"}));
  EXPECT_TRUE(news.Take());
  cluster.Apply(PodOf("a/p", {"a/x"}));
  EXPECT_FALSE(news.Take());
  cluster.Apply(Removal{.kind = RowKind::kBudget, .name = "a/x"});
  EXPECT_TRUE(news.Take());
  cluster.Apply(Removal{.kind = RowKind::kBudget, .name = "a/x"});
  EXPECT_FALSE(news.Take());
}

}  // namespace
}  // namespace fairlead::state
