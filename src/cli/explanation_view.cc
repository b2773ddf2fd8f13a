#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/explanation.h"
#include "cli/words.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

// "State:    Pending": labels of one width, as `kubectl describe` has them.
void Field(Output& output, std::string_view label, std::string_view text) {
  if (!text.empty()) output.Line(fmt::format("{:<11}{}", fmt::format("{}:", label), text));
}

std::string StateLine(const json::value& explanation, const Output& output) {
  const std::string_view state = TextAt(explanation, "state");
  std::string line = output.Painted(state, ToneOf(state));
  const std::string_view now = TextAt(explanation, "now");
  const std::string_view start = TextAt(explanation, "startTime");
  const json::value& pods = At(explanation, "pods");
  if (state == "NotOurs") return fmt::format("{}: {}", line, TextAt(explanation, "message"));
  if (state == "Starting") {
    return line + ": decided, will be carried out";
  }
  if (!start.empty() && state != "Pending") {
    line += fmt::format(" since {} ({})", start, HumanAge(start, now));
  } else if (state == "Pending") {
    line += fmt::format(" for {}", HumanAge(TextAt(explanation, "created"), now));
  }
  const std::int64_t asked = NumberAt(pods, "asked");
  const std::int64_t placed = NumberAt(pods, "placed");
  if (placed > asked) {
    line += fmt::format(", {} pods placed and {} asked: {} will go", placed, asked, placed - asked);
  } else if (asked != 1) {
    line += fmt::format(", {} of {} pods placed", placed, asked);
  }
  if (At(explanation, "toBeEvicted").is_bool()) line += "; to be evicted";
  return line;
}

std::string PodSetsLine(const json::value& explanation) {
  const json::array& pod_sets = ItemsAt(explanation, "podSets");
  std::string line;
  for (const json::value& pod_set : pod_sets) {
    const std::int64_t count = NumberAt(pod_set, "count");
    const std::int64_t minimum = NumberAt(pod_set, "minCount");
    const std::int64_t admitted = NumberAt(pod_set, "admitted");
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", TextAt(pod_set, "name"), count);
    if (minimum > 0) line += fmt::format(" (at least {})", minimum);
    if (admitted > 0 && admitted != count) line += fmt::format(", admitted {}", admitted);
  }
  // A workload of one pod has nothing to say here.
  return pod_sets.size() == 1 && NumberAt(pod_sets[0], "count") == 1 ? "" : line;
}

void PrintReasons(const json::value& explanation, Output& output) {
  for (const json::value& reason : ItemsAt(explanation, "reasons")) {
    output.Line("");
    Field(output, "Why",
          fmt::format("{} ({})", TextAt(reason, "message"),
                      output.Painted(TextAt(reason, "code"), Tone::kWaiting)));
    Field(output, "Helps", TextAt(reason, "remedy"));
    if (const std::string_view until = TextAt(reason, "until"); !until.empty()) {
      Field(output, "Until",
            fmt::format("{} (in {})", until, HumanAge(TextAt(explanation, "now"), until)));
    }
  }
}

std::string WhenLine(const json::value& explanation) {
  const std::string_view now = TextAt(explanation, "now");
  const std::string_view expected = TextAt(explanation, "expectedStart");
  if (!expected.empty()) {
    return fmt::format(
        "expected at {} (in {}), if what runs ends as annotated and nothing else comes", expected,
        HumanAge(now, expected));
  }
  const std::string_view not_before = TextAt(explanation, "notBefore");
  if (!not_before.empty()) {
    return fmt::format("not before {} (in {})", not_before, HumanAge(now, not_before));
  }
  const std::string_view next = TextAt(explanation, "nextRound");
  if (!next.empty()) {
    return fmt::format("tried again on any change, and at {} (in {})", next, HumanAge(now, next));
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

std::string DetailOf(const json::value& decision) {
  std::string text(TextAt(decision, "reason"));
  if (const std::string_view beneficiary = TextAt(decision, "for"); !beneficiary.empty()) {
    text = fmt::format("makes room for {}{}{}", beneficiary, text.empty() ? "" : ": ", text);
  }
  if (const json::array& names = ItemsAt(decision, "waitingFor"); !names.empty()) {
    text = fmt::format("once {} {} gone", Listed(names), names.size() == 1 ? "is" : "are");
  }
  if (TextAt(decision, "type") == "Reserve") text = "the node is held for it";
  for (const json::value& pod_set : ItemsAt(decision, "podSets")) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", TextAt(pod_set, "name"),
                        NumberAt(pod_set, "count"));
  }
  return text;
}

void PrintDecided(const json::value& explanation, Output& output) {
  Table table({"DECISION", "POD", "NODE", "DETAIL"});
  for (const json::value& decision : ItemsAt(explanation, "decisions")) {
    const std::string type(TextAt(decision, "type"));
    table.Add({{type, ToneOf(type)},
               std::string(TextAt(decision, "pod")),
               std::string(TextAt(decision, "node")),
               DetailOf(decision)});
  }
  output.Section("Decided next", table, "");
}

void PrintReservation(const json::value& explanation, Output& output) {
  const json::value& reservation = At(explanation, "reservation");
  if (!reservation.is_object()) return;
  Table table({"POD", "PRIORITY", "CLASS", "VERDICT", "WHY"});
  for (const json::value& pod : ItemsAt(reservation, "pods")) {
    const std::string verdict(TextAt(pod, "verdict"));
    std::string why(TextAt(pod, "message"));
    if (const std::string_view until = TextAt(pod, "until"); !until.empty()) {
      why += fmt::format(", until {}", until);
    }
    table.Add({std::string(TextAt(pod, "pod")), std::to_string(NumberAt(pod, "priority")),
               std::string(TextAt(pod, "class")),
               Cell(verdict, verdict == "Chosen" ? Tone::kWaiting : Tone::kPlain), why});
  }
  output.Section(fmt::format("Who else is on node {}", TextAt(reservation, "node")), table, "");
}

void PrintPlacements(const json::value& explanation, Output& output) {
  Table table({"POD", "NODE", "SINCE", "FOR"});
  for (const json::value& placement : ItemsAt(explanation, "placements")) {
    const std::string since(TextAt(placement, "since"));
    table.Add({std::string(TextAt(placement, "pod")), std::string(TextAt(placement, "node")), since,
               HumanAge(since, TextAt(explanation, "now"))});
  }
  output.Section("Where it runs", table, "");
}

}  // namespace

void PrintExplanation(const json::value& explanation, Output& output) {
  const std::string_view name = TextAt(explanation, "name");
  const std::string_view workload = TextAt(explanation, "workload");
  Field(output, "Name", name);
  if (workload != name) Field(output, "Workload", workload);
  Field(output, "Queue", TextAt(explanation, "queue"));
  if (const std::int64_t priority = NumberAt(explanation, "priority"); priority != 0) {
    Field(output, "Priority", std::to_string(priority));
  }
  Field(output, "Pods", PodSetsLine(explanation));
  Field(output, "State", StateLine(explanation, output));
  Field(output, "Node", TextAt(explanation, "node"));
  Field(output, "Helps", TextAt(explanation, "remedy"));
  for (const json::value& protection : ItemsAt(explanation, "protections")) {
    const bool reclaim = TextAt(protection, "action") == "Reclaim";
    Field(output, "Protected",
          fmt::format("{} ({})",
                      TextAt(protection, "message").substr(std::string_view("protected ").size()),
                      reclaim ? "from other queues" : "from higher priorities of its queue"));
  }
  if (At(explanation, "gated").is_bool()) {
    Field(output, "Gated", "yes: its schedulingGates keep it out until someone removes them");
  }
  PrintReasons(explanation, output);
  if (const json::value& untrusted = At(explanation, "untrusted"); untrusted.is_object()) {
    output.Line("");
    Field(output, "Untrusted", TextAt(untrusted, "message"));
    Field(output, "Helps", TextAt(untrusted, "remedy"));
  }
  if (TextAt(explanation, "state") == "Pending") Field(output, "When", WhenLine(explanation));
  Field(output, "Overtaken", Listed(ItemsAt(explanation, "overtakenBy")));
  const std::string passed_over = Listed(ItemsAt(explanation, "passedOver"));
  if (!passed_over.empty()) {
    Field(output, "Note", "preferences that this version does not weigh: " + passed_over);
  }
  PrintReservation(explanation, output);
  PrintDecided(explanation, output);
  PrintPlacements(explanation, output);
}

}  // namespace fairlead::cli
