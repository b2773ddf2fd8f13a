#include "intake/join/hyper_nodes.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "intake/intake.h"
#include "objects/read/reader.h"
#include "objects/write/writer.h"

namespace fairlead::intake {
namespace {

std::string HyperNodeOf(const std::string& name, const std::string& spec) {
  return "apiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {name: " + name +
         "}\nspec: {" + spec + "}\n---\n";
}
std::string NodeOfLeaf(const std::string& name, const std::string& label = "x") {
  return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {l: " + label +
         "}}\n---\n";
}

// What is written of a HyperNode is read as the same.
void ExpectWrittenAgain(const objects::Object& object) {
  const auto* before = std::get_if<objects::HyperNode>(&object);
  if (before == nullptr) return;
  objects::Manifest manifest;
  objects::ReadText(boost::json::serialize(objects::ToJson(object)), "again.json", AllDecoders(),
                    manifest);
  ASSERT_EQ(manifest.objects.size(), 1U);
  const auto& after = std::get<objects::HyperNode>(manifest.objects.front());
  EXPECT_EQ(after.tier, before->tier);
  EXPECT_EQ(after.tier_name, before->tier_name);
  EXPECT_EQ(after.members, before->members);
}

// The labels that tiers give to nodes, as the engine is told.
class HyperNodesTest : public ::testing::Test {
 protected:
  void Take(const std::string& yaml) {
    objects::Manifest manifest;
    objects::ReadText(yaml, "test.yaml", AllDecoders(), manifest);
    EXPECT_TRUE(manifest.faults.empty());
    for (const objects::Object& object : manifest.objects) {
      ExpectWrittenAgain(object);
      intake_.Upsert(object, Time{});
    }
    Look();
  }
  // How many nodes were told of.
  std::size_t Look() {
    std::size_t told = 0;
    for (const state::Change& change : intake_.TakeChanges()) {
      const auto* node = std::get_if<state::NodeChange>(&change);
      if (node == nullptr) continue;
      ++told;
      std::string& text = labels_[node->name];
      text.clear();
      for (const auto& [key, value] : *node->labels) {
        if (key != "l") text += (text.empty() ? "" : " ") + key.substr(8) + "=" + value;
      }
    }
    return told;
  }
  std::vector<std::string> Levels() const {
    for (const objects::KnownTopology& each : intake_.KnownTopologies()) {
      if (each.name == "volcano") return each.levels;
    }
    return {};
  }

  Intake intake_;
  std::map<std::string, std::string> labels_;
};

TEST_F(HyperNodesTest, MembersAreFoundByNamePatternAndLabels) {
  Take(NodeOfLeaf("a1") + NodeOfLeaf("a2") + NodeOfLeaf("b1", "b") + NodeOfLeaf("c"));
  Take(HyperNodeOf("leaf-a",
                   "tier: 1, members: [{type: Node, selector: {regexMatch: {pattern: '^a'}}}]") +
       HyperNodeOf("leaf-b",
                   "tier: 1, members: [{type: Node, selector: {labelMatch: {matchLabels: {l: "
                   "b}}}}, {type: Node, selector: {exactMatch: {name: c}}}]") +
       HyperNodeOf("top",
                   "tier: 2, tierName: spine, members: [{type: HyperNode, selector: {regexMatch: "
                   "{pattern: a$}}}]"));
  EXPECT_EQ(labels_["a1"], "/spine=top /tier-1=leaf-a");
  EXPECT_EQ(labels_["b1"], "/tier-1=leaf-b");
  EXPECT_EQ(labels_["c"], "/tier-1=leaf-b");
  EXPECT_EQ(Levels(), (std::vector<std::string>{"volcano:/spine", "volcano:/tier-1"}));
}

TEST_F(HyperNodesTest, OnlyNodesThatAreElsewhereNowAreTold) {
  Take(NodeOfLeaf("a") + NodeOfLeaf("b") +
       HyperNodeOf("h", "tier: 1, members: [{type: Node, selector: {exactMatch: {name: a}}}]"));
  intake_.Upsert(
      objects::HyperNode{
          .meta = {.name = "h"}, .tier = 1, .members = {{.name = "a"}, {.name = "b"}}},
      Time{});
  EXPECT_EQ(Look(), 1U);
  EXPECT_EQ(labels_["b"], "/tier-1=h");
  EXPECT_TRUE(intake_.Remove("HyperNode", "", "h"));
  EXPECT_EQ(Look(), 2U);
  EXPECT_EQ(labels_["a"], "");
  EXPECT_EQ(Levels(), std::vector<std::string>());
}

// A circle, a pattern that is none, a node in two of a tier, and one that comes later.
TEST_F(HyperNodesTest, WhatIsAmissSelectsNobody) {
  Take(HyperNodeOf("h1",
                   "tier: 1, members: [{type: HyperNode, selector: {exactMatch: {name: h2}}}, "
                   "{type: Node, selector: {exactMatch: {name: a}}}]") +
       HyperNodeOf("h2",
                   "tier: 1, members: [{type: HyperNode, selector: {exactMatch: {name: h1}}}, "
                   "{type: Node, selector: {regexMatch: {pattern: '('}}}, "
                   "{type: Node, selector: {exactMatch: {name: a}}}]"));
  Take(NodeOfLeaf("a") + NodeOfLeaf("b"));
  EXPECT_EQ(labels_["a"], "/tier-1=h1");
  EXPECT_EQ(labels_["b"], "");
}

}  // namespace
}  // namespace fairlead::intake
