// Claims of volumes that are bound for the nodes of their pods: by a provisioner that makes what it
// is asked, takes its time, or cannot.

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "objects/read/json_fields.h"
#include "unit/live/claims.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;
using testing::IsEmpty;

namespace json = boost::json;

class LiveVolumes : public testing::Test {
 protected:
  LiveVolumes() {
    world.AddNode("n1", 4);
    world.AddQueue("default", 0);
    AddStorageClass(world.api, "fast", "csi.example.com");
  }

  void AddClaim(const std::string& name) {
    world.api.Put("persistentvolumeclaims", {{"metadata", {{"name", name}, {"namespace", "team"}}},
                                             {"spec", {{"storageClassName", "fast"}}},
                                             {"status", {{"phase", "Pending"}}}});
  }
  void AddPod(const std::string& name, const std::string& claim, const std::string& gang = "") {
    json::object metadata;
    if (!gang.empty()) metadata["labels"] = json::object{{"fairlead.dev/workload", gang}};
    world.AddPod(name, 1, std::move(metadata), "team", claim);
  }
  std::string SelectedNode(const std::string& claim) const {
    return NodeSelectedFor(world.api, claim);
  }
  // The pod's condition: status, reason, message; empty: it has none.
  std::string WaitingOf(const std::string& pod) const {
    const json::object* object = world.api.Find("pods", "team/" + pod);
    const json::value* status = object == nullptr ? nullptr : object->if_contains("status");
    const json::value* conditions = status == nullptr ? nullptr : At(*status, "conditions");
    if (conditions == nullptr) return "";
    for (const json::value& each : conditions->as_array()) {
      if (TextAt(each, "type") != "fairlead.dev/WaitingForVolumes") continue;
      return TextAt(each, "status") + " " + TextAt(each, "reason") + ": " + TextAt(each, "message");
    }
    return "";
  }
  // As a provisioner does that made a volume for it.
  void Provision(const std::string& claim) {
    const std::string volume = "pvc-" + claim;
    world.api.Put("persistentvolumes",
                  {{"metadata", {{"name", volume}}},
                   {"spec", {{"claimRef", {{"namespace", "team"}, {"name", claim}}}}}});
    BindClaim(world.api, claim, volume);
  }

  // For which whoever is on the node has to give way.
  void AddOneThatTakesAll() {
    world.api.Put(
        "pods",
        {{"metadata",
          {{"name", "big"}, {"namespace", "team"}, {"creationTimestamp", world.Stamp()}}},
         {"spec",
          {{"schedulerName", "fairlead"},
           {"priority", 100},
           {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "4"}}}}}}}}}}});
  }

  // A pod whose claim's node was selected, n1: nobody has made the volume yet.
  LiveWorld::Process& StartWithOneThatWaits() {
    AddClaim("data");
    AddPod("p", "data");
    LiveWorld::Process& process = world.Start(1);
    world.Run(Duration::Seconds(5));
    EXPECT_EQ(SelectedNode("data"), "n1");
    EXPECT_EQ(world.NodeOf("team/p"), "");
    return process;
  }
  // Two pods of one workload, each with a claim of its own, likewise; `others` have none.
  LiveWorld::Process& StartWithAGangThatWaits(int others = 0) {
    world.AddWorkload("g", {.count = 2 + others, .min_count = 2 + others});
    for (int i = 0; i < others; ++i) AddPod("g-" + std::to_string(i), "", "g");
    for (const char* name : {"a", "b"}) {
      AddClaim(name);
      AddPod(std::string("g-") + name, name, "g");
    }
    LiveWorld::Process& process = world.Start(1);
    world.Run(Duration::Seconds(5));
    EXPECT_EQ(SelectedNode("a") + SelectedNode("b"), "n1n1");
    return process;
  }

  LiveWorld world;
};

TEST_F(LiveVolumes, APodIsBoundOnceItsVolumeIs) {
  StartWithOneThatWaits();
  world.Run(Duration::Seconds(30));
  EXPECT_EQ(world.NodeOf("team/p"), "");
  EXPECT_EQ(WaitingOf("p"),
            "True VolumesNotBound: node n1 is held for the pod until data is bound");
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
  EXPECT_EQ(WaitingOf("p"), "False VolumesBound: the volumes for node n1 are bound");
}

// It was decided with them, and has none of its own to wait for.
TEST_F(LiveVolumes, EachOfAGangSaysWhatItWaitsFor) {
  StartWithAGangThatWaits(1);
  EXPECT_EQ(WaitingOf("g-0"),
            "True VolumesNotBound: node n1 is held for the pod until the volumes of workload "
            "team/g are bound");
  EXPECT_EQ(WaitingOf("g-a"), "True VolumesNotBound: node n1 is held for the pod until a is bound");
}

TEST_F(LiveVolumes, AVolumeThatIsThereAlreadyIsNotAwaited) {
  AddClaim("data");
  Provision("data");
  AddPod("p", "data");
  world.Start(1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
  EXPECT_EQ(WaitingOf("p"), "");
}

TEST_F(LiveVolumes, ItsRoomIsHeldMeanwhile) {
  StartWithOneThatWaits();
  world.AddPod("large", 4);
  world.Run(Duration::Seconds(30));
  EXPECT_EQ(world.NodeOf("team/large"), "");
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
  EXPECT_EQ(world.NodeOf("team/large"), "");
}

TEST_F(LiveVolumes, NobodyOfAGangIsBoundBeforeAllItsVolumes) {
  StartWithAGangThatWaits(/*others=*/1);
  Provision("a");
  world.Run(Duration::Seconds(60));
  EXPECT_EQ(world.Bound(), 0);
  Provision("b");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.Bound(), 3);
}

TEST_F(LiveVolumes, WhatTheProvisionerRefusesIsTriedAgain) {
  LiveWorld::Process& process = StartWithAGangThatWaits();
  Provision("a");
  RefuseClaim(world.api, "b");
  world.Run(Duration::Seconds(1));
  EXPECT_THAT(process.problems, testing::Contains(testing::HasSubstr("no volume could be made")));
  EXPECT_EQ(world.Bound(), 0);
  EXPECT_EQ(WaitingOf("g-a"),
            "False VolumesNotHad: node n1 is not held: claim team/b: no volume could be made for "
            "node n1");
  world.Run(Duration::Seconds(290));
  EXPECT_EQ(SelectedNode("b"), "") << "the node is avoided";
  world.Run(Duration::Seconds(20));
  EXPECT_EQ(SelectedNode("b"), "n1") << "it is asked again";
  Provision("b");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.Bound(), 2);
}

// Emptier nodes come first, and of equal ones the first by name.
TEST_F(LiveVolumes, ANodeWhereNoneCanBeMadeIsAvoidedByThoseWhoAskTheSame) {
  StartWithOneThatWaits();
  RefuseClaim(world.api, "data");
  world.AddNode("n2", 4);
  world.AddNode("n3", 4);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(SelectedNode("data"), "n2");
  RefuseClaim(world.api, "data");
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(SelectedNode("data"), "n3") << "nor does it go back to the first";
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n3");
  AddClaim("more");
  AddPod("q", "more");
  world.AddPod("without", 1);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(SelectedNode("more"), "n3");
  EXPECT_EQ(world.NodeOf("team/without"), "n1") << "it needs no volume";
}

TEST_F(LiveVolumes, AnotherProcessAsksOnceMoreWhereNoneCouldBeMade) {
  LiveWorld::Process& first = StartWithOneThatWaits();
  RefuseClaim(world.api, "data");
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(SelectedNode("data"), "");
  world.Kill(first);
  world.Start(2);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(SelectedNode("data"), "n1");
}

TEST_F(LiveVolumes, NotBoundInTimeGivesTheNodeBack) {
  LiveWorld::Process& process = StartWithOneThatWaits();
  world.Run(Duration::Seconds(590));
  EXPECT_THAT(process.problems, IsEmpty());
  EXPECT_EQ(SelectedNode("data"), "n1");
  world.Run(Duration::Seconds(70));
  EXPECT_THAT(process.problems, testing::Contains(testing::HasSubstr("within 10 minutes")));
  EXPECT_EQ(SelectedNode("data"), "") << "the node is avoided";
  world.Run(Duration::Seconds(300));
  EXPECT_EQ(SelectedNode("data"), "n1") << "it is tried again";
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.Bound(), 1);
}

TEST_F(LiveVolumes, AGangWhoseNodeGoesIsDecidedAnewAsAWhole) {
  StartWithAGangThatWaits(1);
  world.RemoveNode("n1");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(SelectedNode("a") + SelectedNode("b"), "");
  world.AddNode("n2", 8);
  world.Run(Duration::Seconds(30));
  EXPECT_EQ(SelectedNode("a") + SelectedNode("b"), "n2n2");
  Provision("a");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.Bound(), 0);
  Provision("b");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.Bound(), 3);
}

// Somebody else selected its node, and nobody here saw it in time.
TEST_F(LiveVolumes, AClaimThatIsBoundForAnotherNodeIsDecidedAnew) {
  StartWithOneThatWaits();
  boost::json::object claim = *world.api.Find("persistentvolumeclaims", "team/data");
  claim["metadata"].as_object()["annotations"] =
      json::object{{"volume.kubernetes.io/selected-node", "n2"}};
  world.AddNode("n2", 4);
  world.api.Put("persistentvolumes", {{"metadata", {{"name", "far"}}},
                                      {"spec",
                                       {{"claimRef", {{"namespace", "team"}, {"name", "data"}}},
                                        {"nodeAffinity",
                                         {{"required",
                                           {{"nodeSelectorTerms",
                                             {{{"matchExpressions",
                                                {{{"key", "kubernetes.io/hostname"},
                                                  {"operator", "In"},
                                                  {"values", json::array{"n2"}}}}}}}}}}}}}}});
  claim["spec"].as_object()["volumeName"] = "far";
  claim["status"] = json::object{{"phase", "Bound"}};
  world.api.Put("persistentvolumeclaims", std::move(claim));
  world.Run(Duration::Seconds(30));
  EXPECT_EQ(world.NodeOf("team/p"), "n2");
}

TEST_F(LiveVolumes, AnotherProcessGoesOnFromWhatTheClaimsSay) {
  LiveWorld::Process& first = StartWithOneThatWaits();
  world.Kill(first);
  world.AddNode("n0", 16);  // emptier, and first by name
  world.Start(2);
  world.Run(Duration::Seconds(5));
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
}

TEST_F(LiveVolumes, TwoPodsMayWaitForOne) {
  StartWithOneThatWaits();
  AddPod("q", "data");
  AddPod("r", "data");
  world.Run(Duration::Seconds(5));
  world.api.Erase("pods", "team/r");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(SelectedNode("data"), "n1") << "two ask for it still";
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p") + world.NodeOf("team/q"), "n1n1");
}

// It never ran: nothing is lost, and nobody deletes it.
TEST_F(LiveVolumes, APodThatYieldsIsReleasedAndNotEvicted) {
  StartWithOneThatWaits();
  AddOneThatTakesAll();
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.NodeOf("team/big"), "n1");
  ASSERT_NE(world.api.Find("pods", "team/p"), nullptr);
  EXPECT_EQ(world.NodeOf("team/p"), "");
  EXPECT_EQ(SelectedNode("data"), "");
  EXPECT_THAT(WaitingOf("p"), testing::StartsWith("False VolumesNotHad: node n1 is not held: "
                                                  "Preempt for team/big"));
  world.AddNode("n2", 4);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(SelectedNode("data"), "n2");
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n2");
}

TEST_F(LiveVolumes, SoIsOneThatHasJustBeenRefused) {
  StartWithOneThatWaits();
  RefuseClaim(world.api, "data");
  world.Run(Duration{.us = 100000});
  AddOneThatTakesAll();
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.NodeOf("team/big"), "n1");
  EXPECT_NE(world.api.Find("pods", "team/p"), nullptr);
}

// Who takes the room takes what was asked for, too.
TEST_F(LiveVolumes, WhatIsReleasedMayBeAskedForByWhoComes) {
  world.api.Erase("nodes", "n1");
  world.AddNode("n1", 1);
  StartWithOneThatWaits();
  boost::json::object pod = *world.Pod("team/p");
  pod["metadata"] = json::object{{"name", "big"}, {"namespace", "team"}};
  pod["spec"].as_object()["priority"] = 100;
  pod.erase("status");
  world.api.Put("pods", std::move(pod));
  world.Run(Duration::Seconds(30));
  EXPECT_EQ(SelectedNode("data"), "n1");
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/big"), "n1");
  EXPECT_EQ(world.NodeOf("team/p"), "");
}

TEST_F(LiveVolumes, APodThatGoesAsksForNothingMore) {
  StartWithOneThatWaits();
  world.api.Erase("pods", "team/p");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(SelectedNode("data"), "");
}

TEST_F(LiveVolumes, TheOthersOfAGangGoOnWithoutOneThatGoes) {
  StartWithAGangThatWaits();
  Provision("b");
  world.api.Erase("pods", "team/g-a");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(SelectedNode("a"), "");
  EXPECT_EQ(world.NodeOf("team/g-b"), "n1");
}

// Volumes that are there ------------------------------------------------------------------------

class LiveStaticVolumes : public LiveVolumes {
 protected:
  LiveStaticVolumes() {
    AddStorageClass(world.api, "local", "kubernetes.io/no-provisioner");
    AddVolume("v", "1Gi");
  }
  void AddVolume(const std::string& name, const std::string& size) {
    world.api.Put("persistentvolumes",
                  {{"metadata", {{"name", name}}},
                   {"spec", {{"storageClassName", "local"}, {"capacity", {{"storage", size}}}}},
                   {"status", {{"phase", "Available"}}}});
  }
  void AddLocalClaim(const std::string& name) {
    world.api.Put(
        "persistentvolumeclaims",
        {{"metadata", {{"name", name}, {"namespace", "team"}}},
         {"spec",
          {{"storageClassName", "local"}, {"resources", {{"requests", {{"storage", "1Gi"}}}}}}},
         {"status", {{"phase", "Pending"}}}});
  }
  // The claim that the volume names, "name"; "none", or "gone".
  std::string ClaimOf(const std::string& volume) const {
    const json::object* object = world.api.Find("persistentvolumes", volume);
    if (object == nullptr) return "gone";
    const json::value* reference = At(object->at("spec"), "claimRef");
    return reference == nullptr ? "none" : TextAt(*reference, "name");
  }
  LiveWorld::Process& StartWithOneThatTakes() {
    AddLocalClaim("data");
    AddPod("p", "data");
    LiveWorld::Process& process = world.Start(1);
    world.Run(Duration::Seconds(5));
    EXPECT_EQ(ClaimOf("v"), "data");
    EXPECT_EQ(SelectedNode("data"), "") << "nobody is to make one";
    EXPECT_EQ(world.NodeOf("team/p"), "");
    return process;
  }
};

TEST_F(LiveStaticVolumes, AreNamedToTheClaimAndThenBindThePod) {
  StartWithOneThatTakes();
  const json::object& volume = *world.api.Find("persistentvolumes", "v");
  const json::value& reference = volume.at("spec").at("claimRef");
  EXPECT_EQ(TextAt(reference, "namespace"), "team");
  EXPECT_EQ(TextAt(reference, "uid"),
            TextAt(world.api.Find("persistentvolumeclaims", "team/data")->at("metadata"), "uid"));
  EXPECT_EQ(TextAt(volume.at("metadata").at("annotations"), "pv.kubernetes.io/bound-by-controller"),
            "yes");
  BindClaim(world.api, "data", "v");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
}

TEST_F(LiveStaticVolumes, GoToOneClaimEach) {
  AddLocalClaim("a");
  AddLocalClaim("b");
  AddPod("p", "a");
  AddPod("q", "b");
  AddVolume("w", "2Gi");
  world.Start(1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(ClaimOf("v") + ClaimOf("w"), "ab");
}

TEST_F(LiveStaticVolumes, ThatSomebodyElseTakesAreGivenUp) {
  LiveWorld::Process& process = StartWithOneThatTakes();
  AddVolume("w", "2Gi");
  json::object volume = *world.api.Find("persistentvolumes", "v");
  volume["spec"].as_object()["claimRef"] =
      json::object{{"namespace", "team"}, {"name", "other"}, {"uid", "u"}};
  world.api.Put("persistentvolumes", std::move(volume));
  world.Run(Duration::Seconds(60));
  EXPECT_THAT(process.problems, testing::Contains(testing::HasSubstr("was taken for team/other")));
  EXPECT_EQ(ClaimOf("v"), "other");
  EXPECT_EQ(ClaimOf("w"), "data");
  BindClaim(world.api, "data", "w");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
}

TEST_F(LiveStaticVolumes, AreGivenBackWhenThePodGoes) {
  StartWithOneThatTakes();
  world.api.Erase("pods", "team/p");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(ClaimOf("v"), "none");
}

TEST_F(LiveStaticVolumes, AnotherProcessGoesOnFromWhatTheVolumesSay) {
  LiveWorld::Process& first = StartWithOneThatTakes();
  world.Kill(first);
  AddVolume("u", "1Gi");  // as small, and first by name
  world.Start(2);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(ClaimOf("u"), "none");
  BindClaim(world.api, "data", "v");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
}

}  // namespace
}  // namespace fairlead::live
