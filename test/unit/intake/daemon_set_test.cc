#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Whose pods have the powers of a DaemonSet's: what a pod may say, what must be there besides, and
// that both may come and go in any order.

namespace fairlead::intake {
namespace {

using Powers = state::OfDaemonSet;

const std::string kBorn = "creationTimestamp: 2026-01-01T00:00:00Z";
const std::string kPod = Pod("p", kBorn + ", " + OfDaemonSet("d", "u"));

std::string Labelled(std::string_view labels) {
  return std::string("{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {")
      .append(labels)
      .append("}}}\n---\n");
}
const std::string kTrusted = Labelled("fairlead.dev/infrastructure: \"true\"");

std::string Selecting(std::string_view selector) {
  return std::string(
             "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, "
             "daemonSetPreemption: {namespaceSelector: {")
      .append(selector)
      .append("}}}\n---\n");
}

// What the engine was told of the pod a/p last; empty: nothing new.
std::optional<Powers> Told(World& world) {
  std::optional<Powers> told;
  for (const state::Change& change : world.intake.TakeChanges()) {
    const auto* pod = std::get_if<state::PodChange>(&change);
    if (pod != nullptr && pod->name == "a/p") told = pod->of_daemon_set;
  }
  return told;
}

Powers PowersOf(std::string_view yaml) {
  World world;
  world.Upsert(yaml);
  return Told(world).value();
}

TEST(DaemonSetTest, WhatAPodSaysMustBeAllOfIt) {
  EXPECT_EQ(PowersOf(kTrusted + kPod), Powers::kTrusted);
  EXPECT_EQ(PowersOf(kTrusted + Pod("p")), Powers::kNo);
  EXPECT_EQ(PowersOf(kTrusted + Pod("p", OfDaemonSet("d", "u", "evil.example/v1"))), Powers::kNo);
  EXPECT_EQ(PowersOf(kTrusted + Pod("p", OfDaemonSet("d", "u", "apps.evil/v1"))), Powers::kNo);
  EXPECT_EQ(
      PowersOf(kTrusted + Pod("p",
                              "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, "
                              "uid: u}]")),
      Powers::kNo)
      << "an owner that does not control it";
}

TEST(DaemonSetTest, ItsNamespaceIsTrusted) {
  EXPECT_EQ(PowersOf(kPod), Powers::kUntrusted);
  EXPECT_EQ(PowersOf(Labelled("fairlead.dev/infrastructure: \"yes\"") + kPod), Powers::kUntrusted);
  EXPECT_EQ(PowersOf(Selecting("matchLabels: {tier: platform}") + kTrusted + kPod),
            Powers::kUntrusted);
  EXPECT_EQ(
      PowersOf(Selecting("matchLabels: {tier: platform}") + Labelled("tier: platform") + kPod),
      Powers::kTrusted);
  EXPECT_EQ(
      PowersOf(Selecting("matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, "
                         "values: [a]}]") +
               kPod),
      Powers::kTrusted)
      << "every namespace has its name as a label";
  EXPECT_EQ(PowersOf(Selecting("") + kPod), Powers::kTrusted) << "as in Kubernetes: everybody";
}

TEST(DaemonSetTest, TheDaemonSetIsThereWhereTheyAreKnown) {
  EXPECT_EQ(PowersOf(kTrusted + DaemonSet("d", "u") + kPod), Powers::kTrusted);
  EXPECT_EQ(PowersOf(kTrusted + DaemonSet("e", "u") + kPod), Powers::kMissing);
  EXPECT_EQ(PowersOf(kTrusted + DaemonSet("d", "v") + kPod), Powers::kMissing);
  EXPECT_EQ(PowersOf(DaemonSet("d", "v") + kPod), Powers::kMissing);

  World world;
  world.intake.KnowAllOwners();
  world.Upsert(kTrusted + kPod);
  EXPECT_EQ(Told(world), Powers::kMissing) << "none of the namespace is";
  world.Upsert(DaemonSet("d", "u"));
  EXPECT_EQ(Told(world), Powers::kTrusted);
  EXPECT_TRUE(world.intake.Remove("DaemonSet", "a", "d"));
  EXPECT_EQ(Told(world), Powers::kMissing);
  EXPECT_FALSE(world.intake.Remove("DaemonSet", "a", "d"));
}

TEST(DaemonSetTest, EveryOrderEndsTheSame) {
  std::array<std::string, 4> parts = {kTrusted, kPod, DaemonSet("d", "u"), DaemonSet("e", "w")};
  std::ranges::sort(parts);
  do {
    World world;
    std::optional<Powers> last;
    for (const std::string& part : parts) {
      world.Upsert(part);
      if (const auto told = Told(world)) last = told;
    }
    EXPECT_EQ(last, Powers::kTrusted) << testing::PrintToString(parts);
  } while (std::ranges::next_permutation(parts).found);
}

TEST(DaemonSetTest, ALabelThatGoesTakesTheTrustAlong) {
  World world;
  world.Upsert(kTrusted + kPod);
  ASSERT_EQ(Told(world), Powers::kTrusted);
  world.Upsert(Labelled("fairlead.dev/infrastructure: \"true\", team: x"));
  EXPECT_EQ(Told(world), std::nullopt) << "another label: nothing new";
  world.Upsert(Labelled(""));
  EXPECT_EQ(Told(world), Powers::kUntrusted);
  world.Upsert(kTrusted);
  EXPECT_EQ(Told(world), Powers::kTrusted);
  world.intake.Remove("Namespace", "", "a");
  EXPECT_EQ(Told(world), Powers::kUntrusted);
  world.Upsert(Selecting("matchLabels: {kubernetes.io/metadata.name: a}"));
  EXPECT_EQ(Told(world), Powers::kTrusted);
}

}  // namespace
}  // namespace fairlead::intake
