#include "trace/record_stories.h"

#include <algorithm>

#include "jobs/job_kind.h"
#include "objects/key.h"
#include "trace/record_lines.h"
#include "virtual/world.h"

namespace fairlead::trace {
namespace {

using objects::Object;
using objects::Pod;
using objects::PodPhase;

// By kind and "namespace/name". PodGroups of different systems have names of their own each.
using Key = std::pair<std::string, std::string>;

Key KeyOf(const Object& object) {
  return {std::string(objects::QualifiedKindOf(object)), objects::MetaOf(object).Key()};
}

bool IsWork(const Object& object) {
  return std::holds_alternative<Pod>(object) || jobs::KindOf(object) != nullptr ||
         std::holds_alternative<objects::Workload>(object) ||
         std::holds_alternative<objects::PodGroup>(object);
}

// What decides of a node. The rest of it changes all the time.
objects::Node Decisive(const objects::Node& node) {
  objects::Node decisive = node;
  decisive.meta = {};
  decisive.meta.labels = node.meta.labels;
  return decisive;
}

// Who makes pods like this one, and in which pod set, as the virtual cluster will judge.
struct Maker {
  Key key;
  std::string pod_set;
  jobs::JobOfPod job = {};  // where it is one
};
std::optional<Maker> MakerOf(const objects::Meta& pod) {
  const objects::OwnerReference* owner = pod.Controller();
  if (const jobs::JobOfPod job = jobs::FindJobOfPod(pod, owner); job.kind != nullptr) {
    return Maker{{std::string(job.kind->kind()), pod.name_space + "/" + std::string(job.name)},
                 std::string(job.pod_set),
                 job};
  }
  if (owner != nullptr) {
    if (owner->kind != "Workload") return std::nullopt;
  }
  const std::string* workload = objects::FindLabel(pod.labels, virtual_cluster::kWorkloadLabel);
  if (workload == nullptr) return std::nullopt;
  const std::string* set = objects::FindLabel(pod.labels, virtual_cluster::kPodSetLabel);
  return Maker{{"Workload", pod.name_space + "/" + *workload}, set == nullptr ? "" : *set};
}

class Collector : public RecordVisitor {
 public:
  void OnObject(Time time, Object object) override {
    if (auto* configuration = std::get_if<objects::SchedulerConfiguration>(&object)) {
      stories_.configuration = std::move(*configuration);
    } else if (const auto* node = std::get_if<objects::Node>(&object)) {
      NoteNode(time, *node);
    } else if (IsWork(object)) {
      NoteWork(time, std::move(object));
    } else {
      Key key = KeyOf(object);
      stories_.rest.insert_or_assign(std::move(key), std::move(object));
    }
  }

  void OnGone(Time time, std::string_view kind, std::string_view name_space,
              std::string_view name) override {
    const std::string key = objects::JoinKey(name_space, name);
    if (kind == "Node") return NodeIsGone(time, key);
    auto found = now_there_.find(Key(kind, key));
    // Records of old: KAI's was the only one.
    if (kind == objects::kPodGroup) {
      found = now_there_.find(Key(objects::RowOf(objects::GroupApi::kKai).qualified_kind, key));
    }
    if (found == now_there_.end()) return;
    Story& story = stories_.work[found->second];
    story.gone = true;
    if (story.is_pod() && !story.ended) story.ended = time;
    if (!began_) dropped_.push_back(found->second);
    now_there_.erase(found);
  }

  void OnRound(const Round& round) override {
    stories_.end = round.now;
    if (!began_) Begin(round.now);
  }

  Stories Done(bool cut_off) {
    stories_.cut_off = cut_off;
    return std::move(stories_);
  }

 private:
  void NoteNode(Time time, const objects::Node& node) {
    auto& versions = stories_.nodes[node.meta.name];
    if (!versions.empty() && began_ && Decisive(versions.back().second) == Decisive(node)) return;
    AddVersion(versions, time, node);
  }
  void NodeIsGone(Time time, const std::string& name) {
    const auto found = stories_.nodes.find(name);
    if (found == stories_.nodes.end()) return;
    if (!began_) {
      stories_.nodes.erase(found);
      return;
    }
    ++stories_.nodes_gone;
    objects::Node gone = found->second.back().second;
    gone.unschedulable = true;
    gone.ready = false;
    AddVersion(found->second, time, std::move(gone));
  }
  // Before the start only the last one counts; of those at one moment, too.
  void AddVersion(std::vector<std::pair<Time, objects::Node>>& versions, Time time,
                  objects::Node node) const {
    const bool same = !versions.empty() && (!began_ || versions.back().first == time);
    if (same) versions.pop_back();
    versions.emplace_back(time, std::move(node));
  }

  void NoteWork(Time time, Object object) {
    const Key key = KeyOf(object);
    const auto [at, is_new] = now_there_.try_emplace(key, stories_.work.size());
    const std::string& uid = objects::MetaOf(object).uid;
    if (!is_new) {
      Story& before = stories_.work[at->second];
      const std::string& uid_before = objects::MetaOf(before.object).uid;
      if (!uid.empty() && !uid_before.empty() && uid != uid_before) {
        before.gone = true;
        if (before.is_pod() && !before.ended) before.ended = time;
        if (!began_) dropped_.push_back(at->second);
        at->second = stories_.work.size();
      }
    }
    if (at->second == stories_.work.size()) {
      stories_.work.push_back(
          {.object = object, .seen = time, .at_start = !began_, .node = {}, .pod_set = {}});
    }
    Story& story = stories_.work[at->second];
    if (const auto* pod = std::get_if<Pod>(&object)) NotePod(time, *pod, story);
    if (!began_) story.object = std::move(object);
  }

  static void NotePod(Time time, const Pod& pod, Story& story) {
    if (story.ended) return;
    if (!pod.spec.node_name.empty() && !story.bound) {
      story.bound = time;
      story.node = pod.spec.node_name;
    }
    if (pod.phase == PodPhase::kRunning && !story.running) story.running = time;
    if (!pod.finished()) return;
    story.ended = time;
    // A kubelet that ends a pod at somebody's wish says how that ended, too: it was cut off.
    if (!pod.meta.deletion_time) story.end = pod.phase;
    // Seen for the first time when it was over: what it says of itself.
    if (!story.running && pod.start_time && pod.finish_time &&
        *pod.start_time <= *pod.finish_time) {
      story.running = time;
      story.ended = time + (*pod.finish_time - *pod.start_time);
    }
  }

  void Begin(Time now) {
    began_ = true;
    stories_.start = now;
    for (Story& story : stories_.work) {
      if (!story.is_pod() || story.ended || story.pod().phase != PodPhase::kRunning) continue;
      story.running = story.pod().start_time.value_or(story.pod().scheduled_time.value_or(now));
    }
    // What went before all was listed was never there; the others move up.
    std::sort(dropped_.begin(), dropped_.end());
    std::vector<Story> stay;
    for (std::size_t i = 0; i < stories_.work.size(); ++i) {
      if (!std::binary_search(dropped_.begin(), dropped_.end(), i)) {
        stay.push_back(std::move(stories_.work[i]));
      }
    }
    stories_.work = std::move(stay);
    now_there_.clear();
    for (std::size_t i = 0; i < stories_.work.size(); ++i) {
      now_there_.emplace(KeyOf(stories_.work[i].object), i);
    }
    for (auto& [name, versions] : stories_.nodes) versions.back().first = now;
  }

  Stories stories_;
  bool began_ = false;
  std::map<Key, std::size_t> now_there_;  // into stories_.work
  std::vector<std::size_t> dropped_;
};

// A pod is of the owner that was there last when the pod came; where none was yet, of the first.
void FindOwners(std::vector<Story>& work) {
  std::map<Key, std::vector<std::size_t>> by_key;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!work[i].is_pod()) by_key[KeyOf(work[i].object)].push_back(i);
  }
  for (Story& story : work) {
    if (!story.is_pod()) continue;
    const std::optional<Maker> maker = MakerOf(story.pod().meta);
    if (!maker) continue;
    auto found = by_key.find(maker->key);
    if (found == by_key.end()) continue;
    // Of a job that another made to have its pods run: that one.
    const jobs::JobRef outer = jobs::MakerOf(work[found->second.front()].object);
    if (outer.kind != nullptr) {
      const std::string& name_space = story.pod().meta.name_space;
      found = by_key.find({std::string(outer.kind->kind()), name_space + "/" + outer.name});
      if (found == by_key.end()) continue;
    }
    story.owner = found->second.front();
    for (const std::size_t i : found->second) {
      if (work[i].seen <= story.seen) story.owner = i;
    }
    story.pod_set = maker->job.kind == nullptr
                        ? maker->pod_set
                        : jobs::PodSetIn(work[story.owner].object, maker->job);
  }
}

}  // namespace

std::optional<Duration> Story::Worked(Time now) const {
  const std::optional<Time> begin = running ? running : bound;
  if (!begin) return std::nullopt;
  const Duration worked = std::max(Duration{}, ended.value_or(now) - *begin);
  const bool was_cut_off = end == objects::PodPhase::kRunning;
  if (was_cut_off && worked == Duration{}) return std::nullopt;
  return worked;
}

Result<Stories> ReadStories(std::istream& file, const std::string& path) {
  Collector collector;
  const Result<RecordEnd> end = ReadRecord(file, path, collector);
  if (!end) return tl::unexpected(end.error());
  Stories stories = collector.Done(end->cut_off);
  FindOwners(stories.work);
  return stories;
}

}  // namespace fairlead::trace
