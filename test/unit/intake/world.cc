#include "unit/intake/world.h"

#include <set>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/quantity.h"

namespace fairlead::intake {
namespace {

std::string Text(const objects::ResourceList& list) {
  std::string text;
  for (const auto& [name, amount] : list) {
    text += (text.empty() ? "" : ",") + name + ":" + FormatResource(name, amount);
  }
  return text;
}

std::string Text(const state::Reason& hold) {
  return fmt::format(" hold={}{}", state::ToString(hold.code),
                     hold.field.empty() ? "" : "(" + hold.field + ")");
}

std::string Text(const state::WorkloadTraits& traits) {
  std::string text = " queue=" + traits.queue;
  if (traits.priority != 0) text += fmt::format(" priority={}", traits.priority);
  if (!traits.preemptible) text += " non-preemptible";
  if (traits.never_preempts) text += " never-preempts";
  if (!traits.active) text += " inactive";
  if (traits.hold) text += Text(*traits.hold);
  return text;
}

std::string Text(const state::NodeChange& node) {
  return fmt::format("node {} {}{}{}", node.name, Text(node.allocatable),
                     node.schedulable ? "" : " cordoned", node.ready ? "" : " not-ready");
}

std::string Text(state::Donors donors) {
  return donors == state::Donors::kNobody ? "nobody" : "lower";
}

std::string Text(const state::QueueChange& queue) {
  std::string text = "queue " + queue.name;
  if (!queue.parent.empty()) text += " parent=" + queue.parent;
  if (!queue.guaranteed.empty()) text += " guaranteed=" + Text(queue.guaranteed);
  for (const std::string& all : queue.guaranteed_all) text += " guaranteed-all=" + all;
  if (!queue.limit.empty()) text += " limit=" + Text(queue.limit);
  if (queue.weight.milli != 1000) text += fmt::format(" weight={}m", queue.weight.milli);
  for (const auto& [resource, milli] : queue.weight.by_resource) {
    text += fmt::format(" weight.{}={}m", resource, milli);
  }
  if (queue.priority != 0) text += fmt::format(" priority={}", queue.priority);
  if (queue.preempt_min_runtime) text += " preempt=" + FormatDuration(*queue.preempt_min_runtime);
  if (queue.reclaim_min_runtime) text += " reclaim=" + FormatDuration(*queue.reclaim_min_runtime);
  if (!queue.asks.preempts) text += " preempts-nobody";
  if (queue.asks.by_guarantee != state::Donors::kAnybody)
    text += " reclaims-from=" + Text(queue.asks.by_guarantee);
  if (queue.asks.by_share != state::Donors::kAnybody)
    text += " borrows-from=" + Text(queue.asks.by_share);
  if (queue.limits_all) text += " limits-all";
  if (!queue.derived_from.empty() && !queue.derived_from.starts_with("ElasticQuota"))
    text += " (" + queue.derived_from + ")";
  if (!queue.active) text += " inactive";
  return text + (queue.why_inactive.empty() ? "" : ": " + queue.why_inactive);
}

// " near(0,1: required x/rack of x/block,x/rack)".
std::string Text(const state::TopologyConstraint& near) {
  std::string text = " near(" + fmt::format("{}", fmt::join(near.pod_sets, ",")) + ":";
  const auto add = [&](std::string_view what, std::int32_t level) {
    if (level >= 0) text += fmt::format(" {} {}", what, near.levels.at(level));
  };
  add("required", near.required);
  add("preferred", near.preferred);
  if (near.slice_size > 0) add(fmt::format("slices of {} in", near.slice_size), near.slice_level);
  text += fmt::format(" of {}{}", fmt::join(near.levels, ","),
                      near.restarts_when_broken ? ", restarts" : "");
  return text + ")";
}

std::string Text(const state::WorkloadChange& workload) {
  std::string text = "workload " + workload.name + Text(workload.traits);
  if (workload.resize == objects::Resize::kAnytime) text += " anytime";
  if (!workload.announces_admission) text += " silent";
  if (workload.recorded_start) text += " start=" + FormatTime(*workload.recorded_start);
  for (const state::PodSetChange& set : workload.pod_sets) {
    text += fmt::format(" {}={}/{}", set.name, set.min_count, set.count);
    if (set.succeeded != 0) text += fmt::format(" succeeded={}", set.succeeded);
    if (set.admitted != 0) text += fmt::format(" admitted={}", set.admitted);
    if (set.expected_needs) text += " expects=" + Text(set.expected_needs->request);
  }
  for (const state::TopologyConstraint& near : workload.topology) text += Text(near);
  return text;
}

std::string Text(const state::PodChange& pod) {
  std::string text = "pod " + std::string(pod.name);
  text += pod.state == state::PodState::kPending ? " pending"
          : pod.state == state::PodState::kBound ? " bound=" + pod.node
                                                 : " finished";
  if (pod.terminating) text += " terminating";
  if (pod.gated) text += " gated";
  constexpr std::string_view kOfDaemonSet[] = {"", " of-daemon-set", " of-untrusted-daemon-set",
                                               " of-missing-daemon-set"};
  text += kOfDaemonSet[static_cast<std::size_t>(pod.of_daemon_set)];
  if (pod.is_static) text += " static";
  if (pod.opted_out) text += " opted-out";
  if (pod.owns_pods) text += " owns-pods";
  if (!pod.nominated_node.empty()) text += " nominated=" + pod.nominated_node;
  if (pod.needs->gpu_milli != 0) text += fmt::format(" gpu-milli={}", pod.needs->gpu_milli);
  if (pod.scheduled_time) text += " scheduled=" + FormatTime(*pod.scheduled_time);
  for (const std::string& budget : pod.budgets) text += " budget=" + budget;
  if (pod.foreign) return text + " foreign";
  if (pod.solo) {
    EXPECT_EQ(pod.priority, pod.solo->priority) << pod.name.view();
    EXPECT_EQ(pod.created, pod.solo->created) << pod.name.view();
    return text + " solo" + Text(*pod.solo);
  }
  text += fmt::format(" workload={}[{}]", pod.workload, pod.pod_set);
  if (pod.index >= 0) text += fmt::format(" index={}", pod.index);
  if (pod.priority != 0) text += fmt::format(" priority={}", pod.priority);
  if (pod.hold) text += Text(*pod.hold);
  return text;
}

std::string Text(const objects::IntOrPercent& part) {
  return std::to_string(part.value) + (part.percent ? "%" : "");
}

std::string Text(const state::BudgetChange& budget) {
  std::string text = "budget " + budget.name;
  if (budget.min_available) text += " min=" + Text(*budget.min_available);
  if (budget.max_unavailable) text += " max=" + Text(*budget.max_unavailable);
  if (budget.status_allowed) text += fmt::format(" allowed={}", *budget.status_allowed);
  return text;
}

std::string Text(const state::QuotaChange& quota) {
  std::string text = "quota " + quota.name;
  if (!quota.queue.empty()) text += " queue=" + quota.queue;
  for (const std::string& resource : quota.resources) text += " " + resource;
  for (const state::ObjectProblem& problem : quota.problems) text += " problem=" + problem.code;
  return text;
}

// Not in a picture: World::Findings knows them.
std::string Text(const state::KueueChange& change) { return change.kind + " " + change.name; }

std::string Text(const state::VolumeChange& volume) {
  return fmt::format("volume {} bytes={} wishes={}", volume.name, volume.bytes,
                     volume.wishes.size());
}

std::string Text(const state::WindowChange& change) {
  return fmt::format("window {} from {}", change.window->meta.name,
                     FormatTime(change.window->from));
}

std::string KindText(state::RowKind kind) {
  constexpr std::string_view kNames[] = {"node",   "queue", "workload", "pod",
                                         "budget", "quota", "volume",   "window"};
  return std::string(kNames[static_cast<int>(kind)]);
}

std::string Text(const state::Removal& removal) {
  return "gone " + KindText(removal.kind) + " " + removal.name;
}

std::string Text(const state::ConfigurationChange& change) {
  return "configuration " + change.configuration->scheduler_name;
}

std::string Text(const state::BindFailed& change) { return "bind failed " + change.pod; }

std::string Text(const state::EvictFailed& change) { return "evict failed " + change.pod; }

std::string Text(const state::KeptOut& change) { return "kept out " + change.workload; }

}  // namespace

std::vector<objects::Object> Read(std::string_view yaml) {
  objects::Manifest manifest;
  // Text that begins with a brace would be read as JSON.
  objects::ReadText("---\n" + std::string(yaml), "test.yaml", AllDecoders(), manifest);
  for (const objects::Fault& fault : manifest.faults) ADD_FAILURE() << fault.ToString();
  for (const std::string& warning : manifest.warnings) ADD_FAILURE() << warning;
  return std::move(manifest.objects);
}

std::string Line(const state::Change& change) {
  return std::visit([](const auto& value) { return Text(value); }, change);
}

void World::Upsert(std::string_view yaml, int seconds) {
  for (const objects::Object& object : Read(yaml)) Upsert(object, seconds);
}

void World::Upsert(const objects::Object& object, int seconds) {
  constexpr Time kYear2026{1'767'225'600'000'000};
  intake.Upsert(object, kYear2026 + Duration::Seconds(seconds));
}

std::vector<std::string> World::Take() {
  std::vector<std::string> lines;
  for (const state::Change& change : intake.TakeChanges()) {
    if (const auto* kueue = std::get_if<state::KueueChange>(&change)) {
      owners_told_[Line(change)] = kueue->problems;
      continue;
    }
    lines.push_back(Line(change));
    const std::string& line = lines.back();
    if (const auto* removal = std::get_if<state::Removal>(&change)) {
      EXPECT_EQ(known_.erase(KindText(removal->kind) + " " + removal->name), 1u) << line;
    } else {
      known_[line.substr(0, line.find(' ', line.find(' ') + 1))] = line;
    }
  }
  return lines;
}

std::vector<std::string> World::Picture() {
  Take();
  std::vector<std::string> lines;
  for (const auto& [key, line] : known_) lines.push_back(line);
  return lines;
}

// Of Kueue's objects exactly what is found of them.
void World::ExpectOwnersTold(const std::vector<std::string>& findings) const {
  std::multiset<std::string> found, told;
  for (const std::string& line : findings) {
    for (const char* kind : {"ClusterQueue ", "Cohort ", "LocalQueue ", "ResourceFlavor "}) {
      if (line.starts_with(kind)) found.insert(line);
    }
  }
  for (const auto& [object, problems] : owners_told_) {
    for (const state::ObjectProblem& problem : problems) {
      told.insert(fmt::format("{}: {}: {}", object, problem.code, problem.message));
    }
  }
  EXPECT_EQ(told, found);
}

std::vector<std::string> World::Findings() {
  Take();
  std::vector<std::string> lines;
  for (const Finding& finding : intake.Findings()) {
    lines.push_back(fmt::format("{}: {}: {}", finding.object, finding.code, finding.message));
  }
  ExpectOwnersTold(lines);
  return lines;
}

}  // namespace fairlead::intake
