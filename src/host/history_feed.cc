#include "host/history_feed.h"

#include <utility>

#include <fmt/format.h>

#include "objects/key.h"

namespace fairlead::host {

HistoryFeed::HistoryFeed(Time began, const engine::Scheduler& scheduler,
                         history::Recorder& recorder)
    : scheduler_(scheduler),
      feed_(
          began, [&recorder](history::Records records) { recorder.Push(std::move(records)); },
          history::MachineTime) {}

void HistoryFeed::OnObject(const drive::ObjectNews& news) {
  if (news.object != nullptr) return feed_.Object(*news.object);
  feed_.Gone(news.kind, objects::JoinKey(news.name_space, news.name));
}

void HistoryFeed::OnChanges(Time now, std::span<const state::Change> changes) {
  feed_.Changes(now, scheduler_, changes);
}

void HistoryFeed::OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& plan) {
  feed_.Decided();
  Tick(plan.now);
}

void HistoryFeed::OnDecisions(Time now, const engine::DecisionReports& decisions) {
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

}  // namespace fairlead::host
