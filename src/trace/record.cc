#include "trace/record.h"

#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "base/digest.h"
#include "effects/books.h"
#include "engine/explain/report.h"
#include "engine/explain/report_json.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "jobs/job_kind.h"
#include "trace/record_lines.h"

namespace fairlead::trace {
namespace {

using virtual_cluster::Event;
using virtual_cluster::EventType;

// A Job that failed is over as well; its work is not done.
bool IsDone(const jobs::JobKind& kind, const objects::Object& object) {
  if (!kind.IsComplete(object)) return false;
  const auto* job = std::get_if<objects::Job>(&object);
  return job == nullptr || job->succeeded >= job->completions.value_or(1);
}

// Tells what happened to objects as the events of a virtual cluster.
class EventTeller {
 public:
  explicit EventTeller(virtual_cluster::Observer* observer) : observer_(observer) {}

  // What is there before the first round has come before anybody looked.
  void OnObject(Time time, const objects::Object& object) {
    if (const auto* pod = std::get_if<objects::Pod>(&object)) {
      TellOwner(time, *pod);
    } else if (const jobs::JobKind* kind = jobs::KindOf(object)) {
      const bool done = IsDone(*kind, object);
      bool& was_done = jobs_.try_emplace(objects::MetaOf(object).Key(), done).first->second;
      if (done && !std::exchange(was_done, true)) Complete(time, object);
    }
  }
  void OnGone(std::string_view kind, const std::string& key) {
    if (kind == "Pod") pods_.erase(key);
    if (jobs::FindKind(kind) != nullptr) jobs_.erase(key);
  }

  // As a virtual cluster does, before the scheduler is told. A job says itself when it is complete.
  void OnChanges(Time now, std::span<const state::Change> changes) {
    if (observer_ == nullptr || changes.empty()) return;
    observer_->OnChanges(now, changes);
    books_.Apply(now, changes);
    for (const effects::Write& write : books_.TakeFacts()) {
      const auto* finish = std::get_if<effects::FinishWorkload>(&write);
      if (finish == nullptr || jobs_.contains(finish->workload)) continue;
      observer_->OnEvent({.time = now,
                          .type = EventType::kComplete,
                          .workload = finish->workload,
                          .kind = "Workload",
                          .object = finish->workload});
    }
  }

  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan,
               std::span<const engine::DecisionReport> decisions, bool as_recorded) {
    if (observer_ == nullptr) return;
    observer_->OnRound(scheduler, plan);
    if (!as_recorded) return;
    observer_->OnDecisions(plan.now, decisions);
    for (const engine::DecisionReport& decision : decisions) {
      if (decision.type != engine::DecisionType::kEvict) continue;
      observer_->OnEvent({.time = plan.now,
                          .type = EventType::kEvict,
                          .pod = decision.pod,
                          .node = decision.node,
                          .workload = decision.workload,
                          .action = decision.action,
                          .beneficiary = decision.beneficiary,
                          .reason = decision.reason});
    }
  }

 private:
  void TellOwner(Time time, const objects::Pod& pod) {
    if (observer_ == nullptr) return;
    const objects::OwnerReference* owner = pod.meta.Controller();
    const std::string key = pod.meta.Key();
    if (owner == nullptr || !pods_.insert(key).second) return;
    const std::string owner_key = pod.meta.name_space + "/" + owner->name;
    observer_->OnEvent({.time = time, .type = EventType::kCreate, .pod = key, .owner = owner_key});
  }
  void Complete(Time time, const objects::Object& job) {
    if (observer_ == nullptr) return;
    const std::string key = objects::MetaOf(job).Key();
    observer_->OnEvent(
        {.time = time, .type = EventType::kComplete, .kind = objects::KindOf(job), .object = key});
  }

  virtual_cluster::Observer* observer_;
  effects::Books books_;
  boost::unordered_flat_set<std::string> pods_;        // whose owner was told
  boost::unordered_flat_map<std::string, bool> jobs_;  // whether it is done
};

class Replayer : public RecordVisitor {
 public:
  explicit Replayer(virtual_cluster::Observer* observer) : teller_(observer) {
    intake_.KnowAllDaemonSets();  // as `run`, which watches them
  }

  void OnObject(Time time, objects::Object object) override {
    if (replay_.objects++ == 0) replay_.start = time;
    teller_.OnObject(time, object);
    intake_.Upsert(object, time);
  }

  void OnGone(Time /*time*/, std::string_view kind, std::string_view name_space,
              std::string_view name) override {
    intake_.Remove(kind, name_space, name);
    // As the live scheduler does: another object may get the name before the next round.
    if (kind != "Pod") TakeChanges();
    std::string key(name_space);
    if (!key.empty()) key += '/';
    teller_.OnGone(kind, key.append(name));
  }

  void OnFailed(state::Change failed) override { failed_.push_back(std::move(failed)); }

  void OnRound(const Round& round) override {
    TakeChanges();
    for (state::Change& change : std::exchange(failed_, {})) changes_.push_back(std::move(change));
    teller_.OnChanges(round.now, changes_);
    scheduler_.Apply(std::exchange(changes_, {}));
    engine::Plan plan = scheduler_.Round(round.decided_at);
    const auto decisions = engine::ReportDecisions(scheduler_, plan);
    const std::string digest = engine::DigestOf(decisions);
    const auto decided = static_cast<std::int64_t>(plan.decisions.size());
    digest_.Add(digest);
    ++replay_.rounds;
    replay_.decisions += decided;
    replay_.end = round.now;
    const bool same = digest == round.digest;
    if (!same && replay_.differing++ < static_cast<std::int64_t>(kMostDifferences)) {
      replay_.differences.push_back(
          {.line = round.line, .at = round.now, .recorded = round.decisions, .decided = decided});
    }
    plan.now = round.now;
    teller_.OnRound(scheduler_, plan, decisions, same);
  }

  Replay Done(const RecordEnd& end) {
    replay_.lines = end.lines;
    replay_.cut_off = end.cut_off;
    replay_.digest = digest_.Hex();
    return std::move(replay_);
  }

 private:
  void TakeChanges() {
    for (state::Change& change : intake_.TakeChanges()) changes_.push_back(std::move(change));
  }

  EventTeller teller_;
  intake::Intake intake_;
  engine::Scheduler scheduler_;
  std::vector<state::Change> changes_, failed_;
  Digest digest_;
  Replay replay_;
};

}  // namespace

Result<Replay> ReplayRecord(const std::string& directory, virtual_cluster::Observer* observer) {
  Result<RecordFile> record = OpenRecord(directory);
  if (!record) return tl::unexpected(record.error());
  Replayer replayer(observer);
  const Result<RecordEnd> end = ReadRecord(record->file, record->path, replayer);
  if (!end) return tl::unexpected(end.error());
  return replayer.Done(*end);
}

}  // namespace fairlead::trace
