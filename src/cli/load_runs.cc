#include "cli/load_runs.h"

#include <optional>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/input.h"
#include "cli/parallel.h"
#include "cli/simulation_json.h"
#include "cli/words.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct LoadRun {
  std::uint64_t seed = 0;
  std::optional<trace::RunResult> result;
  std::vector<objects::Fault> faults;
};

std::string Percent(std::int64_t hundredths) {
  if (hundredths < 0) return {};
  return fmt::format("{}.{:02}%", hundredths / 100, hundredths % 100);
}

// The mean of all runs by percent of arrived load, over those that have a value there.
std::vector<std::int64_t> MeanOf(const std::vector<LoadRun>& runs) {
  std::vector<std::int64_t> sums, counts;
  for (const LoadRun& run : runs) {
    const std::vector<std::int64_t>& curve = run.result->allocation;
    if (curve.size() > sums.size()) {
      sums.resize(curve.size());
      counts.resize(curve.size());
    }
    for (std::size_t i = 0; i < curve.size(); ++i) {
      if (curve[i] < 0) continue;
      sums[i] += curve[i];
      ++counts[i];
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = counts[i] == 0 ? -1 : (sums[i] + counts[i] / 2) / counts[i];
  }
  return sums;
}

void PrintRuns(const std::vector<LoadRun>& runs, std::int64_t load, Output& output) {
  const std::vector<std::int64_t> mean = MeanOf(runs);
  if (!output.is_table()) {
    json::array each;
    for (const LoadRun& run : runs) {
      each.push_back(json::object{{"seed", run.seed},
                                  {"digest", run.result->digest},
                                  {"bound", run.result->metrics.bound},
                                  {"pending", run.result->metrics.pending},
                                  {"allocatedPercent", AllocationToJson(run.result->allocation)}});
    }
    output.Document(json::object{{"apiVersion", "fairlead.dev/v1alpha1"},
                                 {"kind", "LoadRuns"},
                                 {"loadPercent", load},
                                 {"runs", std::move(each)},
                                 {"allocatedPercent", AllocationToJson(mean)}});
    return;
  }
  const auto at = [](const std::vector<std::int64_t>& curve, std::size_t percent) {
    return percent < curve.size() ? Percent(curve[percent]) : std::string();
  };
  const std::string at_load = fmt::format("AT {}%", load);
  Table table({"SEED", "BOUND", "PENDING", at_load, "DIGEST"});
  const auto last = static_cast<std::size_t>(load);
  for (const LoadRun& run : runs) {
    const trace::RunResult& result = *run.result;
    table.Add({std::to_string(run.seed), Grouped(result.metrics.bound),
               Grouped(result.metrics.pending), at(result.allocation, last), result.digest});
  }
  table.Add({"mean", "", "", at(mean, last), ""});
  output.Print(table);
  PrintAllocation(mean, output);
}

}  // namespace

void PrintAllocation(const std::vector<std::int64_t>& curve, Output& output) {
  constexpr std::size_t kEvery = 10;
  Table table({"ARRIVED", "ALLOCATED"});
  std::int64_t latest = -1;  // where nothing arrived at a percent, what was so before
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i] >= 0) latest = curve[i];
    if (i == 0 || (i % kEvery != 0 && i + 1 != curve.size()) || latest < 0) continue;
    table.Add({fmt::format("{}%", i), Percent(latest)});
  }
  output.Section("GPUs asked for and allocated, of all GPUs", table, "");
}

int RunLoads(const std::vector<objects::Object>& objects, const trace::RunOptions& options,
             std::int64_t seeds, Output& output) {
  std::vector<LoadRun> runs(static_cast<std::size_t>(seeds));
  OnAllCores(runs.size(), "running", "runs", [&](std::size_t i) {
    trace::RunOptions own = options;
    own.arrivals->seed += i;
    runs[i].seed = own.arrivals->seed;
    auto result = trace::Run(objects, own);
    if (result) {
      runs[i].result = std::move(*result);
    } else {
      runs[i].faults = std::move(result.error());
    }
  });
  for (const LoadRun& run : runs) {
    if (run.result) continue;
    for (const std::string& line : FaultLines(run.faults)) ComplainAsIs(line);
    return kBadInput;
  }
  PrintRuns(runs, options.arrivals->load_percent, output);
  return kDone;
}

}  // namespace fairlead::cli
