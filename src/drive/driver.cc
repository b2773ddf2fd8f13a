#include "drive/driver.h"

#include <iterator>
#include <utility>

#include "base/check.h"
#include "engine/explain/report.h"
#include "objects/stop_note.h"

// An instant, worked through: at 12:00 a job of two pods ends, and another waits for its room.
//
//   Happen     the kubelets' pods end; the Job's controller notes that it is complete
//   TakeNews   intake makes of that: two pods hold nothing more, and both of a workload's pods
//              have succeeded. The books: it is finished, a write. The carrier writes its
//              condition, which is news again, though none that changes anything for the engine.
//   Decide     the other job is admitted and may start: a write; then what its queue uses now
//   Happen     its controller makes two pods
//   TakeNews   two pods that wait
//   Decide     both are bound
//   Happen …   nothing more is due, nothing changed: the instant is over

namespace fairlead::drive {

// Changes that are under way at once: as a cluster of a million pods is read, they would else take
// more memory for a moment than all that is then known of it.
constexpr std::size_t kMostPods = 65'536;

void Driver::Configure(Time now, const objects::SchedulerConfiguration& configuration) {
  intake_.Upsert(configuration, now);
  for (Observer* observer : observers_) observer->OnConfiguration(now, configuration);
}

// Intake and observers are told at one moment: what they make of it must be the same.
void Driver::Take(const ObjectNews& news) {
  if (news.object != nullptr) {
    news.status_only ? intake_.UpsertStatus(std::get<objects::Pod>(*news.object), news.time)
                     : intake_.Upsert(*news.object, news.time, news.key);
  } else {
    intake_.Remove(news.kind, news.name_space, news.name);
    if (news.kind != "Pod") TakeChanges(intake::Intake::kAllPods);
  }
  for (Observer* observer : observers_) observer->OnObject(news);
}

void Driver::Instant(Time now) {
  const bool by_timer = next_round_ && *next_round_ <= now;
  const std::int64_t rounds_before = rounds_, writes_before = writes_;
  bool due = rounds_ == 0 || by_timer;
  bool any_news = false;
  for (int i = 0;; ++i) {
    carrier_.Happen(now);
    const bool news = TakeNews(now);
    if (!news && !due) break;
    if (i == kMaxRoundsPerInstant) {
      BUG("the rounds of one instant do not come to rest");
      break;
    }
    // Of ten thousand pods that start both are large: the plan is gone once it is reported.
    engine::DecisionReports decisions = engine::ReportDecisions(scheduler_, Round(now));
    CarryOut(std::move(decisions));
    any_news |= news;
    due = false;
  }
  if (any_news || writes_ > writes_before) {
    quiet_timers_ = 0;
  } else if (by_timer && rounds_ > rounds_before && ++quiet_timers_ > kMaxQuietTimers) {
    next_round_.reset();
  }
}

void Driver::TakeChanges(std::size_t most_pods) {
  std::vector<state::Change> fresh = intake_.TakeChanges(most_pods);
  if (changes_.empty()) {
    changes_ = std::move(fresh);
  } else {
    std::move(fresh.begin(), fresh.end(), std::back_inserter(changes_));
  }
}

bool Driver::TakeNews(Time now) {
  now_ = now;
  bool told = false;
  for (;;) {
    const bool more = carrier_.TellNews(now);
    TakeChanges(kMostPods);
    // Gone from memory when the engine has them: the round takes its own.
    std::vector<state::Change> changes = std::exchange(changes_, {});
    for (state::Change& change : std::exchange(failed_, {})) changes.push_back(std::move(change));
    if (changes.empty()) {
      if (!more) return told;
      continue;
    }
    told = true;
    for (Observer* observer : observers_) observer->OnChanges(now, changes);
    books_.Apply(now, changes);
    scheduler_.Apply(changes);
    for (effects::Write& write : books_.TakeFacts()) Carry(std::move(write));
  }
}

engine::Plan Driver::Decide(Time now) {
  engine::Plan plan = Round(now);
  CarryOut(engine::ReportDecisions(scheduler_, plan));
  return plan;
}

engine::Plan Driver::Round(Time now) {
  now_ = now;
  ++rounds_;
  for (Observer* observer : observers_) observer->OnDeciding(now);
  engine::Plan plan = scheduler_.Round(now);
  for (Observer* observer : observers_) observer->OnRound(scheduler_, plan);
  next_round_ = plan.next_round;
  // What could be decided now has been.
  if (next_round_ && *next_round_ <= now) next_round_.reset();
  return plan;
}

void Driver::CarryOut(engine::DecisionReports decisions) {
  if (!decisions.empty()) {
    for (Observer* observer : observers_) observer->OnDecisions(now_, decisions);
    effects::ForEachWrite(std::move(decisions), books_.workloads(), [this](effects::Write&& write) {
      Complete(write);
      Carry(std::move(write));
    });
    // Of what was admitted.
    for (effects::Write& write : books_.TakeFacts()) Carry(std::move(write));
  }
  for (effects::Write& write : books_.TakeStatuses(scheduler_, now_)) Carry(std::move(write));
}

void Driver::Complete(effects::Write& write) {
  if (auto* stop = std::get_if<effects::StopWorkload>(&write)) {
    const bool kept_out = !stop->at_limit.empty() && !stop->waits_again;
    if (kept_out) stop->spec = intake_.AskedSpecOf(stop->workload);
    return;
  }
  auto* evict = std::get_if<effects::EvictPod>(&write);
  if (evict == nullptr || (evict->stops == 0 && evict->stopped.empty())) return;
  carrier_.Reveal(*evict);
  auto standing = intake_.FindPod(evict->pod);
  if (standing) {
    evict->job_kind = std::move(standing->job_kind);
    evict->job = std::move(standing->job);
  }
  if (evict->stopped.empty()) return;
  if (evict->job.empty()) {
    evict->stopped.clear();
  } else {
    evict->stopped = ToText(objects::StopNote{.why = std::move(evict->stopped),
                                              .spec = intake_.AskedSpecOfJobOf(evict->pod)});
  }
}

void Driver::Carry(effects::Write&& write) {
  ++writes_;
  const auto* admit = std::get_if<effects::AdmitWorkload>(&write);
  if (admit != nullptr) books_.Admitted(admit->workload);
  for (Observer* observer : observers_) observer->OnWrite(now_, write);
  carrier_.Carry(std::move(write));
}

}  // namespace fairlead::drive
