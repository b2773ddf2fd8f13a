#include "account/ledger_csv.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "account/csv_text.h"
#include "base/file.h"

namespace fairlead::account {
namespace {

namespace fs = std::filesystem;

// With as many digits as it takes.
std::string SecondsOf(Duration duration) {
  const std::int64_t us = duration.us;
  std::string text = fmt::format("{}{}.{:06}", us < 0 ? "-" : "", std::abs(us) / 1'000'000,
                                 std::abs(us) % 1'000'000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// Since the start.
std::string At(const Ledger& ledger, Time time) {
  return time == Time::Max() ? std::string() : SecondsOf(time - ledger.start);
}

std::string WorkloadsOf(const Ledger& ledger) {
  CsvText csv;
  csv.Row("workload", "queue", "submitted", "started", "finished", "began_before",
          ledger.resources);
  const Amounts nothing(ledger.resources.size());
  for (const WorkloadRow& row : ledger.workloads) {
    csv.Row(ledger.Name(row.name), ledger.Name(row.queue), At(ledger, row.submitted),
            At(ledger, row.started), At(ledger, row.finished),
            std::int64_t{row.began_before ? 1 : 0}, row.size.empty() ? nothing : row.size);
  }
  return csv.text();
}

std::string StaysOf(const Ledger& ledger) {
  CsvText csv;
  csv.Row("pod", "workload", "queue", "node", "gpu_device", "begin", "end", "how", "evicted",
          "saved", "action", "for", ledger.resources);
  for (const Stay& stay : ledger.stays) {
    csv.Row(ledger.Name(stay.pod), ledger.Name(stay.workload), ledger.Name(stay.queue),
            ledger.Name(stay.node),
            stay.gpu_device < 0 ? std::string() : std::to_string(stay.gpu_device),
            At(ledger, stay.begin), At(ledger, stay.end), ToString(stay.how),
            At(ledger, stay.evicted), SecondsOf(stay.saved), ledger.Name(stay.action),
            ledger.Name(stay.beneficiary), ledger.amounts[stay.amounts]);
  }
  return csv.text();
}

std::string CapacityOf(const Ledger& ledger) {
  CsvText csv;
  csv.Row("time", "node", ledger.resources);
  for (const CapacityRow& row : ledger.capacity) {
    csv.Row(At(ledger, row.time), ledger.Name(row.node), row.offered);
  }
  return csv.text();
}

std::string SharesOf(const Ledger& ledger) {
  CsvText csv;
  csv.Row("time", "queue", "resource", "guaranteed", "fair", "requested", "allocated");
  for (const ShareRow& row : ledger.shares) {
    for (std::size_t r = 0; r < ledger.resources.size(); ++r) {
      csv.Row(At(ledger, row.time), ledger.Name(row.queue), ledger.resources[r], row.guaranteed[r],
              row.fair[r], row.requested[r], row.allocated[r]);
    }
  }
  return csv.text();
}

std::string DomainsOfNodes(const Ledger& ledger) {
  CsvText csv;
  csv.Row("topology", "level", "node", "domain");
  for (const LevelRow& level : ledger.levels) {
    for (const auto& [node, domain] : level.nodes) {
      csv.Row(ledger.Name(level.topology), ledger.Name(level.key), ledger.Name(node),
              ledger.Name(domain));
    }
  }
  return csv.text();
}

std::string RunOf(const Ledger& ledger) {
  CsvText csv;
  csv.Row("start", "seconds");
  csv.Row(FormatTime(ledger.start), At(ledger, ledger.end));
  return csv.text();
}

std::string TextOf(const std::vector<Figure>& figures) {
  CsvText csv;
  csv.Row("figure", "of", "unit", "value");
  for (const Figure& figure : figures) {
    csv.Row(figure.name, figure.of, figure.unit, fmt::format("{}", figure.value));
  }
  return csv.text();
}

}  // namespace

Result<void> WriteCsv(const Ledger& ledger, const std::vector<Figure>& figures,
                      const std::string& directory) {
  const fs::path into(directory);
  std::error_code error;
  fs::create_directories(into, error);
  if (error) return Fail(fmt::format("{}: {}", directory, error.message()));
  std::vector<std::pair<const char*, std::string>> files = {{"workloads.csv", WorkloadsOf(ledger)},
                                                            {"stays.csv", StaysOf(ledger)},
                                                            {"capacity.csv", CapacityOf(ledger)},
                                                            {"shares.csv", SharesOf(ledger)},
                                                            {"run.csv", RunOf(ledger)},
                                                            {"figures.csv", TextOf(figures)}};
  if (!ledger.levels.empty()) files.emplace_back("domains.csv", DomainsOfNodes(ledger));
  for (const auto& [name, text] : files) {
    if (auto written = WriteFile((into / name).string(), text); !written) return written;
  }
  return {};
}

}  // namespace fairlead::account
