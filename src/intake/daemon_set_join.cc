#include <utility>

#include "intake/store.h"
#include "objects/key.h"
#include "objects/keys.h"

// Whose pods have the powers of a DaemonSet's (semantics.md §7): they clear a node across all
// queues, and nobody moves them. A pod says by its ownerReference that a DaemonSet controls it
// (claims.h), and whoever makes pods may write that. It is believed where
//   1. the DaemonSet is there: of that name, in its namespace, and of that uid where both have one;
//   2. its namespace is trusted. Who may label namespaces decides that, not who makes pods.
// Both are facts between objects: a DaemonSet or a label that comes or goes has the pods of its
// namespace joined anew.

namespace fairlead::intake {
namespace {

constexpr std::string_view kSystemNameSpace = "kube-system";

}  // namespace

void Intake::Store::Upsert(const objects::DaemonSet& daemon_set) {
  auto [at, added] = daemon_sets_.try_emplace(daemon_set.meta.Key());
  if (!added && at->second == daemon_set.meta.uid) return;
  at->second = daemon_set.meta.uid;
  scope_.name_spaces.insert(daemon_set.meta.name_space);
}

bool Intake::Store::RemoveDaemonSet(std::string_view key) {
  auto found = daemon_sets_.find(key);
  if (found == daemon_sets_.end()) return false;
  scope_.name_spaces.emplace(objects::SplitKey(key).name_space);
  daemon_sets_.erase(found);
  return true;
}

void Intake::Store::KnowAllDaemonSets() { scope_.all |= !std::exchange(all_daemon_sets_, true); }

bool Intake::Store::IsThere(const PodClaims& claims) const {
  const std::string prefix = std::string(claims.name_space).append(1, '/');
  auto found = daemon_sets_.find(prefix + std::string(claims.daemon_set));
  if (found == daemon_sets_.end()) {
    auto first = daemon_sets_.lower_bound(prefix);
    const bool known = first != daemon_sets_.end() && first->first.starts_with(prefix);
    return !known && !all_daemon_sets_;
  }
  return found->second.empty() || claims.daemon_set_uid.empty() ||
         found->second == claims.daemon_set_uid;
}

bool Intake::Store::TrustsDaemonSetsOf(std::string_view name_space) const {
  const auto& selector = configuration_->daemon_set_preemption.name_spaces;
  if (selector) return objects::Matches(*selector, LabelsOfNameSpace(name_space));
  if (name_space == kSystemNameSpace) return true;
  auto held = name_space_labels_.find(name_space);
  if (held == name_space_labels_.end()) return false;
  const std::string* label = objects::FindLabel(held->second, objects::kInfrastructureLabel);
  return label != nullptr && *label == "true";
}

state::OfDaemonSet Intake::Store::OfDaemonSet(const PodClaims& claims) const {
  if (claims.daemon_set.empty()) return state::OfDaemonSet::kNo;
  if (!IsThere(claims)) return state::OfDaemonSet::kMissing;
  return TrustsDaemonSetsOf(claims.name_space) ? state::OfDaemonSet::kTrusted
                                               : state::OfDaemonSet::kUntrusted;
}

}  // namespace fairlead::intake
