#include "engine/plan/plan_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void PlanWriter::Begin(Time now) {
  plan_ = Plan{.now = now,
               .next_round = std::nullopt,
               .decisions = {},
               .counts = {},
               .waits = {},
               .nodes = {}};
  taken_back_.clear();
  nominations_.clear();
  admits_.clear();
  reserves_.clear();
  lands_.clear();
  lends_.clear();
}

Plan PlanWriter::Finish(std::optional<Time> next_round) {
  plan_.next_round = next_round;
  if (taken_back_.empty()) return std::move(plan_);
  std::sort(taken_back_.begin(), taken_back_.end());
  auto gap = taken_back_.begin();
  std::size_t standing = *gap;
  for (std::size_t i = standing; i < plan_.decisions.size(); ++i) {
    if (gap != taken_back_.end() && *gap == i) {
      ++gap;
    } else {
      plan_.decisions[standing++] = plan_.decisions[i];
    }
  }
  plan_.decisions.resize(standing);
  return std::move(plan_);
}

void PlanWriter::Give(const Decision& decision) {
  const auto at = static_cast<Position>(plan_.decisions.size());
  if (decision.type == DecisionType::kBind) {
    const std::uint32_t p = decision.pod.value();
    if (binds_.size() <= p) binds_.resize(p + 1, kNowhere);
    binds_[p] = at;
  } else if (decision.type == DecisionType::kNominate) {
    nominations_[decision.pod.value()].push_back(at);
  }
  plan_.decisions.push_back(decision);
}

// Binds -------------------------------------------------------------------------------------------

std::vector<PodId> PlanWriter::Bound() const {
  std::vector<PodId> bound;
  for (Position at = 0; at < plan_.decisions.size(); ++at) {
    const Decision& decision = plan_.decisions[at];
    const bool stands = decision.type == DecisionType::kBind && Binds(decision.pod) &&
                        binds_[decision.pod.value()] == at;
    if (stands) bound.push_back(decision.pod);
  }
  return bound;
}

bool PlanWriter::Binds(PodId p) const {
  if (p.value() >= binds_.size() || binds_[p.value()] >= plan_.decisions.size()) return false;
  const Decision& decision = plan_.decisions[binds_[p.value()]];
  return decision.type == DecisionType::kBind && decision.pod == p;
}

void PlanWriter::TakeBackBind(PodId p) {
  DCHECK(Binds(p));
  TakeBack(std::exchange(binds_[p.value()], kNowhere));
}

// Nominations -------------------------------------------------------------------------------------

void PlanWriter::Nominate(PodId p, NodeId n, WorkloadId w, std::span<const PodId> waits_for) {
  Give({.type = DecisionType::kNominate,
        .pod = p,
        .node = n,
        .workload = w,
        .first_wait = static_cast<std::uint32_t>(plan_.waits.size()),
        .wait_count = static_cast<std::uint32_t>(waits_for.size())});
  plan_.waits.insert(plan_.waits.end(), waits_for.begin(), waits_for.end());
}

const Decision* PlanWriter::NominationOf(PodId p) const {
  const auto of_pod = nominations_.find(p.value());
  if (of_pod == nominations_.end() || of_pod->second.empty()) return nullptr;
  return &plan_.decisions[of_pod->second.back()];
}

void PlanWriter::TakeBackNomination(PodId p) {
  DCHECK(NominationOf(p) != nullptr);
  auto& of_pod = nominations_.at(p.value());
  TakeBack(of_pod.back());
  of_pod.pop_back();
}

// Admissions --------------------------------------------------------------------------------------

void PlanWriter::Admit(WorkloadId w, std::span<const std::int32_t> counts) {
  const auto [known, added] =
      admits_.try_emplace(w.value(), static_cast<Position>(plan_.decisions.size()));
  if (!added) {
    const Decision& decision = plan_.decisions[known->second];
    std::copy(counts.begin(), counts.end(), plan_.counts.begin() + decision.first_count);
    return;
  }
  Give({.type = DecisionType::kAdmit,
        .workload = w,
        .first_count = static_cast<std::uint32_t>(plan_.counts.size())});
  plan_.counts.insert(plan_.counts.end(), counts.begin(), counts.end());
}

// In place of what was said of its workload before.
void PlanWriter::GiveAnew(ByWorkload& said, const Decision& decision) {
  const auto [at, first] = said.try_emplace(decision.workload.value(), 0);
  if (!first) TakeBack(at->second);
  at->second = static_cast<Position>(plan_.decisions.size());
  Give(decision);
}

void PlanWriter::Reserve(WorkloadId w, std::optional<Time> at, std::span<const NodeId> nodes,
                         Time since) {
  GiveAnew(reserves_, {.type = DecisionType::kReserve,
                       .workload = w,
                       .since = since,
                       .at = at,
                       .first_node = static_cast<std::uint32_t>(plan_.nodes.size()),
                       .node_count = static_cast<std::uint32_t>(nodes.size())});
  plan_.nodes.insert(plan_.nodes.end(), nodes.begin(), nodes.end());
}

void PlanWriter::Land(WorkloadId w) {
  GiveAnew(lands_, {.type = DecisionType::kLand, .workload = w});
}

void PlanWriter::Lend(WorkloadId w, WorkloadId holder, Time until) {
  GiveAnew(lends_,
           {.type = DecisionType::kLend, .workload = w, .beneficiary = holder, .at = until});
}

void PlanWriter::EndLoan(WorkloadId w) {
  const auto said = lends_.find(w.value());
  if (said == lends_.end()) return Give({.type = DecisionType::kLend, .workload = w});
  TakeBack(said->second);
  lends_.erase(said);
}

void PlanWriter::TakeBackAdmit(WorkloadId w) {
  DCHECK(Admits(w));
  const auto admit = admits_.find(w.value());
  TakeBack(admit->second);
  admits_.erase(admit);
}

}  // namespace fairlead::engine
