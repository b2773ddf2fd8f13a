#include "cli/history_feed.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace fairlead::cli {
namespace {

constexpr Duration kLookEvery = Duration::Seconds(5);
constexpr Duration kMinute = Duration::Seconds(60);

history::Feed FeedInto(history::Recorder& recorder, Time began) {
  return {began, [&recorder](history::Records records) { recorder.Push(std::move(records)); },
          history::MachineTime};
}

}  // namespace

VirtualHistory::VirtualHistory(Time start, const engine::Scheduler& scheduler,
                               history::Recorder& recorder)
    : scheduler_(scheduler), feed_(FeedInto(recorder, start)) {}

void VirtualHistory::OnObject(const objects::Object& object, bool gone) {
  if (gone) {
    feed_.Gone(objects::KindOf(object), objects::MetaOf(object).Key());
  } else {
    feed_.Object(object);
  }
}

void VirtualHistory::OnChanges(Time now, std::span<const state::Change> changes) {
  feed_.Changes(now, scheduler_, changes);
}

void VirtualHistory::OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& plan) {
  feed_.Decided();
  Tick(plan.now);
}

void VirtualHistory::OnDecisions(Time now, std::span<const engine::DecisionReport> decisions) {
  feed_.Decisions(now, decisions);
}

RealHistory::RealHistory(kube::Loop& loop, const kube::LiveScheduler& live,
                         history::Recorder& recorder)
    : loop_(loop), live_(live), made_(loop.Now()), feed_(FeedInto(recorder, loop.WallNow())) {}

RealHistory::~RealHistory() {
  if (timer_ != 0) loop_.CancelTimer(timer_);
}

// As a minute begins, too: its sample, which looks at every workload, is then taken before anything
// happens that somebody waits for.
void RealHistory::Start() {
  const Duration to_minute{kMinute.us - loop_.WallNow().us % kMinute.us};
  timer_ = loop_.After(std::min(kLookEvery, to_minute), [this] {
    if (live_.state() == kube::LiveScheduler::State::kDeciding) {
      feed_.Tick(loop_.WallNow(), live_.scheduler());
    }
    Start();
  });
}

void RealHistory::OnObject(Time /*now*/, const kube::Resource& resource, const kube::ObjectRef& ref,
                           const objects::Object* object, std::string_view /*json*/) {
  if (object == nullptr) {
    feed_.Gone(resource.kind, ref.Key());
  } else {
    feed_.Object(*object);
  }
}

// When this was made nobody had asked the API server for the time yet.
void RealHistory::OnChanges(Time now, std::span<const state::Change> changes) {
  if (!std::exchange(began_, true)) feed_.Began(loop_.WallNow() + (made_ - loop_.Now()));
  feed_.Changes(now, live_.scheduler(), changes);
}

void RealHistory::OnRound(Time now, const engine::Scheduler& scheduler,
                          const engine::Plan& /*plan*/, Duration /*took*/) {
  feed_.Decided();
  feed_.Tick(now, scheduler);
}

void RealHistory::OnDecisions(Time now, std::span<const engine::DecisionReport> decisions) {
  feed_.Decisions(now, decisions);
}

std::string HistoryMetricsText(const history::Recorder::Counts& counts) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view type, std::string_view help,
                       const std::string& value) {
    text += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n{0} {3}\n", name, type, help, value);
  };
  add("fairlead_history_committed_seq", "gauge",
      "Every record up to this number is kept, whatever happens to the process.",
      fmt::to_string(counts.committed_seq));
  add("fairlead_history_committed_total", "counter", "Records that were written.",
      fmt::to_string(counts.committed));
  add("fairlead_history_dropped_total", "counter",
      "Records that were not: they came too fast, or could not be written.",
      fmt::to_string(counts.dropped));
  add("fairlead_history_commits_total", "counter", "Transactions.", fmt::to_string(counts.commits));
  add("fairlead_history_commit_seconds_total", "counter", "Time spent in them.",
      fmt::format("{:.6f}", static_cast<double>(counts.commit_us) / 1e6));
  add("fairlead_history_failures_total", "counter", "Transactions that failed.",
      fmt::to_string(counts.failures));
  add("fairlead_history_waiting", "gauge", "Records that are still to be written.",
      fmt::to_string(counts.waiting));
  add("fairlead_history_bytes", "gauge", "What the history takes.", fmt::to_string(counts.bytes));
  add("fairlead_history_in_memory", "gauge", "1 where it ends with the process, else 0.",
      counts.in_memory ? "1" : "0");
  return text;
}

}  // namespace fairlead::cli
