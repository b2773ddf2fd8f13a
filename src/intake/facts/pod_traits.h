#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intake/facts/allow_preemption.h"
#include "objects/objects.h"
#include "state/change.h"

namespace fairlead::intake {

// What a pod says about where it belongs and what it may do: all that the joins read of it. Pods
// that say the same are joined once, as one family (rows.h).
struct PodTraits {
  std::string_view name_space;
  std::string_view scheduler;
  std::string_view workload;  // label fairlead.dev/workload
  std::string_view pod_set;   // label fairlead.dev/pod-set, else its job's
  objects::GroupApi group_api = objects::GroupApi::kNone;  // of the group that it names …
  std::string_view pod_group;                              // … that group (group_of_pod.h) …
  std::string_view group_part;    // … of which it is in this part, where it says so
  std::string_view group_total;   // of Kueue's: how many pods the group has, as it says it
  std::string_view other_groups;  // which others it names in vain
  std::string_view queue;  // label fairlead.dev/queue, else kai.scheduler/queue, else Kueue's
  std::string_view priority_class;
  std::string_view job_kind;   // of the job that controls it …
  std::string_view job;        // … its name …
  std::string_view job_uid;    // … and its uid, where given
  std::string_view job_group;  // the workload's name, where the job is several: NAME-VALUE
  std::optional<std::int32_t> priority;
  state::RunTime run_time;
  bool stays = false;            // it runs as long as its node does: it has no end, and no limit
  std::string_view made_by;      // "KIND/NAME" of what makes another in its place; or empty
  std::string_view replaced_by;  // the kind of that, where it does so for ever; or empty
  std::string_view run_time_invalid;  // what its annotations say of that in vain
  bool never_preempts = false;
  bool preemptible = true;        // label fairlead.dev/preemptible
  bool may_move = false;          // another is made in its place, and it does not ask to stay
  std::string_view move_invalid;  // … and what it says there in vain
  bool local_queue = false;       // `queue` is from Kueue's label: a LocalQueue, where there is one
  std::string_view daemon_set;    // the DaemonSet that controls it, by name …
  std::string_view daemon_set_uid;  // … and by uid, where given
  AllowPreemption::Word allow_preemption = AllowPreemption::Word::kNone;
  std::string_view allow_preemption_invalid;  // … and what it says there in vain
  std::string_view foreign;                   // what other schedulers' keys ask (foreign_asks.h)
  std::string_view topology;                  // where it stands to others (topology_ask.h)
  std::string_view submitter;                 // who asked for it, as it says it (submitter.h)
  std::string_view volume_claims;             // names of PersistentVolumeClaims, each with a '/'
};

// Whether a pod or a Workload asks to stay where it is, or not; and what it says there in vain.
struct MoveSaid {
  bool stays_put = false;
  std::string_view invalid;  // a view of the annotations
};
MoveSaid MoveSaidBy(const objects::Labels& annotations);

// How a pod names the workload that it is part of. A group is named in vain by the pods of a job
// that is one workload: the outermost counts.
enum class Membership : std::uint8_t { kNone, kByLabel, kByGroup, kByJob };
Membership MembershipOf(const PodTraits& traits);

// The workload of the job that it names: the job's own name, or that of its group.
inline std::string_view WorkloadOfJob(const PodTraits& traits) {
  return traits.job_group.empty() ? traits.job : traits.job_group;
}

// The name of that workload within the pod's namespace; empty for kNone.
std::string_view WorkloadNamed(const PodTraits& traits);

// Calls `take(name)` for each of `volume_claims`.
template <typename Take>
void ForEachVolumeClaim(std::string_view volume_claims, Take take) {
  while (!volume_claims.empty()) {
    const std::size_t end = volume_claims.find('/');
    take(volume_claims.substr(0, end));
    volume_claims.remove_prefix(end + 1);
  }
}
std::string PackVolumeClaims(const std::vector<std::string>& names);

// The traits of `pod` as one string, equal exactly when the traits are; `key` is overwritten.
// Cost: ≈ 0.1 µs, no allocation once `key` has grown.
void PackTraits(const objects::Pod& pod, std::string& key);

// The reverse. The views point into `key`. REQUIRES: `key` comes from PackTraits.
PodTraits UnpackTraits(std::string_view key);

}  // namespace fairlead::intake
