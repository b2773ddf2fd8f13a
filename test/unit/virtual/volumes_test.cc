// Volumes in the virtual cluster: made when a pod has its node, or at once.

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace fairlead::virtual_cluster
