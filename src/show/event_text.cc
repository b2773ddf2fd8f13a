#include "show/event_text.h"

#include <fmt/format.h>

#include "engine/explain/report.h"
#include "show/plan_view.h"

namespace fairlead::show {

using drive::Event;
using drive::EventType;

namespace {

// The plan's words for what was a decision.
std::string DecisionDetail(const Event& event, engine::DecisionType type) {
  engine::DecisionReport decision;
  decision.type = type;
  decision.pod = event.pod;
  decision.gpu_device = event.gpu_device;
  decision.action = event.action;
  decision.beneficiary = event.beneficiary;
  decision.reason = event.reason;
  decision.waiting_for.assign(event.waiting_for.begin(), event.waiting_for.end());
  decision.pod_sets.assign(event.pod_sets.begin(), event.pod_sets.end());
  decision.at = event.at;
  decision.nodes.assign(event.nodes.begin(), event.nodes.end());
  return DetailOf(decision);
}

}  // namespace

std::string_view ObjectOf(const Event& event) {
  if (!event.pod.empty()) return event.pod;
  return event.object.empty() ? event.workload : event.object;
}

std::string DetailOf(const Event& event) {
  switch (event.type) {
    case EventType::kBind:
      return DecisionDetail(event, engine::DecisionType::kBind);
    case EventType::kEvict:
      return DecisionDetail(event, engine::DecisionType::kEvict);
    case EventType::kNominate:
      return DecisionDetail(event, engine::DecisionType::kNominate);
    case EventType::kAdmit:
      return DecisionDetail(event, engine::DecisionType::kAdmit);
    case EventType::kReserve:
      return DecisionDetail(event, engine::DecisionType::kReserve);
    case EventType::kLend:
      return DecisionDetail(event, engine::DecisionType::kLend);
    case EventType::kFinish:
      return std::string(objects::ToString(event.phase));
    case EventType::kArrive:
    case EventType::kUpdate:
    case EventType::kDelete:
    case EventType::kComplete:
      return std::string(event.kind);
    case EventType::kWarn:
      if (event.action.empty()) return std::string(event.reason);
      return fmt::format("{}: {}", event.action, event.reason);
    case EventType::kCreate:
      return event.workload.empty() ? "" : fmt::format("for {}", event.workload);
    case EventType::kStop:
      return "stopped, its room is given back";
    case EventType::kRun:
    case EventType::kGone:
      return "";
  }
  return "";
}

}  // namespace fairlead::show
