#include "show/remedy.h"

#include <fmt/format.h>

#include "base/amount_text.h"
#include "base/quantity.h"

namespace fairlead::show {
namespace {

using state::Reason;
using state::ReasonCode;

// "2 GPUs", by how much `available` falls short of `requested`; empty where that is not known.
std::string Shortfall(const Reason& reason) {
  const Scale scale = ScaleOf(reason.resource);
  const Result<std::int64_t> asks = ParseQuantity(reason.requested, scale);
  const Result<std::int64_t> has = ParseQuantity(reason.available, scale);
  if (reason.resource.empty() || !asks || !has || *asks <= *has) return "";
  return AmountText(reason.resource, FormatResource(reason.resource, *asks - *has));
}

std::string QueueName(const Reason& reason) {
  return reason.queue.empty() ? "its queue" : "queue " + reason.queue;
}

std::string ForQueueLimit(const Reason& reason) {
  const std::string shortfall = Shortfall(reason);
  // The sum of what all ElasticQuotas are sure of (intake/quota/quotas.h).
  if (reason.queue == "elastic-quotas") {
    return "raise the min of an ElasticQuota, or wait until other namespaces use less";
  }
  if (shortfall.empty()) {
    return fmt::format("raise the limit of {}, or wait until work in it ends", QueueName(reason));
  }
  return fmt::format("raise the limit of {} by {}, or wait until that much in it ends",
                     QueueName(reason), shortfall);
}

std::string ForGuarantee(const Reason& reason) {
  const std::string shortfall = Shortfall(reason);
  return fmt::format("raise the guarantee of {}{}, or let it be preempted (preemptible: true)",
                     QueueName(reason), shortfall.empty() ? "" : " by " + shortfall);
}

// `field`: what in the pod the nodes that would serve hang on (engine/place/obstacles.h).
std::string ForNodes(const Reason& reason) {
  if (reason.field.starts_with("tolerations")) {
    return fmt::format("add to the pod's spec: {}", reason.field);
  }
  if (reason.field.starts_with("nodeSelector")) {
    return fmt::format("give a node these labels, or take them out of the pod's spec: {}",
                       reason.field);
  }
  return "add a node that it fits, or ask for less";
}

std::string Until(const Reason& reason, std::string_view otherwise) {
  if (!reason.until) return std::string(otherwise);
  return fmt::format("wait until {}", FormatTime(*reason.until));
}

}  // namespace

std::string RemedyFor(const Reason& reason, std::string_view scheduler) {
  switch (reason.code) {
    case ReasonCode::kQueueNotFound:
      return fmt::format("create {}, or name another one", QueueName(reason));
    case ReasonCode::kQueueNotReady:
      return "name a leaf queue whose parents all exist; see `fairlead validate`";
    case ReasonCode::kQueueNotAllowed:
      return "name the queue of its namespace, or one below it";
    case ReasonCode::kWorkloadNotFound:
      return "create the Workload or PodGroup, and the pod set, that it names, or take out what "
             "names them";
    case ReasonCode::kNotInAdmittedCount:
      return "it starts when more pods of its workload are admitted, or others of them end";
    case ReasonCode::kOtherScheduler:
      return fmt::format("set schedulerName: {} in its pod template", scheduler);
    case ReasonCode::kDisruptionBudget:
      if (!reason.queue.empty()) {
        return "a looser budget, or disruptionBudgets: {onBorrowedRoom: Yield} in the "
               "configuration; else wait until work ends by itself";
      }
      return "wait until the budget allows a disruption, or until work ends by itself";
    case ReasonCode::kQueueLimit:
      return ForQueueLimit(reason);
    case ReasonCode::kNonPreemptibleOverGuarantee:
      return ForGuarantee(reason);
    case ReasonCode::kNoNodeFits:
      return ForNodes(reason);
    case ReasonCode::kGangDoesNotFit:
      return "room for all of its pods at once: wait until work ends, add nodes, or lower its "
             "minimum";
    case ReasonCode::kWaitingForVictims:
      return "nothing: it starts when the pods that make room for it are gone";
    case ReasonCode::kNotEntitled:
      return fmt::format("a larger guarantee or weight of {}; else wait until work ends",
                         QueueName(reason));
    case ReasonCode::kVictimsProtected:
      return Until(reason, "wait until the running work's minimum runtime is over");
    case ReasonCode::kLossTooGreat:
      return Until(reason, "wait until less would be lost, or more may be (maxLoss)");
    case ReasonCode::kRoomByMoves:
      return "that these move: whoever evicts them makes room for it, and they find room elsewhere";
    case ReasonCode::kRequiredNodeNotFound:
      return reason.node.empty() ? "the node that it is pinned to must exist"
                                 : fmt::format("node {} must exist", reason.node);
    case ReasonCode::kReservationTooYoung:
      return Until(reason, "wait until the reservation is old enough");
    case ReasonCode::kNoVictims:
      if (!reason.budget.empty()) {
        return "a looser budget; else wait until the budget allows a disruption, or until work on "
               "this node ends by itself";
      }
      return Until(reason,
                   "room must come free on this node: wait until work ends there, or remove some");
    case ReasonCode::kUnsupportedConstraint:
      if (reason.field.empty()) return "change what the message names";
      // As intake says of a class (intake/tables/hold_reasons.h).
      if (reason.field == "spec.priorityClassName") {
        return "create the PriorityClass, or name another one";
      }
      return fmt::format("take {} out: this version cannot honour it", reason.field);
    case ReasonCode::kVolumeNotReady:
      return "make the claim ready, as the message says; else take it out of the pod";
    case ReasonCode::kWaitingForPods:
      return "nothing: it starts when its controller has made its pods";
    case ReasonCode::kGroupInvalid:
      return fmt::format("give all pods of the group one {}", reason.field);
    case ReasonCode::kTopologyNotFound:
      return "create the Topology, or name one, and a level of it, that is there; see `fairlead "
             "get topologies`";
    case ReasonCode::kTopologyBroken:
      return reason.until ? "room where its other pods run; else nothing, as it starts anew"
                          : "room where its other pods run; or stop it, so that it starts anew "
                            "elsewhere (`onTopologyBroken: Restart` does so by itself)";
    case ReasonCode::kRoomReserved:
      return "say how long it runs (fairlead.dev/max-run-time): what ends in time may start now";
    case ReasonCode::kInWindow:
      return "say how long it runs (fairlead.dev/max-run-time): what ends before the window may "
             "start now; or see `fairlead get windows`";
    case ReasonCode::kNotLent:
      return "wait until work ends; or a larger guarantee of its queue, or more that is lent "
             "(lend)";
    case ReasonCode::kUserLimit:
      return "work of the same user (or group) that ends; the limit is `limits` of the queue";
    case ReasonCode::kStopped:
      return "edit it: another limit, or anything else that it asks; or make it anew";
  }
  return "";
}

}  // namespace fairlead::show
