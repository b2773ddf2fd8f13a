#include "jobs/job_kind.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "jobs/kinds.h"
#include "objects/key.h"

namespace fairlead::jobs {

namespace {

struct Kinds {
  std::vector<std::unique_ptr<JobKind>> made;
  std::vector<const JobKind*> by_row;
  // By the label that names the job of their pods, which those of one operator share.
  struct Labelled {
    std::string_view label;
    std::vector<const JobKind*> kinds;
  };
  std::vector<Labelled> by_label;
  std::vector<const JobKind*> of_others;  // that have pods of others
  std::vector<const JobKind*> of_any;     // that make jobs of any kind

  Kinds() {
    CatchUp();
    objects::FollowJobRows([this] { CatchUp(); });
  }
  void CatchUp() {
    while (by_row.size() < objects::JobRows().size()) Add(objects::JobRows()[by_row.size()]);
  }
  void Add(const objects::JobRow& row) {
    if (row.is_generic()) made.push_back(MakeGenericJob(row));
    const JobKind* kind = row.is_generic() ? made.back().get() : &BatchJobKind();
    by_row.push_back(kind);
    if (kind->makes_any()) return of_any.push_back(kind);
    if (kind->has_pods_of_others()) of_others.push_back(kind);
    if (kind->name_label().empty()) return;
    if (kind->is_let_go_by_pods()) return;
    auto same = std::ranges::find(by_label, kind->name_label(), &Labelled::label);
    if (same == by_label.end()) same = by_label.insert(same, {kind->name_label(), {}});
    same->kinds.push_back(kind);
  }
};

const Kinds& AllRows() {
  static Kinds kinds;
  return kinds;
}

}  // namespace

std::span<const JobKind* const> AllKinds() { return AllRows().by_row; }

const JobKind* FindKind(std::string_view kind) {
  for (const JobKind* each : AllKinds()) {
    if (each->kind() == kind) return each;
  }
  return nullptr;
}

const JobKind* KindOf(const objects::Object& object) { return FindKind(objects::KindOf(object)); }

namespace {

std::string_view GroupOf(std::string_view api_version) {
  return api_version.substr(0, api_version.find('/'));
}

std::string_view LabelOf(const objects::Meta& pod, std::string_view key) {
  const std::string* value = key.empty() ? nullptr : objects::FindLabel(pod.labels, key);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

}  // namespace

namespace {

// A pod that names no group is of none of the job's, whatever else it says.
JobOfPod JobByLabels(const objects::Meta& pod) {
  if (pod.labels.empty()) return {};
  for (const JobKind* kind : AllRows().of_others) {
    const std::string_view name = LabelOf(pod, kind->name_label());
    const std::string_view group = LabelOf(pod, kind->group_label());
    if (name.empty() || (group.empty() && !kind->group_label().empty())) continue;
    return {.kind = kind,
            .name = name,
            .uid = {},
            .pod_set = kind->PodSetOf(LabelOf(pod, kind->pod_set_label())),
            .group = group};
  }
  return {};
}

JobOfPod InnermostJob(const objects::Meta& pod, const objects::OwnerReference* by_whom) {
  if (by_whom == nullptr) return JobByLabels(pod);
  const objects::OwnerReference& owner = *by_whom;
  const JobKind* by = FindKind(owner.kind);
  if (by == nullptr || GroupOf(owner.api_version) != GroupOf(by->api_version())) {
    return JobByLabels(pod);
  }
  if (by->is_let_go_by_pods()) {
    JobOfPod job = JobByLabels(pod);
    if (job.kind == by && job.name == owner.name) job.uid = owner.uid;
    if (job.kind != nullptr || !by->is_gang_if_asked()) return job;
    return {.kind = by, .name = owner.name, .uid = owner.uid, .pod_set = {}};
  }
  // What has labels of its own makes its pods itself.
  if (by->name_label().empty() && !pod.labels.empty()) {
    for (const Kinds::Labelled& labelled : AllRows().by_label) {
      const std::string_view name = LabelOf(pod, labelled.label);
      if (name.empty()) continue;
      for (const JobKind* kind : labelled.kinds) {
        const std::string_view pod_set = kind->PodSetOf(LabelOf(pod, kind->pod_set_label()));
        if (!pod_set.empty()) return {.kind = kind, .name = name, .uid = {}, .pod_set = pod_set};
      }
    }
  }
  return {.kind = by,
          .name = owner.name,
          .uid = owner.uid,
          .pod_set = by->PodSetOf(LabelOf(pod, by->pod_set_label()))};
}

// Of one that makes others of any kind, where the pod says so.
JobOfPod JobByComponent(const objects::Meta& pod, const objects::OwnerReference* owner) {
  if (pod.labels.empty()) return {};
  for (const JobKind* kind : AllRows().of_any) {
    const std::string_view name = LabelOf(pod, kind->name_label());
    if (name.empty()) continue;
    JobOfPod job{
        .kind = kind, .name = name, .uid = {}, .pod_set = LabelOf(pod, kind->pod_set_label())};
    if (!job.pod_set.empty()) return job;
    job.component = pod.name;
    if (owner == nullptr) return job;
    if (owner->kind == kind->kind()) {
      if (owner->name == name) job.uid = owner->uid;
      return job;
    }
    const JobOfPod made = InnermostJob(pod, owner);
    job.component = made.kind == nullptr ? owner->name : made.name;
    job.pod_set = made.pod_set;
    return job;
  }
  return {};
}

}  // namespace

JobOfPod FindJobOfPod(const objects::Meta& pod, const objects::OwnerReference* owner) {
  const JobOfPod job = JobByComponent(pod, owner);
  return job.kind != nullptr ? job : InnermostJob(pod, owner);
}

std::optional<std::size_t> FindOfComponent(std::span<const std::string_view> sets,
                                           std::string_view said) {
  const auto [by, pod_set] = objects::SplitKey(said);
  // The longest name is the nearest; of several pod sets the one that is said goes first.
  std::pair<std::size_t, bool> best;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto [name, of] = objects::SplitKey(sets[i]);
    const bool made_by_it = by.starts_with(name) && by.substr(name.size()).starts_with('-');
    if (name.empty() || (by != name && !made_by_it)) continue;
    if (of != pod_set && !of.empty() && !pod_set.empty()) continue;
    const std::pair rank(name.size(), of == pod_set);
    if (rank < best) continue;
    found = rank == best ? std::nullopt : std::optional(i);
    best = rank;
  }
  return found;
}

const objects::JobRow::Made* FindMade(const JobKind& maker, std::string_view kind) {
  const auto found = std::ranges::find(maker.makes(), kind, &objects::JobRow::Made::kind);
  return found == maker.makes().end() ? nullptr : &*found;
}

std::string_view PodSetOfMade(const JobKind& maker, std::string_view kind) {
  const objects::JobRow::Made* made = FindMade(maker, kind);
  return made == nullptr ? std::string_view() : std::string_view(made->pod_set);
}

std::string PodSetIn(const objects::Object& job, const JobOfPod& of_pod) {
  const JobKind& kind = *jobs::KindOf(job);
  if (!of_pod.component.empty()) {
    const std::vector<PodSet> sets = kind.PodSets(job);
    const auto found = FindByComponent(sets, objects::JoinKey(of_pod.component, of_pod.pod_set));
    return found ? std::string(sets[*found].name) : std::string();
  }
  const std::string_view made =
      of_pod.kind == nullptr ? std::string_view() : PodSetOfMade(kind, of_pod.kind->kind());
  return std::string(made.empty() ? of_pod.pod_set : made);
}

JobRef MakerOf(const objects::Meta& job, const JobKind& kind) {
  const objects::OwnerReference* owner = job.Controller();
  const JobKind* by = owner == nullptr ? nullptr : FindKind(owner->kind);
  if (by == nullptr || (!by->makes_any() && FindMade(*by, kind.kind()) == nullptr)) return {};
  if (GroupOf(owner->api_version) != GroupOf(by->api_version())) return {};
  return {.kind = by, .name = owner->name, .uid = owner->uid};
}

JobRef MakerOf(const objects::Object& object) {
  const JobKind* kind = jobs::KindOf(object);
  return kind == nullptr ? JobRef() : MakerOf(objects::MetaOf(object), *kind);
}

std::optional<std::int32_t> CountOf(const Assignments& assignments, std::string_view pod_set) {
  for (const objects::PodSetAssignment& assignment : assignments) {
    if (assignment.name == pod_set) return assignment.count;
  }
  return std::nullopt;
}

Assignments AskedOf(const objects::Workload& workload) {
  Assignments asked;
  for (const objects::PodSet& set : workload.pod_sets) {
    asked.push_back({.name = set.name, .count = set.count.value_or(0)});
  }
  return asked;
}

std::string EditOf(std::span<const PodSet> pod_sets, const Assignments& admitted) {
  std::string text;
  for (const PodSet& set : pod_sets) {
    const std::int32_t given = CountOf(admitted, set.name).value_or(0);
    if (set.count_stays || set.max || (set.left <= given && set.count >= given)) continue;
    text += fmt::format("{}{} asks for {} pods and is admitted with {}", text.empty() ? "" : ", ",
                        set.name, set.count, given);
  }
  return text;
}

bool StandsFor(const objects::Meta& workload, const objects::Object& job) {
  const objects::OwnerReference* owner = workload.Controller();
  if (owner == nullptr || owner->kind != objects::KindOf(job)) return false;
  const objects::Meta& meta = objects::MetaOf(job);
  if (owner->name != meta.name || workload.name_space != meta.name_space) return false;
  return owner->uid.empty() || meta.uid.empty() || owner->uid == meta.uid;
}

}  // namespace fairlead::jobs
