#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "policy/room_action.h"
#include "state/ids.h"

namespace fairlead::engine {

// kLand: room is held for a pod that moves; with no pod: what is held for those who moved for the
// workload is to be shown as the state has it.
enum class DecisionType : std::uint8_t { kBind, kEvict, kNominate, kAdmit, kReserve, kLand, kLend };

// One decision by number: names are looked up by whoever shows or carries it out
// (engine/explain/report.h).
struct Decision {
  DecisionType type = DecisionType::kBind;
  state::PodId pod;
  state::NodeId node;
  state::WorkloadId workload;
  std::int32_t gpu_device = -1;   // Bind of a pod that shares a GPU: which device
  std::uint32_t first_count = 0;  // Admit: its counts are plan.counts[first_count …], one a pod set
  // Evict: why, and for whom. Land: for whom. Lend: whose room `workload` starts in; none: it is on
  // loan no more.
  policy::RoomAction action = policy::RoomAction::kReclaim;
  state::WorkloadId beneficiary;
  bool least_proven = true;   // no cheaper victims would have served
  bool fewest_proven = true;  // none that stop fewer workloads would have
  bool past_budgets = false;  // a budget of its is short, and does not bind for it
  bool was_on_loan = false;   // it ran in room that was kept for the beneficiary
  // Nominate: it waits for plan.waits[first_wait … first_wait + wait_count) to leave. Without a
  // node: an earlier one is taken back.
  std::uint32_t first_wait = 0, wait_count = 0;
  // Reserve: since when the node counts as reserved. Of a workload, which has no `pod`: the nodes
  // of its pods are plan.nodes[first_node … first_node + node_count), none: given up; and from when
  // on they are to be had, absent: some day. Lend: from `at` on it gives way.
  Time since;
  std::optional<Time> at;
  std::uint32_t first_node = 0, node_count = 0;
  bool withdrawn = false;  // Admit: an earlier one is taken back, its pods did not come
};

// Everything the engine decides before it must wait for the world, in the order of deciding.
// Valid until the next Apply: it names rows by id.
struct Plan {
  Time now;
  std::optional<Time> next_round;  // when the unchanged state could give another plan
  std::vector<Decision> decisions;
  std::vector<std::int32_t> counts;
  std::vector<state::PodId> waits;
  std::vector<state::NodeId> nodes;
};

}  // namespace fairlead::engine
