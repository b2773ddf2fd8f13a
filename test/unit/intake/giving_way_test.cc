#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// What of a pod says how late it makes room for a DaemonSet's pod: that it opted out, itself or by
// its class.

namespace fairlead::intake {
namespace {

using testing::IsEmpty;

const std::string kOurs = "fairlead.dev/allow-preemption: ";
const std::string kYuniKorns = "yunikorn.apache.org/allow-preemption: ";

struct Row {
  std::string name;
  std::string yaml;
  bool opted_out = false;  // the pod a/p
};
std::string NameOf(const testing::TestParamInfo<Row>& info) { return info.param.name; }
void PrintTo(const Row& row, std::ostream* out) { *out << row.yaml; }

bool OptedOut(World& world) {
  std::optional<bool> opted_out;
  for (const state::Change& change : world.intake.TakeChanges()) {
    const auto* pod = std::get_if<state::PodChange>(&change);
    if (pod != nullptr && pod->name == "a/p") opted_out = pod->opted_out;
  }
  EXPECT_TRUE(opted_out.has_value()) << "nothing is said of the pod";
  return opted_out.value_or(false);
}

class OptedOutTest : public testing::TestWithParam<Row> {};

TEST_P(OptedOutTest, IsSaid) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_EQ(OptedOut(world), GetParam().opted_out);
}

std::string Kept(std::string_view more = "") {
  return Class("kept", 7, more, "annotations: {" + kYuniKorns + "\"false\"}");
}
const std::string kOfKept = "priorityClassName: kept";
const std::string kMember = "labels: {fairlead.dev/workload: w}";

INSTANTIATE_TEST_SUITE_P(
    Pods, OptedOutTest,
    testing::Values(
        Row{"Silent", Pod("p")},
        Row{"OurLabel", Pod("p", "labels: {" + kOurs + "\"false\"}"), true},
        Row{"OurAnnotation", Pod("p", "annotations: {" + kOurs + "\"false\"}"), true},
        Row{"YuniKornsLabel", Pod("p", "labels: {" + kYuniKorns + "\"false\"}"), true},
        Row{"YuniKornsAnnotation", Pod("p", "annotations: {" + kYuniKorns + "\"false\"}"), true},
        Row{"SaysTrue", Pod("p", "labels: {" + kOurs + "\"true\"}")},
        Row{"Capitals", Pod("p", "labels: {" + kOurs + "\"False\"}")},
        Row{"Nothing", Pod("p", "annotations: {" + kOurs + "\"\"}")},
        Row{"OneOfTwo",
            Pod("p", "labels: {" + kOurs + "\"true\"}, annotations: {" + kYuniKorns + "\"false\"}"),
            true},
        Row{"NotPreemptibleIsSomethingElse",
            Pod("p", "labels: {fairlead.dev/preemptible: \"false\"}")}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Classes, OptedOutTest,
    testing::Values(
        Row{"ByName", Kept() + Pod("p", "", kOfKept), true},
        Row{"ByNameWithItsNumber", Kept() + Pod("p", "", kOfKept + ", priority: 7"), true},
        Row{"ByLabelOfTheClass",
            Class("kept", 7, "", "labels: {" + kOurs + "\"false\"}") + Pod("p", "", kOfKept), true},
        Row{"OfNoConcern", Kept() + Pod("p")},
        Row{"NotThere", Pod("p", "", kOfKept + ", priority: 7")},
        Row{"Default", Kept("globalDefault: true") + Pod("p"), true},
        // The smallest of several counts, as for the priority.
        Row{"NotTheDefaultThatCounts",
            Kept("globalDefault: true") + Class("low", 1, "globalDefault: true") + Pod("p")},
        Row{"DefaultButANumber", Kept("globalDefault: true") + Pod("p", "", "priority: 7")},
        Row{"OtherClassThanTheDefault", Kept("globalDefault: true") + Class("free", 1) +
                                            Pod("p", "", "priorityClassName: free")}),
    NameOf);

// The class of a workload is that of its pods: their priority comes from it too.
INSTANTIATE_TEST_SUITE_P(
    Gangs, OptedOutTest,
    testing::Values(
        Row{"ByThePod",
            Workload("w", "podSets: [{count: 1}]") +
                Pod("p", kMember + ", annotations: {" + kOurs + "\"false\"}"),
            true},
        Row{"ByTheClassOfThePod",
            Kept() + Workload("w", "podSets: [{count: 1}]") + Pod("p", kMember, kOfKept), true},
        Row{"ByTheClassOfTheWorkload",
            Kept() + Workload("w", kOfKept + ", podSets: [{count: 1}]") + Pod("p", kMember), true},
        Row{"ByTheClassOfTheTemplate",
            Kept() +
                Workload("w", "podSets: [{count: 1, template: {spec: {" + kOfKept +
                                  ", containers: [{name: c}]}}}]") +
                Pod("p", kMember),
            true},
        Row{"ByTheClassOfTheJob",
            Kept() +
                Job("j", "uid: u, annotations: {fairlead.dev/gang: \"true\"}", "parallelism: 1", "",
                    kOfKept) +
                Pod("p", OfJob("j")),
            true}),
    NameOf);

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

}  // namespace
}  // namespace fairlead::intake
