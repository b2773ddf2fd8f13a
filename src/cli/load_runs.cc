#include "cli/load_runs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/parallel.h"
#include "cli/signals.h"
#include "host/input.h"
#include "show/human_text.h"
#include "show/simulation_json.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct LoadRun {
  std::uint64_t seed = 0;
  std::optional<trace::RunResult> result;
  std::vector<std::int64_t> filled;  // its allocation
  std::vector<objects::Fault> faults;
};

std::string Percent(std::int64_t hundredths) {
  if (hundredths < 0) return {};
  return fmt::format("{}.{:02}%", hundredths / 100, hundredths % 100);
}

// By whole percent up to the load: where nothing arrived at one, what was so before.
std::vector<std::int64_t> Filled(std::vector<std::int64_t> curve, std::int64_t load_percent) {
  curve.resize(static_cast<std::size_t>(load_percent) + 1, -1);
  for (std::size_t i = 1; i < curve.size(); ++i) {
    if (curve[i] < 0) curve[i] = curve[i - 1];
  }
  return curve;
}

// The mean of all runs by percent of arrived load, over those that have a value there.
std::vector<std::int64_t> MeanOf(const std::vector<LoadRun>& runs, std::int64_t load_percent) {
  std::vector<std::int64_t> mean;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(load_percent); ++i) {
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (const LoadRun& run : runs) {
      if (run.filled[i] < 0) continue;
      sum += run.filled[i];
      ++count;
    }
    mean.push_back(count == 0 ? -1 : (sum + count / 2) / count);
  }
  return mean;
}

void PrintRuns(const std::vector<LoadRun>& runs, std::int64_t load, show::Output& output) {
  const std::vector<std::int64_t> mean = MeanOf(runs, load);
  if (!output.is_table()) {
    json::array each;
    for (const LoadRun& run : runs) {
      each.push_back(json::object{{"seed", run.seed},
                                  {"digest", run.result->digest},
                                  {"bound", run.result->metrics.bound},
                                  {"pending", run.result->metrics.pending},
                                  {"allocatedPercent", show::AllocationToJson(run.filled)}});
    }
    output.Document(json::object{{"apiVersion", "fairlead.dev/v1alpha1"},
                                 {"kind", "LoadRuns"},
                                 {"loadPercent", load},
                                 {"runs", std::move(each)},
                                 {"allocatedPercent", show::AllocationToJson(mean)}});
    return;
  }
  const std::string at_load = fmt::format("AT {}%", load);
  show::Table table({"SEED", "BOUND", "PENDING", at_load, "DIGEST"});
  for (const LoadRun& run : runs) {
    const trace::RunResult& result = *run.result;
    table.Add({std::to_string(run.seed), show::Grouped(result.metrics.bound),
               show::Grouped(result.metrics.pending), Percent(run.filled.back()), result.digest});
  }
  table.Add({"mean", "", "", Percent(mean.back()), ""});
  output.Print(table);
  PrintAllocation(mean, output);
}

}  // namespace

void PrintAllocation(const std::vector<std::int64_t>& curve, show::Output& output) {
  constexpr std::size_t kEvery = 10;
  show::Table table({"ARRIVED", "ALLOCATED"});
  const std::vector<std::int64_t> filled =
      Filled(curve, std::max<std::int64_t>(0, static_cast<std::int64_t>(curve.size()) - 1));
  for (std::size_t i = 1; i < filled.size(); ++i) {
    if ((i % kEvery != 0 && i + 1 != filled.size()) || filled[i] < 0) continue;
    table.Add({fmt::format("{}%", i), Percent(filled[i])});
  }
  output.Section("GPUs asked for and allocated, of all GPUs", table, "");
}

int RunLoads(const std::vector<objects::Object>& objects, const trace::RunOptions& options,
             std::int64_t seeds, show::Output& output) {
  std::vector<LoadRun> runs(static_cast<std::size_t>(seeds));
  const std::size_t ran = OnAllCores(runs.size(), "running", "runs", [&](std::size_t i) {
    trace::RunOptions own = options;
    own.arrivals->seed += i;
    runs[i].seed = own.arrivals->seed;
    auto result = trace::Run(objects, own);
    if (result) {
      runs[i].filled = Filled(result->allocation, own.arrivals->load_percent);
      runs[i].result = std::move(*result);
    } else {
      runs[i].faults = std::move(result.error());
    }
  });
  const bool stopped = ran < runs.size();
  if (stopped) show::Complain(fmt::format("stopped after {} of {} runs", ran, runs.size()));
  runs.resize(ran);
  if (runs.empty()) return kInterrupted;
  for (const LoadRun& run : runs) {
    if (run.result) continue;
    for (const std::string& line : host::FaultLines(run.faults)) show::ComplainAsIs(line);
    return show::kBadInput;
  }
  PrintRuns(runs, options.arrivals->load_percent, output);
  return stopped ? kInterrupted : show::kDone;
}

}  // namespace fairlead::cli
