#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "virtual/controllers.h"
#include "virtual/kubelet.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::DaemonSet;
using objects::Node;
using objects::TaintEffect;
using objects::Toleration;

Toleration Tolerate(std::string_view key, TaintEffect effect) {
  Toleration toleration;
  toleration.key = "node.kubernetes.io/" + std::string(key);
  toleration.exists = true;
  toleration.effect = effect;
  return toleration;
}

// What the real controller adds to every pod (daemonset_util.go, AddOrUpdateDaemonPodTolerations).
// network-unavailable is left out: it is for pods on the host's network, which is not read.
void AddStandardTolerations(std::vector<Toleration>& tolerations) {
  tolerations.push_back(Tolerate("not-ready", TaintEffect::kNoExecute));
  tolerations.push_back(Tolerate("unreachable", TaintEffect::kNoExecute));
  tolerations.push_back(Tolerate("disk-pressure", TaintEffect::kNoSchedule));
  tolerations.push_back(Tolerate("memory-pressure", TaintEffect::kNoSchedule));
  tolerations.push_back(Tolerate("pid-pressure", TaintEffect::kNoSchedule));
  tolerations.push_back(Tolerate("unschedulable", TaintEffect::kNoSchedule));
}

bool ToleratesAll(const std::vector<Toleration>& tolerations, const Node& node,
                  TaintEffect effect) {
  return std::all_of(node.taints.begin(), node.taints.end(), [&](const objects::Taint& taint) {
    return taint.effect != effect || objects::Tolerates(tolerations, taint);
  });
}

// As the real controller judges (nodeShouldRunDaemonPod): a taint keeps new pods away, but only
// NoExecute drives those out that are there. A cordon is tolerated by the standard tolerations; a
// node that is not ready is as if tainted not-ready:NoSchedule, which is not.
enum class Fit { kNone, kStaysOnly, kBelongs };

Fit FitOf(const objects::PodSpec& spec, const Node& node) {
  const objects::PodNeeds& needs = spec.needs;
  if (!needs.node_name.empty() && needs.node_name != node.meta.name) return Fit::kNone;
  if (!objects::HasAll(node.meta.labels, needs.node_selector)) return Fit::kNone;
  if (needs.has_required_terms &&
      !objects::Matches(needs.required_terms, node.meta.labels, node.meta.name)) {
    return Fit::kNone;
  }
  if (!ToleratesAll(needs.tolerations, node, TaintEffect::kNoExecute)) return Fit::kNone;
  const objects::Taint not_ready{.key = "node.kubernetes.io/not-ready"};
  const bool takes_new = node.ready || objects::Tolerates(needs.tolerations, not_ready);
  return takes_new && ToleratesAll(needs.tolerations, node, TaintEffect::kNoSchedule)
             ? Fit::kBelongs
             : Fit::kStaysOnly;
}

// Pinned as the real controller pins: the terms, which were asked already, give way to the name.
void Pin(objects::PodNeeds& needs, const std::string& node) {
  objects::Requirement name;
  name.key = "metadata.name";
  name.values.push_back(node);
  needs.required_terms.clear();
  needs.required_terms.emplace_back().fields.push_back(std::move(name));
  needs.has_required_terms = true;
  needs.node_name.clear();
}

void MakePodFor(World& world, SlotId slot, objects::PodTemplate pod_template,
                const std::string& node) {
  Entry& entry = world.store[slot];
  PodPlace place;
  place.name = entry.meta().name + "-" + node;
  if (!IsPodNameFree(world, entry.meta().name_space, place.name)) return;  // one is still going
  Pin(pod_template.spec.needs, node);
  const SlotId pod = MakePod(world, slot, pod_template, place);
  world.store[pod].run_duration.reset();  // its containers restart: it never ends
  entry.owned->by_node.emplace(node, pod);
}

}  // namespace

void SyncDaemonSet(World& world, SlotId slot) {
  const Entry& entry = world.store[slot];
  objects::PodTemplate pod_template = std::get<DaemonSet>(entry.object).pod_template;
  AddStandardTolerations(pod_template.spec.needs.tolerations);

  std::vector<SlotId> leaving;
  for (const auto& [node, pod] : entry.owned->by_node) {
    const SlotId at = world.store.Find(kNodeKind, node);
    const Fit fit =
        at.valid() ? FitOf(pod_template.spec, std::get<Node>(world.store[at].object)) : Fit::kNone;
    const bool is_bound = !world.store[pod].pod().spec.node_name.empty();
    if (fit == Fit::kNone || (fit == Fit::kStaysOnly && !is_bound)) leaving.push_back(pod);
  }
  for (const SlotId pod : leaving) TerminatePod(world, pod);

  for (const SlotId at : world.store.Sorted(kNodeKind)) {
    const auto& node = std::get<Node>(world.store[at].object);
    if (entry.owned->by_node.contains(node.meta.name)) continue;
    if (FitOf(pod_template.spec, node) == Fit::kBelongs) {
      MakePodFor(world, slot, pod_template, node.meta.name);
    }
  }
}

}  // namespace fairlead::virtual_cluster
