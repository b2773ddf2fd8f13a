#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

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
  Duration saved;              // of its work until then, by checkpoints
  NameId action = kNoName, beneficiary = kNoName;

  // REQUIRES: evicted.
  Duration lost() const { return evicted - begin - saved; }
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

// A level of a topology that counts (account/topology_notes.h): in which of its domains each node
// is, those that are in none left out.
struct LevelRow {
  NameId topology = kNoName, key = kNoName;
  std::vector<std::pair<NameId, NameId>> nodes;  // node, domain
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
  std::vector<LevelRow> levels;  // of one topology after the other, widest first

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

}  // namespace fairlead::account
