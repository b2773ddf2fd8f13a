#include "trace/record.h"

#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/digest.h"
#include "base/name_map.h"
#include "drive/driver.h"
#include "engine/explain/report.h"
#include "engine/explain/report_json.h"
#include "jobs/job_kind.h"
#include "objects/key.h"
#include "trace/record_lines.h"

namespace fairlead::trace {
namespace {

using drive::EventType;

// A Job that failed is over as well; its work is not done.
bool IsDone(const jobs::JobKind& kind, const objects::Object& object) {
  if (!kind.IsComplete(object)) return false;
  const auto* job = std::get_if<objects::Job>(&object);
  return job == nullptr || job->succeeded >= job->completions.value_or(1);
}

// Tells whoever watches a replay what a virtual cluster would tell: changes and rounds, and as
// events what those do not say. Who was evicted the plan says, where it is the one that was
// recorded.
class Teller : public drive::Carrier, public drive::Observer {
 public:
  // `observer` may be null.
  explicit Teller(drive::Observer* observer) : observer_(observer) {}

  // What is there before the first round has come before anybody looked.
  void Object(Time time, const objects::Object& object) {
    if (const auto* pod = std::get_if<objects::Pod>(&object)) {
      TellOwner(time, *pod);
    } else if (const jobs::JobKind* kind = jobs::KindOf(object)) {
      const bool done = IsDone(*kind, object);
      bool& was_done = jobs_.try_emplace(objects::MetaOf(object).Key(), done).first->second;
      if (done && !std::exchange(was_done, true)) Complete(time, object);
    }
  }
  void Gone(std::string_view kind, const std::string& key) {
    if (kind == "Pod") pods_.erase(key);
    if (jobs::FindKind(kind) != nullptr) jobs_.erase(key);
  }

  // This one is decided next.
  void Begin(const RecordVisitor::Round& round) {
    recorded_ = round;
    digest_.clear();
  }
  // What was decided then.
  const std::string& digest() const { return digest_; }
  bool as_recorded() const { return digest_ == recorded_.digest; }

  void OnChanges(Time now, std::span<const state::Change> changes) override {
    if (observer_ != nullptr) observer_->OnChanges(now, changes);
  }
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    digest_ = digest_of_nothing_;
    if (observer_ == nullptr) return;
    engine::Plan as_told = plan;
    as_told.now = recorded_.now;
    observer_->OnRound(scheduler, as_told);
  }
  void OnDecisions(Time /*now*/, const engine::DecisionReports& decisions) override {
    digest_ = engine::DigestOf(decisions);
    if (observer_ != nullptr && as_recorded()) observer_->OnDecisions(recorded_.now, decisions);
  }

  // Facts before the round, then what was decided.
  void OnWrite(Time /*now*/, const effects::Write& write) override {
    const bool known = digest_.empty() || as_recorded();
    if (observer_ != nullptr && known) observer_->OnWrite(recorded_.now, write);
  }

  void Carry(effects::Write&& write) override {
    if (observer_ == nullptr) return;
    if (const auto* finish = std::get_if<effects::FinishWorkload>(&write)) {
      // A job says itself when it is complete.
      if (jobs_.contains(finish->workload)) return;
      observer_->OnEvent(drive::EventOf(recorded_.now, *finish));
    } else if (const auto* evict = std::get_if<effects::EvictPod>(&write)) {
      if (!as_recorded()) return;
      observer_->OnEvent(drive::EventOf(recorded_.now, *evict));
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

  const std::string digest_of_nothing_ = engine::DigestOf(engine::DecisionReports{});

  drive::Observer* observer_;
  RecordVisitor::Round recorded_;
  std::string digest_;
  boost::unordered_flat_set<std::string> pods_;  // whose owner was told
  NameMap<bool> jobs_;                           // whether it is done
};

class Replayer : public RecordVisitor {
 public:
  explicit Replayer(drive::Observer* observer) : teller_(observer), driver_(teller_) {
    driver_.AddObserver(&teller_);
    driver_.intake().KnowAllOwners();  // as `run`, which watches them
  }

  void OnObject(Time time, objects::Object object) override {
    if (replay_.objects++ == 0) replay_.start = time;
    teller_.Object(time, object);
    driver_.Take(drive::NewsOf(time, object));
  }

  void OnGone(Time time, std::string_view kind, std::string_view name_space,
              std::string_view name) override {
    driver_.Take({.time = time, .kind = kind, .name_space = name_space, .name = name});
    teller_.Gone(kind, objects::JoinKey(name_space, name));
  }

  void OnFailed(state::Change failed) override { driver_.Fail(std::move(failed)); }

  // When it was decided is the record's to say, not the driver's.
  void OnRound(const Round& round) override {
    teller_.Begin(round);
    driver_.TakeNews(round.now);
    const engine::Plan plan = driver_.Decide(round.decided_at);
    const auto decided = static_cast<std::int64_t>(plan.decisions.size());
    digest_.Add(teller_.digest());
    ++replay_.rounds;
    replay_.decisions += decided;
    replay_.end = round.now;
    if (teller_.as_recorded()) return;
    if (replay_.differing++ < static_cast<std::int64_t>(kMostDifferences)) {
      replay_.differences.push_back(
          {.line = round.line, .at = round.now, .recorded = round.decisions, .decided = decided});
    }
  }

  Replay Done(const RecordEnd& end) {
    replay_.lines = end.lines;
    replay_.cut_off = end.cut_off;
    replay_.digest = digest_.Hex();
    replay_.topologies = driver_.intake().KnownTopologies();
    return std::move(replay_);
  }

 private:
  Teller teller_;
  drive::Driver driver_;
  Digest digest_;
  Replay replay_;
};

}  // namespace

Result<Replay> ReplayRecord(const std::string& directory, drive::Observer* observer) {
  Result<RecordFile> record = OpenRecord(directory);
  if (!record) return tl::unexpected(record.error());
  Replayer replayer(observer);
  const Result<RecordEnd> end = ReadRecord(record->file, record->path, replayer);
  if (!end) return tl::unexpected(end.error());
  return replayer.Done(*end);
}

}  // namespace fairlead::trace
