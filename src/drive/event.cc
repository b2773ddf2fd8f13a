#include "drive/event.h"

namespace fairlead::drive {

std::string_view ToString(EventType type) {
  switch (type) {
    case EventType::kArrive:
      return "Arrive";
    case EventType::kUpdate:
      return "Update";
    case EventType::kDelete:
      return "Delete";
    case EventType::kCreate:
      return "Create";
    case EventType::kBind:
      return "Bind";
    case EventType::kRun:
      return "Run";
    case EventType::kFinish:
      return "Finish";
    case EventType::kEvict:
      return "Evict";
    case EventType::kGone:
      return "Gone";
    case EventType::kAdmit:
      return "Admit";
    case EventType::kStop:
      return "Stop";
    case EventType::kNominate:
      return "Nominate";
    case EventType::kReserve:
      return "Reserve";
    case EventType::kLend:
      return "Lend";
    case EventType::kComplete:
      return "Complete";
    case EventType::kWarn:
      break;
  }
  return "Warn";
}

Event EventOf(Time time, const effects::EvictPod& evict) {
  return {.time = time,
          .type = EventType::kEvict,
          .pod = evict.pod,
          .node = evict.node,
          .workload = evict.workload,
          .action = evict.action,
          .beneficiary = evict.beneficiary,
          .reason = evict.reason};
}

Event EventOf(Time time, const effects::FinishWorkload& finish) {
  return {.time = time,
          .type = EventType::kComplete,
          .workload = finish.workload,
          .kind = "Workload",
          .object = finish.workload};
}

}  // namespace fairlead::drive
