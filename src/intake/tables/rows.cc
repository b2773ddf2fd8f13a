#include "intake/tables/rows.h"

#include <algorithm>

#include "objects/key.h"

namespace fairlead::intake {

bool Same(const FamilyJoin& a, const FamilyJoin& b) {
  const bool same_hold = a.hold == b.hold || (a.hold && b.hold && *a.hold == *b.hold);
  return a.ours == b.ours && a.of_daemon_set == b.of_daemon_set && a.gang == b.gang &&
         a.pod_set == b.pod_set && a.queue == b.queue && a.preemptible == b.preemptible &&
         a.run_time == b.run_time && a.submitter == b.submitter && a.stops == b.stops &&
         a.never_preempts == b.never_preempts && a.priority == b.priority &&
         a.opted_out == b.opted_out && a.may_move == b.may_move && a.made_by == b.made_by &&
         a.demands == b.demands && a.gpu_milli == b.gpu_milli && a.gpu_taken == b.gpu_taken &&
         same_hold && a.node_labels == b.node_labels &&
         (a.claims == b.claims || (a.claims && b.claims && *a.claims == *b.claims));
}

const std::string& GangRow::NamedQueue() const {
  return facts()->queue.empty() && group() != objects::GroupApi::kNone ? pods_say.queue
                                                                       : facts()->queue;
}

// A Workload that stands for a job names its queue as the job does.
bool GangRow::NamesLocalQueue() const {
  const GangFacts* of = facts();
  if (of == nullptr || NamedQueue().empty()) return false;
  if (of->queue.empty()) return pods_say.local_queue;
  return of->local_queue || std::ranges::any_of(jobs, [&](const auto& each) {
           return each->local_queue && of->owner_kind == each->kind && of->queue == each->queue;
         });
}

bool GangRow::StandsForJob() const {
  const GangFacts* own = OwnWorkload();
  if (own == nullptr || job == nullptr || own->owner_kind != job->kind) return false;
  if (objects::SplitKey(name).name != own->owner_job) return false;
  const std::string& uid = own->owner_uid;
  return uid.empty() || job->uid.empty() || uid == job->uid;
}

state::QueueChange ChangeOf(const QueueRow& row) {
  const objects::Queue& queue = row.queue;
  return {.name = queue.meta.name,
          .parent = queue.parent,
          .guaranteed = queue.guaranteed,
          .limit = queue.limit,
          .guaranteed_all = queue.guaranteed_all,
          .weight = queue.weight,
          .priority = queue.priority,
          .preempt_min_runtime = queue.preempt_min_runtime,
          .reclaim_min_runtime = queue.reclaim_min_runtime,
          .max_loss = queue.max_loss,
          .repeat_protection = queue.repeat_protection,
          .lend = queue.lend,
          .order = queue.order,
          .ageing = queue.ageing,
          .median_duration = queue.median_duration,
          .user_limits = queue.limits,
          .usage = queue.usage,
          .active = queue.active,
          .created = row.created};
}

}  // namespace fairlead::intake
