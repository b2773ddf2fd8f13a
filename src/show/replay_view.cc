#include "show/replay_view.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include "show/human_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

json::object ToJson(const trace::Replay& replay) {
  json::array differences;
  for (const trace::Replay::Difference& each : replay.differences) {
    differences.push_back({{"line", each.line},
                           {"round", FormatTime(each.at)},
                           {"recordedDecisions", each.recorded},
                           {"decisions", each.decided}});
  }
  return {{"apiVersion", "fairlead.dev/v1alpha1"},
          {"kind", "Replay"},
          {"start", FormatTime(replay.start)},
          {"end", FormatTime(replay.end)},
          {"rounds", replay.rounds},
          {"objects", replay.objects},
          {"decisions", replay.decisions},
          {"digest", replay.digest},
          {"same", replay.differing == 0},
          {"cutOff", replay.cut_off},
          {"differences", std::move(differences)}};
}

}  // namespace

void PrintReplay(const trace::Replay& replay, Output& output) {
  if (!output.is_table()) {
    output.Document(ToJson(replay));
    return;
  }
  output.Line(fmt::format("Replayed {} from {} to {}: {} and {} taken in; digest {}",
                          Counted(replay.rounds, "round"), FormatTime(replay.start),
                          FormatTime(replay.end), Counted(replay.objects, "object"),
                          Counted(replay.decisions, "decision"), replay.digest));
  for (const trace::Replay::Difference& each : replay.differences) {
    output.Line(fmt::format("  line {}, {}: {} recorded, otherwise decided now ({})", each.line,
                            FormatTime(each.at), Counted(each.recorded, "decision"), each.decided));
  }
  if (replay.cut_off) output.Line("Its last line is cut off and left out.");
  output.Line(replay.differing == 0
                  ? "Every round decided the same."
                  : fmt::format("{} decided otherwise.", Counted(replay.differing, "round")));
}

}  // namespace fairlead::show
