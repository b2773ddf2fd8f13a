#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "objects/meta.h"
#include "objects/reservation.h"
#include "objects/topology.h"
#include "objects/window.h"
#include "state/reason.h"
#include "view/chunks.h"

// What the web page shows, as one value that never changes: made by one thread
// (view/view_builder.h), read by any number of others (view/answer.h), who never ask the first for
// anything.

namespace fairlead::view {

using Name = std::shared_ptr<const std::string>;  // shared by the rows that show it; null: none
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

inline std::string_view TextOf(const Name& name) {
  return name == nullptr ? std::string_view() : std::string_view(*name);
}

// Amounts of all resources, in the order of Tables::resources by `column`. Those that a row is too
// short for are 0: the resource was not known yet.
using AmountRow = std::vector<std::int64_t>;
inline std::int64_t AmountAt(const AmountRow& row, std::size_t column) {
  return column < row.size() ? row[column] : 0;
}

struct Resource {
  std::string name;
  std::int64_t scale = 1;  // amounts are so many parts of a unit
  std::size_t column = 0;
};

enum class NodeState : std::uint8_t { kReady, kNotReady, kUnschedulable };
std::string_view ToString(NodeState state);

struct NodeRow {
  Name name;
  std::shared_ptr<const AmountRow> allocatable;
  std::shared_ptr<const AmountRow> allocated;  // taken now, by whomever
  std::shared_ptr<const objects::Labels> labels;
  std::int32_t pods = 0;
  NodeState state = NodeState::kReady;

  bool in_use() const { return name != nullptr; }
};

// Of pods that the engine knows, and of those that ended and are still there.
enum class PodState : std::uint8_t {
  kPending,
  kGated,     // it has scheduling gates
  kClaiming,  // room is promised to it, and others have to leave first
  kStarting,  // its place is decided; the cluster does not show it yet
  kRunning,
  kLeaving,
  kFinished,
};
std::string_view ToString(PodState state);

struct PodRow {
  Name name;
  Name workload;                             // null: of another scheduler
  Name node_name;                            // of a finished one: where it ran
  std::shared_ptr<const AmountRow> request;  // null: finished
  std::uint32_t node = kNone;                // row of Tables::nodes
  std::uint32_t workload_row = kNone;        // of Tables::workloads; kNone: foreign, or finished
  PodState state = PodState::kPending;

  bool in_use() const { return name != nullptr; }
  bool foreign() const { return workload == nullptr; }
  bool operator==(const PodRow&) const = default;
};

enum class WorkloadState : std::uint8_t { kPending, kAdmitted, kRunning, kFinished };
inline constexpr WorkloadState kWorkloadStates[] = {
    WorkloadState::kPending, WorkloadState::kAdmitted, WorkloadState::kRunning,
    WorkloadState::kFinished};
std::string_view ToString(WorkloadState state);

struct SetRow {
  std::string name;
  std::int32_t count = 0;     // asked
  std::int32_t admitted = 0;  // 0: it is not, or is not said
  std::int32_t running = 0;
  bool operator==(const SetRow&) const = default;
};

struct WorkloadRow {
  Name name;  // "namespace/name"
  Name kind;  // "Pod", "Job", "Workload", …
  Name queue;
  Name user;                                        // null: nobody knows
  std::shared_ptr<const AmountRow> asks;            // what all pods that are wanted ask together
  std::shared_ptr<const state::Reason> reason;      // why it does not start; null: not known
  std::shared_ptr<const std::vector<SetRow>> sets;  // of a single pod null
  Time created;
  Time served;                  // who waits: of one priority the least goes first
  std::optional<Duration> run;  // how long it runs by what is said of it
  std::optional<Time> started;
  std::int32_t priority = 0;
  std::int32_t wanted = 0, running = 0;
  std::optional<std::int32_t> admitted;
  WorkloadState state = WorkloadState::kPending;
  bool waits = false;     // as queues count it: pending_workloads,
  bool live = false;      // else running_workloads
  bool hopeless = false;  // can never start as it is written: `reason` is not for want of room

  bool in_use() const { return name != nullptr; }
};

struct QueueRow {
  Name name;
  Name parent;                       // as it names it; null: none
  std::uint32_t parent_row = kNone;  // of the tree as it is used; of a top queue kNone
  std::string_view not_ready;        // a reason code; empty: it is ready
  bool exists = false;               // false: it is gone, or only named by its workloads
  // By column; nullopt: not set, or not counted.
  std::vector<std::optional<std::int64_t>> guaranteed, limit, requested, allocated, fair_share;

  bool in_use() const { return name != nullptr; }
};

// Sums over the rows, and counts since the start.
struct Totals {
  std::int64_t nodes = 0, nodes_ready = 0;
  std::int64_t pods_running = 0, pods_pending = 0, pods_finished = 0, pods_foreign = 0;
  std::int64_t workloads[std::size(kWorkloadStates)] = {};  // by state
  std::int64_t bound = 0, evicted = 0, admitted = 0;
  AmountRow allocatable, allocated;
  std::vector<std::optional<std::int64_t>> requested;
};

struct Tables {
  std::shared_ptr<const std::vector<Resource>> resources =
      std::make_shared<const std::vector<Resource>>();  // by name
  Rows<NodeRow> nodes;
  Rows<PodRow> pods, ended_pods;
  Rows<WorkloadRow> workloads, ended_workloads;
  Rows<QueueRow> queues;  // the root left out
  std::shared_ptr<const std::vector<std::uint32_t>> queue_order =
      std::make_shared<const std::vector<std::uint32_t>>();  // parents first, siblings by name
  Totals totals;
};

// Labels by which nodes are near each other, widest first.
struct Topology : objects::KnownTopology {
  bool asked_for = false;  // by some work, now or before
  bool operator==(const Topology&) const = default;
};

// Room that is kept for work which starts later (time.md §2).
struct KeptRoom : objects::Reservation {
  std::string workload;
  bool operator==(const KeptRoom&) const = default;
};

// When work that waits is expected to start: told by the rim, of some moment before.
struct ExpectedStart {
  std::optional<Time> at;           // absent: nobody knows
  std::optional<Time> from, until;  // between which it is likely; absent: that is not known
  std::string_view basis;           // what it rests on
};
using ExpectedStarts = std::map<std::string, ExpectedStart, std::less<>>;  // by workload

// Who shows it, and how it fares: told by the rim.
struct Status {
  std::string mode;   // "virtual", "real"
  std::string state;  // "Deciding", "Reading", "Standby", "Stopped"
  std::int64_t speed = 1;
  bool can_submit = false;
  std::string scheduler;  // its name
  std::string build;      // its version
  bool operator==(const Status&) const = default;
};

struct View {
  Time now;
  std::uint64_t version = 0;  // grows whenever anything but `now` differs
  Status status;
  std::shared_ptr<const Tables> tables = std::make_shared<const Tables>();
  std::shared_ptr<const std::vector<Topology>> topologies =
      std::make_shared<const std::vector<Topology>>();  // objects first, by name
  std::shared_ptr<const std::vector<objects::Window>> windows =
      std::make_shared<const std::vector<objects::Window>>();  // by name
  std::shared_ptr<const std::vector<KeptRoom>> kept =
      std::make_shared<const std::vector<KeptRoom>>();  // by workload
  std::shared_ptr<const ExpectedStarts> starts;         // null: not worked out
};

}  // namespace fairlead::view
