#include "effects/workload_book.h"

#include <algorithm>
#include <utility>

#include "base/sorted_set.h"
#include "policy/start_time.h"

namespace fairlead::effects {
namespace {

// REQUIRES: its minimum is placed.
std::optional<Time> StartOf(const WorkloadBook::Row& row) {
  std::vector<policy::PlacedSet> sets;
  for (const WorkloadBook::PodSet& set : row.sets) {
    sets.push_back({.min_count = set.min_count,
                    .succeeded = set.succeeded,
                    .live = set.placed,
                    .since = set.placed_since});
  }
  return policy::DerivedStart(sets);
}

}  // namespace

WorkloadBook::RowIndex WorkloadBook::Intern(const std::string& name) {
  const auto [at, is_new] = row_by_name_.try_emplace(name, static_cast<RowIndex>(rows_.size()));
  if (is_new) rows_.emplace_back().name = name;
  return at->second;
}

void WorkloadBook::Touch(RowIndex row) { touched_.push_back(row); }

void WorkloadBook::Apply(Time now, std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      // Most pods of most clusters are their own workload: those cost nothing here.
      if (!pod->workload.empty() || !members_.empty()) ApplyPod(now, *pod);
      if (pod->solo && (pod->solo->landings || !movers_.empty())) {
        NoteLandings(pod->name, pod->solo->landings.get());
      }
    } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      ApplyWorkload(*workload);
      NoteLandings(workload->name, workload->traits.landings.get());
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      ApplyRemoval(*removal);
    }
  }
  // Only now: a start is judged when all of one moment is known.
  MakeSet(touched_, [this](RowIndex a, RowIndex b) { return rows_[a].name < rows_[b].name; });
  for (const RowIndex row : touched_) Refresh(row);
  touched_.clear();
}

void WorkloadBook::ApplyWorkload(const state::WorkloadChange& change) {
  const RowIndex index = Intern(change.name);
  Row& row = rows_[index];
  row.known = true;
  row.announces_admission = change.announces_admission;
  row.shows_conditions = change.shows_conditions;
  row.job_is_over = change.job_is_over;
  row.drained = change.traits.drained;
  row.inactive = !change.traits.active;
  if (change.problem && change.problem != row.problem) {
    writes_.push_back(Warn{.kind = change.problem->kind,
                           .object = row.name,
                           .reason = change.problem->code,
                           .note = change.problem->message});
  }
  row.problem = change.problem;
  // Absent: not written yet, or a kind that has no place for it.
  if (change.recorded_start && change.recorded_start != row.ended)
    row.start = change.recorded_start;
  state::Ask(row.sets, change.pod_sets);
  for (std::size_t i = 0; i < change.pod_sets.size(); ++i) {
    row.sets[i].name = change.pod_sets[i].name;
  }
  Touch(index);
}

void WorkloadBook::Count(const Member& member, std::int32_t sign) {
  if (!member.placed) return;
  std::vector<Time>& since = state::CountPod(rows_[member.row].sets, member.set, sign).placed_since;
  if (sign > 0) {
    since.push_back(member.scheduled);
  } else {
    const auto at = std::find(since.begin(), since.end(), member.scheduled);
    *at = since.back();
    since.pop_back();
  }
  Touch(member.row);
}

void WorkloadBook::ApplyPod(Time now, const state::PodChange& change) {
  const auto old = members_.find(change.name);
  if (old != members_.end()) {
    Count(old->second, -1);
    if (change.workload.empty()) {
      members_.erase(old);
      return;
    }
  } else if (change.workload.empty()) {
    return;
  }
  Member member{.row = Intern(change.workload),
                .set = change.pod_set,
                .placed = state::IsPlaced(change),
                .scheduled = change.scheduled_time.value_or(now)};
  Count(member, +1);
  if (old != members_.end()) {
    old->second = member;
  } else {
    members_.emplace(change.name, member);
  }
}

void WorkloadBook::NoteLandings(std::string_view workload, const objects::Landings* landings) {
  if (landings == nullptr && movers_.empty()) return;
  constexpr std::string_view kGang = "Workload/";
  std::vector<RowIndex> moving;
  if (landings != nullptr) {
    for (const objects::Landing& each : *landings) {
      if (each.owner.starts_with(kGang)) moving.push_back(Intern(each.owner.substr(kGang.size())));
    }
  }
  MakeSet(moving);
  const auto count = [this](const std::vector<RowIndex>& rows, std::int32_t sign) {
    for (const RowIndex row : rows) {
      rows_[row].moving_for += sign;
      Touch(row);
    }
  };
  count(moving, +1);
  if (const auto had = movers_.find(workload); had != movers_.end()) {
    count(had->second, -1);
    movers_.erase(had);
  }
  if (!moving.empty()) movers_.emplace(workload, std::move(moving));
}

void WorkloadBook::ApplyRemoval(const state::Removal& removal) {
  NoteLandings(removal.name, nullptr);
  if (removal.kind == state::RowKind::kPod) {
    const auto old = members_.find(removal.name);
    if (old == members_.end()) return;
    Count(old->second, -1);
    members_.erase(old);
  } else if (removal.kind == state::RowKind::kWorkload) {
    const auto at = row_by_name_.find(removal.name);
    if (at == row_by_name_.end()) return;
    Row& row = rows_[at->second];
    row.known = false;  // the row stays: its pods may outlive it, and it may come back
    row.start.reset();
    row.ended.reset();
    row.problem.reset();
    row.job_is_over = false;
    row.stop_told = false;
    row.state = State::kPending;
  }
}

void WorkloadBook::Refresh(RowIndex index) {
  Row& row = rows_[index];
  if (!row.known) return;
  const bool admitted = state::IsAdmitted(row.sets);
  const bool wants_pods =
      admitted || std::ranges::any_of(row.sets, [](const PodSet& set) { return set.count > 0; });
  const std::int32_t placed = row.Placed();
  // It stays finished when its pods are tidied away.
  const bool was_finished = row.state == State::kFinished;
  // A job asks for no pods once it is over, and may count its successes itself: its own word
  // counts.
  const bool succeeded = wants_pods && state::HasSucceeded(row.sets);
  const bool finished = placed == 0 && (succeeded || row.job_is_over || was_finished);
  if (!row.start && state::HasMinimum(row.sets)) {
    row.start = StartOf(row);
    writes_.push_back(SetStartTime{.workload = row.name, .start = row.start});
    if (row.shows_conditions) TellPlaced(row);
  } else if (row.start && placed == 0 && !finished && row.moving_for == 0) {
    row.ended = std::exchange(row.start, std::nullopt);
    writes_.push_back(SetStartTime{.workload = row.name, .start = std::nullopt});
  }
  const bool runs = row.start && (placed > 0 || row.moving_for > 0);
  row.state = finished   ? State::kFinished
              : runs     ? State::kRunning
              : admitted ? State::kAdmitted
                         : State::kPending;
  if (finished && !was_finished) {
    writes_.push_back(FinishWorkload{.workload = row.name, .job_says_so = row.job_is_over});
  }
  StopIfDue(row, admitted);
}

void WorkloadBook::TellPlaced(const Row& row) {
  const auto tell = [&](std::string_view type, bool holds, std::string_view message) {
    writes_.push_back(SetGroupCondition{.group = row.name,
                                        .condition = {.type = std::string(type),
                                                      .holds = holds,
                                                      .reason = "Scheduled",
                                                      .message = std::string(message),
                                                      .since = {}}});
  };
  tell(kGroupScheduled, true, "its minimum is placed");
  tell(kDisruptionTarget, false, "its minimum is placed");
}

void WorkloadBook::StopIfDue(Row& row, bool admitted) {
  if (!admitted) row.stop_told = false;
  const bool due = admitted && row.announces_admission && row.state != State::kFinished &&
                   (row.drained || (row.inactive && row.Placed() > 0));
  if (!due || std::exchange(row.stop_told, true)) return;
  writes_.push_back(StopWorkload{.workload = row.name,
                                 .reason = row.drained ? "its queue drains" : "it is not active"});
}

std::vector<Write> WorkloadBook::TakeWrites() { return std::exchange(writes_, {}); }

void WorkloadBook::GiveStartAgain(std::string_view workload) {
  const Row* row = Find(workload);
  if (row == nullptr || !row->start) return;
  writes_.push_back(SetStartTime{.workload = row->name, .start = row->start});
}

const WorkloadBook::Row* WorkloadBook::Find(std::string_view workload) const {
  const auto at = row_by_name_.find(workload);
  return at == row_by_name_.end() ? nullptr : &rows_[at->second];
}

std::vector<const WorkloadBook::Row*> WorkloadBook::Rows() const {
  std::vector<const Row*> rows;
  rows.reserve(rows_.size());
  for (const Row& row : rows_) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) { return a->name < b->name; });
  return rows;
}

bool WorkloadBook::IsGroupLeftEmptyBy(std::string_view workload, std::int32_t evicted) const {
  const Row* row = Find(workload);
  return row != nullptr && row->known && row->shows_conditions && row->Placed() <= evicted;
}

bool WorkloadBook::StopsAfter(std::string_view workload, std::int32_t evicted) const {
  const Row* row = Find(workload);
  return row != nullptr && row->known && row->announces_admission && row->Placed() <= evicted;
}

}  // namespace fairlead::effects
