#include "unit/live/fake_storage.h"

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "objects/key.h"
#include "objects/read/json_fields.h"
#include "unit/live/claims.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

using objects::At;
using objects::TextAt;

constexpr const char* kHostname = "kubernetes.io/hostname";
constexpr int kVolumesThere = 6;
// Longer than a watch is silent unnoticed and a binding is on its way.
constexpr Duration kForgiven = Duration::Seconds(600);

std::vector<std::string> ClaimsOf(const json::object& pod) {
  std::vector<std::string> claims;
  const json::value* volumes = At(pod.at("spec"), "volumes");
  if (volumes == nullptr) return claims;
  for (const json::value& volume : volumes->as_array()) {
    claims.push_back(TextAt(volume.at("persistentVolumeClaim"), "claimName"));
  }
  return claims;
}

std::string LabelOf(const json::object& pod, const char* label) {
  const json::value* labels = At(pod.at("metadata"), "labels");
  return labels == nullptr ? "" : TextAt(*labels, label);
}

// Of a volume; "name".
std::string HolderOf(const json::object& volume) {
  const json::value* reference = At(volume.at("spec"), "claimRef");
  return reference == nullptr || !reference->is_object() ? "" : TextAt(*reference, "name");
}

std::string NodeOf(const json::object& volume) {
  return std::string(volume.at("spec")
                         .at("nodeAffinity")
                         .at("required")
                         .at("nodeSelectorTerms")
                         .at(0)
                         .at("matchExpressions")
                         .at(0)
                         .at("values")
                         .at(0)
                         .as_string());
}

}  // namespace

FakeStorage::FakeStorage(LiveWorld& world, Random& random) : world_(world), random_(random) {
  for (const auto& [name, provisioner] :
       {std::pair("made", "csi.example.com"), std::pair("there", "kubernetes.io/no-provisioner")}) {
    AddStorageClass(world_.api, name, provisioner);
  }
  for (int i = 0; i < kVolumesThere; ++i) {
    AddVolume("v" + std::to_string(i), "n" + std::to_string(i % 4), "");
  }
  world_.api.on_binding = [this](const std::string& pod, const std::string& node) {
    JudgeBinding(pod, node);
  };
}

void FakeStorage::AddVolume(const std::string& name, const std::string& node,
                            const std::string& claim) {
  json::array terms{
      json::object{{"matchExpressions",
                    json::array{json::object{
                        {"key", kHostname}, {"operator", "In"}, {"values", json::array{node}}}}}}};
  json::object spec{{"storageClassName", claim.empty() ? "there" : "made"},
                    {"capacity", {{"storage", "1Gi"}}},
                    {"nodeAffinity", {{"required", {{"nodeSelectorTerms", std::move(terms)}}}}}};
  if (!claim.empty()) spec["claimRef"] = json::object{{"namespace", "team"}, {"name", claim}};
  world_.api.Put("persistentvolumes",
                 {{"metadata", {{"name", name}}},
                  {"spec", std::move(spec)},
                  {"status", {{"phase", claim.empty() ? "Available" : "Bound"}}}});
}

void FakeStorage::NeedClaim(const std::string& name) {
  if (ClaimOf(name) != nullptr) return;
  world_.api.Put("persistentvolumeclaims",
                 {{"metadata", {{"name", name}, {"namespace", "team"}}},
                  {"spec",
                   {{"storageClassName", random_.Below(2) == 0 ? "made" : "there"},
                    {"resources", {{"requests", {{"storage", "1Gi"}}}}}}},
                  {"status", {{"phase", "Pending"}}}});
}

bool FakeStorage::IsBound(const std::string& name) const {
  const json::object* claim = ClaimOf(name);
  return claim != nullptr && TextAt(claim->at("status"), "phase") == "Bound";
}

void FakeStorage::AnswerTo(const std::string& name, bool refuse) {
  if (IsBound(name)) return;
  for (const auto& [volume, object] : world_.api.All("persistentvolumes")) {
    if (HolderOf(object) != name) continue;
    ++totals_.given;
    return BindClaim(world_.api, name, volume);
  }
  const std::string node = NodeSelectedFor(world_.api, name);
  if (node.empty()) return;
  if (refuse || world_.api.Find("nodes", node) == nullptr) {
    ++totals_.refused;
    RefuseClaim(world_.api, name);
    return;
  }
  ++totals_.made;
  AddVolume("pvc-" + name, node, name);
  BindClaim(world_.api, name, "pvc-" + name);
}

void FakeStorage::Answer() {
  const auto claims = world_.api.All("persistentvolumeclaims");
  for (const auto& [key, claim] : claims) {
    AnswerTo(std::string(objects::SplitKey(key).name), false);
  }
}

bool FakeStorage::IsUsed(const std::string& claim) const {
  for (const auto& [key, pod] : world_.api.All("pods")) {
    if (world_.NodeOf(key).empty()) continue;
    for (const std::string& named : ClaimsOf(pod)) {
      if (named == claim) return true;
    }
  }
  return false;
}

void FakeStorage::Delete(const std::string& claim) {
  if (IsUsed(claim)) return;  // it is protected
  ++totals_.deleted;
  deleted_at_[claim] = world_.clock.now();
  const auto volumes = world_.api.All("persistentvolumes");
  for (const auto& [volume, object] : volumes) {
    if (HolderOf(object) != claim) continue;
    const std::string node = NodeOf(object);
    world_.api.Erase("persistentvolumes", volume);
    if (volume.starts_with("v")) AddVolume(volume, node, "");
  }
  world_.api.Erase("persistentvolumeclaims", "team/" + claim);
}

void FakeStorage::Change() {
  const auto& claims = world_.api.All("persistentvolumeclaims");
  if (claims.empty()) return;
  const std::string key =
      std::next(claims.begin(), static_cast<std::ptrdiff_t>(random_.Below(claims.size())))->first;
  const std::string name(objects::SplitKey(key).name);
  if (random_.Below(12) == 0) return Delete(name);
  AnswerTo(name, random_.Below(4) == 0);
}

bool FakeStorage::IsForgiven(const std::string& claim) const {
  const auto at = deleted_at_.find(claim);
  return at != deleted_at_.end() && world_.clock.now() - at->second < kForgiven;
}

void FakeStorage::JudgeBinding(const std::string& key, const std::string& node) {
  const json::object& pod = *world_.Pod(key);
  for (const std::string& claim : ClaimsOf(pod)) {
    if (IsForgiven(claim)) continue;
    ++totals_.judged;
    if (!IsBound(claim)) {
      ADD_FAILURE() << key << " is bound, its claim " << claim << " is not";
      continue;
    }
    const std::string volume = TextAt(ClaimOf(claim)->at("spec"), "volumeName");
    const std::string there = NodeOf(*world_.api.Find("persistentvolumes", volume));
    if (there != node) ADD_FAILURE() << key << " is on " << node << ", its volume on " << there;
  }
  const std::string gang = LabelOf(pod, "fairlead.dev/workload");
  const json::object* workload = world_.api.Find("workloads", "team/" + gang);
  if (workload == nullptr) return;
  const json::value& set = workload->at("spec").at("podSets").at(0);
  if (set.at("minCount") != set.at("count")) return;
  std::vector<std::string> unbound;
  for (const auto& [other, member] : world_.api.All("pods")) {
    if (LabelOf(member, "fairlead.dev/workload") != gang) continue;
    if (!world_.NodeOf(other).empty()) return;  // it has started
    for (const std::string& claim : ClaimsOf(member)) {
      if (!IsBound(claim) && !IsForgiven(claim)) unbound.push_back(claim);
    }
  }
  if (!unbound.empty()) ADD_FAILURE() << key << " is bound before " << unbound.front();
}

}  // namespace fairlead::live
