#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "objects/objects.h"
#include "objects/read/reader.h"

namespace fairlead::host {

// What the commands that read files are given.
struct InputOptions {
  std::vector<std::string> paths;  // -f
  std::string config;              // --config
  std::string as;                  // --as: other schedulers' names, whose pods are taken as ours
};

// Reads all of it, in the order given, and judges it as a whole: also that names are unique by kind
// and that there is at most one SchedulerConfiguration. Faults are in the manifest; nothing
// printed.
objects::Manifest ReadInput(const InputOptions& options);

// Adds the faults that concern the input as a whole; for a manifest that was read elsewhere.
void JudgeInput(objects::Manifest& manifest);

// Warnings and doubts, then faults, one a line on stderr; at most kShownFaults, then "… and N
// more". Returns whether there are no faults.
inline constexpr std::size_t kShownFaults = 50;
bool ReportInput(const objects::Manifest& manifest);
// The same but for doubts, of whoever has them as findings.
bool ReportFaults(const objects::Manifest& manifest);
// What of it is skipped, and what was hardly meant so, as texts.
std::vector<std::string> WarningLines(const objects::Manifest& manifest);
std::vector<std::string> DoubtLines(const objects::Manifest& manifest);
// The lines of faults as ReportInput prints them.
std::vector<std::string> FaultLines(const std::vector<objects::Fault>& faults);

// The values of --now, --start, --until and their like. Error: names the flag.
Result<std::optional<Time>> TimeFlag(std::string_view flag, const std::string& text);
Result<Duration> DurationFlag(std::string_view flag, const std::string& text);  // not negative
Result<std::int64_t> CountFlag(std::string_view flag, const std::string& text,
                               std::int64_t at_least, std::int64_t at_most);

}  // namespace fairlead::host
