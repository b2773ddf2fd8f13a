#include "virtual/submission.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "jobs/job_kind.h"
#include "virtual/controllers.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::Fault;
using objects::Object;
using objects::PodTemplate;

// What stands on others comes after them; kinds that are not named come in between. No two kinds
// have one rank.
std::uint32_t RankOf(std::size_t kind) {
  constexpr std::size_t kJobs = KindIndexOf<objects::JobObject>();
  static constexpr std::array kFirst = {
      KindIndexOf<objects::SchedulerConfiguration>(), kNodeKind, KindIndexOf<objects::Namespace>(),
      KindIndexOf<objects::PriorityClass>(), KindIndexOf<objects::Queue>()};
  static constexpr std::array kLast = {kWorkloadKind, kJobs, kJobKind, kDaemonSetKind, kPodKind};
  const auto rank = [kind](std::size_t group) {
    return static_cast<std::uint32_t>(1000 * group + (IsJobObject(kind) ? kind : 0));
  };
  const std::size_t place = IsJobObject(kind) ? kJobs : kind;  // a PodGroup's is behind all places
  for (std::size_t i = 0; i < kFirst.size(); ++i) {
    if (kFirst[i] == place) return rank(i);
  }
  for (std::size_t i = 0; i < kLast.size(); ++i) {
    if (kLast[i] == place) return rank(1000 + i);
  }
  return rank(100 + place);
}

Fault FaultOf(const Object& object, std::string field, std::string message) {
  const objects::Meta& meta = objects::MetaOf(object);
  Fault fault;
  const std::size_t colon = meta.source.rfind(':');
  fault.file = meta.source.substr(0, colon);
  if (colon != std::string::npos) {
    const char* end = meta.source.data() + meta.source.size();
    std::from_chars(meta.source.data() + colon + 1, end, fault.line);
  }
  fault.object = std::string(objects::KindOf(object)) + " " + meta.Key();
  fault.field = std::move(field);
  fault.message = std::move(message);
  return fault;
}

// The duration under `key`, which is 0s or more; absent where there is none, or a fault.
std::optional<Duration> DurationOf(const Object& object, const objects::Labels& annotations,
                                   std::string_view key, std::string_view path,
                                   std::vector<Fault>& faults) {
  if (annotations.empty()) return std::nullopt;
  const std::string* text = objects::FindLabel(annotations, key);
  if (text == nullptr) return std::nullopt;
  const Result<Duration> parsed = ParseDuration(*text);
  if (parsed && *parsed >= Duration{}) return *parsed;
  faults.push_back(FaultOf(object, std::string(path) + "." + std::string(key),
                           "found \"" + *text + "\", expected a duration of 0s or more"));
  return std::nullopt;
}

void CheckTemplate(const Object& object, const PodTemplate& pod_template, std::string_view path,
                   std::vector<Fault>& faults) {
  (void)DurationOf(object, pod_template.annotations, kRunDuration, path, faults);
}

void CheckTemplates(const Object& object, std::vector<Fault>& faults) {
  constexpr std::string_view kPath = "spec.template.metadata.annotations";
  if (const jobs::JobKind* kind = jobs::KindOf(object)) {
    for (const jobs::PodSet& set : kind->PodSets(object)) {
      CheckTemplate(object, *set.pod_template,
                    std::string(set.template_path) + ".metadata.annotations", faults);
    }
  } else if (const auto* daemon_set = std::get_if<objects::DaemonSet>(&object)) {
    CheckTemplate(object, daemon_set->pod_template, kPath, faults);
  } else if (const auto* workload = std::get_if<objects::Workload>(&object)) {
    for (std::size_t i = 0; i < workload->pod_sets.size(); ++i) {
      if (!workload->pod_sets[i].pod_template) continue;
      CheckTemplate(object, *workload->pod_sets[i].pod_template,
                    "spec.podSets[" + std::to_string(i) + "].template.metadata.annotations",
                    faults);
    }
  }
}

// Pods that are there from the start are made, room or not.
void CheckGroups(const Object& object, std::vector<Fault>& faults) {
  constexpr std::int64_t kMostMade = 1'000'000;
  const auto* job = std::get_if<objects::JobObject>(&object);
  if (job == nullptr || !job->row->is_let_go_by_pods()) return;
  const std::int64_t pods = PodsOfGroups(*job);
  if (pods <= kMostMade) return;
  faults.push_back(FaultOf(object, job->row->groups.empty() ? "spec" : job->row->groups.text(),
                           "found " + std::to_string(pods) + " pods in all groups, expected " +
                               std::to_string(kMostMade) + " at most: its pods are made at once"));
}

auto NameOf(const std::vector<Object>& objects, const Intent& intent) {
  const objects::Meta& meta = objects::MetaOf(objects[intent.index]);
  return std::tie(meta.name_space, meta.name);
}

void CheckTwins(const std::vector<Object>& objects, const std::vector<Intent>& intents,
                std::vector<Fault>& faults) {
  for (std::size_t i = 1; i < intents.size(); ++i) {
    const Intent& a = intents[i - 1];
    const Intent& b = intents[i];
    if (a.after != b.after || a.rank != b.rank || NameOf(objects, a) != NameOf(objects, b)) {
      continue;
    }
    const std::string& source = objects::MetaOf(objects[a.index]).source;
    faults.push_back(FaultOf(objects[b.index], "metadata.name",
                             "is there twice, expected unique names" +
                                 (source.empty() ? std::string() : "; the other is at " + source)));
  }
}

void KeepAnnotation(std::string_view key, const objects::Meta& from, objects::Meta& to) {
  const std::string* value = objects::FindLabel(from.annotations, key);
  if (value != nullptr) SetLabel(to.annotations, key, *value);
}

void MergePod(objects::Pod& pod, objects::Pod next) {
  // A status that says more than "pending" is what another cluster showed: it counts.
  const bool says_status =
      next.phase != objects::PodPhase::kPending || !next.spec.node_name.empty();
  if (!says_status) {
    next.phase = pod.phase;
    next.ready = pod.ready;
    next.nominated_node = std::move(pod.nominated_node);
    next.scheduled_time = pod.scheduled_time;
    next.start_time = pod.start_time;
    next.finish_time = pod.finish_time;
    next.node_reserved_time = pod.node_reserved_time;
    next.gates_told = pod.gates_told;
    next.ungated_time = std::move(pod.ungated_time);
    next.loan = std::move(pod.loan);
    next.gpu_device = pod.gpu_device;
    next.disruption_target = std::move(pod.disruption_target);
    KeepAnnotation(objects::kGpuDeviceAnnotation, pod.meta, next.meta);
    if (!pod.spec.node_name.empty()) next.spec = std::move(pod.spec);
  }
  pod = std::move(next);
}

// As `kubectl apply` does: what the submitter left as it was stays as admission made it.
void MergeJob(Entry& entry, const jobs::JobKind& kind, Object next) {
  objects::SetStatus(next, objects::StatusOf(entry.object));
  for (const std::string_view ours : {objects::kStopsAnnotation, objects::kStoppedAnnotation}) {
    KeepAnnotation(ours, objects::MetaOf(entry.object), objects::MetaOf(next));
  }
  const jobs::Written before = kind.WrittenOf(entry.object);
  const jobs::Written fresh = kind.WrittenOf(next);
  const jobs::Written submitted = std::exchange(entry.owned->submitted, fresh);
  jobs::Written merged = fresh;
  if (fresh.suspend == submitted.suspend) merged.suspend = before.suspend;
  for (std::size_t i = 0; i < merged.counts.size(); ++i) {
    if (fresh.counts[i] == submitted.counts[i]) merged.counts[i] = before.counts[i];
  }
  kind.SetWritten(next, merged);
  entry.object = std::move(next);
}

void MergeWorkload(objects::Workload& workload, objects::Workload next) {
  if (next.admission.empty()) {
    next.admission = std::move(workload.admission);
    next.admission_queue = std::move(workload.admission_queue);
  }
  if (!next.start_time) next.start_time = workload.start_time;
  next.preempt_protected_until = workload.preempt_protected_until;
  next.reclaim_protected_until = workload.reclaim_protected_until;
  if (next.stops == 0) next.stops = workload.stops;
  if (next.conditions.empty()) next.conditions = std::move(workload.conditions);
  workload = std::move(next);
}

void MergeGroup(objects::PodGroup& group, objects::PodGroup next) {
  if (next.conditions.empty()) next.conditions = std::move(group.conditions);
  group = std::move(next);
}

void MergeQuota(objects::ElasticQuota& quota, objects::ElasticQuota next) {
  next.used = std::move(quota.used);
  next.conditions = std::move(quota.conditions);
  quota = std::move(next);
}

}  // namespace

tl::expected<std::vector<Intent>, std::vector<Fault>> CheckSubmission(
    const std::vector<Object>& objects) {
  std::vector<Fault> faults;
  std::vector<Intent> intents(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Object& object = objects[i];
    const objects::Meta& meta = objects::MetaOf(object);
    constexpr std::string_view kPath = "metadata.annotations";
    intents[i].index = static_cast<std::uint32_t>(i);
    intents[i].rank = RankOf(KindNumberOf(object));
    const auto after = DurationOf(object, meta.annotations, kArrivesAt, kPath, faults);
    intents[i].announced = after.has_value();
    intents[i].after = after.value_or(Duration{});
    if (KindNumberOf(object) == kPodKind) {
      intents[i].run_duration = DurationOf(object, meta.annotations, kRunDuration, kPath, faults);
    } else {
      CheckTemplates(object, faults);
      CheckGroups(object, faults);
    }
    const bool has_name = object.index() != KindIndexOf<objects::SchedulerConfiguration>();
    if (has_name && meta.name.empty()) {
      faults.push_back(FaultOf(object, "metadata.name", "is missing, expected a name"));
    }
  }
  std::sort(intents.begin(), intents.end(), [&](const Intent& a, const Intent& b) {
    if (a.after != b.after) return a.after < b.after;
    if (a.rank != b.rank) return a.rank < b.rank;
    return NameOf(objects, a) < NameOf(objects, b);
  });
  CheckTwins(objects, intents, faults);
  if (!faults.empty()) return tl::unexpected(std::move(faults));
  return intents;
}

bool MergeInto(Entry& entry, Object next) {
  Object had = entry.object;
  objects::Meta& meta = objects::MetaOf(next);
  const objects::Meta& before = entry.meta();
  meta.uid = before.uid;
  meta.creation_time = before.creation_time;
  meta.deletion_time = before.deletion_time;
  if (meta.owners.empty()) meta.owners = before.owners;
  if (auto* pod = std::get_if<objects::Pod>(&next)) {
    MergePod(entry.pod(), std::move(*pod));
  } else if (const jobs::JobKind* kind = jobs::KindOf(next)) {
    MergeJob(entry, *kind, std::move(next));
  } else if (auto* workload = std::get_if<objects::Workload>(&next)) {
    MergeWorkload(std::get<objects::Workload>(entry.object), std::move(*workload));
  } else if (auto* group = std::get_if<objects::PodGroup>(&next)) {
    MergeGroup(std::get<objects::PodGroup>(entry.object), std::move(*group));
  } else if (auto* quota = std::get_if<objects::ElasticQuota>(&next)) {
    MergeQuota(std::get<objects::ElasticQuota>(entry.object), std::move(*quota));
  } else {
    entry.object = std::move(next);
  }
  objects::MetaOf(had).source = entry.meta().source;  // where it was read is none of it
  return had != entry.object;
}

}  // namespace fairlead::virtual_cluster
