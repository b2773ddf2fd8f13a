#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/spilled.h"
#include "base/time.h"

namespace fairlead::account {

// Amounts by resource, in the resource's unit; as many as Ledger::resources.
using Amounts = std::vector<std::int64_t>;

using NameId = std::uint32_t;
inline constexpr NameId kNoName = 0;  // the empty text

// Amounts that the ledger keeps.
using AmountsId = std::uint32_t;
inline constexpr AmountsId kNoAmounts = 0;  // nothing of anything

enum class StayEnd : std::uint8_t { kRuns, kFinished, kEvicted, kDeleted };
std::string_view ToString(StayEnd end);  // "running", "finished", …

// One time of one pod on one node: from when it was bound until its room was free again.
struct Stay {
  NameId pod = kNoName, workload = kNoName, queue = kNoName, node = kNoName;
  std::int32_t gpu_device = -1;  // of a pod that shares one
  AmountsId amounts = kNoAmounts;
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
  AmountsId size = kNoAmounts;  // what its pods held at that first start
  bool began_before = false;    // it ran when it was first seen: `started` says no more than that
};

// What a node offers from then on; zeros where it offers nothing.
struct CapacityRow {
  Time time;
  NameId node = kNoName;
  AmountsId offered = kNoAmounts;
};

// What a queue that holds workloads has from then on. `guaranteed` is bounded by the cluster.
struct ShareRow {
  Time time;
  NameId queue = kNoName;
  AmountsId guaranteed = kNoAmounts, fair = kNoAmounts, requested = kNoAmounts;
  AmountsId allocated = kNoAmounts;
};

// A level of a topology that counts (account/topology_notes.h): in which of its domains each node
// is, those that are in none left out.
struct LevelRow {
  NameId topology = kNoName, key = kNoName;
  std::vector<std::pair<NameId, NameId>> nodes;  // node, domain
};

// Everything that happened in a run, as rows: what a report is computed from and what its CSV files
// hold, so that others can compute it again. Rows are in the order in which they came about. Of a
// long run they are on disk rather than in memory (base/spilled.h).
struct Ledger {
  Time start, end;
  std::vector<std::string> resources;  // sorted by name; without "pods"
  SpilledTexts names;                  // by NameId
  SpilledRows<std::int64_t> amounts;   // by AmountsId, as many as there are resources each
  SpilledRows<Stay> stays;
  SpilledRows<WorkloadRow> workloads;
  SpilledRows<CapacityRow> capacity;
  SpilledRows<ShareRow> shares;
  std::vector<LevelRow> levels;  // of one topology after the other, widest first

  std::string_view Name(NameId id) const { return names[id]; }
  std::int64_t Amount(AmountsId id, std::size_t resource) const {
    return amounts[id * resources.size() + resource];
  }
  Amounts AmountsOf(AmountsId id) const;
  AmountsId Add(const Amounts& more);  // REQUIRES: as many as there are resources

  // Calls visit(stay) for all, in the order of their begins.
  template <typename Visit>
  void ForEachByBegin(Visit visit) const {
    bool in_order = true;  // as nearly always
    Time last = start;
    for (const Stay& stay : stays) {
      in_order = in_order && stay.begin >= last;
      last = stay.begin;
    }
    if (in_order) {
      for (const Stay& stay : stays) visit(stay);
      return;
    }
    std::vector<std::uint32_t> order(stays.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [this](std::uint32_t i) { return stays[i].begin; });
    for (const std::uint32_t i : order) visit(stays[i]);
  }

  // Calls visit(row, until) for every capacity row: what its node offers from row.time to `until`.
  template <typename Visit>
  void ForEachOffer(Visit visit) const {
    std::map<NameId, CapacityRow> last;
    for (const CapacityRow& row : capacity) {
      const auto [before, first] = last.try_emplace(row.node, row);
      if (first) continue;
      visit(before->second, row.time);
      before->second = row;
    }
    for (const auto& [node, row] : last) visit(row, end);
  }
};

}  // namespace fairlead::account
