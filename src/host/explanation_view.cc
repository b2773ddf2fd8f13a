#include <set>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "engine/explain/explain_room.h"
#include "host/explanation.h"
#include "show/human_text.h"
#include "show/plan_view.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;

// "State:    Pending": labels of one width, as `kubectl describe` has them.
void Field(show::Output& output, std::string_view label, std::string_view text) {
  if (!text.empty()) output.Line(fmt::format("{:<11}{}", fmt::format("{}:", label), text));
}

std::string StateLine(const json::value& explanation, const show::Output& output) {
  const std::string_view state = show::TextAt(explanation, "state");
  std::string line = output.Painted(state, show::ToneOf(state));
  const std::string_view now = show::TextAt(explanation, "now");
  const std::string_view start = show::TextAt(explanation, "startTime");
  const json::value& pods = show::At(explanation, "pods");
  if (state == "NotOurs") return fmt::format("{}: {}", line, show::TextAt(explanation, "message"));
  if (state == "Starting") {
    return line + ": decided, will be carried out";
  }
  if (!start.empty() && state != "Pending") {
    line += fmt::format(" since {} ({})", start, show::HumanAge(start, now));
  } else if (state == "Pending") {
    line += fmt::format(" for {}", show::HumanAge(show::TextAt(explanation, "created"), now));
  }
  const std::int64_t asked = show::NumberAt(pods, "asked");
  const std::int64_t placed = show::NumberAt(pods, "placed");
  if (placed > asked) {
    line += fmt::format(", {} pods placed and {} asked: {} will go", placed, asked, placed - asked);
  } else if (asked != 1) {
    line += fmt::format(", {} of {} pods placed", placed, asked);
  }
  if (show::At(explanation, "toBeEvicted").is_bool()) line += "; to be evicted";
  return line;
}

std::string PodSetsLine(const json::value& explanation) {
  const json::array& pod_sets = show::ItemsAt(explanation, "podSets");
  std::string line;
  for (const json::value& pod_set : pod_sets) {
    const std::int64_t count = show::NumberAt(pod_set, "count");
    const std::int64_t minimum = show::NumberAt(pod_set, "minCount");
    const std::int64_t admitted = show::NumberAt(pod_set, "admitted");
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", show::TextAt(pod_set, "name"), count);
    if (minimum > 0) line += fmt::format(" (at least {})", minimum);
    if (admitted > 0 && admitted != count) line += fmt::format(", admitted {}", admitted);
  }
  // A workload of one pod has nothing to say here.
  return pod_sets.size() == 1 && show::NumberAt(pod_sets[0], "count") == 1 ? "" : line;
}

void PrintReasons(const json::value& explanation, show::Output& output) {
  for (const json::value& reason : show::ItemsAt(explanation, "reasons")) {
    output.Line("");
    Field(output, "Why",
          fmt::format("{} ({})", show::TextAt(reason, "message"),
                      output.Painted(show::TextAt(reason, "code"), show::Tone::kWaiting)));
    Field(output, "Helps", show::TextAt(reason, "remedy"));
    if (const std::string_view until = show::TextAt(reason, "until"); !until.empty()) {
      Field(output, "Until",
            fmt::format("{} (in {})", until,
                        show::HumanAge(show::TextAt(explanation, "now"), until)));
    }
  }
}

// "expected at 12:00 (in 2h), between 11:30 and 13:00, as such work ran before".
std::string ExpectedLine(const json::value& expected, std::string_view at, std::string_view now) {
  std::string text = fmt::format("expected at {} (in {})", at, show::HumanAge(now, at));
  const std::string_view from = show::TextAt(expected, "from");
  const std::string_view until = show::TextAt(expected, "until");
  if (!from.empty() && from != until) text += fmt::format(", between {} and {}", from, until);
  const std::string_view basis = show::TextAt(expected, "basis");
  const std::string_view ends = basis == "History"    ? "as such work ran before"
                                : basis == "Expected" ? "when it is said to"
                                                      : "at its limit at the latest";
  return fmt::format("{}, if what runs ends {}, and nothing else comes", text, ends);
}

// Whose ends nobody knows, where that is why no start is.
std::string UnknownLine(const json::value& explanation) {
  const auto unknown = show::ItemsAt(show::At(explanation, "expectedStart"), "unknown");
  std::vector<std::string> names;
  for (const json::value& name : unknown) names.emplace_back(name.as_string());
  if (names.empty()) return {};
  return fmt::format("nobody knows when: {} say{} no end", fmt::join(names, ", "),
                     names.size() == 1 ? "s" : "");
}

std::string WhenLine(const json::value& explanation) {
  if (show::At(explanation, "hopeless").is_bool()) {
    return "never as written: it, its queue or the cluster has to change";
  }
  const std::string_view now = show::TextAt(explanation, "now");
  const json::value& expected = show::At(explanation, "expectedStart");
  if (const std::string_view at = show::TextAt(expected, "at"); !at.empty()) {
    return ExpectedLine(expected, at, now);
  }
  const std::string_view not_before = show::TextAt(explanation, "notBefore");
  if (!not_before.empty()) {
    return fmt::format("not before {} (in {})", not_before, show::HumanAge(now, not_before));
  }
  const std::string_view next = show::TextAt(explanation, "nextRound");
  if (!next.empty()) {
    return fmt::format("tried again on any change, and at {} (in {})", next,
                       show::HumanAge(now, next));
  }
  return "tried again whenever something changes in the cluster";
}

// The strings of a list, apart by commas.
std::string Listed(const json::array& items) {
  std::string text;
  for (const json::value& item : items) {
    if (!item.is_string()) continue;
    text += (text.empty() ? "" : ", ") + std::string(item.get_string());
  }
  return text;
}

// Room that is kept for it.
std::string ReservedLine(const json::value& explanation) {
  const json::value& kept = show::At(explanation, "reserved");
  if (!kept.is_object()) return {};
  const std::string nodes = Listed(show::ItemsAt(kept, "nodes"));
  const std::string_view at = show::TextAt(kept, "at");
  if (at.empty()) return fmt::format("what comes free on {} waits for it", nodes);
  return fmt::format("{} from {} on (in {}), or earlier", nodes, at,
                     show::HumanAge(show::TextAt(explanation, "now"), at));
}

// The room of another that it runs in.
std::string LoanLine(const json::value& explanation) {
  const json::value& loan = show::At(explanation, "onLoan");
  if (!loan.is_object()) return {};
  const std::string_view until = show::TextAt(loan, "until");
  return fmt::format("from {}: if it still runs at {} (in {}), it gives way",
                     show::TextAt(loan, "for"), until,
                     show::HumanAge(show::TextAt(explanation, "now"), until));
}

// When there is room by the ends that are known.
std::string RoomLine(const json::value& explanation) {
  const json::value& room = show::At(explanation, "room");
  if (!room.is_object()) return {};
  const std::string_view at = show::TextAt(room, "at");
  std::set<std::string> ended;
  for (const json::value& name : show::ItemsAt(room, "ended")) ended.emplace(name.as_string());
  return fmt::format("at {} (in {}), when {} should have ended, if nobody takes it first", at,
                     show::HumanAge(show::TextAt(explanation, "now"), at),
                     engine::FirstAndMore(ended));
}

// "8h of queue lab: it is stopped at … (in 3h)".
std::string LimitLine(const json::value& explanation) {
  const json::value& limit = show::At(explanation, "runTimeLimit");
  if (!limit.is_object()) return {};
  std::string line(show::TextAt(limit, "message"));
  const std::string_view until = show::TextAt(limit, "until");
  if (until.empty()) return line;
  const std::string_view then = show::TextAt(limit, "then");
  const std::string_view what = then == "Requeue" ? "it waits again"
                                : then.empty()    ? "it is ended"
                                                  : "it is stopped";
  line += fmt::format(": {} at {}", what, until);
  const std::string left = show::HumanAge(show::TextAt(explanation, "now"), until);
  return show::TextAt(limit, "left") == "0s" ? line : fmt::format("{} (in {})", line, left);
}

std::string DetailOfDecision(const json::value& decision) {
  std::string text(show::TextAt(decision, "reason"));
  if (const std::string_view beneficiary = show::TextAt(decision, "for"); !beneficiary.empty()) {
    text = fmt::format("makes room for {}{}{}", beneficiary, text.empty() ? "" : ": ", text);
  }
  if (const json::array& names = show::ItemsAt(decision, "waitingFor"); !names.empty()) {
    text = fmt::format("once {} {} gone", Listed(names), names.size() == 1 ? "is" : "are");
  }
  if (show::TextAt(decision, "type") == "Reserve") {
    const std::string_view at = show::TextAt(decision, "at");
    const bool is_node = !show::TextAt(decision, "pod").empty();
    text = is_node                                    ? "the node is held for it"
           : show::ItemsAt(decision, "nodes").empty() ? "no room is kept for it any more"
           : at.empty()                               ? "what comes free there waits for it"
                        : fmt::format("room is kept for it from {} on", at);
  }
  if (show::TextAt(decision, "type") == "Lend") {
    text = show::LoanText(show::TextAt(decision, "for"), show::TextAt(decision, "until"));
  }
  for (const json::value& pod_set : show::ItemsAt(decision, "podSets")) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", show::TextAt(pod_set, "name"),
                        show::NumberAt(pod_set, "count"));
  }
  return text;
}

std::string NodesOf(const json::value& decision) {
  const json::array& nodes = show::ItemsAt(decision, "nodes");
  return nodes.empty() ? std::string(show::TextAt(decision, "node")) : Listed(nodes);
}

void PrintDecided(const json::value& explanation, show::Output& output) {
  show::Table table({"DECISION", "POD", "NODE", "DETAIL"});
  for (const json::value& decision : show::ItemsAt(explanation, "decisions")) {
    const std::string type(show::TextAt(decision, "type"));
    table.Add({{type, show::ToneOf(type)},
               std::string(show::TextAt(decision, "pod")),
               NodesOf(decision),
               DetailOfDecision(decision)});
  }
  output.Section("Decided next", table, "");
}

void PrintReservation(const json::value& explanation, show::Output& output) {
  const json::value& reservation = show::At(explanation, "reservation");
  if (!reservation.is_object()) return;
  show::Table table({"POD", "PRIORITY", "CLASS", "VERDICT", "WHY"});
  for (const json::value& pod : show::ItemsAt(reservation, "pods")) {
    const std::string verdict(show::TextAt(pod, "verdict"));
    std::string why(show::TextAt(pod, "message"));
    if (const std::string_view until = show::TextAt(pod, "until"); !until.empty()) {
      why += fmt::format(", until {}", until);
    }
    table.Add({std::string(show::TextAt(pod, "pod")),
               std::to_string(show::NumberAt(pod, "priority")),
               std::string(show::TextAt(pod, "class")),
               show::Cell(verdict, verdict == "Chosen" ? show::Tone::kWaiting : show::Tone::kPlain),
               why});
  }
  output.Section(fmt::format("Who else is on node {}", show::TextAt(reservation, "node")), table,
                 "");
}

void PrintPlacements(const json::value& explanation, show::Output& output) {
  show::Table table({"POD", "NODE", "SINCE", "FOR"});
  for (const json::value& placement : show::ItemsAt(explanation, "placements")) {
    const std::string since(show::TextAt(placement, "since"));
    table.Add({std::string(show::TextAt(placement, "pod")),
               std::string(show::TextAt(placement, "node")), since,
               show::HumanAge(since, show::TextAt(explanation, "now"))});
  }
  output.Section("Where it runs", table, "");
}

}  // namespace

void PrintExplanation(const json::value& explanation, show::Output& output) {
  const std::string_view name = show::TextAt(explanation, "name");
  const std::string_view workload = show::TextAt(explanation, "workload");
  Field(output, "Name", name);
  if (workload != name) Field(output, "Workload", workload);
  Field(output, "Queue", show::TextAt(explanation, "queue"));
  if (const std::int64_t priority = show::NumberAt(explanation, "priority"); priority != 0) {
    Field(output, "Priority", std::to_string(priority));
  }
  Field(output, "Pods", PodSetsLine(explanation));
  Field(output, "State", StateLine(explanation, output));
  Field(output, "Node", show::TextAt(explanation, "node"));
  Field(output, "Helps", show::TextAt(explanation, "remedy"));
  Field(output, "Limit", LimitLine(explanation));
  for (const json::value& protection : show::ItemsAt(explanation, "protections")) {
    const bool reclaim = show::TextAt(protection, "action") == "Reclaim";
    Field(output, "Protected",
          fmt::format(
              "{} ({})",
              show::TextAt(protection, "message").substr(std::string_view("protected ").size()),
              reclaim ? "from other queues" : "from higher priorities of its queue"));
  }
  if (show::At(explanation, "gated").is_bool()) {
    const std::string_view gate = show::TextAt(explanation, "gatedBy");
    Field(output, "Gated",
          gate.empty() ? "yes: its schedulingGates keep it out until someone removes them"
                       : fmt::format("yes: {} keeps it out until Kueue takes it away", gate));
  }
  PrintReasons(explanation, output);
  if (const json::value& untrusted = show::At(explanation, "untrusted"); untrusted.is_object()) {
    output.Line("");
    Field(output, "Untrusted", show::TextAt(untrusted, "message"));
    Field(output, "Helps", show::TextAt(untrusted, "remedy"));
  }
  if (show::TextAt(explanation, "state") == "Pending") Field(output, "When", WhenLine(explanation));
  Field(output, "Unknown", UnknownLine(explanation));
  Field(output, "Reserved", ReservedLine(explanation));
  if (show::TextAt(show::At(explanation, "expectedStart"), "at").empty()) {
    Field(output, "Room", RoomLine(explanation));
  }
  Field(output, "On loan", LoanLine(explanation));
  Field(output, "Overtaken", Listed(show::ItemsAt(explanation, "overtakenBy")));
  const std::string passed_over = Listed(show::ItemsAt(explanation, "passedOver"));
  if (!passed_over.empty()) {
    Field(output, "Note", "preferences that the configuration does not weigh: " + passed_over);
  }
  PrintReservation(explanation, output);
  PrintDecided(explanation, output);
  PrintPlacements(explanation, output);
}

}  // namespace fairlead::host
