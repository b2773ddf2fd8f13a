#include "host/input.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/integer.h"
#include "host/other_schedulers.h"
#include "intake/intake.h"
#include "show/output.h"

namespace fairlead::host {
namespace {

using objects::Fault;
using objects::Manifest;
using objects::SchedulerConfiguration;

// `source` is "FILE:LINE"; a file's name may hold colons.
Fault FaultAt(const std::string& source, std::string object, std::string message) {
  Fault fault;
  const std::size_t colon = source.rfind(':');
  fault.file = source.substr(0, colon);
  if (colon != std::string::npos) {
    std::from_chars(source.data() + colon + 1, source.data() + source.size(), fault.line);
  }
  fault.object = std::move(object);
  fault.message = std::move(message);
  return fault;
}

void CheckOneConfiguration(Manifest& manifest) {
  const SchedulerConfiguration* first = nullptr;
  for (const objects::Object& object : manifest.objects) {
    const auto* configuration = std::get_if<SchedulerConfiguration>(&object);
    if (configuration == nullptr) continue;
    if (first == nullptr) {
      first = configuration;
      continue;
    }
    manifest.faults.push_back(FaultAt(
        configuration->meta.source, "SchedulerConfiguration",
        fmt::format("a second one, expected one in all; the first is at {}", first->meta.source)));
  }
}

// Files in the order of reading, each from top to bottom.
void SortFaults(std::vector<Fault>& faults) {
  for (auto first = faults.begin(); first != faults.end();) {
    const auto last = std::find_if(first, faults.end(),
                                   [&](const Fault& fault) { return fault.file != first->file; });
    std::stable_sort(first, last, [](const Fault& a, const Fault& b) { return a.line < b.line; });
    first = last;
  }
}

// A file given by --config holds a configuration and nothing else.
void ReadConfiguration(const std::string& path, Manifest& into) {
  const std::size_t objects_before = into.objects.size();
  const std::size_t faults_before = into.faults.size();
  objects::ReadPath(path, intake::AllDecoders(), into);
  bool found = false;
  for (std::size_t i = objects_before; i < into.objects.size(); ++i) {
    const objects::Object& object = into.objects[i];
    if (std::holds_alternative<SchedulerConfiguration>(object)) {
      found = true;
      continue;
    }
    into.faults.push_back(
        FaultAt(MetaOf(object).source, fmt::format("{} {}", KindOf(object), MetaOf(object).Key()),
                "does not belong into --config, expected a SchedulerConfiguration only"));
  }
  if (!found && into.faults.size() == faults_before) {
    into.faults.push_back(FaultAt(path, "", "holds no SchedulerConfiguration, expected one"));
  }
}

Manifest ReadAll(const InputOptions& options) {
  Manifest manifest;
  for (const std::string& path : options.paths) {
    objects::ReadPath(path, intake::AllDecoders(), manifest);
  }
  if (!options.config.empty()) ReadConfiguration(options.config, manifest);
  return manifest;
}

// False: it brings none that were not known.
bool AddJobKinds(const Manifest& manifest) {
  bool any = false;
  for (const objects::Object& object : manifest.objects) {
    const auto* configuration = std::get_if<SchedulerConfiguration>(&object);
    any |= configuration != nullptr && objects::AddJobRows(configuration->job_kinds);
  }
  return any;
}

}  // namespace

Manifest ReadInput(const InputOptions& options) {
  Manifest manifest = ReadAll(options);
  // Objects of kinds that are known now were passed over.
  if (AddJobKinds(manifest)) manifest = ReadAll(options);
  JudgeInput(manifest);
  if (!options.as.empty()) TakeAsOurs(options.as, manifest);
  return manifest;
}

void JudgeInput(Manifest& manifest) {
  objects::CheckDuplicates(manifest);
  // Two configurations are one too many whatever they are called: that is said once, below.
  std::erase_if(manifest.faults, [](const Fault& fault) {
    return fault.field == "metadata.name" && fault.object.starts_with("SchedulerConfiguration");
  });
  CheckOneConfiguration(manifest);
  SortFaults(manifest.faults);
}

std::vector<std::string> FaultLines(const std::vector<Fault>& faults) {
  std::vector<std::string> lines;
  for (const Fault& fault : faults) {
    if (lines.size() == kShownFaults) {
      lines.push_back(fmt::format("… and {} more", faults.size() - kShownFaults));
      break;
    }
    lines.push_back(fault.ToString());
  }
  return lines;
}

std::vector<std::string> WarningLines(const Manifest& manifest) {
  std::vector<std::string> lines = manifest.warnings;
  for (const objects::PassedOver& file : manifest.passed_over) {
    lines.push_back(fmt::format("{} is passed over: {}", file.file, file.why));
  }
  return lines;
}

std::vector<std::string> DoubtLines(const Manifest& manifest) {
  std::vector<Fault> doubts;
  for (const objects::Doubt& doubt : manifest.doubts) doubts.push_back(doubt.fault);
  return FaultLines(doubts);
}

bool ReportInput(const Manifest& manifest) {
  for (const std::string& line : DoubtLines(manifest)) show::Complain("warning: " + line);
  return ReportFaults(manifest);
}

bool ReportFaults(const Manifest& manifest) {
  for (const std::string& line : WarningLines(manifest)) show::Complain("warning: " + line);
  for (const std::string& line : FaultLines(manifest.faults)) show::ComplainAsIs(line);
  return manifest.faults.empty();
}

Result<std::optional<Time>> TimeFlag(std::string_view flag, const std::string& text) {
  if (text.empty()) return std::optional<Time>();
  const Result<Time> time = ParseTime(text);
  if (!time) return Fail(fmt::format("{}: {}", flag, time.error().message));
  return std::optional<Time>(*time);
}

Result<Duration> DurationFlag(std::string_view flag, const std::string& text) {
  const Result<Duration> duration = ParseDuration(text);
  if (!duration) return Fail(fmt::format("{}: {}", flag, duration.error().message));
  if (duration->us < 0) return Fail(fmt::format("{}: {} is negative", flag, text));
  return *duration;
}

Result<std::int64_t> CountFlag(std::string_view flag, const std::string& text,
                               std::int64_t at_least, std::int64_t at_most) {
  const auto count = ParseInteger<std::int64_t>(text);
  if (!count || *count < at_least || *count > at_most) {
    return Fail(fmt::format("{}: {}, expected a whole number from {} to {}", flag, text, at_least,
                            at_most));
  }
  return *count;
}

}  // namespace fairlead::host
