// Volumes in the virtual cluster: made when a pod has its node, or at once.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/random.h"
#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Class(std::string_view name, std::string_view rest) {
  std::string text = "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: ";
  text.append(name).append("}, provisioner: csi.example.com, ").append(rest);
  return text + "}\n---\n";
}

std::string Claim(std::string_view name, std::string_view storage_class) {
  return Object("v1", "PersistentVolumeClaim", name, "namespace: a",
                "storageClassName: " + std::string(storage_class));
}

std::string PodWith(std::string_view name, std::string_view volume) {
  return Pod(name, "1", "", "volumes: [{name: v, " + std::string(volume) + "}]");
}

std::string VolumeOf(const Simulated& run, std::string_view claim) {
  const auto* object = run.cluster.Find("PersistentVolumeClaim", "a", claim);
  if (object == nullptr) return "gone";
  const auto& shown = std::get<objects::PersistentVolumeClaim>(*object);
  return shown.volume + (shown.bound ? " bound " : " unbound ") + shown.selected_node;
}

TEST(Volumes, AreMadeForTheNodeOfThePod) {
  Simulated run(Node("n1", "cpu: 1", "labels: {zone: a}") +
                Node("n2", "cpu: 4", "labels: {zone: b}") +
                Class("in-b",
                      "volumeBindingMode: WaitForFirstConsumer, allowedTopologies: "
                      "[{matchLabelExpressions: [{key: zone, values: [b]}]}]") +
                Claim("data", "in-b"));
  run.Until(5);
  EXPECT_EQ(VolumeOf(run, "data"), " unbound ");
  run.Submit(PodWith("p", "persistentVolumeClaim: {claimName: data}"));
  run.Until(10);
  EXPECT_EQ(VolumeOf(run, "data"), "pvc-a-data bound n2");
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Running n2"));
  // Its volume ties the next pod that names it, wherever there is more room.
  run.Submit(Node("n3", "cpu: 64", "labels: {zone: c}"));
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "p"));
  run.Submit(PodWith("q", "persistentVolumeClaim: {claimName: data}"));
  run.Until(20);
  EXPECT_THAT(run.Pods(), ElementsAre("a/q Running n2"));
  ASSERT_TRUE(run.cluster.Delete("PersistentVolumeClaim", "a", "data"));
  EXPECT_EQ(run.cluster.Find("PersistentVolume", "", "pvc-a-data"), nullptr);
}

TEST(Volumes, OfAClassThatDoesNotWaitAreMadeAtOnce) {
  Simulated run(Node("n1", "cpu: 4") + Claim("data", "at-once") +
                PodWith("p", "persistentVolumeClaim: {claimName: data}"));
  run.Until(5);
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Pending"));
  run.Submit(Class("at-once", "volumeBindingMode: Immediate"));
  run.Until(10);
  EXPECT_EQ(VolumeOf(run, "data"), "pvc-a-data bound ");
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Running n1"));
}

TEST(Volumes, EphemeralOnesComeAndGoWithTheirPods) {
  Simulated run(
      Node("n1", "cpu: 4") + Class("scratch", "volumeBindingMode: WaitForFirstConsumer") +
      PodWith("p", "ephemeral: {volumeClaimTemplate: {spec: {storageClassName: scratch}}}"));
  run.Until(5);
  EXPECT_EQ(VolumeOf(run, "p-v"), "pvc-a-p-v bound n1");
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Running n1"));
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "p"));
  run.Until(10);
  EXPECT_EQ(VolumeOf(run, "p-v"), "gone");
  EXPECT_THAT(run.cluster.List("PersistentVolume"), IsEmpty());
}

std::string Volume(std::string_view name, std::string_view size, std::string_view node) {
  return "{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + std::string(name) +
         "}, spec: {storageClassName: local, capacity: {storage: " + std::string(size) +
         "}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, "
         "operator: In, values: [" +
         std::string(node) + "]}]}]}}}}\n---\n";
}

TEST(Volumes, ThatAreThereAreTakenAndNotMade) {
  Simulated run(Node("n1", "cpu: 1", "labels: {zone: a}") +
                Node("n2", "cpu: 4", "labels: {zone: b}") + Volume("large", "20Gi", "b") +
                Volume("small", "10Gi", "b") +
                "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: local}, "
                "provisioner: kubernetes.io/no-provisioner, volumeBindingMode: "
                "WaitForFirstConsumer}\n---\n" +
                Claim("data", "local") + Claim("more", "local") + Claim("none", "local") +
                PodWith("p", "persistentVolumeClaim: {claimName: data}") +
                PodWith("q", "persistentVolumeClaim: {claimName: more}") +
                PodWith("r", "persistentVolumeClaim: {claimName: none}"));
  run.Until(5);
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Running n2", "a/q Running n2", "a/r Pending"));
  EXPECT_EQ(VolumeOf(run, "data"), "small bound ");
  EXPECT_EQ(VolumeOf(run, "more"), "large bound ");
  // The volume was there before its claim, and stays: with what is on it it is nobody's.
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "p"));
  ASSERT_TRUE(run.cluster.Delete("PersistentVolumeClaim", "a", "data"));
  run.Until(10);
  EXPECT_NE(run.cluster.Find("PersistentVolume", "", "small"), nullptr);
  EXPECT_EQ(VolumeOf(run, "none"), " unbound ");
}

TEST(Volumes, OfAClassThatDoesNotWaitAreTakenAtOnce) {
  Simulated run(Node("n1", "cpu: 4") + Claim("data", "local") +
                "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: local}, "
                "provisioner: kubernetes.io/no-provisioner}\n---\n");
  run.Until(5);
  EXPECT_EQ(VolumeOf(run, "data"), " unbound ");
  run.Submit(Volume("v", "1Gi", "a"));
  run.Until(10);
  EXPECT_EQ(VolumeOf(run, "data"), "v bound ");
}

// A class whose volumes come when a pod has its node, thirty seconds later.
class LateVolumes : public testing::Test {
 protected:
  static constexpr Delays kDelays{.volumes = Duration::Seconds(30)};

  static std::string Member(std::string_view name, std::string_view spec = "") {
    return Pod(name, "1", "labels: {fairlead.dev/workload: g}", spec);
  }
  // Three pods, of which two claim a volume each.
  static std::string Gang() {
    return Object("fairlead.dev/v1alpha1", "Workload", "g", "namespace: a",
                  "podSets: [{name: main, count: 3}]") +
           Claim("x", "late") + Claim("y", "late") + Member("g-0") +
           Member("g-x", "volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]") +
           Member("g-y", "volumes: [{name: v, persistentVolumeClaim: {claimName: y}}]");
  }
  static std::string Late() { return Class("late", "volumeBindingMode: WaitForFirstConsumer"); }
  static std::string OneThatClaims() {
    return Node("n1", "cpu: 1") + Late() + Claim("data", "late") +
           PodWith("p", "persistentVolumeClaim: {claimName: data}");
  }
};

TEST_F(LateVolumes, ThePodIsBoundWhenTheyAre) {
  Simulated run(OneThatClaims(), kDelays);
  run.Until(10);
  EXPECT_EQ(VolumeOf(run, "data"), " unbound n1");
  // Its room is held meanwhile.
  run.Submit(Pod("q", "1"));
  run.Until(29);
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Pending", "a/q Pending"));
  run.Until(30);
  EXPECT_EQ(VolumeOf(run, "data"), "pvc-a-data bound n1");
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Running n1", "a/q Pending"));
}

TEST_F(LateVolumes, NobodyOfAGangIsBoundBeforeAllOfThem) {
  Simulated run(Node("n1", "cpu: 8") + Late() + Gang(), kDelays);
  run.Until(29);
  EXPECT_THAT(run.Pods(), ElementsAre("a/g-0 Pending", "a/g-x Pending", "a/g-y Pending"));
  run.Until(31);
  EXPECT_THAT(run.Pods(), ElementsAre("a/g-0 Running n1", "a/g-x Running n1", "a/g-y Running n1"));
}

TEST_F(LateVolumes, NobodyOfAGangIsBoundWhereOneCannotBeHad) {
  Simulated run(Node("n1", "cpu: 8") + Late() + Gang(), kDelays);
  run.Until(10);
  ASSERT_TRUE(run.cluster.Delete("PersistentVolumeClaim", "a", "y"));
  run.Until(31);
  EXPECT_THAT(run.Pods(), ElementsAre("a/g-0 Pending", "a/g-x Pending", "a/g-y Pending"));
  EXPECT_EQ(VolumeOf(run, "x"), " unbound ") << "and what was asked for is taken back";
  run.Submit(Claim("y", "late"));
  run.Until(90);
  EXPECT_THAT(run.Pods(), ElementsAre("a/g-0 Running n1", "a/g-x Running n1", "a/g-y Running n1"));
}

TEST_F(LateVolumes, AreAskedForElsewhereWhenTheNodeGoes) {
  Simulated run(OneThatClaims(), kDelays);
  run.Until(10);
  ASSERT_TRUE(run.cluster.Delete("Node", "", "n1"));
  run.Submit(Node("n2", "cpu: 1"));
  run.Until(100);
  EXPECT_EQ(VolumeOf(run, "data"), "pvc-a-data bound n2");
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Running n2"));
}

TEST_F(LateVolumes, WhoYieldsMeanwhileIsReleasedAndNotEvicted) {
  Simulated run(OneThatClaims(), kDelays);
  run.Until(10);
  run.Submit(Pod("q", "1", "", "priority: 100"));
  run.Until(40);
  EXPECT_THAT(run.Pods(), ElementsAre("a/p Pending", "a/q Running n1"));
  EXPECT_EQ(VolumeOf(run, "data"), " unbound ");
}

TEST_F(LateVolumes, AreNotAskedForAnyMoreWhenThePodGoes) {
  Simulated run(OneThatClaims(), kDelays);
  run.Until(10);
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "p"));
  run.Until(11);
  EXPECT_EQ(VolumeOf(run, "data"), " unbound ");
}

// Claims, volumes and pods at random, some claims of several pods; room is no matter. Whoever runs
// has what it claims, nobody has another's volume, and nobody waits who could have all.
TEST(Volumes, AreWhoseTheyAreAndNobodyWaitsInVain) {
  constexpr int kPods = 12;
  int running = 0, waiting = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    std::string yaml =
        "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: local}, provisioner: "
        "kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer}\n---\n";
    for (int i = 0; i < 4; ++i) {
      yaml += Node("n" + std::to_string(i), "cpu: 64",
                   "labels: {zone: " + std::string(1, "ab"[i % 2]) + "}");
    }
    for (int i = 0; i < 10; ++i) {
      yaml += Volume("v" + std::to_string(i), std::to_string(1 + random.Below(3)) + "Gi",
                     std::string(1, "ab"[random.Below(2)]));
    }
    for (int i = 0; i < 10; ++i) {
      yaml += Object("v1", "PersistentVolumeClaim", "c" + std::to_string(i), "namespace: a",
                     "storageClassName: local, resources: {requests: {storage: " +
                         std::to_string(1 + random.Below(3)) + "Gi}}");
    }
    for (int i = 0; i < kPods; ++i) {
      std::string volumes = "volumes: [";
      for (std::uint64_t k = 0; k <= random.Below(2); ++k) {
        volumes += "{name: v" + std::to_string(k) + ", persistentVolumeClaim: {claimName: c" +
                   std::to_string(random.Below(10)) + "}}, ";
      }
      yaml += Pod("p" + std::to_string(i), "1", "", volumes + "]");
    }
    Simulated run(yaml, {.volumes = Duration::Seconds(static_cast<std::int64_t>(seed % 2) * 7)});
    run.Until(60);
    std::map<std::string, objects::PersistentVolume> volumes;
    std::map<std::string, objects::PersistentVolumeClaim> claims;
    std::map<std::string, int> had;
    for (const objects::Object* object : run.cluster.List("PersistentVolume")) {
      const auto& volume = std::get<objects::PersistentVolume>(*object);
      volumes[volume.meta.name] = volume;
    }
    for (const objects::Object* object : run.cluster.List("PersistentVolumeClaim")) {
      const auto& claim = std::get<objects::PersistentVolumeClaim>(*object);
      claims[claim.meta.name] = claim;
      if (!claim.bound) continue;
      EXPECT_EQ(++had[claim.volume], 1) << seed;
      const objects::PersistentVolume& volume = volumes.at(claim.volume);
      EXPECT_EQ(volume.claim, claim.meta.Key());
      EXPECT_GE(volume.bytes, claim.ask.bytes);
    }
    const auto zone_has = [&](const std::string& name, const std::string& zone) {
      const objects::NodeSelectorTerm& term = volumes.at(name).node_affinity->front();
      return term.labels.front().values.front() == zone;
    };
    for (const objects::Object* object : run.cluster.List("Pod")) {
      const auto& pod = std::get<objects::Pod>(*object);
      const std::vector<std::string>& named = pod.spec.rare->volume_claims;
      if (!pod.spec.node_name.empty()) {
        ++running;
        const std::string zone((pod.spec.node_name.back() - '0') % 2 == 0 ? "a" : "b");
        for (const std::string& name : named) {
          ASSERT_TRUE(claims.at(name).bound) << seed;
          EXPECT_TRUE(zone_has(claims.at(name).volume, zone)) << seed << " " << pod.meta.name;
        }
        continue;
      }
      ++waiting;
      for (const std::string zone : {"a", "b"}) {
        // By size, each takes the smallest that is left.
        std::vector<const objects::PersistentVolumeClaim*> order;
        for (const std::string& name : named) order.push_back(&claims.at(name));
        std::ranges::sort(order, {}, [](const auto* claim) { return claim->ask.bytes; });
        std::set<std::string> used;
        bool all = true;
        for (const auto* claim : order) {
          if (claim->bound) {
            all = all && zone_has(claim->volume, zone);
            continue;
          }
          auto left = volumes.end();
          for (auto each = volumes.begin(); each != volumes.end(); ++each) {
            if (!zone_has(each->first, zone) || used.contains(each->first)) continue;
            if (!objects::MayBeTaken(claim->ask, each->second)) continue;
            if (left == volumes.end() || each->second.bytes < left->second.bytes) left = each;
          }
          all = all && left != volumes.end();
          if (left != volumes.end()) used.insert(left->first);
        }
        EXPECT_FALSE(all) << seed << " " << pod.meta.name << " in " << zone;
      }
    }
  }
  EXPECT_GT(running, 150);
  EXPECT_GT(waiting, 50);
}

}  // namespace
}  // namespace fairlead::virtual_cluster
