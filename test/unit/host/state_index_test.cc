#include "host/state_index.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairlead::host {
namespace {

state::PodChange SoloPod(std::string name, std::string queue) {
  state::PodChange pod{.name = std::move(name)};
  pod.solo = state::WorkloadTraits{.queue = std::move(queue)};
  return pod;
}

state::PodChange GangPod(std::string name, std::string workload) {
  return {.name = std::move(name), .workload = std::move(workload)};
}

state::WorkloadChange Gang(std::string name, std::string queue) {
  state::WorkloadChange workload{.name = std::move(name)};
  workload.traits.queue = std::move(queue);
  workload.pod_sets.push_back({.name = "worker", .count = 2});
  return workload;
}

TEST(StateIndex, PodsAndTheirWorkloads) {
  StateIndex index;
  // In any order: a pod may come before the workload that it names.
  index.Apply(
      std::vector<state::Change>{GangPod("a/w-0", "a/w"), SoloPod("a/p", "q"), Gang("a/w", "r")});
  ASSERT_TRUE(index.FindWorkload("a/w"));
  EXPECT_EQ(index.FindWorkload("a/w")->queue, "r");
  EXPECT_EQ(index.PodsOf("a/w"), std::vector<std::string_view>{"a/w-0"});
  EXPECT_EQ(StateIndex::WorkloadOf("a/p", *index.FindPod("a/p")), "a/p");
  EXPECT_EQ(index.PodsOf("a/p"), std::vector<std::string_view>{"a/p"});
  EXPECT_EQ(index.FindWorkload("a/p")->queue, "q");
  EXPECT_TRUE(index.FindWorkload("a/p")->is_pod);
  EXPECT_EQ(index.Names(), (std::vector<std::string>{"a/p", "a/w", "a/w-0"}));
  EXPECT_EQ(index.FindPod("a/nothing"), nullptr);
}

TEST(StateIndex, Removals) {
  StateIndex index;
  index.Apply(
      std::vector<state::Change>{GangPod("a/w-0", "a/w"), SoloPod("a/p", "q"), Gang("a/w", "r")});
  index.Apply(std::vector<state::Change>{
      state::Removal{.kind = state::RowKind::kWorkload, .name = "a/w"},
      state::Removal{.kind = state::RowKind::kPod, .name = "a/p"},
      state::Removal{.kind = state::RowKind::kPod, .name = "a/never-there"}});
  EXPECT_FALSE(index.FindWorkload("a/w"));
  EXPECT_FALSE(index.FindWorkload("a/p"));
  EXPECT_EQ(index.Names(), (std::vector<std::string>{"a/w-0"}));
}

TEST(StateIndex, APodChangesItsWorkload) {
  StateIndex index;
  index.Apply(std::vector<state::Change>{SoloPod("a/p", "q"), Gang("a/w", "r")});
  index.Apply(std::vector<state::Change>{GangPod("a/p", "a/w")});
  EXPECT_FALSE(index.FindWorkload("a/p"));
  EXPECT_EQ(index.FindPod("a/p")->workload, "a/w");
  EXPECT_EQ(index.PodsOf("a/w"), std::vector<std::string_view>{"a/p"});
}

}  // namespace
}  // namespace fairlead::host
