#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/table_rows.h"
#include "intake/intake.h"
#include "view/view.h"

namespace fairlead::host {

// What is known of a real cluster without asking its API server.
struct RealSource {
  const view::View& view;
  const engine::Scheduler& scheduler;
  const intake::Intake& intake;
  const EventLog* events;  // null: none are known
  Time now;
};

// The tables of `get` of what schedules: workloads, pods, queues, users, nodes and events, with the
// columns that they have of a virtual cluster. Absent: of other kinds there is none.
std::optional<TableRows> RealRows(const RealSource& source, const server::Query& query);

// Of the kind that is asked for, in the same namespace.
std::vector<std::string> NamesBeside(const RealSource& source, server::Query query);

}  // namespace fairlead::host
