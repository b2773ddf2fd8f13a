#include "engine/round/loans.h"

#include <algorithm>

#include "engine/round/stop_whole.h"
#include "objects/key.h"
#include "policy/eviction_cost.h"

// n2 has 8 GPUs, kept for G from 12:00 on, worked through:
//
//   10:00  d (4, expects to take 1h, may be preempted) starts there: on loan until 12:00
//   11:00  it said that it would have ended: it runs on, and nobody minds
//   12:00  it still runs, and leaves. G has its room as soon as d is gone
//
// Where d ends at 11:30, or G starts elsewhere, or has no room kept any more, d is on loan no more.

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

namespace {

// Of pods that do not exist yet nobody knows their labels: no budget of their namespace is there.
bool AnyBudgetIn(const state::Cluster& cluster, std::string_view name_space) {
  for (std::uint32_t i = 0; i < cluster.budgets().size(); ++i) {
    const state::Budget& budget = cluster.budgets()[state::BudgetId(i)];
    if (budget.exists && objects::SplitKey(budget.name).name_space == name_space) return true;
  }
  return false;
}

// All of the workload's pods that it would start with.
bool NoBudgetSelects(const state::Cluster& cluster, const Group& group, WorkloadId w) {
  if (cluster.budgets().size() == 0) return true;
  const auto selected = [&](PodId p) { return !cluster.budgets().Of(p).empty(); };
  if (!group.gang.valid()) return !selected(cluster.workloads()[w].only_pod);
  return std::ranges::all_of(group.parts, [&](const GangPart& part) {
    const bool any_comes = part.expected > 0;
    return std::ranges::none_of(part.pods, selected) &&
           !(any_comes && AnyBudgetIn(cluster, objects::SplitKey(cluster.NameOf(w)).name_space));
  });
}

}  // namespace

bool Loans::MayHave(const Group& group, WorkloadId w, const Booking& booking) const {
  const state::Workload& workload = cluster_.workloads()[w];
  const std::optional<Duration>& expected = cluster_.workloads().run_time(w).expected;
  if (!expected || !booking.at || *booking.at <= round_.now) return false;
  if (round_.now + *expected > *booking.at) return false;
  // A group of pods has no object of ours that could say it.
  const bool is_told = workload.solo() || cluster_.workloads().gang(w).announces;
  return is_told && workload.preemptible && !group.above_minimum &&
         NoBudgetSelects(cluster_, group, w);
}

void Loans::Lend(WorkloadId w, WorkloadId holder, Time until) {
  const objects::Loan loan{.holder = std::string(cluster_.NameOf(holder)), .until = until};
  round_.plan.Lend(w, holder, until);
  cluster_.notes().SetLoan(w, &loan);
}

std::vector<WorkloadId> Loans::Due(WorkloadId holder) const {
  std::vector<WorkloadId> due = DueTo(cluster_, holder, round_.now);
  std::erase_if(due, [this](WorkloadId w) {
    return cluster_.workloads()[w].live == 0 || !BudgetsLetGo(cluster_, w);
  });
  std::ranges::sort(
      due, [this](WorkloadId a, WorkloadId b) { return policy::GivesFirst(cluster_, a, b); });
  return due;
}

void Loans::CallIn(WorkloadId w, WorkloadId holder) {
  using policy::RoomAction;
  cluster_.ForEachPodOf(w, [this](PodId p) {
    if (cluster_.pods()[p].live()) round_.notices.vacated.Note(cluster_.pods()[p].node);
  });
  const bool own = cluster_.workloads()[w].queue == cluster_.workloads()[holder].queue;
  StopWhole(round_, starts_, w, own ? RoomAction::kPreempt : RoomAction::kReclaim, holder);
}

void Loans::End(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  // A pod that has ended or is to go is told nothing more.
  const bool is_told = !workload.solo() || cluster_.pods()[workload.only_pod].live() ||
                       cluster_.pods()[workload.only_pod].waits();
  if (is_told) round_.plan.EndLoan(w);
  cluster_.notes().SetLoan(w, nullptr);
}

void Loans::FollowHolders() {
  std::vector<WorkloadId> on_loan = cluster_.workloads().OnLoan();
  SortByName(cluster_, on_loan);
  for (const WorkloadId w : on_loan) {
    const objects::Loan loan = *cluster_.workloads().loan(w);
    const WorkloadId holder = state::FindWorkload(cluster_, loan.holder);
    const objects::Reservation* reservation =
        holder.valid() ? cluster_.workloads().reservation(holder) : nullptr;
    if (!state::HasPlace(cluster_, w) || reservation == nullptr) {
      End(w);
    } else if (reservation->at && *reservation->at < loan.until) {
      Lend(w, holder, *reservation->at);
    }
  }
}

}  // namespace fairlead::engine
