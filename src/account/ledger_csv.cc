#include "account/ledger_csv.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "account/csv_text.h"

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

void WriteWorkloads(const Ledger& ledger, CsvText& csv) {
  csv.Row("workload", "queue", "submitted", "started", "finished", "began_before",
          ledger.resources);
  for (const WorkloadRow& row : ledger.workloads) {
    csv.Row(ledger.Name(row.name), ledger.Name(row.queue), At(ledger, row.submitted),
            At(ledger, row.started), At(ledger, row.finished),
            std::int64_t{row.began_before ? 1 : 0}, ledger.AmountsOf(row.size));
  }
}

void WriteStays(const Ledger& ledger, CsvText& csv) {
  csv.Row("pod", "workload", "queue", "node", "gpu_device", "begin", "end", "how", "evicted",
          "saved", "action", "for", ledger.resources);
  for (const Stay& stay : ledger.stays) {
    csv.Row(ledger.Name(stay.pod), ledger.Name(stay.workload), ledger.Name(stay.queue),
            ledger.Name(stay.node),
            stay.gpu_device < 0 ? std::string() : std::to_string(stay.gpu_device),
            At(ledger, stay.begin), At(ledger, stay.end), ToString(stay.how),
            At(ledger, stay.evicted), SecondsOf(stay.saved), ledger.Name(stay.action),
            ledger.Name(stay.beneficiary), ledger.AmountsOf(stay.amounts));
  }
}

void WriteCapacity(const Ledger& ledger, CsvText& csv) {
  csv.Row("time", "node", ledger.resources);
  for (const CapacityRow& row : ledger.capacity) {
    csv.Row(At(ledger, row.time), ledger.Name(row.node), ledger.AmountsOf(row.offered));
  }
}

void WriteShares(const Ledger& ledger, CsvText& csv) {
  csv.Row("time", "queue", "resource", "guaranteed", "fair", "requested", "allocated");
  for (const ShareRow& row : ledger.shares) {
    for (std::size_t r = 0; r < ledger.resources.size(); ++r) {
      csv.Row(At(ledger, row.time), ledger.Name(row.queue), ledger.resources[r],
              ledger.Amount(row.guaranteed, r), ledger.Amount(row.fair, r),
              ledger.Amount(row.requested, r), ledger.Amount(row.allocated, r));
    }
  }
}

void WriteDomains(const Ledger& ledger, CsvText& csv) {
  csv.Row("topology", "level", "node", "domain");
  for (const LevelRow& level : ledger.levels) {
    for (const auto& [node, domain] : level.nodes) {
      csv.Row(ledger.Name(level.topology), ledger.Name(level.key), ledger.Name(node),
              ledger.Name(domain));
    }
  }
}

void WriteRun(const Ledger& ledger, CsvText& csv) {
  csv.Row("start", "seconds");
  csv.Row(FormatTime(ledger.start), At(ledger, ledger.end));
}

void WriteFigures(const std::vector<Figure>& figures, CsvText& csv) {
  csv.Row("figure", "of", "unit", "value");
  for (const Figure& figure : figures) {
    csv.Row(figure.name, figure.of, figure.unit, fmt::format("{}", figure.value));
  }
}

}  // namespace

Result<void> WriteCsv(const Ledger& ledger, const std::vector<Figure>& figures,
                      const std::string& directory) {
  const fs::path into(directory);
  std::error_code error;
  fs::create_directories(into, error);
  if (error) return Fail(fmt::format("{}: {}", directory, error.message()));
  const auto write = [&into](const char* name, auto write_rows) {
    FileWriter file((into / name).string());
    CsvText csv(&file);
    write_rows(csv);
    csv.Flush();
    return file.Close();
  };
  const auto of_ledger = [&](const char* name, void (*write_rows)(const Ledger&, CsvText&)) {
    return write(name, [&](CsvText& csv) { write_rows(ledger, csv); });
  };
  Result<void> written = of_ledger("workloads.csv", WriteWorkloads);
  if (written) written = of_ledger("stays.csv", WriteStays);
  if (written) written = of_ledger("capacity.csv", WriteCapacity);
  if (written) written = of_ledger("shares.csv", WriteShares);
  if (written) written = of_ledger("run.csv", WriteRun);
  if (written) {
    written = write("figures.csv", [&](CsvText& csv) { WriteFigures(figures, csv); });
  }
  if (written && !ledger.levels.empty()) written = of_ledger("domains.csv", WriteDomains);
  return written;
}

}  // namespace fairlead::account
