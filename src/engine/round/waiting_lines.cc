// Worked: two of each user may wait, three of the group both are in. In their order: a1 a2 a3 b1
// b2. a1 and a2 wait; a3 is beyond a's two, and takes no place of the group's; b1 is the group's
// third, b2 is beyond. a1 starts: the first that may move up is a3, which a and the group both let
// wait. Now a3 is before b1, and the group's places are a2, a3 and b1 again. Had b1 and b2 both
// waited (one place more), and had a3 been the older, b2 would have been put beyond by it.

#include "engine/round/waiting_lines.h"

#include <algorithm>
#include <tuple>

#include "policy/queue_order.h"

namespace fairlead::engine {

using state::AccountId;
using state::PodId;
using state::WorkloadId;

bool WaitingLines::Place::operator<(const Place& other) const {
  if (priority != other.priority) return priority > other.priority;
  return std::tie(served_at, name, workload) <
         std::tie(other.served_at, other.name, other.workload);
}

// Nothing of it has room, and something of it waits for that, or would if it were open.
bool WaitingLines::IsToWait(WorkloadId w) const {
  if (w.value() >= cluster_.workloads().size()) return false;
  const state::Workload& workload = cluster_.workloads()[w];
  const state::Accounts& accounts = cluster_.queues().accounts();
  if (!workload.in_use || !workload.may_wait() || !accounts.LimitsWaiting(workload.accounts)) {
    return false;
  }
  if (accounts.IsRunning(w)) return false;
  if (workload.solo()) return cluster_.pods()[workload.only_pod].waits();
  const state::Gang& gang = cluster_.workloads().gang(w);
  return gang.known && std::ranges::any_of(gang.sets, [this](const state::PodSet& set) {
           return set.MissingExpected() > 0 || std::ranges::any_of(set.pods, [this](PodId p) {
                    return cluster_.pods()[p].waits();
                  });
         });
}

WaitingLines::AccountIds WaitingLines::LimitsOf(state::AccountsId accounts) const {
  AccountIds limits;
  for (const AccountId a : cluster_.queues().accounts()[accounts]) {
    if (cluster_.queues().accounts()[a].max_waiting) limits.push_back(a);
  }
  return limits;
}

void WaitingLines::Clear() {
  for (const auto& [w, member] : members_) moved_.insert(WorkloadId(w));
  members_.clear();
  lines_.clear();
  open_.clear();
}

bool WaitingLines::HasNews() const {
  const state::Accounts& accounts = cluster_.queues().accounts();
  return accounts.HasMoved() || (accounts.any() && changed_.HasNews());
}

void WaitingLines::Note(WorkloadId w) {
  const bool was = members_.contains(w.value());
  const bool is = IsToWait(w);
  if (!was && !is) {
    const bool stale =
        w.value() < cluster_.workloads().size() && cluster_.workloads()[w].beyond_line;
    if (stale) moved_.insert(w);
    return;
  }
  Place place;
  if (is) {
    place = {.priority = cluster_.workloads()[w].priority,
             .served_at = policy::ServedAt(cluster_, w),
             .name = std::string(cluster_.NameOf(w)),
             .workload = w};
  }
  if (was && is) {
    const Member& member = members_.at(w.value());
    const bool same = !(member.place < place) && !(place < member.place) &&
                      member.accounts == cluster_.workloads()[w].accounts;
    if (same) return;
  }
  if (was) Leave(w);
  if (!is) return;
  moved_.insert(w);
  const Member& member =
      members_
          .insert_or_assign(w.value(), Member{.place = std::move(place),
                                              .accounts = cluster_.workloads()[w].accounts,
                                              .waits = false})
          .first->second;
  const AccountIds limits = LimitsOf(member.accounts);
  for (const AccountId a : limits) lines_[a].beyond.insert(member.place);
  open_.insert({member.place, limits.front()});
}

void WaitingLines::Leave(WorkloadId w) {
  const Member member = members_.at(w.value());
  for (const AccountId a : LimitsOf(member.accounts)) {
    Line& line = lines_[a];
    (member.waits ? line.waits : line.beyond).erase(member.place);
    if (member.waits) open_.insert({member.place, a});
  }
  members_.erase(w.value());
  moved_.insert(w);
}

// Whether the account has one left for it, or one behind it has.
bool WaitingLines::HasPlaceFor(const Place& place, AccountId a) const {
  const Line& line = lines_.at(a);
  const auto most = static_cast<std::size_t>(*cluster_.queues().accounts()[a].max_waiting);
  return line.waits.size() < most || place < *line.waits.rbegin();
}

void WaitingLines::Move(const Member& member, bool waits) {
  for (const AccountId a : LimitsOf(member.accounts)) {
    Line& line = lines_[a];
    (waits ? line.beyond : line.waits).erase(member.place);
    (waits ? line.waits : line.beyond).insert(member.place);
  }
  moved_.insert(member.place.workload);
}

void WaitingLines::LetWait(const Place& place) {
  Member& member = members_.at(place.workload.value());
  member.waits = true;
  Move(member, true);
  for (const AccountId a : LimitsOf(member.accounts)) {
    const auto most = static_cast<std::size_t>(*cluster_.queues().accounts()[a].max_waiting);
    if (lines_[a].waits.size() > most) PutBeyond(Place(*lines_[a].waits.rbegin()));
  }
}

void WaitingLines::PutBeyond(const Place& place) {
  Member& member = members_.at(place.workload.value());
  member.waits = false;
  Move(member, false);
  for (const AccountId a : LimitsOf(member.accounts)) open_.insert({member.place, a});
}

// The first first: what becomes of one concerns those behind it alone.
std::vector<WorkloadId> WaitingLines::Advance() {
  if (!cluster_.queues().accounts().any() && members_.empty() && moved_.empty()) {
    changed_.Forget();
    return {};
  }
  for (const WorkloadId w : changed_.Take()) Note(w);
  for (const WorkloadId w : cluster_.queues().accounts().TakeMoved()) Note(w);
  while (!open_.empty()) {
    const auto [from, a] = *open_.begin();
    open_.erase(open_.begin());
    const std::set<Place>& beyond = lines_[a].beyond;
    const auto first = beyond.lower_bound(from);
    if (first == beyond.end() || !HasPlaceFor(*first, a)) continue;
    const Place place = *first;
    const auto next = std::next(first);
    if (next != beyond.end()) open_.insert({*next, a});
    const AccountIds limits = LimitsOf(members_.at(place.workload.value()).accounts);
    if (std::ranges::all_of(limits, [&](AccountId each) { return HasPlaceFor(place, each); })) {
      LetWait(place);
    }
  }
  std::vector<WorkloadId> waiting;
  for (const WorkloadId w : std::exchange(moved_, {})) {
    if (w.value() >= cluster_.workloads().size() || !cluster_.workloads()[w].in_use) continue;
    const auto member = members_.find(w.value());
    const bool beyond = member != members_.end() && !member->second.waits;
    if (cluster_.workloads()[w].beyond_line == beyond) continue;
    state::SetBeyondLine(cluster_, w, beyond);
    if (!beyond) waiting.push_back(w);
  }
  changed_.PassOver();  // what was just said of them
  return waiting;
}

}  // namespace fairlead::engine
