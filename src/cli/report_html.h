#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "trace/comparison.h"
#include "trace/figures.h"
#include "trace/pictures.h"

namespace fairlead::cli {

// What a report shows of one run.
struct ReportedRun {
  std::string name;  // of its configuration
  Time start, end;
  std::string digest;
  std::vector<trace::Figure> figures;
  trace::Pictures pictures;
};

struct ReportPage {
  std::string title, command;     // what was run
  std::vector<ReportedRun> runs;  // of a comparison: the first seed of each configuration
  std::optional<trace::Comparison> comparison;
  Duration jitter;  // of the comparison's seeds
};

// One HTML file that needs nothing else: its style, script and data are in it, and it asks no
// network (its own policy forbids that). web/src/report draws it.
std::string ReportHtml(const ReportPage& page);

// Replaces the file. Error: it cannot be written.
Result<void> WriteFile(const std::string& path, std::string_view text);

// Where the CSV files of a report go: "out.html" → "out-csv", beside it.
std::string CsvDirectory(const std::string& report_path);

}  // namespace fairlead::cli
