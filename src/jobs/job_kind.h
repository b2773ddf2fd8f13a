#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objects/objects.h"

namespace fairlead::jobs {

// A part of a job: pods of one template. The views point into the job, or live for ever.
struct PodSet {
  std::string_view name;
  std::int32_t count = 0;       // asked: at once, by its spec
  std::int32_t min_count = 0;   // the fewest it may be admitted with
  std::int32_t step = 1;        // fewer go by so many …
  std::string_view unit_label;  // … and pods say by this label of which of these they are; or empty
  std::int32_t first_index = 0;  // the lowest that its pods say of themselves
  // Admission writes no count: so many pods as it admits run at once, the others come after them.
  bool count_stays = false;
  // While it runs its pods come and go, so many of them at most. Absent: there are as many as it is
  // admitted with.
  std::optional<std::int32_t> max;
  std::int32_t left = 0;                               // of `count`, those that are still to run
  const objects::PodTemplate* pod_template = nullptr;  // null: its pods come from elsewhere
  std::string_view template_path;                      // "spec.template"
  std::string of_component;  // as pods of a job's component say it (FindOfComponent); or empty
};

struct Priority {
  std::string class_name;
  std::optional<std::int32_t> number;
  bool never_preempts = false;
};

using Assignments = std::vector<objects::PodSetAssignment>;
std::optional<std::int32_t> CountOf(const Assignments& assignments, std::string_view pod_set);
Assignments AskedOf(const objects::Workload& workload);  // the counts of its spec

// What admission may change of a job, and nothing else does it change.
struct Written {
  bool suspend = false;
  std::vector<std::optional<std::int32_t>> counts;
  bool operator==(const Written&) const = default;
};

// A kind of object that runs pods to an end and can wait, suspended, for room (semantics.md §8).
// Whoever reads jobs (intake), and whoever carries an admission out (the virtual cluster, the
// writer of a real one), knows them by this alone: a new kind is a row of objects::JobRows().
//
// REQUIRES, everywhere: the object is of this kind. Thread safety: no state.
class JobKind {
 public:
  virtual ~JobKind() = default;

  virtual std::string_view api_version() const = 0;  // the preferred one
  virtual std::string_view ApiVersionOf(const objects::Object& /*job*/) const {
    return api_version();
  }
  virtual std::string_view kind() const = 0;  // as objects::KindOf
  // Whether pods that ended well are taken off `PodSet::left` already.
  virtual bool counts_successes() const { return false; }
  // Labels by which its pods name their pod set; and the job, where the operator makes them by way
  // of a job of another kind. Empty: there is none.
  virtual std::string_view pod_set_label() const { return {}; }
  virtual std::string_view name_label() const { return {}; }
  // Its pods are there from the start, found by name_label() whoever owns them, and wait for each
  // other: nothing is written on it, and it has no Workload.
  virtual bool is_let_go_by_pods() const { return false; }
  // Such a kind's objects are workloads only where they say fairlead.dev/gang.
  virtual bool is_gang_if_asked() const { return false; }
  // Its pods may be made by whoever: by what it made, say. Those whose owner is no kind of job are
  // found by name_label() too.
  virtual bool has_pods_of_others() const { return is_let_go_by_pods(); }
  // Of such a kind: each value of this label is a workload, NAME-VALUE. Empty: the object is one.
  virtual std::string_view group_label() const { return {}; }
  // Whether pods of a set are made when those of the sets before it run.
  virtual bool IsInOrder(const objects::Object& /*job*/) const { return false; }
  // The kinds of jobs that it makes to have its pods run, and are left to it.
  virtual std::span<const objects::JobRow::Made> makes() const { return {}; }
  // Likewise, whatever their kind. Its pods say of whom they are, and are found by name_label().
  virtual bool makes_any() const { return false; }
  // Its pod sets are those of the first that it makes, which has its name. PodSets() has none.
  virtual bool has_pod_sets_of_made() const { return false; }
  // A field that keeps it from being suspended as it stands; empty: none does.
  virtual std::string_view CannotSuspendFor(const objects::Object& /*job*/) const { return {}; }
  // The pod set that such a label's value names.
  virtual std::string_view PodSetOf(std::string_view value) const { return value; }

  virtual bool IsSuspended(const objects::Object& job) const = 0;
  virtual bool IsComplete(const objects::Object& job) const = 0;
  virtual std::vector<PodSet> PodSets(const objects::Object& job) const = 0;
  virtual Priority PriorityOf(const objects::Object& job) const = 0;
  // How long it may run; its controller ends it then. Empty: it does not say.
  virtual std::optional<Duration> DeadlineOf(const objects::Object& job) const = 0;
  // What is wrong with what it says about fewer pods, with the values found; it is then admitted
  // whole or not at all. Empty: nothing.
  virtual std::string FaultOfMinimum(const objects::Object& job) const = 0;

  // Lets it run with so many pods of every pod set; what it runs whole is left as it stands.
  virtual void RunWith(objects::Object& job, const Assignments& admitted) const = 0;
  // Suspends it and undoes what RunWith did. `asked`: the counts of its Workload. A count that is
  // not the admitted one was edited since, and is left.
  virtual void Restore(objects::Object& job, const Assignments& admitted,
                       const Assignments& asked) const = 0;
  virtual Written WrittenOf(const objects::Object& job) const = 0;
  virtual void SetWritten(objects::Object& job, const Written& written) const = 0;
};

// Kinds that a Workload can stand for, as objects::JobRows(); the first of them counts where
// several objects have one name.
std::span<const JobKind* const> AllKinds();
const JobKind* FindKind(std::string_view kind);        // null: none of AllKinds()
const JobKind* KindOf(const objects::Object& object);  // the same

// The job that a pod is of: by who owns it, or, of kinds that have pods of others, by its labels
// where its owner is no kind of job. kind null: none.
struct JobOfPod {
  const JobKind* kind = nullptr;
  std::string_view name;
  std::string_view uid;  // where known
  std::string_view pod_set;
  std::string_view group = {};  // the value of its kind's group_label()
  // What the job made that made the pod, by name: `pod_set` is of that one. Empty: the pod names
  // one of the job's own.
  std::string_view component = {};
};
// `owner` null: it has none.
JobOfPod FindJobOfPod(const objects::Meta& pod, const objects::OwnerReference* owner);

// What pods say of themselves that are of a job's component, as a key (objects/key.h):
// "train/worker". Which of `sets`, each so, a pod is of that says `said`. What makes it may be made
// by the component in turn, and has its name and more then ("train-x7k2"); and it may not say its
// pod set. Absent: none, or one of several.
std::optional<std::size_t> FindOfComponent(std::span<const std::string_view> sets,
                                           std::string_view said);
// The same of the `of_component` of pod sets.
template <typename Sets>
std::optional<std::size_t> FindByComponent(const Sets& sets, std::string_view said) {
  std::vector<std::string_view> each;
  for (const auto& set : sets) each.push_back(set.of_component);
  return FindOfComponent(each, said);
}

// What `maker` says of jobs of that kind; null: it makes none, or of any kind alike.
const objects::JobRow::Made* FindMade(const JobKind& maker, std::string_view kind);
// The pod set that all pods of such a job are in; empty: as they say.
std::string_view PodSetOfMade(const JobKind& maker, std::string_view kind);
// The pod set of `job`, which has the pod or made the one that has it, by name. Empty: it is of
// none, or does not say.
std::string PodSetIn(const objects::Object& job, const JobOfPod& of_pod);

// The job that made this one to have its pods run by it; kind null: none did.
struct JobRef {
  const JobKind* kind = nullptr;
  std::string name;
  std::string uid;  // where known
  bool operator==(const JobRef&) const = default;
};
JobRef MakerOf(const objects::Meta& job, const JobKind& kind);
JobRef MakerOf(const objects::Object& object);  // the same; of what is no job: none

// How a running job differs from what admission made of it, as text; empty: it is equivalent to its
// Workload. A job that runs fewer pods because others have ended is.
std::string EditOf(std::span<const PodSet> pod_sets, const Assignments& admitted);

// Whether `workload` says that it stands for that job: by its controller reference.
bool StandsFor(const objects::Meta& workload, const objects::Object& job);

}  // namespace fairlead::jobs
