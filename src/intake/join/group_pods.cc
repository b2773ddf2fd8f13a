#include "intake/join/group_pods.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/integer.h"
#include "intake/facts/pod_traits.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

using objects::GroupApi;

constexpr std::int32_t kLargestTotal = 10'000'000;

std::optional<std::int32_t> TotalIn(std::string_view text) {
  const auto total = ParseInteger<std::int32_t>(text);
  return total && *total >= 1 && *total <= kLargestTotal ? total : std::nullopt;
}

// The first queue by name.
void AddQueue(const PodTraits& traits, PodsSay& say) {
  if (traits.queue.empty()) return;
  const std::tuple fresh(traits.queue, traits.local_queue);
  if (!say.queue.empty() && std::tuple(std::string_view(say.queue), say.local_queue) <= fresh)
    return;
  say.queue = traits.queue;
  say.local_queue = traits.local_queue;
}

// Whoever has the highest priority speaks for all; of several the first class by name.
struct Speaker {
  std::optional<std::int32_t> resolved;
  void Add(const PriorityClasses& classes, const PodTraits& traits, PodsSay& say) {
    const std::int32_t priority =
        classes.Resolve({.class_name = traits.priority_class, .number = traits.priority}).priority;
    const auto rank = [](std::int32_t of, std::string_view class_name,
                         const std::optional<std::int32_t>& number) {
      return std::tuple(-std::int64_t{of}, class_name, number);
    };
    if (resolved && rank(*resolved, say.priority_class, say.priority) <=
                        rank(priority, traits.priority_class, traits.priority)) {
      return;
    }
    resolved = priority;
    say.priority_class = traits.priority_class;
    say.priority = traits.priority;
  }
};

std::string FaultOfTotals(const std::set<std::string_view>& totals) {
  if (totals.empty()) return {};
  for (const std::string_view text : totals) {
    if (TotalIn(text)) continue;
    return text.empty() ? fmt::format(
                              "a pod of the group has no annotation {}, which says how many "
                              "pods the group has",
                              objects::kKueueTotalAnnotation)
                        : fmt::format(
                              "annotation {} is \"{}\", expected a whole number from 1 to "
                              "{}",
                              objects::kKueueTotalAnnotation, text, kLargestTotal);
  }
  if (totals.size() == 1) return {};
  return fmt::format("annotation {} is {} on different pods of the group, expected one number",
                     objects::kKueueTotalAnnotation, fmt::join(totals, ", "));
}

}  // namespace

const PodRow* FirstPodOf(const Tables& tables, const GangRow& gang) {
  const PodRow* first = nullptr;
  for (const FamilyId id : gang.families) {
    const Family& family = tables.families[id];
    if (family.group != GroupApi::kKueuePods || &tables.gangs[family.gang] != &gang) continue;
    for (const PodId member : family.members) {
      const PodRow& row = tables.pods[member];
      if (first == nullptr || row.name.view() < first->name.view()) first = &row;
    }
  }
  return first;
}

PodsSay AskPods(const Tables& tables, const GangRow& gang) {
  PodsSay say;
  Speaker speaker;
  bool any_ours = false;
  std::set<std::string_view> totals;
  for (const FamilyId id : gang.families) {
    const Family& family = tables.families[id];
    // It names this group, and is not only of the job of this name.
    if (family.group == GroupApi::kNone || &tables.gangs[family.gang] != &gang) continue;
    const PodTraits traits = UnpackTraits(family.name);
    const bool ours = traits.scheduler == tables.configuration->scheduler_name;
    any_ours |= ours;
    say.of_others = !any_ours;
    if (!ours) continue;
    AddQueue(traits, say);
    speaker.Add(tables.classes, traits, say);
    say.never_preempts |= traits.never_preempts;
    say.preemptible &= traits.preemptible;
    const JobFacts* job = JobOfPods(tables, family, traits);
    const std::string_view submitter =
        job == nullptr ? traits.submitter : std::string_view(job->submitter);
    if (say.submitter.empty() || (!submitter.empty() && submitter < say.submitter)) {
      say.submitter = submitter;
    }
    if (family.group != GroupApi::kKueuePods) continue;
    say.created = std::min(say.created, family.oldest);
    totals.insert(traits.group_total);
    const std::optional<std::int32_t> total = TotalIn(traits.group_total);
    if (total) say.total = std::max(say.total.value_or(0), *total);
  }
  say.fault = FaultOfTotals(totals);
  return say;
}

std::unique_ptr<GangFacts> FactsOfPods(const Tables& tables, const GangRow& gang,
                                       const PodsSay& say) {
  const bool any = std::ranges::any_of(gang.families, [&](FamilyId id) {
    const Family& family = tables.families[id];
    return family.group == GroupApi::kKueuePods && &tables.gangs[family.gang] == &gang;
  });
  if (!any || say.of_others) return nullptr;
  auto facts = std::make_unique<GangFacts>();
  facts->api = GroupApi::kKueuePods;
  facts->created = say.created;
  PodSetFacts& set = facts->pod_sets.emplace_back();
  set.name = "main";
  set.count = set.min_count = say.total.value_or(1);
  return facts;
}

}  // namespace fairlead::intake
