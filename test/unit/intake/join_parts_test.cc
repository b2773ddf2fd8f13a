#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "intake/facts/pod_traits.h"
#include "intake/join/budgets.h"
#include "intake/join/daemon_sets.h"
#include "intake/join/demands.h"
#include "intake/join/owners.h"
#include "intake/join/volumes.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// The parts that keep something beside the tables, each alone with tables and marks: what it
// answers, and what it marks.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct TablesAlone {
  Tables tables;
  Marks marks{tables};

  // A pod's row, with nothing in it but its name.
  PodId Row(const std::string& name) { return tables.pods.Add("a/" + name); }
  std::vector<std::string> TakePods() {
    std::vector<PodId> ids;
    marks.TakePods(ids);
    std::vector<std::string> names;
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) names.emplace_back(tables.pods[*id].name);
    return names;
  }
};

objects::Meta Naming(const std::string& name, const std::string& owner, const std::string& uid) {
  return One<objects::Pod>(Pod(name, OfPod(owner, uid))).meta;
}

TEST(OwnersTest, AnOwnerIsMarkedWhenItComesToOwnAndCeases) {
  TablesAlone world;
  Owners owners(world.tables, world.marks);
  const PodId owner = world.Row("o"), first = world.Row("p"), second = world.Row("q");
  owners.Count(first, Naming("p", "o", ""), {});
  EXPECT_TRUE(world.tables.pods[owner].owns_pods);
  EXPECT_THAT(world.TakePods(), ElementsAre("a/o"));
  owners.Count(second, Naming("q", "o", ""), {});
  owners.Count(second, Naming("q", "o", ""), {});  // the same again
  owners.Drop(first);
  EXPECT_THAT(world.TakePods(), IsEmpty());
  owners.Count(second, Naming("q", "o", ""), {.terminating = true});
  EXPECT_FALSE(world.tables.pods[owner].owns_pods);
  EXPECT_FALSE(world.tables.pods[second].owned);
  EXPECT_THAT(world.TakePods(), ElementsAre("a/o"));
}

TEST(OwnersTest, AUidMeansOnePodOfTheName) {
  TablesAlone world;
  Owners owners(world.tables, world.marks);
  owners.Count(world.Row("p"), Naming("p", "o", "u1"), {});
  PodRow row;
  row.name = "a/o";
  EXPECT_TRUE(owners.OwnsPods(row));  // its uid is not known
  row.uid = Uid("u1");
  EXPECT_TRUE(owners.OwnsPods(row));
  row.uid = Uid("u2");
  EXPECT_FALSE(owners.OwnsPods(row));
  row.name = "a/other";
  EXPECT_FALSE(owners.OwnsPods(row));
}

TEST(VolumesTest, AClaimOfAVolumeThatAllNodesReachDemandsNothing) {
  TablesAlone world;
  Volumes volumes(world.tables, world.marks);
  const std::string packed = PackVolumeClaims({"c"});
  const NamedClaims claims{.claims = packed, .name_space = "a", .of_template = {}};
  ASSERT_TRUE(volumes.Join(claims).hold);
  EXPECT_EQ(volumes.WhyWaits("a/c"), "it is not there");
  volumes.Upsert(One<objects::PersistentVolumeClaim>(Claim("c", "v")));
  EXPECT_EQ(volumes.WhyWaits("a/c"), "its volume v is not there");
  volumes.Upsert(One<objects::PersistentVolume>(Volume("v", "a/c")));
  EXPECT_EQ(volumes.WhyWaits("a/c"), "");
  EXPECT_FALSE(volumes.Join(claims).hold);
  EXPECT_TRUE(volumes.Join(claims).demands == ClaimDemands());
  volumes.Upsert(One<objects::PersistentVolume>(Volume("v", "a/other")));
  EXPECT_EQ(volumes.WhyWaits("a/c"), "its volume v is bound to a/other");
  EXPECT_TRUE(volumes.RemoveVolume("v"));
  EXPECT_FALSE(volumes.RemoveVolume("v"));
  EXPECT_TRUE(volumes.RemoveClaim("a/c"));
  EXPECT_EQ(volumes.WhyWaits("a/c"), "it is not there");
}

TEST(VolumesTest, WhatAvailableVolumesWouldServeIsAWish) {
  TablesAlone world;
  Volumes volumes(world.tables, world.marks);
  const std::string packed = PackVolumeClaims({"c", "d"});
  const NamedClaims claims{.claims = packed, .name_space = "a", .of_template = {}};
  objects::StorageClass storage;
  storage.meta.name = "local";
  storage.provisioner = "kubernetes.io/no-provisioner";
  storage.waits_for_pod = true;
  volumes.Upsert(storage);
  for (const char* name : {"c", "d"}) {
    objects::PersistentVolumeClaim claim;
    claim.meta.name_space = "a";
    claim.meta.name = name;
    claim.ask.storage_class = "local";
    claim.ask.bytes = name[0] == 'c' ? 2 : 1;
    volumes.Upsert(claim);
  }
  const auto told = [&] {
    std::vector<state::Change> changes;
    volumes.Take(changes);
    return changes;
  };
  EXPECT_TRUE(volumes.Join(claims).hold);
  objects::PersistentVolume volume;
  volume.meta.name = "v";
  volume.storage_class = "local";
  volume.bytes = 1;
  volumes.Upsert(volume);
  EXPECT_EQ(volumes.WhyWaits("a/d"), "");
  EXPECT_NE(volumes.WhyWaits("a/c"), "") << "it is too small";
  auto changes = told();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(std::get<state::VolumeChange>(changes[0]).wishes.size(), 1U);
  EXPECT_TRUE(told().empty());
  volume.bytes = 2;
  volumes.Upsert(volume);
  changes = told();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(std::get<state::VolumeChange>(changes[0]).wishes.size(), 2U);
  const VolumeJoin join = volumes.Join(claims);
  ASSERT_FALSE(join.hold);
  ASSERT_EQ(join.demands.wishes.size(), 2U);
  EXPECT_EQ(join.demands.wishes[0]->bytes, 1) << "the smaller first";
  EXPECT_EQ(join.demands.unbound[0].claim, "c");
  EXPECT_EQ(join.demands.unbound[0].wish, join.demands.wishes[1]);
  // Once it names a claim it is that one's, and nobody else's.
  volume.claim = "a/d";
  volumes.Upsert(volume);
  EXPECT_TRUE(told().empty());
  EXPECT_EQ(world.marks.TakeRemovals().size(), 1U);
  EXPECT_EQ(volumes.WhyWaits("a/d"), "");
  EXPECT_NE(volumes.WhyWaits("a/c"), "");
}

TEST(VolumesTest, WhatChangedMarksItsUsersOnce) {
  TablesAlone world;
  Volumes volumes(world.tables, world.marks);
  std::string key;
  PackTraits(One<objects::Pod>(
                 Pod("p", "", "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]")),
             key);
  const FamilyId family = world.tables.families.Add(key);
  volumes.Use(family, true);
  const auto take = [&] {
    int marked = 0;
    volumes.Spread();
    world.marks.TakeEachFamily([&](FamilyId) { ++marked; });
    return marked;
  };
  EXPECT_EQ(take(), 0);
  volumes.Upsert(One<objects::PersistentVolumeClaim>(Claim("c", "v")));
  EXPECT_EQ(take(), 1);
  EXPECT_EQ(take(), 0);
  volumes.Upsert(One<objects::PersistentVolumeClaim>(Claim("c", "v")));      // as before
  volumes.Upsert(One<objects::PersistentVolumeClaim>(Claim("other", "w")));  // nobody's
  EXPECT_EQ(take(), 0);
  volumes.Upsert(One<objects::PersistentVolume>(Volume("v", "a/c")));
  EXPECT_EQ(take(), 1);
  volumes.Use(family, false);
  volumes.RemoveVolume("v");
  EXPECT_EQ(take(), 0);
}

objects::Meta Labelled(const std::string& name, const std::string& labels) {
  return One<objects::Pod>(Pod(name, "labels: {" + labels + "}")).meta;
}

TEST(BudgetsTest, PodsOfOneLabelsAreOneRow) {
  TablesAlone world;
  Budgets budgets(world.tables, world.marks);
  budgets.Upsert(One<objects::PodDisruptionBudget>(Budget("b", "selector: {matchLabels: {x: y}}")));
  const PodId p = world.Row("p"), q = world.Row("q");
  EXPECT_TRUE(budgets.MoveToLabels(p, Labelled("p", "x: y")));  // a new pod
  EXPECT_TRUE(budgets.MoveToLabels(q, Labelled("q", "x: y")));
  EXPECT_EQ(world.tables.pods[p].labels, world.tables.pods[q].labels);
  EXPECT_THAT(world.tables.labels[world.tables.pods[p].labels].budgets, ElementsAre("a/b"));
  EXPECT_FALSE(budgets.MoveToLabels(q, Labelled("q", "x: y, z: z")));  // selected as before
  EXPECT_TRUE(budgets.MoveToLabels(q, Labelled("q", "z: z")));
  budgets.LeaveLabels(p);
  budgets.LeaveLabels(q);
  EXPECT_EQ(world.tables.labels.size(), 0u);
}

TEST(BudgetsTest, OnlyThoseSelectedOtherwiseAreMarked) {
  TablesAlone world;
  Budgets budgets(world.tables, world.marks);
  budgets.MoveToLabels(world.Row("p"), Labelled("p", "x: y"));
  budgets.MoveToLabels(world.Row("q"), Labelled("q", "z: z"));
  const auto upsert = [&](const std::string& spec) {
    budgets.Upsert(One<objects::PodDisruptionBudget>(Budget("b", spec)));
    budgets.Spread();
    return world.TakePods();
  };
  std::vector<state::Change> out;
  EXPECT_THAT(upsert("selector: {matchLabels: {x: y}}"), ElementsAre("a/p"));
  EXPECT_THAT(upsert("selector: {matchLabels: {x: y}}, maxUnavailable: 1"), IsEmpty());
  EXPECT_THAT(upsert("selector: {}, maxUnavailable: 1"), ElementsAre("a/q"));
  budgets.Take(out);
  EXPECT_EQ(out.size(), 1u);
  budgets.Take(out);
  EXPECT_EQ(out.size(), 1u);
  EXPECT_TRUE(budgets.Remove("a/b"));
  budgets.Spread();
  EXPECT_THAT(world.TakePods(), UnorderedElementsAre("a/p", "a/q"));
  budgets.Take(out);
  EXPECT_EQ(world.marks.TakeRemovals().size(), 1u);
}

TEST(DemandsTest, WhoIsCountedIsToldOfIt) {
  TablesAlone world;
  Budgets budgets(world.tables, world.marks);  // which puts pods into their rows of labels
  Demands demands(world.tables, world.marks);
  const objects::Pod carrier = One<objects::Pod>(
      Pod("c", "",
          "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
          "[{topologyKey: host, labelSelector: {matchLabels: {x: y}}}]}}"));
  const PodId counted = world.Row("p"), other = world.Row("q"), carrying = world.Row("c");
  for (const auto& [id, labels] : {std::pair(counted, "x: y"), std::pair(other, "x: z")}) {
    budgets.MoveToLabels(id, Labelled("p", labels));
    world.tables.pods[id].needs = world.tables.needs.Intern(objects::PodNeeds());
    demands.Count(id);
  }
  budgets.MoveToLabels(carrying, carrier.meta);
  demands.Join();
  EXPECT_THAT(world.TakePods(), IsEmpty());
  EXPECT_FALSE(demands.any());

  world.tables.pods[carrying].needs = world.tables.needs.Intern(carrier.spec.needs);
  demands.Count(carrying);
  demands.Join();
  EXPECT_THAT(world.TakePods(), ElementsAre("a/p"));
  const PodRow& row = world.tables.pods[counted];
  const LabelsRow& labels = world.tables.labels[row.labels];
  ASSERT_NE(labels.counted_by, nullptr);
  ASSERT_EQ(labels.counted_by->size(), 1U);
  EXPECT_EQ(labels.counted_by->front()->selects, "x=y");
  const state::NeedsPtr joined = demands.Joined(row.needs, row.demands, labels.counted_by);
  EXPECT_EQ(joined->rare->joined.counted_by, labels.counted_by);
  const PodRow& carries = world.tables.pods[carrying];
  EXPECT_EQ(demands.Joined(carries.needs, carries.demands, nullptr)->rare->joined.repelled_by,
            *labels.counted_by);

  demands.Drop(carrying);
  demands.Join();
  EXPECT_THAT(world.TakePods(), ElementsAre("a/p"));
  EXPECT_EQ(labels.counted_by, nullptr);
  EXPECT_FALSE(demands.any());
}

// What selects nothing, everything, or everything in some namespaces.
TEST(SelectionsTest, Selectors) {
  TablesAlone world;
  Selections selections(world.tables);
  const auto take = [&](objects::PodTerm term) {
    return selections.Take(objects::DemandRow::Kind::kRepel, {std::move(term)}, "a", "zone",
                           nullptr);
  };
  const auto number_of = [&](std::string_view name_space, const objects::Labels& labels) {
    return selections.Matching(name_space, labels).size();
  };
  const objects::DemandRowPtr all = take({.topology_key = "zone"});
  const objects::DemandRowPtr none = take({.topology_key = "zone", .selects_nothing = true});
  EXPECT_EQ(number_of("a", {}), 1U);
  EXPECT_EQ(number_of("b", {}), 0U);
  const objects::DemandRowPtr wide =
      take({.topology_key = "zone", .name_space_selector = objects::LabelSelector()});
  EXPECT_EQ(number_of("a", {}), 2U);
  EXPECT_EQ(number_of("b", {{"x", "y"}}), 1U);
  EXPECT_EQ(take({.topology_key = "zone"}), all) << "equal ones are one";
  for (const auto& row : {all, all, none, wide}) selections.Drop(row);
  EXPECT_TRUE(selections.empty());
  EXPECT_EQ(number_of("a", {}), 0U);
}

TEST(DaemonSetsTest, OneIsBelievedThatIsThereAndTrusted) {
  TablesAlone world;
  DaemonSets daemon_sets(world.tables, world.marks);
  const PodTraits traits{.name_space = "a", .daemon_set = "d", .daemon_set_uid = "u"};
  // Nothing is known of the namespace's DaemonSets.
  EXPECT_EQ(daemon_sets.Judge(traits), state::OfDaemonSet::kUntrusted);
  daemon_sets.Upsert(One<objects::DaemonSet>(DaemonSet("d", "u")));
  EXPECT_THAT(world.marks.TakeScope().name_spaces, ElementsAre("a"));
  EXPECT_EQ(daemon_sets.Judge(traits), state::OfDaemonSet::kUntrusted);
  world.tables.name_space_labels["a"] = {{"fairlead.dev/infrastructure", "true"}};
  EXPECT_EQ(daemon_sets.Judge(traits), state::OfDaemonSet::kTrusted);
  EXPECT_TRUE(daemon_sets.Trusts("kube-system"));
  daemon_sets.Upsert(One<objects::DaemonSet>(DaemonSet("d", "another")));
  EXPECT_EQ(daemon_sets.Judge(traits), state::OfDaemonSet::kMissing);
  EXPECT_TRUE(daemon_sets.Remove("a/d"));
  EXPECT_EQ(daemon_sets.Judge(traits), state::OfDaemonSet::kTrusted);  // nothing is known again
  world.tables.owners_are_told = true;
  EXPECT_EQ(daemon_sets.Judge(traits), state::OfDaemonSet::kMissing);
  EXPECT_EQ(daemon_sets.Judge(PodTraits{.name_space = "a"}), state::OfDaemonSet::kNo);
}

}  // namespace
}  // namespace fairlead::intake
