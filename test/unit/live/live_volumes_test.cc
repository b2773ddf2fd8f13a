// Claims of volumes that are bound for the nodes of their pods: by a provisioner that makes what it
// is asked, takes its time, or cannot.

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;
using testing::IsEmpty;

namespace json = boost::json;

constexpr const char* kSelected = "volume.kubernetes.io/selected-node";

class LiveVolumes : public testing::Test {
 protected:
  LiveVolumes() {
    world.AddNode("n1", 4);
    world.AddQueue("default", 0);
    world.api.Put("storageclasses", {{"metadata", {{"name", "fast"}}},
                                     {"provisioner", "csi.example.com"},
                                     {"volumeBindingMode", "WaitForFirstConsumer"}});
  }

  void AddClaim(const std::string& name) {
    world.api.Put("persistentvolumeclaims", {{"metadata", {{"name", name}, {"namespace", "team"}}},
                                             {"spec", {{"storageClassName", "fast"}}},
                                             {"status", {{"phase", "Pending"}}}});
  }
  void AddPod(const std::string& name, const std::string& claim, const std::string& gang = "") {
    json::object meta{{"name", name}, {"namespace", "team"}, {"creationTimestamp", world.Stamp()}};
    if (!gang.empty()) meta["labels"] = json::object{{"fairlead.dev/workload", gang}};
    json::object spec{
        {"schedulerName", "fairlead"},
        {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "1"}}}}}}}}};
    if (!claim.empty()) {
      spec["volumes"] = json::array{
          json::object{{"name", "v"}, {"persistentVolumeClaim", {{"claimName", claim}}}}};
    }
    world.api.Put("pods", {{"metadata", std::move(meta)}, {"spec", std::move(spec)}});
  }
  std::string SelectedNode(const std::string& claim) const {
    const json::object* object = world.api.Find("persistentvolumeclaims", "team/" + claim);
    if (object == nullptr) return "gone";
    const json::value* annotations = At(object->at("metadata"), "annotations");
    return annotations == nullptr ? "" : TextAt(*annotations, kSelected);
  }
  // As a provisioner does that made a volume for it.
  void Provision(const std::string& claim) {
    const std::string volume = "pvc-" + claim;
    world.api.Put("persistentvolumes",
                  {{"metadata", {{"name", volume}}},
                   {"spec", {{"claimRef", {{"namespace", "team"}, {"name", claim}}}}}});
    json::object object = *world.api.Find("persistentvolumeclaims", "team/" + claim);
    object["spec"].as_object()["volumeName"] = volume;
    object["status"] = json::object{{"phase", "Bound"}};
    world.api.Put("persistentvolumeclaims", std::move(object));
  }
  // As one does that cannot make it there.
  void Refuse(const std::string& claim) {
    json::object object = *world.api.Find("persistentvolumeclaims", "team/" + claim);
    object["metadata"].as_object()["annotations"].as_object().erase(kSelected);
    world.api.Put("persistentvolumeclaims", std::move(object));
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
  Provision("data");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
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
  Refuse("b");
  world.Run(Duration::Seconds(1));
  EXPECT_THAT(process.problems, testing::Contains(testing::HasSubstr("no volume could be made")));
  EXPECT_EQ(world.Bound(), 0);
  world.Run(Duration::Seconds(60));
  EXPECT_EQ(SelectedNode("b"), "n1") << "it is asked again";
  Provision("b");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.Bound(), 2);
}

TEST_F(LiveVolumes, NotBoundInTimeGivesTheNodeBack) {
  LiveWorld::Process& process = StartWithOneThatWaits();
  world.Run(Duration::Seconds(590));
  EXPECT_THAT(process.problems, IsEmpty());
  EXPECT_EQ(SelectedNode("data"), "n1");
  world.api.Erase("nodes", "n1");
  world.AddNode("n2", 4);
  world.Run(Duration::Seconds(60));
  EXPECT_THAT(process.problems, testing::Contains(testing::HasSubstr("within 10 minutes")));
  EXPECT_EQ(SelectedNode("data"), "n2");
  Provision("data");
  world.Run(Duration::Seconds(5));
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
    world.api.Put("storageclasses", {{"metadata", {{"name", "local"}}},
                                     {"provisioner", "kubernetes.io/no-provisioner"},
                                     {"volumeBindingMode", "WaitForFirstConsumer"}});
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
  // As the controller does that finds the claim in a volume.
  void BindTo(const std::string& claim, const std::string& volume) {
    json::object object = *world.api.Find("persistentvolumeclaims", "team/" + claim);
    object["spec"].as_object()["volumeName"] = volume;
    object["status"] = json::object{{"phase", "Bound"}};
    world.api.Put("persistentvolumeclaims", std::move(object));
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
  BindTo("data", "v");
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
  BindTo("data", "w");
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
  BindTo("data", "v");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
}

}  // namespace
}  // namespace fairlead::live
