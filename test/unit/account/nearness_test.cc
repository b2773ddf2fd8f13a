#include "account/nearness.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "account/topology_notes.h"

namespace fairlead::account {
namespace {

constexpr Time At(std::int64_t seconds) { return Time{seconds * 1'000'000}; }

// Ten seconds of the nodes a and b in rack r1 of block x, c in rack r2 of it, and d in a rack r1 of
// no block; each offers 4. Names are interned by the tests.
class NearnessTest : public ::testing::Test {
 protected:
  NearnessTest() {
    Name("");
    ledger_.start = At(0);
    ledger_.end = At(10);
    ledger_.resources = {"cpu"};
    ledger_.Add({0});
    asked_ = ledger_.Add({1});
    for (const char* node : {"a", "b", "c", "d"}) {
      ledger_.capacity.push_back({.time = At(0), .node = Name(node), .offered = ledger_.Add({4})});
    }
    AddLevel("block", {{"a", "x"}, {"b", "x"}, {"c", "x"}});
    AddLevel("rack", {{"a", "x/r1"}, {"b", "x/r1"}, {"c", "x/r2"}, {"d", "-/r1"}});
  }

  NameId Name(const std::string& text) {
    for (NameId i = 0; i < ledger_.names.size(); ++i) {
      if (ledger_.names[i] == text) return i;
    }
    return ledger_.names.Add(text);
  }
  void AddLevel(const char* key, const std::vector<std::pair<const char*, const char*>>& nodes) {
    LevelRow row{.topology = Name("fabric"), .key = Name(key), .nodes = {}};
    for (const auto& [node, domain] : nodes) row.nodes.emplace_back(Name(node), Name(domain));
    ledger_.levels.push_back(row);
  }
  void AddStay(const char* workload, const char* node, std::int64_t begin, std::int64_t end) {
    ledger_.stays.push_back({.workload = Name(workload),
                             .node = Name(node),
                             .amounts = asked_,
                             .begin = At(begin),
                             .end = At(end)});
  }
  Nearness Of() {
    const std::vector<Nearness> all = NearnessOf(ledger_, 0);
    EXPECT_EQ(all.size(), 1U);
    return all.front();
  }

  Ledger ledger_;
  AmountsId asked_ = kNoAmounts;
};

TEST_F(NearnessTest, PairsAreCountedByTheNarrowestLevelThatTheyShare) {
  AddStay("w", "a", 0, 10);
  AddStay("w", "b", 0, 10);  // a, b: rack
  AddStay("w", "c", 0, 10);  // with a and b: block
  AddStay("w", "d", 0, 10);  // with all three: nothing
  const Nearness nearness = Of();
  EXPECT_DOUBLE_EQ(*nearness.levels[1].nearest, 100.0 * 1 / 6);
  EXPECT_DOUBLE_EQ(*nearness.levels[0].nearest, 100.0 * 2 / 6);
  EXPECT_DOUBLE_EQ(*nearness.apart, 100.0 * 3 / 6);
  EXPECT_DOUBLE_EQ(*nearness.levels[0].gangs_within, 0);
}

// Two in a rack that lacks its block's label share that rack, and no block.
TEST_F(NearnessTest, ARackOfNoBlockIsSharedAllTheSame) {
  AddStay("w", "d", 0, 10);
  AddStay("w", "d", 0, 10);
  const Nearness nearness = Of();
  EXPECT_DOUBLE_EQ(*nearness.levels[1].nearest, 100);
  EXPECT_DOUBLE_EQ(*nearness.levels[0].nearest, 0);
  EXPECT_DOUBLE_EQ(*nearness.levels[1].gangs_within, 100);
  EXPECT_DOUBLE_EQ(*nearness.levels[0].gangs_within, 0);
  EXPECT_DOUBLE_EQ(*nearness.apart, 0);
}

TEST_F(NearnessTest, OnlyWhoIsThereAtTheSameTimeIsAPair) {
  AddStay("w", "a", 0, 5);
  AddStay("w", "d", 5, 10);  // came as the other left
  AddStay("w", "b", 2, 4);
  AddStay("alone", "c", 0, 10);
  const Nearness nearness = Of();
  EXPECT_DOUBLE_EQ(*nearness.levels[1].nearest, 100);
  EXPECT_DOUBLE_EQ(*nearness.levels[1].gangs_within, 100);
}

TEST_F(NearnessTest, WithoutPairsNothingIsSaidOfThem) {
  AddStay("alone", "c", 0, 10);
  const Nearness nearness = Of();
  EXPECT_FALSE(nearness.levels[0].gangs_within);
  EXPECT_FALSE(nearness.apart);
}

// Of x/r1, x/r2, -/r1 the first is used for 4 s of 10, the second always.
TEST_F(NearnessTest, ADomainIsFreeWhileNobodyUsesAnyOfIt) {
  AddStay("v", "a", 2, 6);
  AddStay("w", "b", 3, 5);
  AddStay("u", "c", 0, 10);
  const Nearness nearness = Of();
  EXPECT_DOUBLE_EQ(*nearness.levels[1].free, 0.6 + 0 + 1);
  EXPECT_DOUBLE_EQ(*nearness.levels[1].free_percent, 100 * 1.6 / 3);
  EXPECT_DOUBLE_EQ(*nearness.levels[0].free, 0);
}

TEST(TopologyNotes, WhatWellKnownLabelsMakeCountsWhereItIsAskedFor) {
  TopologyNotes notes;
  notes.Note(std::vector<state::Change>{
      state::NodeChange{.name = "n", .labels = {{"rack", "r"}, {"zone", "z"}}}});
  const std::vector<objects::KnownTopology> there = {
      {.name = "fabric", .levels = {"block", "rack"}},
      {.name = "zone", .levels = {"zone"}, .of_labels = true}};
  const auto first = notes.LevelsOf(there);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].key, "rack");
  EXPECT_EQ(first[0].nodes, (std::vector<std::pair<std::string, std::string>>{{"n", "-/r"}}));
  state::WorkloadChange work{.name = "w"};
  work.topology.push_back({.levels = {"zone"}, .required = 0});
  work.topology.push_back({.levels = {"rack"}, .required = 0});
  notes.Note(std::vector<state::Change>{work});
  const auto asked = notes.LevelsOf(there);
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked[1].topology, "rack");
  EXPECT_EQ(asked[2].topology, "zone");
}

}  // namespace
}  // namespace fairlead::account
