#include "intake/tables/change_equal.h"

#include <algorithm>
#include <tuple>

namespace fairlead::intake {
namespace {

bool SameSet(const state::PodSetChange& a, const state::PodSetChange& b) {
  return std::tie(a.name, a.count, a.min_count, a.step, a.succeeded, a.expected_needs,
                  a.admitted) ==
         std::tie(b.name, b.count, b.min_count, b.step, b.succeeded, b.expected_needs, b.admitted);
}

}  // namespace

bool Same(const state::NodeChange& a, const state::NodeChange& b) {
  return std::tie(a.name, a.labels, a.taints, a.allocatable, a.slots_leaving, a.schedulable,
                  a.ready, a.misread_pod,
                  a.outside) == std::tie(b.name, b.labels, b.taints, b.allocatable, b.slots_leaving,
                                         b.schedulable, b.ready, b.misread_pod, b.outside);
}

bool Same(const state::QueueChange& a, const state::QueueChange& b) {
  return std::tie(a.name, a.parent, a.guaranteed, a.limit, a.guaranteed_all, a.weight.milli,
                  a.weight.by_resource, a.priority, a.preempt_min_runtime, a.reclaim_min_runtime,
                  a.active, a.created, a.asks, a.limits_all, a.why_inactive, a.derived_from,
                  a.max_loss, a.repeat_protection, a.order, a.ageing, a.median_duration,
                  a.user_limits, a.lend) ==
         std::tie(b.name, b.parent, b.guaranteed, b.limit, b.guaranteed_all, b.weight.milli,
                  b.weight.by_resource, b.priority, b.preempt_min_runtime, b.reclaim_min_runtime,
                  b.active, b.created, b.asks, b.limits_all, b.why_inactive, b.derived_from,
                  b.max_loss, b.repeat_protection, b.order, b.ageing, b.median_duration,
                  b.user_limits, b.lend);
}

bool Same(const state::WorkloadTraits& a, const state::WorkloadTraits& b) {
  return std::tie(a.queue, a.priority, a.preemptible, a.never_preempts, a.active, a.created,
                  a.drained, a.submitter, a.run_time, a.waits_anew, a.stops, a.hold, a.reservation,
                  a.landings, a.moved_at, a.loan) ==
         std::tie(b.queue, b.priority, b.preemptible, b.never_preempts, b.active, b.created,
                  b.drained, b.submitter, b.run_time, b.waits_anew, b.stops, b.hold, b.reservation,
                  b.landings, b.moved_at, b.loan);
}

bool Same(const state::WorkloadChange& a, const state::WorkloadChange& b) {
  return std::tie(a.name, a.kind, a.uid, a.resize, a.recorded_start, a.admitted_since,
                  a.broken_since, a.activity_untold, a.announces_admission, a.comes_in_order,
                  a.is_suspended, a.problem, a.job_is_over, a.leaves_whole, a.shows_conditions,
                  a.topology) == std::tie(b.name, b.kind, b.uid, b.resize, b.recorded_start,
                                          b.admitted_since, b.broken_since, b.activity_untold,
                                          b.announces_admission, b.comes_in_order, b.is_suspended,
                                          b.problem, b.job_is_over, b.leaves_whole,
                                          b.shows_conditions, b.topology) &&
         Same(a.traits, b.traits) && std::ranges::equal(a.pod_sets, b.pod_sets, SameSet);
}

bool Same(const objects::SchedulerConfiguration& a, const objects::SchedulerConfiguration& b) {
  const auto& partial_a = a.partial_admission;
  const auto& partial_b = b.partial_admission;
  const auto& daemon_a = a.daemon_set_preemption;
  const auto& daemon_b = b.daemon_set_preemption;
  return std::tie(a.scheduler_name, a.default_queue, a.node_selector, a.gpu_placement,
                  a.cpu_placement, a.preferences, a.placement_seed, a.typical_pods,
                  a.preempt_min_runtime, a.reclaim_min_runtime, a.reclaim_resolve, a.pods_timeout,
                  a.reclaim_enabled, a.preempt_enabled, a.backfill, a.budgets_on_borrowed_room,
                  a.max_grace_period, a.job_kinds, a.max_loss, a.repeat_protection, a.usage,
                  a.stale_gang_grace, a.consolidation, a.lend) ==
             std::tie(b.scheduler_name, b.default_queue, b.node_selector, b.gpu_placement,
                      b.cpu_placement, b.preferences, b.placement_seed, b.typical_pods,
                      b.preempt_min_runtime, b.reclaim_min_runtime, b.reclaim_resolve,
                      b.pods_timeout, b.reclaim_enabled, b.preempt_enabled, b.backfill,
                      b.budgets_on_borrowed_room, b.max_grace_period, b.job_kinds, b.max_loss,
                      b.repeat_protection, b.usage, b.stale_gang_grace, b.consolidation, b.lend) &&
         std::tie(partial_a.enabled, partial_a.reduce, partial_a.fill) ==
             std::tie(partial_b.enabled, partial_b.reduce, partial_b.fill) &&
         std::tie(daemon_a.enabled, daemon_a.start_delay, daemon_a.victim_selection,
                  daemon_a.single_max_deviation_percent, daemon_a.multiple_max_victims,
                  daemon_a.respect_min_runtime, daemon_a.name_spaces) ==
             std::tie(daemon_b.enabled, daemon_b.start_delay, daemon_b.victim_selection,
                      daemon_b.single_max_deviation_percent, daemon_b.multiple_max_victims,
                      daemon_b.respect_min_runtime, daemon_b.name_spaces);
}

}  // namespace fairlead::intake
