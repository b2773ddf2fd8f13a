#include "host/event_log.h"

#include <utility>

#include "engine/explain/report_json.h"
#include "show/event_text.h"
#include "show/plan_view.h"
#include "show/simulation_json.h"

namespace fairlead::host {

using drive::Event;

void EventLog::Keep(Entry entry) {
  entries_.push_back(std::move(entry));
  if (entries_.size() > kKept) entries_.pop_front();
}

void EventLog::OnEvent(const Event& event) {
  Keep({.time = event.time,
        .type = std::string(ToString(event.type)),
        .object = std::string(show::ObjectOf(event)),
        .node = std::string(event.node),
        .detail = show::DetailOf(event),
        .json = show::ToJson(event)});
}

void DecisionLog::OnDecisions(Time now, const engine::DecisionReports& decisions) {
  for (const engine::DecisionReport& decision : decisions) {
    Keep({.time = now,
          .type = std::string(ToString(decision.type)),
          .object = decision.pod.empty() ? decision.workload : decision.pod,
          .node = decision.node,
          .detail = show::DetailOf(decision),
          .json = engine::ToJson(decision)});
  }
}

}  // namespace fairlead::host
