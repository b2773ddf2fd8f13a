#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/amount_text.h"
#include "base/quantity.h"
#include "intake/findings/findings_pass.h"
#include "intake/join/queue_chooser.h"
#include "objects/key.h"
#include "objects/keys.h"

// What is wrong with pods. Pods that claim and need the same have the same faults: the first by
// name is named, and the others are counted.

namespace fairlead::intake {
namespace {

constexpr std::string_view kGpu = "nvidia.com/gpu";

std::string AndMore(std::size_t pods) {
  if (pods < 2) return "";
  return fmt::format(" (and {} more {} like it)", pods - 1, pods == 2 ? "pod" : "pods");
}

std::string ObjectOf(const PodRow& row) { return std::string("Pod ").append(row.name); }

// By name. REQUIRES: there are some.
const PodRow& FirstOf(const std::vector<const PodRow*>& pods) {
  return **std::ranges::min_element(pods, {}, [](const PodRow* row) { return row->name.view(); });
}

// What a node must have: a share of a GPU is a part of one of its devices.
objects::ResourceList DemandOf(const objects::PodNeeds& needs) {
  objects::ResourceList demand = needs.request;
  if (needs.gpu_milli > 0) demand.emplace_back(kGpu, needs.gpu_milli);
  return demand;
}

bool Holds(const objects::ResourceList& node, const objects::ResourceList& demand) {
  return std::ranges::all_of(demand, [&](const auto& entry) {
    return entry.second <= objects::AmountOf(node, entry.first);
  });
}

}  // namespace

void FindingsPass::Pods() {
  tables_.gangs.ForEach([&](GangId, const GangRow& gang) {
    if (gang.pod_groups.empty()) return;
    const auto [name_space, name] = objects::SplitKey(gang.name);
    groups_[name].emplace_back(name_space);
  });
  tables_.families.ForEach([&](FamilyId, const Family& family) { FamilyOf(family); });
  tables_.pods.ForEach([&](PodId, const PodRow& row) {
    if (row.facts.state != state::PodState::kBound) return;
    const std::string& node = tables_.names[row.facts.node];
    if (tables_.nodes.Find(node).valid()) return;
    Add(ObjectOf(row), ToString(row.source, tables_.names), "NodeNotFound",
        fmt::format("it is bound to the node {}, which is not there", node));
  });
}

void FindingsPass::FamilyOf(const Family& family) {
  std::map<const objects::PodNeeds*, std::vector<const PodRow*>> by_needs;
  std::vector<const PodRow*> pods;
  for (PodId id : family.members) {
    const PodRow& row = tables_.pods[id];
    if (row.facts.state == state::PodState::kFinished) continue;
    pods.push_back(&row);
    if (row.facts.state == state::PodState::kPending) by_needs[row.needs.get()].push_back(&row);
  }
  if (pods.empty()) return;
  const PodRow& first = FirstOf(pods);
  const std::string object = ObjectOf(first);
  const std::string source = ToString(first.source, tables_.names);
  const std::string more = AndMore(pods.size());

  const PodTraits traits = UnpackTraits(family.name);
  if (!family.join.ours) {
    if (traits.workload.empty() || !family.gang.valid()) return;
    Add(object, source, "OtherScheduler",
        fmt::format("it names the Workload {}, but its scheduler is {}; add `schedulerName: {}`{}",
                    tables_.gangs[family.gang].name, traits.scheduler,
                    tables_.configuration->scheduler_name, more));
    return;
  }
  GatedOf(family);
  GroupOf(object, source, more, family, traits);
  if (!family.join.gang.valid()) {
    const std::size_t before = out_.size();
    QueueOf(object, source, tables_.names[family.join.queue]);
    if (family.join.hold) HoldOf(object, source, *family.join.hold);
    for (std::size_t i = before; i < out_.size(); ++i) out_[i].message += more;
  }
  if (family.join.gang.valid()) {
    QueueLabelOf(object, source, more, traits, tables_.gangs[family.join.gang]);
    if (family.join.hold) HoldOf(object, source, *family.join.hold);
  }
  ForeignOf(
      object, source, more, traits.foreign,
      {.gang = family.join.gang.valid(),
       .queue = family.join.gang.valid() || !QueueOfPods(tables_, family, traits).queue.empty()});
  InvalidAllowPreemption(object, source, traits.allow_preemption_invalid, more);
  InvalidRunTime(object, source, traits.run_time_invalid, more);
  InvalidMove(object, source, traits.move_invalid, more);
  if (!traits.replaced_by.empty() && !family.join.gang.valid()) {
    ReplacedForEver(object, source, traits.replaced_by, family.join.run_time, more);
  }
  for (const auto& [needs, rows] : by_needs) {
    const PodRow& one = FirstOf(rows);
    NeedsOf(ObjectOf(one), ToString(one.source, tables_.names), AndMore(rows.size()),
            *WithShare(tables_, one.needs, family.join.gpu_milli));
  }
}

// Kueue's webhook gates the pods that it is to admit. Where Kueue is not there they wait for good;
// where it is, they need its quota besides ours. A gate of somebody else's is there on purpose.
void FindingsPass::GatedOf(const Family& family) {
  std::vector<const PodRow*> gated;
  for (const PodId id : family.members) {
    const PodRow& row = tables_.pods[id];
    const bool waits = row.facts.state == state::PodState::kPending && !row.facts.terminating;
    if (waits && row.facts.gated_by_kueue) gated.push_back(&row);
  }
  if (gated.empty()) return;
  const PodRow& first = FirstOf(gated);
  Add(ObjectOf(first), ToString(first.source, tables_.names), "Gated",
      fmt::format("its scheduling gate {} keeps it out until Kueue takes it away; leave its "
                  "namespace out of Kueue's pod integration, and make the pod anew{}",
                  objects::kKueueGate, AndMore(gated.size())));
}

void FindingsPass::GroupOf(const std::string& object, const std::string& source,
                           std::string_view more, const Family& family, const PodTraits& traits) {
  if (traits.group_api == objects::GroupApi::kNone) return;
  const auto passed_over = [&](std::string_view what) {
    Add(object, source, "GroupPassedOver", fmt::format("{}{}", what, more));
  };
  if (family.join.gang.valid() && family.join.gang != family.gang) {
    passed_over(fmt::format("it names the group {}, but is of the {} {}, which counts",
                            traits.pod_group, KindOf(tables_.gangs[family.join.gang]),
                            tables_.gangs[family.join.gang].name));
  } else if (!traits.workload.empty()) {
    passed_over(fmt::format("it names the group {}, but its label {} counts", traits.pod_group,
                            objects::kWorkloadLabel));
  }
  if (!traits.other_groups.empty()) {
    passed_over(fmt::format("it names other groups besides {}, which counts: {}", traits.pod_group,
                            traits.other_groups));
  }
  const bool missing = !family.join.gang.valid() && family.join.hold != nullptr &&
                       family.join.hold->code == state::ReasonCode::kWorkloadNotFound;
  const auto elsewhere = groups_.find(traits.pod_group);
  if (!missing || elsewhere == groups_.end()) return;
  std::vector<std::string> name_spaces = elsewhere->second;
  std::erase(name_spaces, traits.name_space);
  if (name_spaces.empty()) return;
  std::ranges::sort(name_spaces);
  Add(object, source, "GroupElsewhere",
      fmt::format("a group {} is in {}, but a pod is only of groups of its own namespace{}",
                  traits.pod_group, SomeOf(name_spaces), more));
}

// A label that says otherwise than the workload is passed over: its owner may think it counts.
void FindingsPass::QueueLabelOf(const std::string& object, const std::string& source,
                                std::string_view more, const PodTraits& traits,
                                const GangRow& gang) {
  const std::string_view counts = tables_.names[gang.queue];
  const KueueLocal* local =
      traits.local_queue ? known_.kueue.FindLocal(traits.name_space, traits.queue) : nullptr;
  const std::string_view named = local == nullptr ? traits.queue : local->queue;
  if (named.empty() || named == counts) return;
  Add(object, source, "QueueDiffers",
      fmt::format("its label names the queue {}, but it is of the {} {}, whose queue {} counts{}",
                  named, KindOf(gang), gang.name, counts, more));
}

void FindingsPass::NeedsOf(const std::string& object, const std::string& source,
                           std::string_view more, const objects::PodNeeds& needs) {
  if (!needs.rare->unsupported_field.empty()) {
    Add(object, source, "UnsupportedConstraint",
        fmt::format("{} is not supported yet{}", needs.rare->unsupported_field, more));
  }
  if (std::string why = WhyNoNodeHolds(needs); !why.empty()) {
    Add(object, source, "NoNodeFits", fmt::format("{}{}", why, more));
  }
}

// Empty where some node of the pool could hold the request if nothing else were on it, or where no
// node is known at all.
std::string FindingsPass::WhyNoNodeHolds(const objects::PodNeeds& needs) const {
  const objects::ResourceList demand = DemandOf(needs);
  auto holds = [&](const objects::ResourceList& node) { return Holds(node, demand); };
  if (node_sizes_.empty() || std::ranges::any_of(node_sizes_, holds)) return {};
  std::vector<std::string> asked, missing;
  for (const auto& [resource, amount] : demand) {
    std::int64_t largest = 0;
    for (const objects::ResourceList& node : node_sizes_) {
      largest = std::max(largest, objects::AmountOf(node, resource));
    }
    asked.push_back(AmountText(resource, FormatResource(resource, amount)));
    if (amount <= largest) continue;
    missing.push_back(fmt::format("it asks {}, the largest node has {}", asked.back(),
                                  BareAmountText(resource, FormatResource(resource, largest))));
  }
  if (!missing.empty()) return fmt::format("{}", fmt::join(missing, "; "));
  return fmt::format("no single node has all that it asks: {}", fmt::join(asked, ", "));
}

}  // namespace fairlead::intake
