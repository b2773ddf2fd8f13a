#include "view/domains.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "engine/scheduler.h"
#include "view/answer.h"
#include "view/view_builder.h"

namespace fairlead::view {
namespace {

namespace json = boost::json;

state::NodeChange Node(const std::string& name, const objects::Labels& labels) {
  state::NodeChange node{.name = name, .labels = labels};
  node.allocatable = {{"cpu", 4'000}, {"pods", 10}};
  return node;
}

// A pod of a workload of its own, bound to the node.
state::PodChange Pod(const std::string& name, const std::string& node, std::int64_t cpu) {
  objects::PodNeeds needs;
  needs.request = {{"cpu", cpu}};
  state::PodChange pod{
      .name = name, .uid = Uid(name), .needs = std::make_shared<const objects::PodNeeds>(needs)};
  pod.solo = state::WorkloadTraits{.queue = "q"};
  pod.state = state::PodState::kBound;
  pod.node = node;
  return pod;
}

// Blocks a and b with a rack r1 each: two domains. n4 has a block and no rack, n5 a rack and no
// block, n6 neither.
class DomainsTest : public ::testing::Test {
 protected:
  DomainsTest() {
    std::vector<state::Change> changes{state::QueueChange{.name = "q"}};
    changes.emplace_back(Node("n1", {{"x/block", "a"}, {"x/rack", "r1"}}));
    changes.emplace_back(Node("n2", {{"x/block", "a"}, {"x/rack", "r1"}}));
    changes.emplace_back(Node("n3", {{"x/block", "b"}, {"x/rack", "r1"}}));
    changes.emplace_back(Node("n4", {{"x/block", "b"}}));
    changes.emplace_back(Node("n5", {{"row", "1"}, {"x/rack", "r1"}}));
    changes.emplace_back(Node("n6", {}));
    std::get<state::NodeChange>(changes[3]).ready = false;  // n3
    changes.emplace_back(Pod("v/full", "n1", 4'000));
    changes.emplace_back(Pod("v/part", "n2", 1'000));
    changes.emplace_back(Pod("v/down", "n3", 1'000));
    state::PodChange foreign = Pod("v/foreign", "n5", 500);
    foreign.solo.reset();
    foreign.foreign = true;
    changes.emplace_back(foreign);
    builder_.OnChanges(changes);
    scheduler_.Apply(changes);
    builder_.OnRound(scheduler_.Round(Time{}));
    view_ = builder_.Publish(
        Time{}, {},
        {{.name = "fabric", .levels = {"x/block", "x/rack", "kubernetes.io/hostname"}},
         {.name = "power", .levels = {"feed", "y/rack"}},
         {.name = "twins", .levels = {"a/twin", "b/twin"}},
         {.name = "labels", .levels = {"row"}, .of_labels = true},
         {.name = "nobody's", .levels = {"zone"}, .of_labels = true}});
  }

  // "fabric x/rack", or what is wrong.
  std::string Found(const std::string& by, const std::string& topology = "") {
    const auto level = FindDomainLevel(*view_, by, topology);
    if (!level) return level.error().message;
    return level->topology + " " + level->levels[level->level];
  }
  // A row for each domain: path, ready/nodes, free CPU, nodes wholly free and in part, guests.
  std::vector<std::string> Rows(const DomainLevel& level) {
    std::size_t cpu = 0;
    for (const Resource& resource : *view_->tables->resources) {
      if (resource.name == "cpu") cpu = resource.column;
    }
    std::vector<std::string> rows;
    for (const DomainRow& row : DomainsOf(*view_, level)) {
      std::string text =
          fmt::format("{} {}/{} {}/{} free {} nodes {}+{}+{}", fmt::join(row.path, "/"), row.ready,
                      row.nodes, row.allocated[cpu], row.allocatable[cpu], row.free[cpu],
                      row.free_nodes[cpu], row.part_nodes[cpu], row.full_nodes[cpu]);
      for (const DomainRow::Guest& guest : row.guests) {
        text += " " + *view_->tables->workloads[guest.workload].name;
      }
      rows.push_back(std::move(text));
    }
    return rows;
  }

  engine::Scheduler scheduler_;
  ViewBuilder builder_{scheduler_};
  std::shared_ptr<const View> view_;
};

TEST_F(DomainsTest, LevelsAreFoundAsInConstraints) {
  EXPECT_EQ(Found("x/rack"), "fabric x/rack");
  EXPECT_EQ(Found("block"), "fabric x/block");
  EXPECT_EQ(Found("rack", "fabric"), "fabric x/rack");
  EXPECT_EQ(Found("", "fabric"), "fabric x/rack");
  EXPECT_EQ(Found("row"), "labels row");
}

TEST_F(DomainsTest, WhatMayBeSeveralLevelsIsNone) {
  EXPECT_EQ(Found("rack"),
            "rack is a level of several Topologies: fabric (x/rack), power (y/rack); --topology "
            "says of which");
  EXPECT_EQ(Found("twin"), "twin may be a/twin or b/twin in Topology twins: write the label key");
}

TEST_F(DomainsTest, WhatIsNotThereIsSaidWithWhatIs) {
  EXPECT_EQ(Found("blok"),
            "no Topology has the level blok, and no node the label; there are fabric (x/block, "
            "x/rack, kubernetes.io/hostname), power (feed, y/rack), twins (a/twin, b/twin), "
            "labels (row); did you mean block?");
  EXPECT_EQ(Found("rack", "fabrik"),
            "Topology fabrik is not there; there are fabric, power, twins, labels; did you mean "
            "fabric?");
  EXPECT_EQ(Found("feed", "fabric"),
            "Topology fabric has no level feed; its levels are x/block, x/rack, "
            "kubernetes.io/hostname");
  EXPECT_EQ(Found("zone").substr(0, 30), "no Topology has the level zone");
}

TEST_F(DomainsTest, ADomainIsItsPathAndTheRestIsLast) {
  EXPECT_EQ(Rows(*FindDomainLevel(*view_, "rack", "fabric")),
            (std::vector<std::string>{"a/r1 2/2 5000/8000 free 3000 nodes 0+1+1 v/full v/part",
                                      "b/r1 0/1 1000/4000 free 0 nodes 0+0+0 v/down",
                                      "-/r1 1/1 500/4000 free 3500 nodes 1+0+0",
                                      " 2/2 0/8000 free 8000 nodes 2+0+0"}));
}

TEST_F(DomainsTest, ALabelOfNoTopologyHasDomains) {
  EXPECT_EQ(
      Rows({.topology = {}, .levels = {"row"}, .level = 0}),
      (std::vector<std::string>{"1 1/1 500/4000 free 3500 nodes 1+0+0",
                                " 4/5 6000/20000 free 11000 nodes 2+1+1 v/down v/full v/part"}));
}

// Those of labels only where some work asks for them.
TEST_F(DomainsTest, ThePageShowsTheNarrowestLevelsAboveNodes) {
  std::vector<std::string> shown;
  for (const DomainLevel& each : DomainLevelsShown(*view_)) {
    shown.push_back(each.topology + " " + each.levels[each.level]);
  }
  EXPECT_EQ(shown, (std::vector<std::string>{"fabric x/rack", "power y/rack", "twins b/twin"}));
}

TEST_F(DomainsTest, AnAnswerNamesAWorkloadOnce) {
  const auto ask = [&](std::map<std::string, std::string> parameters) {
    const auto answer =
        Answer(*view_, {.about = Question::About::kDomains, .parameters = std::move(parameters)});
    return answer ? json::parse(*answer) : json::value(answer.error().message);
  };
  const json::value answer = ask({{"by", "block"}, {"most", "1"}});
  const json::value& topology = answer.at("topologies").at(0);
  EXPECT_EQ(topology.at("name").as_string(), "fabric");
  EXPECT_EQ(topology.at("level").as_int64(), 0);
  EXPECT_EQ(topology.at("domains").as_array().size(), 3U);
  const json::value& first = topology.at("domains").at(0);
  EXPECT_EQ(json::serialize(first.at("path")), R"(["a"])");
  EXPECT_EQ(json::serialize(first.at("workloads")), "[[0,1]]");
  EXPECT_EQ(first.at("more").as_int64(), 1);
  EXPECT_EQ(json::serialize(answer.at("workloads")), R"(["v/full","v/down"])");
  EXPECT_EQ(ask({}).at("topologies").as_array().size(), 3U);
  EXPECT_EQ(ask({{"most", "many"}}).as_string(),
            "most: found \"many\", expected a number from 0 on");
  EXPECT_EQ(ask({{"of", "a"}}).as_string(), "found of, expected by, topology or most");
}

}  // namespace
}  // namespace fairlead::view
