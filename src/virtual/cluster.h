#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "drive/observer.h"
#include "engine/explain/report.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "objects/objects.h"
#include "objects/read/reader.h"
#include "virtual/coming.h"

// A Kubernetes cluster inside the process: a store in place of the API server, one queue of things
// to happen, fake kubelets and controllers, and the engine that schedules it. Time is virtual: it
// moves only when it is told to, and nothing in here reads a clock.

namespace fairlead::virtual_cluster {

// How long what is not ours takes.
struct Delays {
  Duration start = {};    // from bound to running
  Duration grace = {};    // from evicted, or deleted while bound, to gone
  Duration volumes = {};  // from asked for, for a node, to bound
};

struct PodFinal {
  std::string pod;  // "namespace/name"
  objects::PodPhase phase = objects::PodPhase::kPending;
  std::string node;  // empty: not bound
};

enum class WorkloadState : std::uint8_t { kPending, kAdmitted, kRunning, kFinished };
std::string_view ToString(WorkloadState state);

struct PodSetFinal {
  std::string name;
  std::int32_t count = 0;    // admitted, or, where nothing is, asked
  std::int32_t running = 0;  // pods that are bound and not finished
  std::int32_t succeeded = 0;
};

struct WorkloadFinal {
  std::string workload;  // "namespace/name"
  WorkloadState state = WorkloadState::kPending;
  std::vector<PodSetFinal> pod_sets;
};

struct Options {
  Time start;  // the first moment; intake::NewestTime(objects) is what `simulate` takes
  Delays delays = {};
  // When a running pod ("namespace/name") ends of which no fairlead.dev/run-duration says it;
  // absent, or null: never.
  std::function<std::optional<Time>(std::string_view pod)> end_of = nullptr;
  // A job that is complete, or a Workload, leaves the store with its pods once that is told, and no
  // event says so: a long run costs what is there, not what was. Nothing is decided otherwise.
  bool forget_ended = false;
  // Of forget_ended: what leaves is told as it then is. Null: nobody asks.
  std::function<void(const PodFinal&)> on_forgotten_pod = nullptr;
  std::function<void(const WorkloadFinal&)> on_forgotten_workload = nullptr;
};

// What one Submit did.
struct Submitted {
  enum class Outcome : std::uint8_t { kCreated, kReplaced, kUnchanged, kLater };
  std::int32_t created = 0;
  std::int32_t replaced = 0;
  std::int32_t unchanged = 0;     // they were there, and say the same
  std::int32_t later = 0;         // will appear at their fairlead.dev/arrives-at
  std::vector<Outcome> outcomes;  // of each, in the order of the submission
};

// simulate's `final`. Pods and workloads are sorted by name; queues as in a plan. Pods that are a
// workload of their own are only among the pods.
struct Final {
  std::vector<PodFinal> pods;
  std::vector<WorkloadFinal> workloads;
  std::vector<engine::QueueReport> queues;
};

// Simulations, `up` and tests drive it alike:
//
//   VirtualCluster cluster({.start = start});
//   cluster.AddObserver(&metrics);
//   auto submitted = cluster.Submit(std::move(manifest.objects));   // faults: nothing was changed
//   cluster.RunToIdle();                                            // or RunUntil(t), or Step()
//   Final end = cluster.FinalState();
//
// Life of a pod: it appears, is bound by a plan, runs after Delays::start, and succeeds after its
// annotation fairlead.dev/run-duration, counted from its start (absent: never). A finished pod
// stays in the store, as in Kubernetes; an evicted one leaves it after `grace`. Deleting a node
// takes its pods along. Pods of other schedulers stay as they were submitted, but end likewise when
// they are bound and have a run-duration. Controllers: Job, DaemonSet, and Workload with a
// `template`; see virtual/controllers.h.
//
// Invariants:
//   - Events are handled by time, then in the order in which they were caused. All that happens at
//     one instant is applied before the engine's round; rounds of one instant are repeated until
//     they decide nothing new (drive/driver.h).
//   - The same submissions at the same times, in any order inside one Submit, give the same events.
// Thread safety: none; one thread owns it.
// Cost: a pod's whole life takes a few µs, and about 2 kB while it is there.
class VirtualCluster {
 public:
  explicit VirtualCluster(const Options& options);
  ~VirtualCluster();
  VirtualCluster(const VirtualCluster&) = delete;
  VirtualCluster& operator=(const VirtualCluster&) = delete;

  // `observer` is told of all events and changes from now on. Not owned; must outlive the cluster.
  void AddObserver(drive::Observer* observer);

  // Creates or replaces, all or nothing: with any fault nothing is changed. An object with
  // fairlead.dev/arrives-at: D appears at Now() + D, without that annotation: saved and submitted
  // again it does not wait once more. What is replaced keeps its uid, creation time and status; a
  // pod that is bound keeps what it asks for; where nothing differs then, nothing happens. A
  // SchedulerConfiguration takes effect at once; of a PodDisruptionBudget the spec alone counts.
  // Nothing is scheduled yet: the next Step or Run does that, at Now(). Faults: an annotation of
  // ours that is no duration or negative; a name that is missing or twice in `objects`. They carry
  // the object's source (FILE:LINE) where it has one.
  tl::expected<Submitted, std::vector<objects::Fault>> Submit(std::vector<objects::Object> objects);

  // What comes by itself from now on, instead of what did so far. Like a submission of all of it.
  void Follow(std::unique_ptr<Coming> coming);

  // Removes an object and what it owns: pods of a Workload, Job or DaemonSet; of a Node, its pods;
  // of a Namespace, everything in it. Bound pods go after `grace`, unless their node is gone.
  // `kind` as in objects::KindOf. Error: there is no such object (one that is still to arrive can
  // be deleted, too).
  Result<void> Delete(std::string_view kind, std::string_view name_space, std::string_view name);

  Time Now() const;

  // When something happens next: Now() where work is waiting, absent when idle.
  std::optional<Time> NextEventTime() const;

  // Moves to NextEventTime() and does all that happens at that instant. False: idle, nothing done.
  bool Step();

  // Does all that happens up to and at `until`; then Now() == until. REQUIRES: until >= Now().
  void RunUntil(Time until);

  // Until nothing more can change, or the next thing would happen after `limit`. Returns whether it
  // is idle. Now() is then the moment of the last thing that happened.
  bool RunToIdle(Time limit = Time::Max());

  // Stored objects of a kind ("Pod", "Workload", …), sorted by namespace, then name; null: not
  // there. Pointers are valid until the next call that changes the cluster.
  std::vector<const objects::Object*> List(std::string_view kind) const;
  const objects::Object* Find(std::string_view kind, std::string_view name_space,
                              std::string_view name) const;

  const engine::Scheduler& scheduler() const;
  const intake::Intake& intake() const;
  const Options& options() const;

  Final FinalState() const;
  std::vector<WorkloadFinal> FinalWorkloads() const;  // of it: does not look at the pods
  std::int64_t forgotten_workloads() const;           // that would be among them, finished

  // Of all events so far: two runs that did the same have the same digest. 16 hex digits.
  std::string EventDigest() const;

  std::uint64_t version() const;  // grows with every change of the store
  std::int64_t rounds() const;    // engine rounds so far

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::virtual_cluster
