#include "state/workloads.h"

#include <algorithm>

namespace fairlead::state {

WorkloadId WorkloadTable::Add() {
  WorkloadId w;
  if (unused_.empty()) {
    w = WorkloadId(size());
    workloads_.emplace_back();
  } else {
    w = unused_.back();
    unused_.pop_back();
  }
  workloads_[w.value()].in_use = true;
  return w;
}

WorkloadId WorkloadTable::AddSolo(PodId pod) {
  const WorkloadId w = Add();
  workloads_[w.value()].only_pod = pod;
  return w;
}

WorkloadId WorkloadTable::FindGang(std::string_view name) const {
  auto it = by_name_.find(name);
  return it == by_name_.end() ? WorkloadId() : it->second;
}

WorkloadId WorkloadTable::InternGang(std::string_view name) {
  if (WorkloadId w = FindGang(name); w.valid()) return w;
  const WorkloadId w = Add();
  if (unused_gangs_.empty()) {
    workloads_[w.value()].gang = static_cast<std::uint32_t>(gangs_.size());
    gangs_.push_back(std::make_unique<Gang>());
  } else {
    workloads_[w.value()].gang = unused_gangs_.back();
    unused_gangs_.pop_back();
  }
  gang(w).name = name;
  by_name_.emplace(std::string(name), w);
  return w;
}

void WorkloadTable::Remove(WorkloadId w) {
  Workload& workload = workloads_[w.value()];
  if (!workload.solo()) {
    by_name_.erase(gang(w).name);
    *gangs_[workload.gang] = Gang{};
    unused_gangs_.push_back(workload.gang);
  }
  if (workload.held) holds_.erase(w.value());
  if (workload.knows_run_time) run_times_.erase(w.value());
  if (workload.waits_anew) waits_anew_.erase(w.value());
  if (workload.has_reservation) reservations_.Erase(w.value());
  if (workload.has_loan) loans_.Erase(w.value());
  if (workload.has_landings) landings_.Erase(w.value());
  if (workload.has_moved) moved_at_.erase(w.value());
  SetSubmitter(w, SubmitterId());
  LeaveQueue(w);
  workload = Workload{};
  unused_.push_back(w);
}

void WorkloadTable::LeaveQueue(WorkloadId w) {
  const Workload& workload = workloads_[w.value()];
  if (!workload.queue.valid()) return;
  std::vector<WorkloadId>& members = of_queue_[workload.queue.value()];
  workloads_[members.back().value()].place = workload.place;
  members[workload.place] = members.back();
  members.pop_back();
}

void WorkloadTable::SetQueue(WorkloadId w, QueueId q) {
  Workload& workload = workloads_[w.value()];
  if (workload.queue == q) return;
  LeaveQueue(w);
  if (of_queue_.size() <= q.value()) of_queue_.resize(std::size_t{q.value()} + 1);
  std::vector<WorkloadId>& members = of_queue_[q.value()];
  workload.queue = q;
  workload.place = static_cast<std::uint32_t>(members.size());
  members.push_back(w);
}

const std::vector<WorkloadId>& WorkloadTable::OfQueue(QueueId q) const {
  static const std::vector<WorkloadId> kNone;
  return q.value() < of_queue_.size() ? of_queue_[q.value()] : kNone;
}

void WorkloadTable::SetSubmitter(WorkloadId w, SubmitterId submitter) {
  if (w.value() >= submitters_.size()) {
    if (!submitter.valid()) return;
    submitters_.resize(workloads_.size());
  }
  submitters_[w.value()] = submitter;
}

SubmitterId WorkloadTable::submitter(WorkloadId w) const {
  return w.value() < submitters_.size() ? submitters_[w.value()] : SubmitterId();
}

void WorkloadTable::SetRunTime(WorkloadId w, const RunTime& run_time) {
  Workload& workload = workloads_[w.value()];
  if (workload.knows_run_time && !run_time.known()) run_times_.erase(w.value());
  workload.knows_run_time = run_time.known();
  if (run_time.known()) run_times_.insert_or_assign(w.value(), run_time);
}

const RunTime& WorkloadTable::run_time(WorkloadId w) const {
  static const RunTime kUnknown;
  return workloads_[w.value()].knows_run_time ? run_times_.at(w.value()) : kUnknown;
}

void WorkloadTable::SetWaitsAnew(WorkloadId w, const Time* at) {
  Workload& workload = workloads_[w.value()];
  if (workload.waits_anew && at == nullptr) waits_anew_.erase(w.value());
  workload.waits_anew = at != nullptr;
  if (at != nullptr) waits_anew_.insert_or_assign(w.value(), *at);
}

std::optional<Time> WorkloadTable::waits_anew(WorkloadId w) const {
  if (!workloads_[w.value()].waits_anew) return std::nullopt;
  return waits_anew_.at(w.value());
}

void WorkloadTable::ShowReservation(WorkloadId w, const objects::Reservation* shown) {
  workloads_[w.value()].has_reservation = reservations_.Show(w.value(), shown);
}

void WorkloadTable::DecideReservation(WorkloadId w, const objects::Reservation* decided) {
  workloads_[w.value()].has_reservation = reservations_.Decide(w.value(), decided);
}

const objects::Reservation* WorkloadTable::reservation(WorkloadId w) const {
  return workloads_[w.value()].has_reservation ? reservations_.Of(w.value()) : nullptr;
}

void WorkloadTable::ShowLoan(WorkloadId w, const objects::Loan* shown) {
  workloads_[w.value()].has_loan = loans_.Show(w.value(), shown);
}

void WorkloadTable::DecideLoan(WorkloadId w, const objects::Loan* decided) {
  workloads_[w.value()].has_loan = loans_.Decide(w.value(), decided);
}

void WorkloadTable::ShowLandings(WorkloadId w, const objects::Landings* shown) {
  workloads_[w.value()].has_landings = landings_.Show(w.value(), shown);
}

void WorkloadTable::DecideLandings(WorkloadId w, const objects::Landings* decided) {
  workloads_[w.value()].has_landings = landings_.Decide(w.value(), decided);
}

void WorkloadTable::NoteMoved(WorkloadId w, Time at) {
  workloads_[w.value()].has_moved = true;
  Time& known = moved_at_.try_emplace(w.value(), at).first->second;
  known = std::max(known, at);
}

std::optional<Time> WorkloadTable::moved_at(WorkloadId w) const {
  if (!workloads_[w.value()].has_moved) return std::nullopt;
  return moved_at_.at(w.value());
}

void WorkloadTable::SetHold(WorkloadId w, const Reason* hold) {
  Workload& workload = workloads_[w.value()];
  if (workload.held && hold == nullptr) holds_.erase(w.value());
  workload.held = hold != nullptr;
  if (hold != nullptr) holds_.insert_or_assign(w.value(), *hold);
}

}  // namespace fairlead::state
