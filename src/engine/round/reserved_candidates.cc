// Worked: 1,000 queues with a limit of their own, 25 jobs waiting in each, all of them for that. In
// the first round all are looked at, and none may be given any. When a job of one queue ends only
// that queue's 25 are looked at: of the others it is known.

#include "engine/round/reserved_candidates.h"

#include <algorithm>

#include "base/check.h"
#include "engine/round/fewer_pods.h"
#include "policy/limits.h"
#include "policy/queue_order.h"
#include "policy/start_time.h"

namespace fairlead::engine {

using state::QueueId;
using state::WorkloadId;

bool ReservedCandidates::IsFull() const {
  return std::cmp_greater_equal(bookings_.size(), cluster_.configuration().backfill.reservations);
}

void ReservedCandidates::Start() {
  wants_.clear();
  leaves_with_.clear();
}

bool ReservedCandidates::Wants(GroupId g) const {
  return wants_.contains(g) && !IsFull() &&
         (all_leaves_have_ || !leaves_with_.contains(backlog_[g].queue));
}

void ReservedCandidates::Serve(GroupId g, bool given) {
  wants_.erase(g);
  if (given) leaves_with_.insert(backlog_[g].queue);
}

// Groups -----------------------------------------------------------------------------------------

Time ReservedCandidates::SinceOf(GroupId g) {
  return policy::WaitsSince(cluster_, NextOf(cluster_, backlog_, g));
}

bool ReservedCandidates::MayHave(GroupId g) {
  const Group& group = backlog_[g];
  if (group.of_daemon_set || group.not_before > round_.now) return false;
  if (!group.gang.valid()) {
    return backlog_.Head(g).valid() && TakesWork(cluster_.queues(), group.queue);
  }
  // A gang that is gone leaves its group behind, and its number to another.
  const state::Workload& workload = cluster_.workloads()[group.gang];
  const bool is_there = workload.in_use && !workload.solo() && !workload.started();
  if (!is_there || backlog_.GroupOfGang(group.gang) != g) return false;
  // What it would start with may be another step by now than when it was made ready.
  const bool has_step = group.outdated ? backlog_.PrepareGang(g) : !group.parts.empty();
  return has_step && !group.above_minimum && TakesWork(cluster_.queues(), group.queue);
}

bool ReservedCandidates::IsEligible(GroupId g, Leaf& leaf) {
  const Group& group = backlog_[g];
  leaf.shows_changes &= group.gang.valid() || cluster_.shapes()[group.shape].placeable;
  if (group.not_before > round_.now) leaf.until = std::min(leaf.until, group.not_before);
  if (!MayHave(g)) return false;
  const WorkloadId next = NextOf(cluster_, group);
  if (cluster_.workloads().reservation(next) != nullptr) {
    leaf.shows_changes = false;
    return false;
  }
  const auto& backfill = cluster_.configuration().backfill;
  const Time since = policy::WaitsSince(cluster_, next);
  const bool waited = round_.now - since >= backfill.after;
  for (const Duration& wait : {backfill.after, backfill.drain_after}) {
    if (round_.now - since >= wait) continue;
    leaf.next_to_wait = std::min(leaf.next_to_wait, since + wait);
  }
  return waited;
}

RoomStep ReservedCandidates::LeastStep(GroupId g) {
  const Group& group = backlog_[g];
  if (!group.gang.valid() && !backlog_.Head(g).valid()) return {};
  if (group.gang.valid() && group.parts.empty()) return {};
  if (!admission_.MayStartWithFewer(g)) return backlog_.StepOf(g);
  const RoomStep whole = backlog_.StepOf(g);
  std::vector<std::int32_t> counts;
  for (const state::PodSet& set : cluster_.workloads().gang(group.gang).sets) {
    counts.push_back(set.min_asked);
  }
  return StepWith(cluster_, whole, counts);
}

bool ReservedCandidates::IsBarred(const RoomStep& step) const {
  return step.parts.empty() || policy::FirstBreach(cluster_, step.workload, step.request);
}

// Choosing ---------------------------------------------------------------------------------------

// Of those that are new, or were woken: whether any of them has waited for long enough, and when
// the next will have.
void ReservedCandidates::NoteReady() {
  Leaf all;
  backlog_.ForEachReady([&](GroupId g) {
    if (IsEligible(g, all)) anybody_waits_ = true;
  });
  next_to_wait_ = std::min(next_to_wait_, all.next_to_wait);
}

void ReservedCandidates::Choose() {
  if (cluster_.configuration().backfill.reservations == 0) return;
  NoteReady();
  if (IsFull() || (!anybody_waits_ && round_.now < next_to_wait_)) return;
  if (round_.now < next_to_wait_ && NobodyMayHaveOne()) return;
  anybody_waits_ = false;
  next_to_wait_ = Time::Max();
  std::vector<Leaf> leaves;
  backlog_.with_work().ForEachQueue([&](QueueId q, std::span<const GroupId> groups) {
    if (const InVain* known = KnownInVain(q, groups)) {
      anybody_waits_ |= known->any_waited;
      next_to_wait_ = std::min(next_to_wait_, known->next_to_wait);
      return;
    }
    Leaf leaf = LookAt(q, groups);
    anybody_waits_ |= leaf.any_waited;
    next_to_wait_ = std::min(next_to_wait_, leaf.next_to_wait);
    if (leaf.any_waited) {
      leaves.push_back(std::move(leaf));
    } else {
      KeepInVain(leaf);
    }
  });
  for (const Booking& booking : bookings_) leaves_with_.insert(booking.queue);
  std::vector<GroupId> chosen;
  for (const bool with_one : {false, true}) {
    for (Leaf& leaf : leaves) {
      if (leaves_with_.contains(leaf.queue) != with_one) continue;
      for (const GroupId g : FirstOf(leaf)) chosen.push_back(g);
    }
    all_leaves_have_ = chosen.empty() || with_one;
    if (!chosen.empty()) break;
  }
  for (const GroupId g : chosen) {
    wants_.insert(g);
    if (backlog_[g].IsBlocked()) backlog_.MakeReady(g);
  }
}

// A drain is there, no moment lies ahead at which there is more room, and nobody has a turn by
// which that could change.
bool ReservedCandidates::NobodyMayHaveOne() {
  if (backlog_.HasReady() || !round_.notices.given_up.empty()) return false;
  const bool drains = std::ranges::any_of(bookings_, [](const Booking& b) { return !b.at; });
  return drains && places_.NothingComes();
}

ReservedCandidates::Leaf ReservedCandidates::LookAt(QueueId q, std::span<const GroupId> groups) {
  Leaf leaf{.queue = q, .waited = {groups.begin(), groups.end()}};
  std::erase_if(leaf.waited, [&](GroupId g) { return !IsEligible(g, leaf); });
  leaf.any_waited = !leaf.waited.empty();
  return leaf;
}

// Those of a leaf that are served first, and not barred by a limit. All were just looked at, so
// that it is known who is the next of each.
std::vector<GroupId> ReservedCandidates::FirstOf(Leaf& leaf) {
  bool by_own_limit = true;
  const auto is_barred = [&](WorkloadId w, const state::Amounts& request) {
    const auto breach = policy::FirstBreach(cluster_, w, request);
    if (!breach) return false;
    by_own_limit &= breach->code == state::ReasonCode::kQueueLimit && breach->queue == leaf.queue;
    return true;
  };
  const auto next = [this](GroupId g) { return NextOf(cluster_, backlog_[g]); };
  const auto later = [&](GroupId a, GroupId b) {
    return policy::IsServedFirst(cluster_, next(b), next(a));
  };
  // Where a limit is full that is most of them, and they need not be put in order.
  std::vector<GroupId> groups = std::move(leaf.waited);
  std::erase_if(groups, [&](GroupId g) {
    return !admission_.MayStartWithFewer(g) && is_barred(next(g), backlog_[g].request);
  });
  std::make_heap(groups.begin(), groups.end(), later);
  std::vector<GroupId> first;
  while (!groups.empty() && first.size() < kTriesOfALeaf) {
    std::pop_heap(groups.begin(), groups.end(), later);
    const GroupId g = groups.back();
    groups.pop_back();
    const RoomStep step = LeastStep(g);
    if (step.parts.empty()) {
      by_own_limit = false;
    } else if (!is_barred(step.workload, step.request)) {
      first.push_back(g);
    }
  }
  if (first.empty() && by_own_limit) KeepInVain(leaf);
  return first;
}

// What stays as it is ----------------------------------------------------------------------------
//
// Who comes, and what becomes of gangs, is noted of groups; who starts or ends moves what the leaf
// has allocated; a pod that goes while it waits, what it requests beside that, where no other came.
// That somebody for whom room is kept loses it none of these says, nor that a pod goes whose like
// no node could hold: of such leaves nothing is kept.

// What its limits are compared with, and what it requests.
std::vector<std::int64_t> ReservedCandidates::FiguresOf(QueueId q) const {
  const state::QueueTree& queues = cluster_.queues();
  const std::uint32_t count = cluster_.resources().size();
  std::vector<std::int64_t> figures;
  figures.reserve(2 * std::size_t{count});
  for (const state::Figure f : {state::Figure::kAllocated, state::Figure::kOwnRequested}) {
    figures.insert(figures.end(), queues.Row(q, f), queues.Row(q, f) + count);
  }
  return figures;
}

const ReservedCandidates::InVain* ReservedCandidates::KnownInVain(QueueId q,
                                                                  std::span<const GroupId> groups) {
  const state::Journal& journal = cluster_.journal();
  const std::pair as_of(journal.queues, journal.configuration);
  if (std::exchange(as_of_, as_of) != as_of || !cluster_.queues().settled()) in_vain_.clear();
  if (q.value() >= in_vain_.size() || !in_vain_[q.value()]) return nullptr;
  const InVain& known = *in_vain_[q.value()];
  if (known.work != backlog_.with_work().ChangesIn(q) || known.until <= round_.now ||
      known.figures != FiguresOf(q)) {
    return nullptr;
  }
  DCHECK([&] {
    Leaf leaf = LookAt(q, groups);
    return leaf.any_waited == known.any_waited && leaf.next_to_wait == known.next_to_wait &&
           FirstOf(leaf).empty();
  }());
  return &known;
}

void ReservedCandidates::KeepInVain(const Leaf& leaf) {
  if (!leaf.shows_changes || !cluster_.queues().settled()) return;
  if (in_vain_.size() <= leaf.queue.value()) in_vain_.resize(cluster_.queues().size());
  in_vain_[leaf.queue.value()] = InVain{.figures = FiguresOf(leaf.queue),
                                        .work = backlog_.with_work().ChangesIn(leaf.queue),
                                        .any_waited = leaf.any_waited,
                                        .next_to_wait = leaf.next_to_wait,
                                        .until = std::min(leaf.until, leaf.next_to_wait)};
}

}  // namespace fairlead::engine
