#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "engine/scheduler.h"
#include "server/backend.h"

namespace fairlead::host {

// {"kind":"Askers","now","node","waiting","unseen","more","askers":[{"workload","queue","alike",
// "verdict":"HasRoom"|"Lacks"|"Unfit","lacks","reason":{"code","message"}}]}: who of those that
// wait could use the node (engine/explain/explain_askers.h), the first 30; `more`: others that were
// looked at. Refusal: there is no such node. REQUIRES: as ReportAskers.
server::Answer AskersOf(const engine::Scheduler& scheduler, const std::string& node, Time now);

}  // namespace fairlead::host
