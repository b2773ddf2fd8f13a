#include "engine/round/run_time_limits.h"

#include <algorithm>

#include "engine/round/stop_whole.h"
#include "policy/run_time.h"

// A job's way to its limit of 8 h, worked through:
//
//   10:00  its minimum is placed: the log names it, and (18:00, job) is noted
//   12:00  a pod of it is replaced: its start stays, and nothing is to be done
//   15:00  another queue takes its room: it has no start any more, and (18:00, job) goes
//   16:00  it is placed again: now (24:00, job) is noted
//   24:00  its pods leave, and it is kept out: its hold says why

namespace fairlead::engine {

using state::WorkloadId;

Time RunTimeLimits::DueOf(WorkloadId w) const {
  const state::WorkloadTable& workloads = cluster_.workloads();
  if (w.value() >= workloads.size()) return Time::Max();
  const state::Workload& workload = workloads[w];
  if (!workload.in_use || !workload.started() || !workload.knows_run_time) return Time::Max();
  const state::RareOwnLimit& limit = workloads.run_time(w).own_limit;
  return limit ? workload.start + limit->after : Time::Max();
}

void RunTimeLimits::Refresh(WorkloadId w) {
  if (due_of_.size() <= w.value()) due_of_.resize(std::size_t{w.value()} + 1, Time::Max());
  const Time due = DueOf(w);
  Time& noted = due_of_[w.value()];
  if (noted == due) return;
  if (noted != Time::Max()) due_.erase({noted, w});
  if (due != Time::Max()) due_.insert({due, w});
  noted = due;
}

std::optional<Time> RunTimeLimits::NextDue() {
  for (const WorkloadId w : timed_.Take()) Refresh(w);
  while (!due_.empty()) {
    const auto [at, w] = *due_.begin();
    if (DueOf(w) == at) return at;
    Refresh(w);
  }
  return std::nullopt;
}

bool RunTimeLimits::Serve() {
  const std::optional<Time> next = NextDue();
  if (!next || *next > round_.now) return false;
  std::vector<std::pair<Time, WorkloadId>> due;
  for (const auto& [at, w] : due_) {
    if (at > round_.now) break;
    if (DueOf(w) <= round_.now) due.emplace_back(DueOf(w), w);
  }
  // Numbers differ from process to process.
  std::sort(due.begin(), due.end(), [this](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return cluster_.NameOf(a.second) < cluster_.NameOf(b.second);
  });
  for (const auto& [at, w] : due) Stop(w);
  return true;
}

void RunTimeLimits::Stop(WorkloadId w) {
  const bool announces = !cluster_.workloads()[w].solo() && cluster_.workloads().gang(w).announces;
  StopWhole(round_, starts_, w, policy::RoomAction::kRunTimeLimit);
  if (announces && !cluster_.workloads().run_time(w).waits_again) {
    cluster_.Apply(state::KeptOut{.workload = std::string(cluster_.NameOf(w)),
                                  .why = policy::KeptOutAtLimit(cluster_, w)});
    starts_.Refresh(w);
  }
  Refresh(w);
}

}  // namespace fairlead::engine
