// Pods with claims onto 5,000 empty nodes in 8 zones: the decision alone.

#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/demand_worlds.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kPods = 20'000;
constexpr std::int64_t kBytes = 10LL << 30;

objects::Pod PodWithClaims(std::int64_t i, std::vector<std::string> claims) {
  objects::Pod pod = Pod(i, "a");
  pod.spec.rare.Edit().volume_claims = std::move(claims);
  return pod;
}

objects::PersistentVolumeClaim Claim(const std::string& name, const std::string& storage_class) {
  objects::PersistentVolumeClaim claim;
  claim.meta = {.name = name, .name_space = "a", .uid = name};
  claim.ask = {
      .storage_class = storage_class, .bytes = kBytes, .access_modes = objects::kReadWriteOnce};
  return claim;
}

objects::PersistentVolume VolumeIn(std::int64_t i, const std::string& zone) {
  objects::PersistentVolume volume;
  volume.meta.name = fmt::format("v{:07}", i);
  volume.storage_class = "there";
  volume.bytes = kBytes;
  volume.access_modes = objects::kReadWriteOnce;
  volume.node_affinity = {{.labels = {{.key = "topology.kubernetes.io/zone",
                                       .op = objects::Operator::kIn,
                                       .values = {zone}}}}};
  return volume;
}

// Two WaitForFirstConsumer claims each, for which volumes are made, or taken of those that are
// there.
void ClaimsToBind(benchmark::State& state) {
  const bool are_there = state.range(0) != 0;
  std::vector<objects::Object> others;
  objects::StorageClass storage;
  storage.meta.name = "there";
  storage.provisioner = are_there ? "kubernetes.io/no-provisioner" : "csi.example.com";
  storage.waits_for_pod = true;
  others.emplace_back(storage);
  for (std::int64_t i = 0; i < 2 * kPods; ++i) {
    others.emplace_back(Claim(fmt::format("c{}", i), "there"));
    if (are_there) others.emplace_back(VolumeIn(i, fmt::format("z{}", i / 2 % kZones)));
  }
  PlaceAll(
      state, kPods,
      [](std::int64_t i) {
        return PodWithClaims(i, {fmt::format("c{}", 2 * i), fmt::format("c{}", 2 * i + 1)});
      },
      Node, others);
}
BENCHMARK(ClaimsToBind)->ArgName("are_there")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// A bound volume of its own each, in one of the zones.
void BoundClaims(benchmark::State& state) {
  std::vector<objects::Object> others;
  for (std::int64_t i = 0; i < kPods; ++i) {
    objects::PersistentVolume volume = VolumeIn(i, fmt::format("z{}", i % kZones));
    objects::PersistentVolumeClaim claim = Claim(fmt::format("c{}", i), "there");
    volume.available = false;
    volume.claim = "a/" + claim.meta.name;
    volume.claim_uid = claim.meta.uid;
    claim.volume = volume.meta.name;
    claim.bound = true;
    others.emplace_back(std::move(volume));
    others.emplace_back(std::move(claim));
  }
  PlaceAll(
      state, kPods, [](std::int64_t i) { return PodWithClaims(i, {fmt::format("c{}", i)}); }, Node,
      others);
}
BENCHMARK(BoundClaims)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
