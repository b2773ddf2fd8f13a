#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/kueue.h"
#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// ClusterQueues and Cohorts as queues (interface.md §1), and what their owners are told.

namespace fairlead::intake {
namespace {

// Two flavors that no node can have both.
const std::string kApart = Flavor("spot", "nodeLabels: {kind: spot, zone: a}") +
                           Flavor("dear", "nodeLabels: {kind: dear}");

// What a queue has, and no more.
std::string Fixed(std::string_view amounts) {
  const std::string all(amounts);
  return " guaranteed=" + all + " limit=" + all;
}

class KueueQueuesTest : public testing::TestWithParam<Row> {};

TEST_P(KueueQueuesTest, Gives) {
  World world;
  world.Upsert(Flavor("f") + Flavor("g") + kApart + GetParam().yaml);
  EXPECT_THAT(world.Picture(), testing::ElementsAreArray(GetParam().expected));
}

// What a ClusterQueue says of victims where it says nothing.
const std::string kAsksNobody = " preempts-nobody reclaims-from=nobody borrows-from=nobody";
std::string Of(std::string_view name) {
  return kAsksNobody + " limits-all (ClusterQueue " + std::string(name) + ")";
}

INSTANTIATE_TEST_SUITE_P(
    Quotas, KueueQueuesTest,
    testing::Values(
        Row{"Alone", ClusterQueue("x", Cpu("10")), {"queue x" + Fixed("cpu:10") + Of("x")}},
        // What it covers only in a later group counts as well.
        Row{"TwoGroups",
            ClusterQueue("x",
                         "resourceGroups: [{flavors: [{name: f, resources: [{name: cpu, "
                         "nominalQuota: 1}]}]}, {flavors: [{name: g, resources: [{name: "
                         "nvidia.com/gpu, nominalQuota: 2}]}]}]"),
            {"queue x" + Fixed("cpu:1,nvidia.com/gpu:2") + Of("x")}},
        Row{"InACohortThatIsNamedOnly",
            ClusterQueue("x", "cohortName: c, " + Cpu("10")) +
                ClusterQueue("y", "cohort: c, " + Cpu("6, borrowingLimit: 3")),
            {"queue c" + Fixed("cpu:16") + " (Cohort c)",
             "queue x parent=c guaranteed=cpu:10" + Of("x"),
             "queue y parent=c guaranteed=cpu:6 limit=cpu:9" + Of("y")}},
        // all has 2 + 6 + 4; team 6 of it, and may borrow 1.
        Row{"CohortsOfCohorts",
            Cohort("all", "fairSharing: {weight: 750m}, " + Cpu("2")) +
                Cohort("team", "parentName: all, " + Cpu("0, borrowingLimit: 1")) +
                ClusterQueue("x", "cohortName: team, " + Cpu("6")) +
                ClusterQueue("y", "cohortName: all, fairSharing: {weight: 2}, " + Cpu("4")),
            {"queue all" + Fixed("cpu:12") + " weight=750m (Cohort all)",
             "queue team parent=all guaranteed=cpu:6 limit=cpu:7 (Cohort team)",
             "queue x parent=team guaranteed=cpu:6" + Of("x"),
             "queue y parent=all guaranteed=cpu:4 weight=2000m" + Of("y")}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Lending, KueueQueuesTest,
    testing::Values(
        // x keeps 10 − 4: y can reach 16 − 6, x all 16.
        Row{"OfOneOfTwo",
            ClusterQueue("x", "cohortName: c, " + Cpu("10, lendingLimit: 4")) +
                ClusterQueue("y", "cohortName: c, " + Cpu("6")),
            {"queue c" + Fixed("cpu:16") + " (Cohort c)",
             "queue x parent=c guaranteed=cpu:10" + Of("x"),
             "queue y parent=c guaranteed=cpu:6 limit=cpu:10" + Of("y")}},
        // x keeps 6, y 5: x reaches 16 − 5, y 16 − 6.
        Row{"OfBoth",
            ClusterQueue("x", "cohortName: c, " + Cpu("10, lendingLimit: 4")) +
                ClusterQueue("y", "cohortName: c, " + Cpu("6, borrowingLimit: 3, lendingLimit: 1")),
            {"queue c" + Fixed("cpu:16") + " (Cohort c)",
             "queue x parent=c guaranteed=cpu:10 limit=cpu:11" + Of("x"),
             "queue y parent=c guaranteed=cpu:6 limit=cpu:9" + Of("y")}},
        // team keeps 6 − 1 of all's 10: y reaches 5, and x all 10.
        Row{"OfACohort",
            Cohort("all", "") + Cohort("team", "parentName: all, " + Cpu("0, lendingLimit: 1")) +
                ClusterQueue("x", "cohortName: team, " + Cpu("6")) +
                ClusterQueue("y", "cohortName: all, " + Cpu("4")),
            {"queue all" + Fixed("cpu:10") + " (Cohort all)",
             "queue team parent=all guaranteed=cpu:6 (Cohort team)",
             "queue x parent=team guaranteed=cpu:6" + Of("x"),
             "queue y parent=all guaranteed=cpu:4 limit=cpu:5" + Of("y")}},
        // y keeps 3 of all's 10 from whatever is in team, which may borrow without a limit.
        Row{"TowardsACohort",
            Cohort("team", "parentName: all") + ClusterQueue("x", "cohortName: team, " + Cpu("6")) +
                ClusterQueue("y", "cohortName: all, " + Cpu("4, lendingLimit: 1")),
            {"queue all" + Fixed("cpu:10") + " (Cohort all)",
             "queue team parent=all guaranteed=cpu:6 limit=cpu:7 (Cohort team)",
             "queue x parent=team guaranteed=cpu:6 limit=cpu:7" + Of("x"),
             "queue y parent=all guaranteed=cpu:4" + Of("y")}},
        // Quota is of a flavor: x has nobody to borrow from, y and z have each other.
        Row{"BetweenFlavors",
            ClusterQueue("x", "cohortName: c, " + Cpu("10")) +
                ClusterQueue("y", "cohortName: c, " + Cpu("6", "g")) +
                ClusterQueue("z", "cohortName: c, " + Cpu("2", "g")),
            {"queue c" + Fixed("cpu:18") + " (Cohort c)",
             "queue x parent=c" + Fixed("cpu:10") + Of("x"),
             "queue y parent=c guaranteed=cpu:6 limit=cpu:8" + Of("y"),
             "queue z parent=c guaranteed=cpu:2 limit=cpu:8" + Of("z")}}),
    RowName());

// Their sum is counted too, under no flavor's name.
INSTANTIATE_TEST_SUITE_P(
    Flavors, KueueQueuesTest,
    testing::Values(
        Row{"Alone",
            ClusterQueue("x", SpotAndDear("8", "4")),
            {"queue x" + Fixed("cpu:12,cpu[dear]:4,cpu[spot]:8") + Of("x")}},
        // y has spot only, and is counted by it as well: x reaches 8 + 2 of spot, y 2 + 1.
        Row{"InACohort",
            ClusterQueue("x", "cohortName: c, " + SpotAndDear("8", "4, borrowingLimit: 0")) +
                ClusterQueue("y", "cohortName: c, " + Cpu("2, borrowingLimit: 1", "spot")),
            {"queue c" + Fixed("cpu:14,cpu[dear]:4,cpu[spot]:10") + " (Cohort c)",
             "queue x parent=c guaranteed=cpu:12,cpu[dear]:4,cpu[spot]:8 limit=cpu[dear]:4" +
                 Of("x"),
             "queue y parent=c guaranteed=cpu:2,cpu[spot]:2 limit=cpu[spot]:3" + Of("y")}},
        // What one flavor lends is its own: y keeps 2 of dear, and nothing of spot.
        Row{"OneIsLent",
            ClusterQueue("x", "cohortName: c, " + SpotAndDear("1", "1")) +
                ClusterQueue("y", "cohortName: c, " + SpotAndDear("3", "3, lendingLimit: 1")),
            {"queue c" + Fixed("cpu:8,cpu[dear]:4,cpu[spot]:4") + " (Cohort c)",
             "queue x parent=c guaranteed=cpu:2,cpu[dear]:1,cpu[spot]:1 limit=cpu[dear]:2" +
                 Of("x"),
             "queue y parent=c guaranteed=cpu:6,cpu[dear]:3,cpu[spot]:3" + Of("y")}},
        // z's flavor g is counted with none: it stays within what g has.
        Row{"BesideOneThatIsNotCounted",
            ClusterQueue("x", "cohortName: c, " + SpotAndDear("1", "1")) +
                ClusterQueue("z", "cohortName: c, " + Cpu("5", "g")),
            {"queue c" + Fixed("cpu:7,cpu[dear]:1,cpu[spot]:1") + " (Cohort c)",
             "queue x parent=c guaranteed=cpu:2,cpu[dear]:1,cpu[spot]:1 limit=cpu:2" + Of("x"),
             "queue z parent=c" + Fixed("cpu:5") + Of("z")}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Words, KueueQueuesTest,
    testing::Values(
        Row{"PreemptsAndReclaims",
            ClusterQueue("x",
                         "preemption: {withinClusterQueue: LowerPriority, "
                         "reclaimWithinCohort: Any}, " +
                             Cpu("1")),
            {"queue x" + Fixed("cpu:1") +
             " borrows-from=nobody limits-all (ClusterQueue "
             "x)"}},
        Row{"ReclaimsFromLower",
            ClusterQueue("x",
                         "preemption: {reclaimWithinCohort: LowerPriority, "
                         "borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: "
                         "5}}, " +
                             Cpu("1")),
            {"queue x" + Fixed("cpu:1") +
             " preempts-nobody reclaims-from=lower "
             "borrows-from=lower limits-all (ClusterQueue x)"}},
        Row{"Hold",
            ClusterQueue("x", "stopPolicy: Hold, " + Cpu("1")),
            {"queue x" + Fixed("cpu:1") + Of("x") + " inactive: its stopPolicy is Hold"}},
        Row{"ItsFlavorIsNotThere",
            ClusterQueue("x", Cpu("1", "h")),
            {"queue x" + Fixed("cpu:1") + Of("x") +
             " inactive: its ResourceFlavor h is not there"}},
        Row{"DemandsChecks",
            ClusterQueue("x", "admissionChecks: [budget], " + Cpu("1")),
            {"queue x" + Fixed("cpu:1") + Of("x") +
             " inactive: it demands admission checks, which are not supported"}},
        // A Queue has the name, and a ClusterQueue that of the cohort.
        Row{"NamesAreTaken",
            Queue("x") + ClusterQueue("x", "cohortName: x, " + Cpu("1")) +
                ClusterQueue("y", "cohortName: y, " + Cpu("1")),
            {"queue cluster-queues/x parent=cohorts/x guaranteed=cpu:1" + Of("x"),
             "queue cohorts/x" + Fixed("cpu:1") + " (Cohort x)",
             "queue cohorts/y" + Fixed("cpu:1") + " (Cohort y)", "queue x",
             "queue y parent=cohorts/y guaranteed=cpu:1" + Of("y")}},
        // The engine finds the cycle.
        Row{"Cycle",
            Cohort("c", "parentName: d") + Cohort("d", "parentName: c") +
                ClusterQueue("x", "cohortName: d, " + Cpu("1")),
            {"queue c parent=d (Cohort c)", "queue d parent=c (Cohort d)",
             "queue x parent=d guaranteed=cpu:1" + Of("x")}}),
    RowName());

TEST(KueueQueues, TheClusterQueueDefaultIsTheDefaultQueue) {
  World world;
  world.Upsert(Flavor("f") + ClusterQueue("default", Cpu("1")) + Pod("p"));
  EXPECT_THAT(world.Picture(),
              testing::ElementsAre("pod a/p pending solo queue=default",
                                   "queue default" + Fixed("cpu:1") + Of("default")));
}

TEST(KueueQueues, AQuotaThatChangesJoinsNothing) {
  World world;
  world.Upsert(Flavor("f") + ClusterQueue("x", Cpu("1")) + LocalQueue("l", "x") +
               Pod("p", InQueue("l")));
  world.Take();
  world.Upsert(ClusterQueue("x", Cpu("2")), 60);
  EXPECT_THAT(world.Take(), testing::ElementsAre("queue x" + Fixed("cpu:2") + Of("x")));
  world.Upsert(ClusterQueue("x", Cpu("2")), 120);
  EXPECT_THAT(world.Take(), testing::IsEmpty());
}

class KueueQueueFindingsTest : public testing::TestWithParam<Row> {};

TEST_P(KueueQueueFindingsTest, AreSaid) {
  World world;
  world.Upsert(Flavor("f") + GetParam().yaml);
  EXPECT_THAT(world.Findings(), testing::ElementsAreArray(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Findings, KueueQueueFindingsTest,
    testing::Values(
        Row{"Fields",
            ClusterQueue(
                "x",
                "queueingStrategy: StrictFIFO, admissionScope: {admissionMode: X}, stopPolicy: "
                "HoldAndDrain, preemption: {withinClusterQueue: LowerOrNewerEqualPriority}, " +
                    Cpu("1, lendingLimit: 1")),
            {"ClusterQueue x: LimitInVain: its borrowingLimit or lendingLimit of cpu says nothing: "
             "it is in no cohort",
             "ClusterQueue x: NotSupported: preemption.withinClusterQueue: "
             "LowerOrNewerEqualPriority is taken as LowerPriority",
             "ClusterQueue x: NotSupported: spec.admissionScope is not supported, and passed over",
             "ClusterQueue x: NotSupported: spec.queueingStrategy: StrictFIFO is not supported, "
             "and "
             "passed over"}},
        Row{"AGroupOfFlavorsThatAreNotApart",
            ClusterQueue(
                "x",
                "resourceGroups: [{flavors: [{name: f, resources: [{name: cpu, nominalQuota: "
                "1}]}, {name: g, resources: [{name: cpu, nominalQuota: 2}]}]}]"),
            {"ClusterQueue x: FlavorNotFound: its ResourceFlavor g is not there",
             "ClusterQueue x: NotSupported: several flavors in a group are supported where a label "
             "of their nodeLabels tells the nodes of each two apart: f is used, the quota of g is "
             "not"}},
        Row{"AGroupOfFlavors",
            kApart + ClusterQueue("x", SpotAndDear("1", "1")),
            {"ClusterQueue x: NotSupported: of the flavors spot, dear work gets the first that "
             "suits its pods; while that one's quota is used up it waits, and does not go on to "
             "the next"}},
        Row{"LendingToSeveral",
            ClusterQueue("x", "cohortName: c, " + Cpu("3, lendingLimit: 1")) +
                ClusterQueue("y", "cohortName: c, " + Cpu("1")) +
                ClusterQueue("z", "cohortName: c, " + Cpu("1")),
            {"ClusterQueue x: LendingLimitPartly: its lendingLimit of cpu is kept towards each "
             "other member of cohort c, not towards several together"}},
        Row{"References",
            KueueObject("ClusterQueue", "name: x", Cpu("1")) + LocalQueue("l", "y") +
                Flavor("g", "topologyName: t, nodeLabels: {a: b}") + Cohort("c", "parentName: c"),
            {"ClusterQueue x: NoNamespaces: it has no namespaceSelector, which lets nobody in; "
             "`namespaceSelector: {}` is all",
             "Cohort c: ParentCycle: its parents are a cycle, or end in one: nothing starts below "
             "it",
             "LocalQueue a/l: ClusterQueueNotFound: it names y: neither a ClusterQueue nor a Queue "
             "of "
             "that name is there"}},
        Row{"OnPurpose",
            ClusterQueue("x", "stopPolicy: Hold, " + Cpu("1")) +
                LocalQueue("l", "x", "stopPolicy: Hold"),
            {}}),
    RowName());

// A quota's queue has its name first, whichever came first, and gives it up when it goes.
TEST(KueueQueues, AQuotasNameIsTaken) {
  const auto queues = [](World& world) {
    std::vector<std::string> names;
    for (const std::string& line : world.Picture()) {
      if (line.starts_with("queue ")) names.push_back(line.substr(6, line.find(' ', 6) - 6));
    }
    return names;
  };
  World world;
  world.Upsert(Flavor("f") + ClusterQueue("a", "cohortName: elastic-quotas, " + Cpu("1")));
  EXPECT_THAT(queues(world), testing::ElementsAre("a", "elastic-quotas"));
  world.Upsert(Quota("a", "min: {cpu: 1}"));
  EXPECT_THAT(queues(world), testing::ElementsAre("a", "cluster-queues/a", "cohorts/elastic-quotas",
                                                  "elastic-quotas"));
  EXPECT_THAT(world.Findings(),
              testing::Contains("ClusterQueue a: NameTaken: a queue a is there too; the queue of "
                                "this ClusterQueue is cluster-queues/a"));
  world.intake.Remove("ElasticQuota", "a", "q");
  EXPECT_THAT(queues(world), testing::ElementsAre("a", "elastic-quotas"));
}

}  // namespace
}  // namespace fairlead::intake
