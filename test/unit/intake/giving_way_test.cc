#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/base/row_name.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// What of a pod says how late it makes room for a DaemonSet's pod: that it opted out, itself or,
// where it says nothing, by its class, and that other pods have it as owner.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kOurs = "fairlead.dev/allow-preemption: ";
const std::string kYuniKorns = "yunikorn.apache.org/allow-preemption: ";

struct OptedOutRow {
  std::string name;
  std::string yaml;
  bool opted_out = false;  // the pod a/p
};
void PrintTo(const OptedOutRow& row, std::ostream* out) { *out << row.yaml; }

bool OptedOut(World& world) {
  std::optional<bool> opted_out;
  for (const state::Change& change : world.intake.TakeChanges()) {
    const auto* pod = std::get_if<state::PodChange>(&change);
    if (pod != nullptr && pod->name == "a/p") opted_out = pod->opted_out;
  }
  EXPECT_TRUE(opted_out.has_value()) << "nothing is said of the pod";
  return opted_out.value_or(false);
}

class OptedOutTest : public testing::TestWithParam<OptedOutRow> {};

TEST_P(OptedOutTest, IsSaid) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_EQ(OptedOut(world), GetParam().opted_out);
}

std::string Kept(std::string_view more = "") {
  return Class("kept", 7, more, "annotations: {" + kYuniKorns + "\"false\"}");
}
const std::string kOfKept = "priorityClassName: kept";

INSTANTIATE_TEST_SUITE_P(
    Pods, OptedOutTest,
    testing::Values(
        OptedOutRow{"Silent", Pod("p")},
        OptedOutRow{"OurLabel", Pod("p", "labels: {" + kOurs + "\"false\"}"), true},
        OptedOutRow{"OurAnnotation", Pod("p", "annotations: {" + kOurs + "\"false\"}"), true},
        OptedOutRow{"YuniKornsLabel", Pod("p", "labels: {" + kYuniKorns + "\"false\"}"), true},
        OptedOutRow{"YuniKornsAnnotation", Pod("p", "annotations: {" + kYuniKorns + "\"false\"}"),
                    true},
        OptedOutRow{"SaysTrue", Pod("p", "labels: {" + kOurs + "\"true\"}")},
        OptedOutRow{"Capitals", Pod("p", "labels: {" + kOurs + "\"False\"}")},
        OptedOutRow{"Nothing", Pod("p", "annotations: {" + kOurs + "\"\"}")},
        OptedOutRow{"OursBeforeYuniKorns",
                    Pod("p", "labels: {" + kYuniKorns + "\"false\"}, annotations: {" + kOurs +
                                 "\"true\"}")},
        OptedOutRow{
            "OursSaysNeither",
            Pod("p", "labels: {" + kYuniKorns + "\"false\"}, annotations: {" + kOurs + "\"x\"}"),
            true},
        OptedOutRow{
            "LabelAndAnnotationDiffer",
            Pod("p", "labels: {" + kOurs + "\"true\"}, annotations: {" + kOurs + "\"false\"}"),
            true},
        OptedOutRow{"NotPreemptibleIsSomethingElse",
                    Pod("p", "labels: {fairlead.dev/preemptible: \"false\"}")}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Classes, OptedOutTest,
    testing::Values(
        OptedOutRow{"ByName", Kept() + Pod("p", "", kOfKept), true},
        OptedOutRow{"ByNameWithItsNumber", Kept() + Pod("p", "", kOfKept + ", priority: 7"), true},
        OptedOutRow{
            "ByLabelOfTheClass",
            Class("kept", 7, "", "labels: {" + kOurs + "\"false\"}") + Pod("p", "", kOfKept), true},
        // As in YuniKorn, the pod's own word comes first.
        OptedOutRow{"ThePodSaysOtherwise",
                    Kept() + Pod("p", "annotations: {" + kYuniKorns + "\"true\"}", kOfKept)},
        OptedOutRow{"ThePodSaysNeither",
                    Kept() + Pod("p", "labels: {" + kOurs + "\"yes\"}", kOfKept), true},
        OptedOutRow{"OfNoConcern", Kept() + Pod("p")},
        OptedOutRow{"NotThere", Pod("p", "", kOfKept + ", priority: 7")},
        OptedOutRow{"Default", Kept("globalDefault: true") + Pod("p"), true},
        // The smallest of several counts, as for the priority.
        OptedOutRow{
            "NotTheDefaultThatCounts",
            Kept("globalDefault: true") + Class("low", 1, "globalDefault: true") + Pod("p")},
        OptedOutRow{"DefaultButANumber", Kept("globalDefault: true") + Pod("p", "", "priority: 7")},
        OptedOutRow{"OtherClassThanTheDefault", Kept("globalDefault: true") + Class("free", 1) +
                                                    Pod("p", "", "priorityClassName: free")}),
    RowName());

// The class of a workload is that of its pods: their priority comes from it too.
INSTANTIATE_TEST_SUITE_P(
    Gangs, OptedOutTest,
    testing::Values(
        OptedOutRow{"ByThePod",
                    Workload("w", "podSets: [{count: 1}]") +
                        Pod("p", kMember + ", annotations: {" + kOurs + "\"false\"}"),
                    true},
        OptedOutRow{"ByTheClassOfThePod",
                    Kept() + Workload("w", "podSets: [{count: 1}]") + Pod("p", kMember, kOfKept),
                    true},
        OptedOutRow{"ByTheClassOfTheWorkload",
                    Kept() + Workload("w", kOfKept + ", podSets: [{count: 1}]") + Pod("p", kMember),
                    true},
        OptedOutRow{"ThePodSaysOtherwise",
                    Kept() + Workload("w", kOfKept + ", podSets: [{count: 1}]") +
                        Pod("p", kMember + ", annotations: {" + kOurs + "\"true\"}")},
        OptedOutRow{"ByTheClassOfTheTemplate",
                    Kept() +
                        Workload("w", "podSets: [{count: 1, template: {spec: {" + kOfKept +
                                          ", containers: [{name: c}]}}}]") +
                        Pod("p", kMember),
                    true},
        OptedOutRow{"ByTheClassOfTheJob",
                    Kept() +
                        Job("j", "uid: u, annotations: {fairlead.dev/gang: \"true\"}",
                            "parallelism: 1", "", kOfKept) +
                        Pod("p", OfJob("j")),
                    true}),
    RowName());

TEST(OptedOutChangeTest, FollowsThePodAndItsClass) {
  World world;
  world.Upsert(Class("kept", 7) + Pod("free") + Pod("p", "", kOfKept));
  EXPECT_FALSE(OptedOut(world));
  world.Upsert(Kept());
  EXPECT_TRUE(OptedOut(world));
  world.Upsert(Kept());
  EXPECT_THAT(world.Take(), IsEmpty()) << "the same again";
  world.Upsert(Class("kept", 7, "", "annotations: {" + kYuniKorns + "\"true\"}"));
  EXPECT_FALSE(OptedOut(world));
  world.Upsert(Pod("p", "labels: {" + kOurs + "\"false\"}", kOfKept));
  EXPECT_TRUE(OptedOut(world));
  world.Upsert(Kept() + Pod("p", "", kOfKept));
  EXPECT_TRUE(OptedOut(world));
  world.intake.Remove("PriorityClass", "", "kept");
  EXPECT_FALSE(OptedOut(world));
  world.Upsert(Kept("globalDefault: true") + Pod("p"));
  EXPECT_TRUE(OptedOut(world));
  world.intake.Remove("PriorityClass", "", "kept");
  EXPECT_FALSE(OptedOut(world));
}

TEST(OptedOutChangeTest, FollowsTheWorkload) {
  World world;
  world.Upsert(Class("kept", 7) + Workload("w", kOfKept + ", podSets: [{count: 1}]") +
               Pod("p", kMember));
  EXPECT_FALSE(OptedOut(world));
  world.Upsert(Kept());
  EXPECT_TRUE(OptedOut(world));
  world.Upsert(Workload("w", "priority: 7, podSets: [{count: 1}]"));
  EXPECT_FALSE(OptedOut(world));
}

const std::string kIdle = "pod a/d pending solo queue=default";
const std::string kOwner = "pod a/d pending owns-pods solo queue=default";
const std::string kOwned = "pod a/e pending solo queue=default";

TEST(OwnsPodsTest, FollowsThePodsThatNameIt) {
  World world;
  world.Upsert(Pod("d", "uid: d1"));
  EXPECT_THAT(world.Take(), ElementsAre("queue default", kIdle));
  world.Upsert(Pod("e", OfPod("d", "d1")));
  EXPECT_THAT(world.Take(), ElementsAre(kOwner, kOwned));
  world.Upsert(Pod("e", OfPod("d", "d1")) + Pod("d", "uid: d1"));
  EXPECT_THAT(world.Take(), IsEmpty()) << "the same again";
  world.Upsert(Pod("e2", OfPod("d")));
  EXPECT_THAT(world.Take(), ElementsAre("pod a/e2 pending solo queue=default")) << "a second";
  world.intake.Remove("Pod", "a", "e2");
  EXPECT_THAT(world.Take(), ElementsAre("gone pod a/e2")) << "one is left";
  world.Upsert(Pod("e"));
  EXPECT_THAT(world.Take(), ElementsAre(kIdle)) << "it names nobody any more";
  world.Upsert(Pod("e", OfPod("d", "d1")));
  EXPECT_THAT(world.Take(), ElementsAre(kOwner));
  world.Upsert(Pod("e", OfPod("d", "d1"), "nodeName: n1", "{phase: Failed}"));
  EXPECT_THAT(world.Take(), ElementsAre(kIdle, "pod a/e finished solo queue=default"));
  world.Upsert(Pod("e3", OfPod("d", "d1") + ", deletionTimestamp: 2026-01-01T00:00:00Z"));
  EXPECT_THAT(world.Take(), ElementsAre("pod a/e3 pending terminating solo queue=default"));
}

TEST(OwnsPodsTest, OwnerMayComeLastAndAgain) {
  World world;
  world.Upsert(Pod("e", OfPod("d", "d1")));
  EXPECT_THAT(world.Take(), ElementsAre("queue default", kOwned));
  world.Upsert(Pod("d", "uid: d1"));
  EXPECT_THAT(world.Take(), ElementsAre(kOwner));
  world.Upsert(Pod("d", "uid: d2"));
  EXPECT_THAT(world.Take(), ElementsAre("gone pod a/d", kIdle)) << "another pod of that name";
  world.Upsert(Pod("e", OfPod("d", "d2")));
  EXPECT_THAT(world.Take(), ElementsAre(kOwner));
  world.intake.Remove("Pod", "a", "d");
  world.Upsert(Pod("d", "uid: d2"));
  EXPECT_THAT(world.Take(), ElementsAre("gone pod a/d", kOwner));
}

TEST(OwnsPodsTest, NameCountsWhereAUidIsMissing) {
  World world;
  world.Upsert(Pod("d") + Pod("e", OfPod("d", "d1")));
  EXPECT_THAT(world.Take(), ElementsAre("queue default", kOwner, kOwned));
  world.Upsert(Pod("d", "uid: d2"));
  EXPECT_THAT(world.Take(), ElementsAre(kIdle)) << "its uid is known now, and another is meant";
  world.Upsert(Pod("e", OfPod("d")));
  EXPECT_THAT(world.Take(), ElementsAre(kOwner));
}

TEST(OwnsPodsTest, IsOfItsNamespaceAndOfPodsOnly) {
  World world;
  world.Upsert(Pod("d", OfPod("d")) +
               Pod("x", "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: d}]") +
               Pod("y", "ownerReferences: [{apiVersion: example.com/v1, kind: Pod, name: d}]") +
               "{apiVersion: v1, kind: Pod, metadata: {namespace: b, name: z, " + OfPod("d") +
               "}, spec: {containers: [{name: c}]}}");
  EXPECT_THAT(world.Take(),
              ElementsAre("queue default", kIdle, "pod a/x pending solo queue=default",
                          "pod a/y pending solo queue=default"));
}

// What came and went before does not matter: pods drawn by a fixed seed, each with any uid, any
// owners, ended or not, upserted and removed one by one, against a world that sees the last only.
TEST(OwnsPodsTest, AnyHistoryGivesThePictureOfItsEnd) {
  std::mt19937 random(11);
  const auto draw = [&](int below) { return static_cast<int>(random() % below); };
  const std::vector<std::string> names = {"k", "l", "m", "n"};
  const auto draw_uid = [&] { return draw(3) == 0 ? "" : "u" + std::to_string(draw(2)); };
  World world;
  std::map<std::string, std::string> last;
  int owning = 0;
  for (int step = 0; step < 4000; ++step) {
    const std::string& name = names[draw(4)];
    if (draw(4) == 0) {
      EXPECT_EQ(world.intake.Remove("Pod", "a", name), last.erase(name) == 1);
    } else {
      const std::string uid = draw_uid();
      std::string meta = "creationTimestamp: 2026-01-01T00:00:00Z";
      if (!uid.empty()) meta += ", uid: " + uid;
      if (draw(4) == 0) meta += ", deletionTimestamp: 2026-01-01T00:00:00Z";
      std::string owners;
      for (int i = draw(3); i > 0; --i) {
        const std::string of = draw_uid();
        owners +=
            (owners.empty() ? "" : ", ") + ("{apiVersion: v1, kind: Pod, name: " + names[draw(4)] +
                                            (of.empty() ? "" : ", uid: " + of) + "}");
      }
      if (!owners.empty()) meta += ", ownerReferences: [" + owners + "]";
      last[name] = Pod(name, meta, "", draw(4) == 0 ? "{phase: Succeeded}" : "");
      world.Upsert(last[name]);
    }
    if (draw(3) == 0) world.Take();
    if (step % 10 != 0) continue;
    World fresh;
    for (const auto& [unused, yaml] : last) fresh.Upsert(yaml);
    const std::vector<std::string> expected = fresh.Picture();
    ASSERT_EQ(world.Picture(), expected) << "after step " << step;
    for (const std::string& line : expected)
      owning += (line.find("owns-pods") != std::string::npos) ? 1 : 0;
  }
  EXPECT_GT(owning, 100);
}

}  // namespace
}  // namespace fairlead::intake
