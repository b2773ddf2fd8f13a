#include "engine/place/obstacles.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace fairlead::engine {
namespace {

using objects::Taint;
using objects::TaintEffect;
using Names = policy::NodeDemand::Names;

std::string_view EffectOf(const Taint& taint) {
  return taint.effect == TaintEffect::kNoExecute ? "NoExecute" : "NoSchedule";
}

// As kubectl writes it.
std::string TextOf(const Taint& taint) {
  return fmt::format("{}{}{}:{}", taint.key, taint.value.empty() ? "" : "=", taint.value,
                     EffectOf(taint));
}

std::string TolerationFor(const Taint& taint) {
  if (taint.value.empty()) {
    return fmt::format("{{key: {}, operator: Exists, effect: {}}}", taint.key, EffectOf(taint));
  }
  return fmt::format("{{key: {}, operator: Equal, value: {}, effect: {}}}", taint.key, taint.value,
                     EffectOf(taint));
}

// Kubernetes' own taints say what is wrong with a node for the moment: nobody is to tolerate them.
bool SaysOutOfOrder(const Taint& taint) { return taint.key.starts_with("node.kubernetes.io/"); }

// The key that counts most; of equals the first.
template <typename Key>
const Key* MostFrequent(const std::map<Key, std::int64_t>& counts, std::int64_t& most) {
  const Key* best = nullptr;
  for (const auto& [key, count] : counts) {
    if (count <= most) continue;
    most = count;
    best = &key;
  }
  return best;
}

}  // namespace

Obstacles::Obstacles(const state::Cluster& cluster, const state::Shape& shape)
    : cluster_(cluster), shape_(shape), by_label_(shape.needs->node_selector.size(), 0) {}

void Obstacles::Add(Names names, state::NodeId n, bool alone) {
  if (names == Names::kTaints) {
    Taints missing;
    for (const Taint& taint : cluster_.nodes().taints(n)) {
      if (policy::IsTolerated(shape_, taint)) continue;
      ++by_taint_[taint];
      if (alone) missing.push_back(taint);
    }
    if (alone && std::none_of(missing.begin(), missing.end(), SaysOutOfOrder)) {
      ++alone_by_taints_[std::move(missing)];
    }
    return;
  }
  std::vector<bool> missing(by_label_.size(), false);
  for (std::size_t i = 0; i < by_label_.size(); ++i) {
    const auto& [key, wanted] = shape_.needs->node_selector[i];
    const std::string* value = objects::FindLabel(cluster_.nodes().labels(n), key);
    missing[i] = value == nullptr || *value != wanted;
    if (missing[i]) ++by_label_[i];
  }
  if (alone) ++alone_by_labels_[std::move(missing)];
}

std::string Obstacles::NamesText(Names names) const {
  constexpr std::size_t kShown = 3;
  std::vector<std::pair<std::string, std::int64_t>> found;
  if (names == Names::kTaints) {
    for (const auto& [taint, nodes] : by_taint_) found.emplace_back(TextOf(taint), nodes);
  } else if (names == Names::kLabels) {
    for (std::size_t i = 0; i < by_label_.size(); ++i) {
      const auto& [key, value] = shape_.needs->node_selector[i];
      if (by_label_[i] > 0) found.emplace_back(fmt::format("{}={}", key, value), by_label_[i]);
    }
  }
  if (found.empty()) return "";
  if (found.size() == 1) return fmt::format(" ({})", found.front().first);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, found.size()); ++i) {
    text += fmt::format("{}{} on {}", i == 0 ? "" : ", ", found[i].first, found[i].second);
  }
  if (found.size() > kShown) text += fmt::format(" and {} more", found.size() - kShown);
  return fmt::format(" ({})", text);
}

std::string Obstacles::Line() const {
  std::int64_t most = 0;
  const Taints* taints = MostFrequent(alone_by_taints_, most);
  const std::vector<bool>* labels = MostFrequent(alone_by_labels_, most);
  std::string items;
  if (labels != nullptr) {
    for (std::size_t i = 0; i < labels->size(); ++i) {
      const auto& [key, value] = shape_.needs->node_selector[i];
      if ((*labels)[i]) items += fmt::format("{}{}: {}", items.empty() ? "" : ", ", key, value);
    }
    return fmt::format("nodeSelector: {{{}}}", items);
  }
  if (taints == nullptr) return "";
  for (const Taint& taint : *taints) {
    items += fmt::format("{}{}", items.empty() ? "" : ", ", TolerationFor(taint));
  }
  return fmt::format("tolerations: [{}]", items);
}

}  // namespace fairlead::engine
