#include "intake/join/daemon_sets.h"

#include "objects/key.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

constexpr std::string_view kSystemNameSpace = "kube-system";

}  // namespace

void DaemonSets::Upsert(const objects::DaemonSet& daemon_set) {
  auto [at, added] = daemon_sets_.try_emplace(daemon_set.meta.Key());
  if (!added && at->second == daemon_set.meta.uid) return;
  at->second = daemon_set.meta.uid;
  marks_.scope().name_spaces.insert(daemon_set.meta.name_space);
}

bool DaemonSets::Remove(std::string_view key) {
  auto found = daemon_sets_.find(key);
  if (found == daemon_sets_.end()) return false;
  marks_.scope().name_spaces.emplace(objects::SplitKey(key).name_space);
  daemon_sets_.erase(found);
  return true;
}

bool DaemonSets::IsThere(const PodTraits& traits) const {
  const std::string prefix = std::string(traits.name_space).append(1, '/');
  auto found = daemon_sets_.find(prefix + std::string(traits.daemon_set));
  if (found == daemon_sets_.end()) {
    auto first = daemon_sets_.lower_bound(prefix);
    const bool known = first != daemon_sets_.end() && first->first.starts_with(prefix);
    return !known && !tables_.owners_are_told;
  }
  return found->second.empty() || traits.daemon_set_uid.empty() ||
         found->second == traits.daemon_set_uid;
}

bool DaemonSets::Trusts(std::string_view name_space) const {
  const auto& selector = tables_.configuration->daemon_set_preemption.name_spaces;
  if (selector) return objects::Matches(*selector, LabelsOfNameSpace(tables_, name_space));
  if (name_space == kSystemNameSpace) return true;
  auto held = tables_.name_space_labels.find(name_space);
  if (held == tables_.name_space_labels.end()) return false;
  const std::string* label = objects::FindLabel(held->second, objects::kInfrastructureLabel);
  return label != nullptr && *label == "true";
}

state::OfDaemonSet DaemonSets::Judge(const PodTraits& traits) const {
  if (traits.daemon_set.empty()) return state::OfDaemonSet::kNo;
  if (!IsThere(traits)) return state::OfDaemonSet::kMissing;
  return Trusts(traits.name_space) ? state::OfDaemonSet::kTrusted : state::OfDaemonSet::kUntrusted;
}

}  // namespace fairlead::intake
