#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/objects/read.h"

// PersistentVolumeClaims and PersistentVolumes: what of them says whether a claim ties a pod to
// some nodes. What follows from it: test/unit/intake.

namespace fairlead::objects {
namespace {

std::string Claim(const std::string& rest) {
  return "apiVersion: v1\nkind: PersistentVolumeClaim\n"
         "metadata: {name: data, namespace: team, uid: u-1}\n" +
         rest;
}

std::string Volume(const std::string& rest) {
  return "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv-1, uid: u-2}\n" + rest;
}

TEST(DecodeVolumes, ABoundClaim) {
  const auto claim = ReadOne<PersistentVolumeClaim>(
      Claim("spec: {accessModes: [ReadOnlyMany, ReadWriteMany], volumeName: pv-1,\n"
            "  storageClassName: nfs, resources: {requests: {storage: 10Gi}}}\n"
            "status: {phase: Bound, capacity: {storage: 10Gi}}\n"));
  EXPECT_EQ(claim.meta.Key(), "team/data");
  EXPECT_EQ(claim.meta.uid, "u-1");
  EXPECT_EQ(claim.volume, "pv-1");
  EXPECT_TRUE(claim.bound);
  EXPECT_FALSE(claim.ask.for_one_pod());
  EXPECT_TRUE(claim.ask.for_many_nodes());
  EXPECT_EQ(claim.ask.bytes, std::int64_t{10} << 30);
  EXPECT_EQ(claim.ask.storage_class, "nfs");
}

// A volume may be named before it is bound, or be lost after.
TEST(DecodeVolumes, OnlyThePhaseBoundIsBound) {
  for (const char* rest :
       {"", "spec: {volumeName: pv-1}\n", "spec: {volumeName: pv-1}\nstatus: {}\n",
        "spec: {volumeName: pv-1}\nstatus: {phase: Pending}\n",
        "spec: {volumeName: pv-1}\nstatus: {phase: Lost}\n",
        "spec: {volumeName: pv-1}\nstatus: {phase: bound}\n"}) {
    EXPECT_FALSE(ReadOne<PersistentVolumeClaim>(Claim(rest)).bound) << rest;
  }
}

TEST(DecodeVolumes, OneModeOfOnePodIsEnough) {
  EXPECT_TRUE(ReadOne<PersistentVolumeClaim>(
                  Claim("spec: {accessModes: [ReadWriteMany, ReadWriteOncePod]}\n"))
                  .ask.for_one_pod());
  EXPECT_FALSE(ReadOne<PersistentVolumeClaim>(Claim("spec: {accessModes: [ReadWriteOnce]}\n"))
                   .ask.for_one_pod());
}

TEST(DecodeVolumes, AVolumeNamesItsClaim) {
  const auto volume = ReadOne<PersistentVolume>(
      Volume("spec: {claimRef: {kind: PersistentVolumeClaim, namespace: team, name: data},\n"
             "  nfs: {server: s, path: /}, accessModes: [ReadWriteMany]}\n"));
  EXPECT_EQ(volume.meta.Key(), "pv-1");
  EXPECT_EQ(volume.claim, "team/data");
  EXPECT_FALSE(volume.node_affinity);
  EXPECT_EQ(ReadOne<PersistentVolume>(Volume("spec: {claimRef: {name: data}}\n")).claim,
            "default/data");
  for (const char* rest :
       {"", "spec: {}\n", "spec: {claimRef: {}}\n", "spec: {claimRef: {namespace: team}}\n"}) {
    EXPECT_EQ(ReadOne<PersistentVolume>(Volume(rest)).claim, "") << rest;
  }
}

TEST(DecodeVolumes, AnAffinityThatDemandsSomething) {
  EXPECT_TRUE(ReadOne<PersistentVolume>(
                  Volume("spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions:\n"
                         "  [{key: kubernetes.io/hostname, operator: In, values: [n1]}]}]}}}\n"))
                  .node_affinity);
  EXPECT_FALSE(ReadOne<PersistentVolume>(Volume("spec: {nodeAffinity: {}}\n")).node_affinity);
}

// kube-scheduler does not ask them: what a term says beside counts alone.
TEST(DecodeVolumes, FieldsOfAnAffinityArePassedOver) {
  const std::string fields = "matchFields: [{key: metadata.name, operator: In, values: [n1]}]";
  const auto terms = [&](const std::string& term) {
    return ReadOne<PersistentVolume>(
               Volume("spec: {nodeAffinity: {required: {nodeSelectorTerms: [{" + term + "}]}}}\n"))
        .node_affinity;
  };
  EXPECT_FALSE(terms(fields));
  const std::string labels = "matchExpressions: [{key: disk, operator: Exists}]";
  EXPECT_EQ(terms(labels + ", " + fields), terms(labels));
  EXPECT_TRUE(terms(labels));
}

// The labels of zones tie it too.
TEST(DecodeVolumes, AVolumeKeepsItsLabels) {
  const auto volume = ReadOne<PersistentVolume>(
      "apiVersion: v1\nkind: PersistentVolume\n"
      "metadata: {name: pv-1, labels: {topology.kubernetes.io/zone: a}}\n");
  const Labels expected{{"topology.kubernetes.io/zone", "a"}};
  EXPECT_EQ(volume.meta.labels, expected);
}

TEST(DecodeVolumes, FaultsNameThePlace) {
  EXPECT_EQ(FaultsOf(Claim("spec: {volumeName: [pv-1]}\n")),
            std::vector<std::string>{"in.yaml:4: PersistentVolumeClaim team/data: "
                                     "spec.volumeName: found a list, expected a string"});
  const std::vector<std::string> of_claim{
      "in.yaml:4: PersistentVolumeClaim team/data: spec.accessModes: found \"ReadWriteMany\", "
      "expected a list",
      "in.yaml:5: PersistentVolumeClaim team/data: status: found a list, expected a mapping"};
  EXPECT_EQ(FaultsOf(Claim("spec: {accessModes: ReadWriteMany}\nstatus: [Bound]\n")), of_claim);
  const std::vector<std::string> of_volume{
      "in.yaml:4: PersistentVolume pv-1: spec.claimRef: found \"team/data\", expected a mapping",
      "in.yaml:4: PersistentVolume pv-1: spec.nodeAffinity: found \"none\", expected a mapping"};
  EXPECT_EQ(FaultsOf(Volume("spec: {claimRef: team/data, nodeAffinity: none}\n")), of_volume);
}

TEST(DecodeVolumes, WhatAVolumeHasForClaims) {
  const auto volume = ReadOne<PersistentVolume>(
      Volume("spec: {storageClassName: local, capacity: {storage: 20Gi}, volumeMode: Block,\n"
             "  accessModes: [ReadWriteOnce, ReadOnlyMany], volumeAttributesClassName: gold,\n"
             "  claimRef: {namespace: team, name: data, uid: u-7}, csi: {driver: d}}\n"
             "status: {phase: Released}\n"));
  EXPECT_EQ(volume.storage_class, "local");
  EXPECT_EQ(volume.bytes, std::int64_t{20} << 30);
  EXPECT_EQ(volume.access_modes, kReadWriteOnce | kReadOnlyMany);
  EXPECT_TRUE(volume.block);
  EXPECT_EQ(volume.attributes_class, "gold");
  EXPECT_EQ(volume.claim_uid, "u-7");
  EXPECT_FALSE(volume.available);
  EXPECT_TRUE(ReadOne<PersistentVolume>(Volume("status: {phase: Available}\n")).available);
  EXPECT_TRUE(ReadOne<PersistentVolume>(Volume("")).available);
}

TEST(DecodeVolumes, WhatAClaimAsks) {
  const auto claim = ReadOne<PersistentVolumeClaim>(
      Claim("spec: {storageClassName: local, volumeMode: Block, accessModes: [ReadWriteOnce],\n"
            "  resources: {requests: {storage: 5Gi}}, selector: {matchLabels: {tier: fast}},\n"
            "  volumeAttributesClassName: gold}\n"));
  VolumeAsk ask = claim.ask;
  PersistentVolume volume;
  volume.storage_class = "local";
  volume.bytes = std::int64_t{5} << 30;
  volume.access_modes = kReadWriteOnce | kReadWriteMany;
  volume.block = true;
  volume.attributes_class = "gold";
  volume.meta.labels = {{"tier", "fast"}};
  EXPECT_TRUE(MayBeTaken(ask, volume));
  const auto with = [&](auto change) {
    PersistentVolume other = volume;
    change(other);
    return MayBeTaken(ask, other);
  };
  EXPECT_FALSE(with([](auto& v) { v.storage_class = "other"; }));
  EXPECT_FALSE(with([](auto& v) { --v.bytes; }));
  EXPECT_FALSE(with([](auto& v) { v.access_modes = kReadWriteMany; }));
  EXPECT_FALSE(with([](auto& v) { v.block = false; }));
  EXPECT_FALSE(with([](auto& v) { v.attributes_class.clear(); }));
  EXPECT_FALSE(with([](auto& v) { v.meta.labels.clear(); }));
  EXPECT_FALSE(with([](auto& v) { v.available = false; }));
  EXPECT_FALSE(with([](auto& v) { v.claim = "team/data"; }));
  EXPECT_FALSE(with([](auto& v) { v.meta.deletion_time = Time{}; }));
  volume.claim = "team/data";
  EXPECT_TRUE(IsKeptFor("team/data", "u-1", volume));
  EXPECT_FALSE(IsKeptFor("team/other", "u-1", volume));
  volume.claim_uid = "u-2";
  EXPECT_FALSE(IsKeptFor("team/data", "u-1", volume)) << "another claim of that name";
}

}  // namespace
}  // namespace fairlead::objects
