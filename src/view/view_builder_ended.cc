// Pods that ended and are still there: the engine knows them no more. A workload of one pod ends
// with it.

#include <string>
#include <utility>

#include "view/view_builder.h"

namespace fairlead::view {

template <typename Row>
void ViewBuilder::PutEnded(Ended<Row>& ended, Row row) {
  DropEnded(ended, *row.name);
  std::uint32_t i = ended.next;
  if (ended.unused.empty()) {
    ++ended.next;
  } else {
    i = ended.unused.back();
    ended.unused.pop_back();
  }
  ended.rows.Reach(i);
  ended.by_name.emplace(std::string_view(*row.name), i);
  Count(row, +1);
  ended.rows.Set(i, std::move(row));
}

template <typename Row>
void ViewBuilder::DropEnded(Ended<Row>& ended, std::string_view name) {
  const auto found = ended.by_name.find(name);
  if (found == ended.by_name.end()) return;
  const std::uint32_t i = found->second;
  ended.by_name.erase(found);
  Count(ended.rows[i], -1);
  ended.rows.Set(i, Row());
  ended.unused.push_back(i);
}

void ViewBuilder::DropEndedPod(std::string_view name) {
  DropEnded(ended_pods_, name);
  DropEnded(ended_workloads_, name);
}

// REQUIRES: the engine has not heard of it yet.
void ViewBuilder::EndPod(const state::PodChange& change) {
  const state::PodId p = cluster_.pods().Find(change.name);
  const PodRow* had = nullptr;
  if (p.valid() && p.value() < pods_.size() && TextOf(pods_[p.value()].name) == change.name) {
    had = &pods_[p.value()];
  }
  PodRow row;
  row.name = had != nullptr ? had->name : std::make_shared<const std::string>(change.name);
  row.workload = change.solo ? row.name
                 : had != nullptr && TextOf(had->workload) == change.workload
                     ? had->workload
                     : std::make_shared<const std::string>(change.workload);
  row.state = PodState::kFinished;
  if (had != nullptr && TextOf(had->node_name) == change.node) {
    row.node_name = had->node_name;
  } else if (!change.node.empty()) {
    row.node_name = std::make_shared<const std::string>(change.node);
  }
  const Name name = row.name;
  PutEnded(ended_pods_, std::move(row));
  if (!change.solo) {
    DropEnded(ended_workloads_, change.name);
    return;
  }
  WorkloadRow workload;
  workload.name = name;
  workload.kind = Interned("Pod");
  workload.created = change.solo->created;
  workload.started = change.scheduled_time;
  if (!workload.started && p.valid() && cluster_.pods()[p].workload.valid()) {
    const state::Workload& was = cluster_.workloads()[cluster_.pods()[p].workload];
    if (was.started()) workload.started = was.start;
  }
  workload.queue = Interned(change.solo->queue);
  workload.priority = change.solo->priority;
  workload.wanted = 1;
  workload.state = WorkloadState::kFinished;
  PutEnded(ended_workloads_, std::move(workload));
}

}  // namespace fairlead::view
