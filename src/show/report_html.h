#pragma once

#include <optional>
#include <string>
#include <vector>

#include "account/comparison.h"
#include "account/figures.h"
#include "account/pictures.h"
#include "base/time.h"

namespace fairlead::show {

// What a report shows of one run.
struct ReportedRun {
  std::string name;  // of its configuration
  Time start, end;
  std::string digest;
  std::vector<account::Figure> figures;
  account::Pictures pictures;
};

// `figures` are the ledger's, and what else there is to say.
ReportedRun ReportOf(std::string name, const account::Ledger& ledger, std::string digest,
                     std::vector<account::Figure> figures);

struct ReportPage {
  std::string title, command;     // what was run
  std::vector<ReportedRun> runs;  // of a comparison: the first seed of each configuration
  std::optional<account::Comparison> comparison;
  Duration jitter;  // of the comparison's seeds
};

// One HTML file that needs nothing else: its style, script and data are in it, and it asks no
// network (its own policy forbids that). web/src/report draws it.
std::string ReportHtml(const ReportPage& page);

// Where the CSV files of a report go: "out.html" → "out-csv", beside it.
std::string CsvDirectory(const std::string& report_path);

}  // namespace fairlead::show
