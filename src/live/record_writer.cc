#include "live/record_writer.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <boost/json.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/explain/report_json.h"
#include "objects/write/writer.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

std::string Quoted(std::string_view text) { return json::serialize(json::string(text)); }

}  // namespace

Result<std::unique_ptr<RecordWriter>> RecordWriter::Make(
    const std::string& directory, std::function<void(const std::string&)> on_problem) {
  for (int number = 1;; ++number) {
    const std::filesystem::path folder =
        number == 1 ? std::filesystem::path(directory)
                    : std::filesystem::path(directory) / fmt::to_string(number);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return Fail(fmt::format("{} cannot be made: {}", folder.string(), error.message()));
    const std::string path = folder / "record.jsonl";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return Fail(fmt::format("{} cannot be made: {}", path, std::strerror(errno)));
    ::close(file);
    std::unique_ptr<RecordWriter> recorder(new RecordWriter(path, std::move(on_problem)));
    if (!recorder->file_) return Fail(fmt::format("{} cannot be written", path));
    return recorder;
  }
}

RecordWriter::RecordWriter(std::string path, std::function<void(const std::string&)> on_problem)
    : path_(std::move(path)), on_problem_(std::move(on_problem)), file_(path_) {}

void RecordWriter::Line(std::string_view text) {
  if (!file_) return;
  file_ << text << '\n';
  if (!file_) on_problem_(fmt::format("{} cannot be written any more", path_));
}

void RecordWriter::OnConfiguration(Time now, const objects::SchedulerConfiguration& configuration) {
  Line(fmt::format(R"({{"time":"{}","configuration":{}}})", FormatTime(now),
                   json::serialize(objects::ToJson(objects::Object(configuration)))));
}

void RecordWriter::OnObject(const drive::ObjectNews& news) {
  if (news.object != nullptr) {
    Line(fmt::format(R"({{"time":"{}","apiVersion":"{}","kind":"{}","object":{}}})",
                     FormatTime(news.time), news.api_version, objects::KindOf(*news.object),
                     news.json));
    return;
  }
  Line(fmt::format(R"({{"time":"{}","gone":{{"kind":"{}","namespace":{},"name":{}}}}})",
                   FormatTime(news.time), news.kind, Quoted(news.name_space), Quoted(news.name)));
}

void RecordWriter::OnChanges(Time /*now*/, std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* bind = std::get_if<state::BindFailed>(&change)) {
      std::string refusal;
      if (bind->refusal) {
        refusal = fmt::format(R"(,"refusal":{{"node":{},"time":"{}","message":{}}})",
                              Quoted(bind->refusal->node), FormatTime(bind->refusal->at),
                              Quoted(bind->refusal->message));
      }
      Line(fmt::format(R"({{"failed":{{"BindFailed":{}{}}}}})", Quoted(bind->pod), refusal));
    } else if (const auto* evict = std::get_if<state::EvictFailed>(&change)) {
      Line(fmt::format(R"({{"failed":{{"EvictFailed":{}}}}})", Quoted(evict->pod)));
    }
  }
}

void RecordWriter::OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& plan) {
  if (plan.decisions.empty()) OnDecisions(plan.now, {});
}

void RecordWriter::OnDecisions(Time now, const engine::DecisionReports& decisions) {
  Line(fmt::format(R"({{"round":"{}","decisions":{},"digest":"{}"}})", FormatTime(now),
                   decisions.size(), engine::DigestOf(decisions)));
  file_.flush();
}

}  // namespace fairlead::live
