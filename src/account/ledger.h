#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "account/starts.h"
#include "base/time.h"
#include "drive/observer.h"

namespace fairlead::account {

// Amounts by resource, in the resource's unit; as many as Ledger::resources.
using Amounts = std::vector<std::int64_t>;

using NameId = std::uint32_t;
inline constexpr NameId kNoName = 0;  // the empty text

enum class StayEnd : std::uint8_t { kRuns, kFinished, kEvicted, kDeleted };
std::string_view ToString(StayEnd end);  // "running", "finished", …

// One time of one pod on one node: from when it was bound until its room was free again.
struct Stay {
  NameId pod = kNoName, workload = kNoName, queue = kNoName, node = kNoName;
  std::int32_t gpu_device = -1;  // of a pod that shares one
  std::uint32_t amounts = 0;     // an index into Ledger::amounts
  Time begin, end = Time::Max();
  StayEnd how = StayEnd::kRuns;
  Time evicted = Time::Max();  // when that was decided; its room is free at `end`
  NameId action = kNoName, beneficiary = kNoName;
};

// A workload, or a pod that is one of its own. A pod that is made in place of an evicted one of its
// owner goes on in the row of that one: it is the same work.
struct WorkloadRow {
  NameId name = kNoName, queue = kNoName;
  Time submitted;
  Time started = Time::Max();   // its whole minimum was placed for the first time
  Time finished = Time::Max();  // all of its work ended well (a pod: or badly)
  Amounts size;                 // what its pods held at that first start
  bool began_before = false;    // it ran when it was first seen: `started` says no more than that
};

// What a node offers from then on; zeros where it offers nothing.
struct CapacityRow {
  Time time;
  NameId node = kNoName;
  Amounts offered;
};

// What a queue that holds workloads has from then on. `guaranteed` is bounded by the cluster.
struct ShareRow {
  Time time;
  NameId queue = kNoName;
  Amounts guaranteed, fair, requested, allocated;
};

// Everything that happened in a run, as rows: what a report is computed from and what its CSV files
// hold, so that others can compute it again. Rows are in the order in which they came about.
struct Ledger {
  Time start, end;
  std::vector<std::string> resources;  // sorted by name; without "pods"
  std::vector<std::string> names;      // by NameId
  std::vector<Amounts> amounts;        // that pods ask
  std::vector<Stay> stays;
  std::vector<WorkloadRow> workloads;
  std::vector<CapacityRow> capacity;
  std::vector<ShareRow> shares;

  const std::string& Name(NameId id) const { return names[id]; }

  // Calls visit(row, until) for every capacity row: what its node offers from row.time to `until`.
  template <typename Visit>
  void ForEachOffer(Visit visit) const {
    std::map<NameId, const CapacityRow*> last;
    for (const CapacityRow& row : capacity) {
      const CapacityRow*& before = last[row.node];
      if (before != nullptr) visit(*before, row.time);
      before = &row;
    }
    for (const auto& [node, row] : last) visit(*row, end);
  }
};

// Keeps the ledger of a run. Pods of other schedulers do not stand in it, but what they take is not
// offered by their node.
//
// Its resources are those that nodes and pods of the first moment told name; what comes up later is
// left out, so that rows have one width.
// Thread safety: none. Cost: a hash look-up or two a change, about 100 bytes a stay; a walk over
// the queues a round.
class Bookkeeper : public drive::Observer {
 public:
  // Without a start it is the moment of the first changes.
  explicit Bookkeeper(std::optional<Time> start = std::nullopt);

  void OnEvent(const drive::Event& event) override;
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;

  // The ledger as of `end`. The last call.
  Ledger Take(Time end);

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Pod {
    NameId name = kNoName, uid = kNoName;
    std::uint32_t workload = kNone;  // into ledger_.workloads
    std::uint32_t stay = kNone;      // into ledger_.stays, while it is on a node
    std::int32_t set = 0;
    bool foreign = false, solo = false, counted = false, finished = false;
    NameId foreign_node = kNoName;
    Amounts foreign_amounts;
  };
  struct Eviction {
    Time at;
    NameId action = kNoName, beneficiary = kNoName;
  };
  struct Node {
    Amounts offered, taken_by_others;
  };

  NameId Intern(std::string_view name);
  void LearnResources(std::span<const state::Change> changes);
  Amounts AmountsOf(const objects::ResourceList& list) const;
  std::uint32_t AmountsOf(const state::NeedsPtr& needs);
  std::uint32_t WorkloadOf(std::string_view name);
  void Apply(Time now, const state::NodeChange& change);
  void Apply(const state::WorkloadChange& change);
  void Apply(Time now, const state::PodChange& change);
  void RemovePod(Time now, std::string_view name);
  void NoteEviction(Pod& pod, const Eviction& eviction);
  void TakeBackEviction(const state::EvictFailed& failed);
  void TakeForeign(Time now, Pod& pod, const state::PodChange& change);
  std::uint32_t RowOfSolo(NameId pod);
  void BeginStay(Time now, Pod& pod, const state::PodChange& change);
  void EndStay(Time now, Pod& pod, StayEnd how);
  void Count(Pod& pod, std::int32_t sign);
  void JudgeStarts(Time now);
  void NoteCapacity(Time now, NameId node);

  Ledger ledger_;
  bool learned_ = false, begun_ = false;
  boost::unordered_flat_map<std::string, NameId> ids_;
  boost::unordered_flat_map<const objects::PodNeeds*, std::uint32_t> amounts_by_needs_;
  std::vector<state::NeedsPtr> needs_;  // held, so that their addresses stay their own
  boost::unordered_flat_map<NameId, Pod> pods_;
  boost::unordered_flat_map<NameId, Node> nodes_;
  boost::unordered_flat_map<NameId, std::uint32_t> workload_by_name_;  // into workloads
  // Beside ledger_.workloads:
  std::vector<Amounts> held_;  // what its placed pods ask
  Starts starts_;
  // Decided when a real cluster's scheduler did not see the binding yet.
  boost::unordered_flat_map<NameId, Eviction> early_evictions_;
  boost::unordered_flat_map<NameId, NameId> owner_of_;  // of pods that controllers made
  // By owner: rows of evicted pods, that those made in their place are to go on with.
  boost::unordered_flat_map<NameId, std::vector<std::uint32_t>> to_go_on_;
  std::vector<std::uint32_t> last_share_;  // by queue: its last row in ledger_.shares
};

}  // namespace fairlead::account
