#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/name_map.h"
#include "base/named_rows.h"
#include "base/names.h"
#include "base/rare.h"
#include "base/time.h"
#include "history/records.h"
#include "objects/objects.h"
#include "state/change.h"

namespace fairlead::history {

// Who submitted an object, as far as it says so itself; empty: it does not. It is what a manifest
// claims, and nobody has checked it: good for finding one's own work, useless for judging anyone.
// In this order: annotation or label fairlead.dev/user; label yunikorn.apache.org/username;
// annotation notebooks.kubeflow.org/creator.
std::string UserOf(const objects::Meta& meta);

// Follows every workload from its first pod to its end: what it was, what its pods held and for how
// long, how often it had to give way. Fed with the objects (for who and how it ended) and with what
// the engine is told.
// Thread safety: none. Cost: a hash lookup or two a change; about 140 bytes a pod that is a
// workload of its own.
class WorkloadTracker {
 public:
  // `began`: what was created earlier may have a past that was not seen.
  explicit WorkloadTracker(Time began) : began_(began) {}
  void Began(Time began) { began_ = began; }

  // To be called before the changes that it leads to.
  void Object(const objects::Object& object);
  void Gone(std::string_view kind, std::string_view key);

  // Appends what ended and what pods came to (Finish, Stop, BindFailed, EvictFailed).
  void Apply(Time now, std::span<const state::Change> changes, std::vector<Record>& into);

  // When those that wait are said to start (by workload; the rest is filled in): appends what is
  // said first of each.
  void Said(std::span<const Estimate> estimates, std::vector<Record>& into);

  void Evicted(std::string_view workload);
  struct Owner {
    std::string_view queue, user;  // valid until the next call
  };
  Owner OwnerOf(std::string_view workload) const;

 private:
  // There is one for nearly every pod: names that many share are numbers, and uids, which are only
  // compared, are hashes.
  struct Pod {
    state::NeedsPtr needs;
    Time since;  // while bound: from when on
    NameId node = Names::kEmpty;
    std::uint32_t uid_hash : 29 = 0;  // another of its name has another
    state::PodState state : 2 = state::PodState::kPending;
    bool terminating : 1 = false;  // asked to end: evicted, or deleted by somebody
  };
  // What most workloads have none of as long as they are there.
  struct Past {
    std::uint32_t uid_hash = 0;  // 0: no object of its own was told of
    std::vector<std::pair<std::string, double>> used;
    Time last;  // when its last pod ended
    std::int32_t members = 0, evictions = 0, succeeded = 0, failed = 0;
  };
  struct Workload {
    Time created;
    Time started = Time::Max();  // Max(): it is not
    Rare<Past> past;
    Pod alone;                            // of its name, and a workload of its own
    SharedOptional<std::string> made_by;  // likewise
    NameId queue = Names::kEmpty, user = Names::kEmpty;
    std::int32_t live = 0;
    bool admitted : 1 = false, is_pod : 1 = false, known : 1 = false, ended : 1 = false;
    bool said : 1 = false;     // when it would start
    bool has_pod : 1 = false;  // `alone` is one
    std::optional<Time> Started() const {
      return started == Time::Max() ? std::nullopt : std::optional(started);
    }
  };
  static_assert(sizeof(Workload) <= 96);
  // A pod that is part of a workload.
  struct Member {
    std::string workload;
    Pod pod;
  };
  // Of a name: null: there is none.
  struct FoundPod {
    Pod* pod = nullptr;
    const std::string* workload = nullptr;  // that it is part of; null: none
  };
  struct PodEnd {
    bool succeeded = false;
    std::optional<Time> time;
  };
  struct JobEnd {
    bool complete = false, succeeded = false;
  };

  FoundPod FindPod(std::string_view name);
  static std::string_view WorkloadOf(std::string_view name, const FoundPod& found) {
    return found.workload == nullptr ? name : *found.workload;
  }
  // The pod of that name, which is made where there is none, and whether it was.
  std::pair<Pod*, bool> AddPod(const state::PodChange& change, Workload& workload);
  bool Knows(const state::PodChange& change);
  void ApplyPod(Time now, const state::PodChange& change, std::vector<Record>& into);
  void ApplyWorkload(Time now, const state::WorkloadChange& change, std::vector<Record>& into);
  void RemovePod(Time now, std::string_view name, std::vector<Record>& into);
  void RemoveWorkload(Time now, std::string_view name, std::vector<Record>& into);
  void NoteStart(std::string_view name, Workload& workload, Time at, std::vector<Record>& into);
  void NotePodEnd(Time now, std::string_view name, Pod& pod, Workload& workload,
                  std::vector<Record>& into);
  void Leave(Pod& pod, Workload& workload, Time at);
  void Join(Workload& workload, const state::WorkloadTraits& traits);
  void End(std::string_view name, Workload& workload, Time at, std::string_view outcome,
           std::vector<Record>& into);
  void DropIfOver(std::string_view name);
  Decision About(Time now, std::string_view type, std::string_view pod);

  Time began_;
  Names names_;                    // of queues, users and nodes
  std::vector<std::string> done_;  // workloads of which all has succeeded, in this Apply
  NamedRows<Member> members_;
  NamedRows<Workload> workloads_;
  NameMap<std::string> users_;  // "Pod a/p" → user
  NameMap<PodEnd> pod_ends_;    // by pod, until it goes
  NameMap<JobEnd> job_ends_;    // by workload, until its object goes
};

}  // namespace fairlead::history
