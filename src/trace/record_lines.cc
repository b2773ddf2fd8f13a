#include "trace/record_lines.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "intake/intake.h"
#include "objects/read/json_fields.h"
#include "objects/read/reader.h"

namespace fairlead::trace {
namespace {

namespace json = boost::json;

using objects::ObjectAt;
using objects::TextAt;

class LineReader {
 public:
  LineReader(const std::string& path, RecordVisitor& visitor) : path_(path), visitor_(visitor) {}

  // Error: what is wrong with it, with its place.
  Result<void> Take(const json::object& line, std::int64_t number) {
    number_ = number;
    if (const json::object* failed = ObjectAt(line, "failed")) return TakeFailed(*failed);
    const bool is_round = line.contains("round");
    const Result<Time> said = TimeAt(line, is_round ? "round" : "time");
    if (!said) return tl::unexpected(said.error());
    const Time time = last_ = std::max(last_, *said);
    if (is_round) {
      any_round_ = true;
      visitor_.OnRound({.line = number,
                        .now = time,
                        .decided_at = *said,
                        .decisions = objects::NumberAt(line, "decisions").value_or(0),
                        .digest = TextAt(line, "digest")});
      return {};
    }
    if (const json::object* gone = ObjectAt(line, "gone")) return TakeGone(*gone, time);
    json::object document;
    if (const json::object* configuration = ObjectAt(line, "configuration")) {
      document = *configuration;
    } else if (const json::object* object = ObjectAt(line, "object")) {
      document = *object;
      document["apiVersion"] = TextAt(line, "apiVersion");  // a list's items lack both
      document["kind"] = TextAt(line, "kind");
    } else {
      return Refuse("found none of configuration, object, gone, failed, round");
    }
    return TakeObject(document, time);
  }

  bool any_round() const { return any_round_; }

 private:
  tl::unexpected<Error> Refuse(std::string_view message) const {
    return Fail(fmt::format("{}:{}: {}", path_, number_, message));
  }

  Result<Time> TimeAt(const json::object& line, std::string_view key) {
    const Result<Time> time = ParseTime(TextAt(line, key));
    if (!time) return Refuse(fmt::format("{}: {}", key, time.error().message));
    return *time;
  }

  Result<void> TakeGone(const json::object& gone, Time time) {
    const std::string kind = TextAt(gone, "kind"), name = TextAt(gone, "name");
    if (kind.empty() || name.empty()) return Refuse("gone: expected kind, namespace and name");
    visitor_.OnGone(time, kind, TextAt(gone, "namespace"), name);
    return {};
  }

  Result<void> TakeFailed(const json::object& failed) {
    const std::string bind = TextAt(failed, "BindFailed"), evict = TextAt(failed, "EvictFailed");
    if (bind.empty() == evict.empty()) return Refuse("failed: expected BindFailed or EvictFailed");
    if (!bind.empty()) {
      state::BindFailed change{.pod = bind};
      if (const json::value* refusal = failed.if_contains("refusal")) {
        if (!refusal->is_object()) return Refuse("failed: refusal: expected an object");
        const Result<Time> at = TimeAt(refusal->as_object(), "time");
        if (!at) return tl::unexpected(at.error());
        change.refusal = {.node = TextAt(refusal->as_object(), "node"),
                          .at = *at,
                          .message = TextAt(refusal->as_object(), "message")};
      }
      visitor_.OnFailed(std::move(change));
    }
    if (!evict.empty()) visitor_.OnFailed(state::EvictFailed{.pod = evict});
    return {};
  }

  Result<void> TakeObject(const json::object& document, Time time) {
    objects::Manifest manifest;
    objects::ReadText(json::serialize(document), path_, intake::AllDecoders(), manifest);
    for (objects::Pod& pod : manifest.misread_pods) {
      manifest.objects.emplace_back(std::move(pod));
    }
    if (!manifest.faults.empty() && manifest.misread_pods.empty()) {
      objects::Fault fault = manifest.faults.front();
      fault.line = static_cast<std::uint32_t>(number_);
      return Fail(fault.ToString());
    }
    for (objects::Object& object : manifest.objects) {
      // Its header comes before the objects.
      if (const auto* configuration = std::get_if<objects::SchedulerConfiguration>(&object)) {
        objects::AddJobRows(configuration->job_kinds);
      }
      objects::MetaOf(object).source = fmt::format("{}:{}", path_, number_);
      visitor_.OnObject(time, std::move(object));
    }
    return {};
  }

  const std::string& path_;
  RecordVisitor& visitor_;
  std::int64_t number_ = 0;
  Time last_{.us = std::numeric_limits<std::int64_t>::min()};
  bool any_round_ = false;
};

}  // namespace

Result<RecordEnd> ReadRecord(std::istream& file, const std::string& path, RecordVisitor& visitor) {
  LineReader reader(path, visitor);
  RecordEnd end;
  std::string text;
  while (std::getline(file, text)) {
    const bool is_last = file.eof();
    boost::system::error_code error;
    const json::value line = json::parse(text, error);
    if (error || !line.is_object()) {
      end.cut_off = is_last;
      if (is_last) break;
      return Fail(
          fmt::format("{}:{}: found no JSON object, expected one a line", path, end.lines + 1));
    }
    if (const auto taken = reader.Take(line.get_object(), end.lines + 1); !taken) {
      return tl::unexpected(taken.error());
    }
    ++end.lines;
  }
  if (!reader.any_round()) {
    return Fail(fmt::format("{}: found {}, expected a record that `fairlead run --record` wrote",
                            path, end.lines == 0 ? "no line" : "no round"));
  }
  return end;
}

Result<RecordFile> OpenRecord(const std::string& directory) {
  RecordFile record;
  record.path = (std::filesystem::path(directory) / "record.jsonl").string();
  record.file.open(record.path);
  if (!record.file) return Fail(fmt::format("{} cannot be read", record.path));
  return record;
}

}  // namespace fairlead::trace
