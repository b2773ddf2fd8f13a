#include "trace/record.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/digest.h"
#include "engine/report.h"
#include "engine/report_json.h"
#include "intake/intake.h"
#include "objects/json_fields.h"
#include "objects/reader.h"

namespace fairlead::trace {
namespace {

namespace json = boost::json;

using objects::ObjectAt;
using objects::TextAt;

class Replayer {
 public:
  using OnRound = std::function<void(Time, const engine::Scheduler&, const engine::Plan&)>;
  explicit Replayer(const OnRound& on_round) : on_round_(on_round) {}

  // Error: what is wrong with the line.
  Result<void> Take(const json::object& line) {
    ++replay_.lines;
    if (const std::string at = TextAt(line, "round"); !at.empty()) return TakeRound(at, line);
    if (const json::object* failed = ObjectAt(line, "failed")) return TakeFailed(*failed);
    if (const json::object* gone = ObjectAt(line, "gone")) {
      intake_.Remove(TextAt(*gone, "kind"), TextAt(*gone, "namespace"), TextAt(*gone, "name"));
      // As the live scheduler does: another object may get the name before the next round.
      if (TextAt(*gone, "kind") != "Pod") TakeChanges();
      return {};
    }
    const Result<Time> time = ParseTime(TextAt(line, "time"));
    if (!time) return Fail("time: " + time.error().message);
    if (replay_.objects++ == 0) replay_.start = *time;
    json::object document;
    if (const json::object* configuration = ObjectAt(line, "configuration")) {
      document = *configuration;
    } else if (const json::object* object = ObjectAt(line, "object")) {
      document = *object;
      document["apiVersion"] = TextAt(line, "apiVersion");  // a list's items lack both
      document["kind"] = TextAt(line, "kind");
    } else {
      return Fail("found none of configuration, object, gone, failed, round");
    }
    return TakeObject(document, *time);
  }

  Replay Done() {
    replay_.digest = digest_.Hex();
    return std::move(replay_);
  }

 private:
  void TakeChanges() {
    for (state::Change& change : intake_.TakeChanges()) changes_.push_back(std::move(change));
  }

  Result<void> TakeObject(const json::object& document, Time time) {
    objects::Manifest manifest;
    objects::ReadText(json::serialize(document), "object", intake::AllDecoders(), manifest);
    if (!manifest.faults.empty()) return Fail(manifest.faults.front().ToString());
    for (const objects::Object& object : manifest.objects) intake_.Upsert(object, time);
    return {};
  }

  Result<void> TakeFailed(const json::object& failed) {
    const std::string bind = TextAt(failed, "BindFailed"), evict = TextAt(failed, "EvictFailed");
    if (bind.empty() == evict.empty()) return Fail("failed: expected BindFailed or EvictFailed");
    if (!bind.empty()) failed_.emplace_back(state::BindFailed{.pod = bind});
    if (!evict.empty()) failed_.emplace_back(state::EvictFailed{.pod = evict});
    return {};
  }

  Result<void> TakeRound(const std::string& at, const json::object& line) {
    const Result<Time> now = ParseTime(at);
    if (!now) return Fail("round: " + now.error().message);
    TakeChanges();
    for (state::Change& change : std::exchange(failed_, {})) changes_.push_back(std::move(change));
    scheduler_.Apply(std::exchange(changes_, {}));
    const engine::Plan plan = scheduler_.Round(*now);
    const std::string digest = engine::DigestOf(engine::ReportDecisions(scheduler_, plan));
    const auto decided = static_cast<std::int64_t>(plan.decisions.size());
    digest_.Add(digest);
    ++replay_.rounds;
    replay_.decisions += decided;
    replay_.end = *now;
    if (digest != TextAt(line, "digest") && replay_.differences.size() < kMostDifferences) {
      replay_.differences.push_back({.line = replay_.lines,
                                     .at = *now,
                                     .recorded = objects::NumberAt(line, "decisions").value_or(0),
                                     .decided = decided});
    }
    if (on_round_) on_round_(*now, scheduler_, plan);
    return {};
  }

  const OnRound& on_round_;
  intake::Intake intake_;
  engine::Scheduler scheduler_;
  std::vector<state::Change> changes_, failed_;
  Digest digest_;
  Replay replay_;
};

}  // namespace

Result<Replay> ReplayRecord(const std::string& directory, const Replayer::OnRound& on_round) {
  const std::string path = (std::filesystem::path(directory) / "record.jsonl").string();
  std::ifstream file(path);
  if (!file) return Fail(fmt::format("{} cannot be read", path));
  Replayer replayer(on_round);
  std::string text;
  for (std::int64_t number = 1; std::getline(file, text); ++number) {
    const bool torn = file.eof();
    boost::system::error_code error;
    const json::value line = json::parse(text, error);
    if (error || !line.is_object()) {
      if (torn) break;
      return Fail(fmt::format("{}:{}: found no JSON object, expected one a line", path, number));
    }
    if (const Result<void> taken = replayer.Take(line.get_object()); !taken) {
      return Fail(fmt::format("{}:{}: {}", path, number, taken.error().message));
    }
  }
  return replayer.Done();
}

}  // namespace fairlead::trace
