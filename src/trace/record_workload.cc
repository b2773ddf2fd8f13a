#include "trace/record_workload.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/wide_int.h"
#include "jobs/job_kind.h"
#include "objects/keys.h"
#include "objects/templates.h"
#include "trace/record_durations.h"
#include "trace/record_lines.h"
#include "trace/record_stories.h"
#include "virtual/world.h"

namespace fairlead::trace {
namespace {

using objects::ForEachTemplate;
using objects::Object;
using objects::Pod;
using objects::PodPhase;
using objects::PodTemplate;
using objects::Workload;
using virtual_cluster::DropLabel;
using virtual_cluster::kArrivesAt;
using virtual_cluster::kRunDuration;
using virtual_cluster::SetLabel;

bool NeverEndsByItself(const Pod& pod) {
  const objects::OwnerReference* owner = pod.meta.Controller();
  return owner != nullptr && (owner->kind == "ReplicaSet" || owner->kind == "StatefulSet" ||
                              owner->kind == "DaemonSet");
}

bool HasFinished(const Workload& workload) {
  return std::any_of(workload.conditions.begin(), workload.conditions.end(),
                     [](const auto& each) { return each.type == "Finished" && each.holds; });
}

// As it was submitted, without what the cluster has made of it since.
void Undo(Object& object) {
  if (auto* pod = std::get_if<Pod>(&object)) {
    DropLabel(pod->meta.annotations, objects::kGpuDeviceAnnotation);
    pod->meta.deletion_time.reset();
    pod->spec.node_name.clear();
    pod->phase = PodPhase::kPending;
    pod->ready = false;
    pod->nominated_node.clear();
    pod->scheduled_time.reset();
    pod->start_time.reset();
    pod->finish_time.reset();
    pod->node_reserved_time.reset();
    pod->ungated_time.reset();
    pod->loan.reset();
    pod->gpu_device.reset();
    pod->disruption_target.reset();
  } else if (jobs::KindOf(object) != nullptr) {
    objects::SetStatus(object, {});
    DropLabel(objects::MetaOf(object).annotations, objects::kStopsAnnotation);
    DropLabel(objects::MetaOf(object).annotations, objects::kStoppedAnnotation);
  } else if (auto* workload = std::get_if<Workload>(&object)) {
    workload->admission.clear();
    workload->admission_queue.clear();
    workload->start_time.reset();
    workload->preempt_protected_until.reset();
    workload->reclaim_protected_until.reset();
    workload->stops = 0;
    workload->conditions.clear();
  } else if (auto* group = std::get_if<objects::PodGroup>(&object)) {
    group->start_time.reset();
    DropLabel(group->meta.annotations, objects::kKaiStartAnnotation);
    group->conditions.clear();
  }
}

// How long the pods of one template were seen to work.
struct Seen {
  std::vector<Duration> succeeded, failed, cut_off;
  // The group that somebody named on them: their template does not.
  objects::Labels group_annotations;
  std::string scheduling_group;

  bool any_ended() const { return !succeeded.empty() || !failed.empty(); }

  // See RecordedWorkload. Absent: none was seen to work.
  std::optional<Duration> Lasts() const {
    if (!succeeded.empty()) return Mean(succeeded);
    if (!failed.empty()) return Mean(failed);
    if (cut_off.empty()) return std::nullopt;
    return *std::max_element(cut_off.begin(), cut_off.end());
  }
  static Duration Mean(const std::vector<Duration>& all) {
    WideInt sum = 0;
    for (const Duration each : all) sum += each.us;
    return {static_cast<std::int64_t>(sum / static_cast<WideInt>(all.size()))};
  }
};

class Builder {
 public:
  explicit Builder(Stories stories) : stories_(std::move(stories)), kept_(stories_.work.size()) {}

  RecordedWorkload Build() {
    result_.start = stories_.start;
    result_.end = stories_.end;
    result_.objects.emplace_back(stories_.configuration);
    for (auto& [key, object] : stories_.rest) result_.objects.push_back(std::move(object));
    AddNodes();
    NoteJobsAtStart();
    for (std::size_t i = 0; i < stories_.work.size(); ++i) {
      if (!stories_.work[i].is_pod()) kept_[i] = KeepsOwner(i);
    }
    for (std::size_t i = 0; i < stories_.work.size(); ++i) {
      if (stories_.work[i].is_pod()) kept_[i] = KeepsPod(stories_.work[i]);
    }
    NameAll();
    LookAtPods();
    for (std::size_t i = 0; i < stories_.work.size(); ++i) {
      if (kept_[i]) AddWork(i);
    }
    durations_.SetAll(work_);
    for (Object& object : work_) result_.objects.push_back(std::move(object));
    Warn();
    return std::move(result_);
  }

 private:
  const std::string& scheduler() const { return stories_.configuration.scheduler_name; }
  Story* OwnerOf(const Story& pod) {
    return pod.owner == Story::kNobody ? nullptr : &stories_.work[pod.owner];
  }
  void Arrive(objects::Meta& meta, Time at) const {
    SetLabel(meta.annotations, kArrivesAt, WrittenDuration(at - stories_.start));
  }

  void AddNodes() {
    for (auto& [name, versions] : stories_.nodes) {
      for (auto& [since, node] : versions) {
        DropLabel(node.meta.annotations, kArrivesAt);
        if (since > stories_.start) Arrive(node.meta, since);
        const bool is_first = &node == &versions.front().second;
        (is_first ? result_.objects : result_.changes).emplace_back(std::move(node));
      }
    }
  }

  // Whether a job or Workload is work of its own, of our scheduler, and not over at the start.
  bool KeepsOwner(std::size_t index) {
    Story& story = stories_.work[index];
    const objects::OwnerReference* by = objects::MetaOf(story.object).Controller();
    const auto* workload = std::get_if<Workload>(&story.object);
    // A group has no pods of its own making: it is there, whoever made it.
    if (std::holds_alternative<objects::PodGroup>(story.object)) return true;
    const bool is_made = by != nullptr && jobs::FindKind(by->kind) != nullptr;
    // Made for a job, by Fairlead or the job's controller, and made anew. What stands for a job
    // that runs already says how it was admitted.
    if (is_made) {
      const std::string maker = objects::MetaOf(story.object).name_space + "/" + by->name;
      if (!story.at_start || !jobs_at_start_.contains({by->kind, maker})) return false;
    }
    if (workload != nullptr) return !story.at_start || !HasFinished(*workload);
    const jobs::JobKind& kind = *jobs::KindOf(story.object);
    if (story.at_start && kind.IsComplete(story.object)) return false;
    bool ours = false;
    ForEachTemplate(story.object, [&](const std::string&, const PodTemplate& from) {
      ours |= from.spec.scheduler_name == scheduler();
    });
    return ours;
  }

  void NoteJobsAtStart() {
    for (const Story& story : stories_.work) {
      const jobs::JobKind* kind = story.at_start ? jobs::KindOf(story.object) : nullptr;
      if (kind == nullptr || kind->IsComplete(story.object)) continue;
      jobs_at_start_.emplace(kind->kind(), objects::MetaOf(story.object).Key());
    }
  }

  // Whether the owner's controller makes such a pod.
  static bool Makes(Story& owner, const std::string& set_name) {
    if (!std::holds_alternative<Workload>(owner.object)) return true;
    const std::size_t sets = std::get<Workload>(owner.object).pod_sets.size();
    bool makes = false;
    ForEachTemplate(owner.object, [&](const std::string& name, const PodTemplate&) {
      makes |= name == set_name || (set_name.empty() && sets == 1);
    });
    return makes;
  }

  bool KeepsPod(const Story& story) {
    Story* owner = OwnerOf(story);
    const bool has_owner = owner != nullptr && kept_[story.owner];
    if (story.at_start) return has_owner || !story.pod().finished();
    if (has_owner && Makes(*owner, story.pod_set)) return false;
    return story.pod().spec.scheduler_name == scheduler() || story.bound.has_value();
  }

  void NameAll() {
    std::set<std::pair<std::string_view, std::string>> taken;
    std::map<std::pair<std::string_view, std::string>, int> used;
    for (const Story& story : stories_.work) {
      taken.emplace(objects::KindOf(story.object), objects::MetaOf(story.object).Key());
    }
    for (std::size_t i = 0; i < stories_.work.size(); ++i) {
      // Pods name their group: one that comes again takes the place of the first.
      const bool is_group = std::holds_alternative<objects::PodGroup>(stories_.work[i].object);
      if (!kept_[i] || is_group) continue;
      objects::Meta& meta = objects::MetaOf(stories_.work[i].object);
      const std::string_view kind = objects::KindOf(stories_.work[i].object);
      int& times = used[{kind, meta.Key()}];
      if (++times == 1) continue;
      for (const std::string name = meta.name;; ++times) {
        meta.name = fmt::format("{}-again-{}", name, times);
        if (taken.emplace(kind, meta.Key()).second) break;
      }
    }
  }

  // KAI's grouper and Volcano's write annotations, Kubernetes' own controllers the field.
  static void NoteGroup(const Pod& pod, Seen& seen) {
    for (const std::string_view key :
         {objects::kKaiPodGroupAnnotation, objects::kVolcanoGroupAnnotation}) {
      const std::string* group = objects::FindLabel(pod.meta.annotations, key);
      if (group != nullptr) SetLabel(seen.group_annotations, key, *group);
    }
    if (!pod.spec.rare->scheduling_group.empty()) {
      seen.scheduling_group = pod.spec.rare->scheduling_group;
    }
  }

  void LookAtPods() {
    for (const Story& story : stories_.work) {
      if (!story.is_pod() || story.owner == Story::kNobody) continue;
      Seen& seen = seen_[{story.owner, story.pod_set}];
      NoteGroup(story.pod(), seen);
      const std::optional<Duration> worked = story.Worked(stories_.end);
      if (!worked) continue;
      (story.end == PodPhase::kSucceeded ? seen.succeeded
       : story.end == PodPhase::kFailed  ? seen.failed
                                         : seen.cut_off)
          .push_back(*worked);
    }
  }

  // Null: no pod was seen. A pod need not name the set of a Workload that has but one.
  const Seen* SeenOf(std::size_t owner, const std::string& set) const {
    for (const std::string& name : {set, std::string()}) {
      const auto found = seen_.find({owner, name});
      if (found != seen_.end()) return &found->second;
    }
    return nullptr;
  }
  std::optional<Duration> LastsOf(std::size_t owner, const std::string& set) const {
    const Seen* seen = SeenOf(owner, set);
    return seen == nullptr ? std::nullopt : seen->Lasts();
  }

  void AddWork(std::size_t index) {
    Story& story = stories_.work[index];
    Object object = story.object;
    objects::Meta& meta = objects::MetaOf(object);
    DropLabel(meta.annotations, kArrivesAt);
    if (!story.at_start) {
      Undo(object);
      Arrive(meta, story.seen);
    }
    work_.push_back(std::move(object));
    if (story.is_pod()) {
      AddPod(story);
    } else {
      AddTemplates(index);
    }
  }

  // What is still there is expected to go on, where none of it has ended.
  static Durations::How HowOf(const Seen* seen, const Story& story) {
    if (seen != nullptr && seen->any_ended()) return Durations::How::kEnded;
    return story.gone ? Durations::How::kRemoved : Durations::How::kWentOn;
  }

  void AddTemplates(std::size_t index) {
    Object& object = work_.back();
    ForEachTemplate(object, [&](const std::string& set, PodTemplate& from) {
      const Seen* seen = SeenOf(index, set);
      DropLabel(from.annotations, kRunDuration);
      NoteDuration(set, LastsOf(index, set), HowOf(seen, stories_.work[index]));
      if (seen == nullptr) return;
      for (const auto& [key, group] : seen->group_annotations) {
        SetLabel(from.annotations, key, group);
      }
      if (!seen->scheduling_group.empty()) {
        from.spec.rare.Edit().scheduling_group = seen->scheduling_group;
      }
    });
  }

  void AddPod(const Story& story) {
    auto& pod = std::get<Pod>(work_.back());
    const bool foreign = pod.spec.scheduler_name != scheduler();
    if (foreign && !story.at_start) {
      pod.spec.node_name = story.node;
      Arrive(pod.meta, *story.bound);
    }
    if (Story* owner = OwnerOf(story); owner != nullptr && !story.at_start) {
      // The owner may have a number now.
      const std::string& name = objects::MetaOf(owner->object).name;
      for (auto& [key, value] : pod.meta.labels) {
        if (key == virtual_cluster::kWorkloadLabel) value = name;
      }
    }
    DropLabel(pod.meta.annotations, kRunDuration);
    std::optional<Duration> lasts = story.Worked(stories_.end);
    if (foreign || NeverEndsByItself(pod)) {
      if (!story.ended || !lasts) return;
      SetLabel(pod.meta.annotations, kRunDuration, WrittenDuration(*lasts));
      return;
    }
    if (story.end != PodPhase::kRunning) {
      NoteDuration({}, lasts, Durations::How::kEnded);
    } else if (story.owner == Story::kNobody) {
      NoteDuration({}, lasts, HowOf(nullptr, story));
    } else {
      const Seen* seen = SeenOf(story.owner, story.pod_set);
      lasts = std::max(lasts, LastsOf(story.owner, story.pod_set));
      NoteDuration({}, lasts, HowOf(seen, stories_.work[story.owner]));
    }
  }

  // Of the object that was added last.
  void NoteDuration(std::string set, std::optional<Duration> seen, Durations::How how) {
    durations_.Add({.work = work_.size() - 1,
                    .set = std::move(set),
                    .kind = std::string(objects::KindOf(work_.back())),
                    .name_space = objects::MetaOf(work_.back()).name_space,
                    .seen = seen,
                    .how = how});
  }

  void Warn() {
    const auto warn = [&](std::string_view line) {
      result_.warnings.push_back(fmt::format("record: {}", line));
    };
    if (stories_.cut_off) warn("the last line is cut off and left out");
    for (const std::string& line : durations_.Warnings()) warn(line);
    if (stories_.nodes_gone > 0) {
      warn(fmt::format("{} went: what is gone takes nothing new from then on",
                       stories_.nodes_gone == 1 ? std::string("1 node")
                                                : fmt::format("{} nodes", stories_.nodes_gone)));
    }
  }

  Stories stories_;
  std::vector<bool> kept_;                                       // of stories_.work
  std::set<std::pair<std::string, std::string>> jobs_at_start_;  // by kind and key: not over
  RecordedWorkload result_;
  std::vector<Object> work_;
  std::map<std::pair<std::size_t, std::string>, Seen> seen_;  // by owner and pod set
  Durations durations_;
};

}  // namespace

Result<RecordedWorkload> ReadRecordedWorkload(const std::string& directory) {
  Result<RecordFile> record = OpenRecord(directory);
  if (!record) return tl::unexpected(record.error());
  return ReadRecordedWorkload(record->file, record->path);
}

Result<RecordedWorkload> ReadRecordedWorkload(std::istream& file, const std::string& path) {
  Result<Stories> stories = ReadStories(file, path);
  if (!stories) return tl::unexpected(stories.error());
  return Builder(*std::move(stories)).Build();
}

}  // namespace fairlead::trace
