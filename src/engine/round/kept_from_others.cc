#include "engine/round/kept_from_others.h"

#include <algorithm>
#include <utility>

#include "policy/entitlement.h"

namespace fairlead::engine {

using state::NodeId;
using state::WorkloadId;

bool StartsAnew(const state::Cluster& cluster, const Group& group) {
  const bool replaces =
      group.gang.valid() && !group.above_minimum && cluster.workloads()[group.gang].started();
  return !group.of_daemon_set && !replaces;
}

bool KeptFromOthers::Binds(const Booking& booking, const Group& group, WorkloadId w,
                           std::optional<Duration> runs) const {
  if (booking.workload == w || !StartsAnew(cluster_, group)) return false;
  if (group.queue == booking.queue && group.priority > booking.priority) return false;
  if (!booking.within_guarantee && policy::IsEntitled(cluster_.queues(), policy::Right::kGuarantee,
                                                      group.queue, group.request)) {
    return false;
  }
  return !runs || !booking.at || round_.now + *runs > *booking.at;
}

bool KeptFromOthers::KeepClosed(const Group& group, WorkloadId w) {
  GiveKept();
  std::vector<bool> closed_by;
  if (round_.windows.any() && StartsAnew(cluster_, group)) {
    closed_by = round_.windows.ClosedTo(policy::Windows::StartOf(cluster_, w, round_.now));
  }
  if (closed_by == closed_by_) return false;
  closed_.GiveAll();
  closed_by_ = std::move(closed_by);
  if (!closed_by_.empty()) round_.windows.Close(closed_by_, closed_);
  return true;
}

bool KeptFromOthers::Keep(const Group& group, WorkloadId w, std::vector<bool> binds) {
  const state::Log<NodeId>& touched = cluster_.journal().touched;
  // Where it has none itself, and no window is there, it makes no difference who it is.
  const bool matters =
      round_.windows.any() ||
      std::ranges::any_of(bookings_, [w](const Booking& b) { return b.workload == w; });
  const WorkloadId kept_for = matters ? w : WorkloadId();
  if (binds == kept_from_ && kept_for_ == kept_for && seen_ == touched.end()) return false;
  const bool others_closed = KeepClosed(group, w);
  // What is kept for the group itself is not taken beside what it would take.
  for (Booking& booking : bookings_) booking.is_counted = booking.workload != w;
  KeepFor(cluster_, bookings_, binds, kept_);
  kept_from_ = std::move(binds);
  kept_for_ = kept_for;
  seen_ = touched.end();
  return others_closed;
}

void KeptFromOthers::GiveKept() {
  if (kept_from_.empty()) return;
  kept_.GiveAll();
  kept_from_.clear();
  for (Booking& booking : bookings_) booking.is_counted = true;
}

void KeptFromOthers::KeepNothing() {
  GiveKept();
  closed_.GiveAll();
  closed_by_.clear();
}

}  // namespace fairlead::engine
