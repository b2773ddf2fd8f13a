#pragma once

#include <optional>

#include "host/table_rows.h"
#include "view/view.h"

namespace fairlead::host {

// What is known of a real cluster without asking its API server.
struct RealSource {
  const view::View& view;
  const engine::Scheduler& scheduler;
  const EventLog& log;
  Time now;
};

// The tables of `get` of what schedules: workloads, pods, queues, users, nodes and events, with the
// columns that they have of a virtual cluster. Absent: of other kinds there is none.
std::optional<TableRows> RealRows(const RealSource& source, const server::Query& query);

}  // namespace fairlead::host
