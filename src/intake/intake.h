#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intake/facts/codes.h"
#include "intake/findings/finding.h"
#include "intake/join/told_pod.h"
#include "intake/kueue/problem.h"
#include "objects/objects.h"
#include "objects/read/reader.h"
#include "state/change.h"

namespace fairlead::intake {

// Pods that wait for a scheduler of another name.
struct OtherScheduler {
  std::string name;
  std::int64_t pending = 0;
};

// Whose a pod is. The engine is told of ours, and of others' that are bound; of neither where their
// node is outside the pool.
struct PodStanding {
  std::string scheduler;  // that it names
  std::string node;       // where it is bound; empty: nowhere
  bool ours = false;
  bool in_pool = true;
  bool gated_by_kueue = false;  // by its webhook's scheduling gate
  std::string job_kind, job;    // that it is of, where such jobs are written to, "namespace/name"
};

// Decoders for every kind this build reads: objects::CoreDecoders() and every dialect's.
const objects::DecoderTable& AllDecoders();

// What is known of the cluster as objects, and the joins between them: which workload, queue,
// priority and preemptibility a pod has. Objects may come in any order and may change at any time;
// out come changes of the engine's state, only where something really changed.
// Thread safety: none.
class Intake {
 public:
  Intake();
  ~Intake();

  // Adds or replaces. `now` stands in for an absent creation time (interface.md §2, plan); the one
  // of the first Upsert stays. A pod of another uid under the same name is another pod.
  // `key`: its "namespace/name", to be shared where somebody keeps it already.
  // Cost: for a pod that is held already ≈ 1 µs, and no allocation where it did not change.
  void Upsert(const objects::Object& object, Time now, const Text& key = {});
  // The same of a pod that came through Upsert already and says all that it said then, but for its
  // status and its node: for those who know that. It costs a quarter.
  void UpsertStatus(const objects::Pod& pod, Time now);
  // Kind as in QualifiedKindOf ("Pod"), or "PodGroup" of whichever system. Returns whether it was
  // known.
  bool Remove(std::string_view kind, std::string_view name_space, std::string_view name);

  // All DaemonSets and Jobs come through Upsert, and all jobs of a kind of which one has. Pods may
  // come before the job that owns them, and wait for it, as it says whose they are and how many
  // start at once; and a DaemonSet that has not come is not there. Without this call pods of a job
  // that is not there are work by themselves, as a file may have them alone, and of a namespace
  // without a DaemonSet none is known.
  void KnowAllOwners();

  // All that changed since the last call, removals before upserts, sorted by kind and name. Of pods
  // so many at most: where there are more, the next call goes on with them, and the last of these
  // calls gives nothing. Cost where nothing came since: none.
  static constexpr std::size_t kAllPods = static_cast<std::size_t>(-1);
  std::vector<state::Change> TakeChanges(std::size_t most_pods = kAllPods);

  // Facts between objects as of the last TakeChanges: missing parents, cycles, unknown classes.
  std::vector<Finding> Findings() const;

  // What the owners of Kueue's objects should know, as of the last TakeChanges.
  const std::vector<KueueProblem>& kueue_problems() const;

  // The Topologies that are there, as of the last TakeChanges.
  std::vector<objects::KnownTopology> KnownTopologies() const;

  // As of the last TakeChanges: who else has pods that wait, by name; and a pod, ours or not.
  std::vector<OtherScheduler> OtherSchedulers() const;
  std::optional<PodStanding> FindPod(std::string_view name) const;  // "namespace/name"

  // What the engine was told of pods and of workloads of several pods, by name; absent or null:
  // nothing, or it is gone. What came since the last TakeChanges may be in it. Views and pointers
  // are good until something changes.
  std::optional<ToldPod> FindTold(std::string_view pod) const;
  const state::WorkloadChange* FindToldWorkload(std::string_view name) const;
  std::vector<std::string_view> ToldPodsOf(std::string_view workload) const;  // by name
  std::vector<std::string> ToldNames() const;  // of all of both, sorted, unique
  // A pod as the cluster shows it, told or not.
  std::optional<ShownPod> FindShown(std::string_view pod) const;

  // What is asked now, as a digest (join/asked_spec.h): of a workload of several pods, and of the
  // job that made a pod which is a workload by itself. Empty: there is none.
  std::string AskedSpecOf(std::string_view workload) const;  // "namespace/name"
  std::string AskedSpecOfJobOf(std::string_view pod) const;  // likewise

  const objects::SchedulerConfiguration& configuration() const;

 private:
  class Store;
  std::unique_ptr<Store> store_;
  bool may_have_changes_ = true;  // that were not taken yet
};

// The moment that `plan` takes for now: the newest creation, start or condition time of Kubernetes'
// own objects; 2000-01-01T00:00:00Z where there is none (interface.md §2, plan).
Time NewestTime(const std::vector<objects::Object>& objects);

}  // namespace fairlead::intake
