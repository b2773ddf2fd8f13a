// What reservations and backfill are measured against (docs/traces.md): the policies of the
// literature and Fairlead itself, over logs that are made and over Philly. Prints tables in
// Markdown.
//
//   backfill_table [--config NAME=FILE]… [--seeds N] [--ours] [SECTION…]
//       SECTION: model, small, philly; without: all. FILE: a SchedulerConfiguration, and queues;
//       each is a row. Without: two, of Fairlead without reservations and as it is. --ours: no rows
//       of the policies.
//   backfill_table --log model SEED LOAD TIMES JOBS      prints such a log
//   backfill_table --log small SEED TIMES

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "bench/backfill/figures.h"
#include "bench/backfill/log.h"
#include "bench/backfill/models.h"
#include "bench/backfill/policies.h"
#include "bench/backfill/product.h"
#include "bench/backfill/read_log.h"
#include "bench/in_parallel.h"
#include "bench/worlds.h"
#include "trace/philly.h"

namespace fairlead::bench {
namespace {

constexpr std::uint64_t kFirstLogSeed = 2003;
constexpr std::int64_t kJobs = 5000;
constexpr std::int64_t kLimitTimes[] = {1, 3, 10};
constexpr std::int64_t kLoads[] = {85, 95};

struct Options {
  std::vector<Configured> configured;
  std::uint64_t seeds = 5;
  std::vector<std::string> sections;

  bool policies = true;

  bool Has(const std::string& section) const {
    return std::find(sections.begin(), sections.end(), section) != sections.end();
  }
};

[[noreturn]] void GiveUp(const std::string& message) {
  fmt::print(stderr, "backfill_table: {}\n", message);
  std::exit(2);
}

// A way to run a log.
struct Row {
  std::string name;
  bool knows_limits = true;
  std::function<LogRun(const Log&)> run;
};

Row RowOf(Policy policy) {
  return {.name = std::string(NameOf(policy)),
          .knows_limits = KnowsLimits(policy),
          .run = [policy](const Log& log) { return RunOfStarts(log, StartsOf(policy, log)); }};
}

Row RowOf(const Configured& configured, const std::string& name, bool one_queue) {
  return {.name = name, .run = [&configured, one_queue](const Log& log) {
            Log queued = log;
            if (one_queue) {
              for (LogJob& job : queued.jobs) job.queue = -1;
            }
            Result<LogRun> run = RunProduct(queued, configured);
            if (!run) GiveUp(configured.name + ": " + run.error().message);
            return std::move(*run);
          }};
}

std::vector<Configured> WithoutAndWith() {
  objects::SchedulerConfiguration without;
  without.backfill.reservations = 0;
  return {{.name = "fairlead, nothing reserved", .objects = {without}},
          {.name = "fairlead", .objects = {}}};
}

std::vector<Row> PolicyRows(const Options& options) {
  std::vector<Row> rows;
  if (!options.policies) return rows;
  for (const Policy policy : kPolicies) rows.push_back(RowOf(policy));
  return rows;
}

// The figures of every row over every log: [row][log]. `what`: of the logs, for the one who waits.
template <typename Figures>
std::vector<std::vector<Figures>> RunAll(const std::string& what, const std::vector<Row>& rows,
                                         const std::vector<Log>& logs,
                                         Figures (*figures_of)(const Log&, const LogRun&)) {
  std::vector<std::vector<Figures>> all(rows.size(), std::vector<Figures>(logs.size()));
  InParallel(rows.size() * logs.size(), what, "runs", [&](std::size_t i) {
    const Log& log = logs[i % logs.size()];
    all[i / logs.size()][i % logs.size()] = figures_of(log, rows[i / logs.size()].run(log));
  });
  return all;
}

std::string LimitsText(std::int64_t times) {
  return times == 1 ? "exact" : fmt::format("×{}", times);
}

double Hours(double seconds) { return seconds / 3600; }

constexpr const char* kFigureHeads =
    "mean wait, h | p95 wait, h | bounded slowdown | p99 wait of the largest tenth, h | "
    "utilisation, % | mean delay, h";

void PrintFigures(const std::string& begin, const LogFigures& figures) {
  fmt::print("| {} | {:.2f} | {:.2f} | {:.1f} | {:.2f} | {:.1f} | {:.2f} |\n", begin,
             Hours(figures.waiting_mean), Hours(figures.waiting_p95), figures.slowdown,
             Hours(figures.large_waiting_p99), figures.utilisation, Hours(figures.delay_mean));
  std::fflush(stdout);
}

// Those that know no limits are run and printed once, with the first.
std::vector<Row> RowsFor(std::vector<Row> rows, std::int64_t times) {
  if (times != 1) std::erase_if(rows, [](const Row& row) { return !row.knows_limits; });
  return rows;
}

void ModelTable(const Options& options) {
  std::vector<Row> rows = PolicyRows(options);
  for (const Configured& one : options.configured) rows.push_back(RowOf(one, one.name, true));
  fmt::print("Model of Lublin and Feitelson, 128 processors, {} jobs, means over seeds {}–{}:\n\n",
             kJobs, kFirstLogSeed, kFirstLogSeed + options.seeds - 1);
  fmt::print("| load | limits | policy | {} |\n|---:|---|---|---:|---:|---:|---:|---:|---:|\n",
             kFigureHeads);
  for (const std::int64_t load : kLoads) {
    for (const std::int64_t times : kLimitTimes) {
      std::vector<Log> logs;
      for (std::uint64_t i = 0; i < options.seeds; ++i) {
        logs.push_back(LublinLog({.seed = kFirstLogSeed + i,
                                  .jobs = kJobs,
                                  .load_percent = load,
                                  .limit_times = times}));
      }
      const std::vector<Row> here = RowsFor(rows, times);
      const std::string what = fmt::format("model, {} %, limits {}", load, LimitsText(times));
      const auto all = RunAll(what, here, logs, FiguresOf);
      for (std::size_t i = 0; i < here.size(); ++i) {
        PrintFigures(fmt::format("{} % | {} | {}", load,
                                 here[i].knows_limits ? LimitsText(times) : "–", here[i].name),
                     MeanOf(all[i]));
      }
    }
  }
}

void SmallWorkTable(const Options& options) {
  std::vector<Row> rows = PolicyRows(options);
  for (const Configured& one : options.configured) {
    rows.push_back(RowOf(one, one.name + ", one queue", true));
    rows.push_back(RowOf(one, one.name + ", two queues", false));
  }
  fmt::print(
      "\nSmall work keeps coming for a week: jobs of 1–8 processors ask for all of 128, gangs of "
      "a\n"
      "quarter to all of them come beside; limits ×3, means over seeds {}–{}:\n\n"
      "| policy | gangs | started in the week | mean wait of gangs, h | longest, h | mean wait of "
      "small work, h | utilisation, % |\n|---|---:|---:|---:|---:|---:|---:|\n",
      kFirstLogSeed, kFirstLogSeed + options.seeds - 1);
  std::vector<Log> logs;
  for (std::uint64_t i = 0; i < options.seeds; ++i) {
    logs.push_back(SmallWorkLog(kFirstLogSeed + i, 3));
  }
  const auto all = RunAll("small work", rows, logs, GangFiguresOf);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const GangFigures figures = MeanOf(all[i]);
    fmt::print("| {} | {:.0f} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {:.1f} |\n", rows[i].name,
               figures.gangs, figures.started, Hours(figures.gang_waiting_mean),
               Hours(figures.gang_waiting_max), Hours(figures.small_waiting_mean),
               figures.utilisation);
  }
  std::fflush(stdout);
}

// Conservative by exact limits alone: where thousands wait and all move at every end, it takes
// days.
void PhillyTable(const Options& options) {
  const std::filesystem::path file = std::filesystem::path(DataFolder()) / "philly" / "philly.csv";
  if (DataFolder().empty() || !std::filesystem::exists(file)) {
    fmt::print("\nPhilly is not there (FAIRLEAD_DATA): left out.\n");
    return;
  }
  objects::Manifest manifest;
  trace::JobList jobs;
  trace::ReadPhillyFiles(file.string(), "", {.nodes = 64, .per_node = 8}, manifest, jobs);
  AppendJobs(jobs, manifest);
  if (!manifest.faults.empty()) GiveUp(manifest.faults.front().message);
  Log log = LogOf(manifest.objects);
  log.about = "Philly";
  manifest.objects.clear();
  std::vector<Row> rows = PolicyRows(options);
  for (const Configured& one : options.configured) rows.push_back(RowOf(one, one.name, true));
  fmt::print(
      "\nPhilly, {} jobs in one queue, 64 nodes of 8 GPUs (policies: 512 identical ones), load "
      "{:.0f} %:\n\n| limits | policy | {} |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
      log.jobs.size(), log.LoadPercent(), kFigureHeads);
  for (const std::int64_t times : {1, 3}) {
    SetLimits(log, times);
    std::vector<Row> here = RowsFor(rows, times);
    if (times != 1) {
      std::erase_if(here, [](const Row& row) { return row.name == NameOf(Policy::kConservative); });
    }
    const std::string what = fmt::format("Philly, limits {}", LimitsText(times));
    const auto all = RunAll(what, here, {log}, FiguresOf);
    for (std::size_t i = 0; i < here.size(); ++i) {
      PrintFigures(
          fmt::format("{} | {}", here[i].knows_limits ? LimitsText(times) : "–", here[i].name),
          all[i].front());
    }
  }
}

int PrintLog(const std::vector<std::string>& arguments) {
  auto number = [&](std::size_t i) { return std::stoll(arguments[i]); };
  if (arguments.size() == 5 && arguments[0] == "model") {
    fmt::print("{}", SwfOf(LublinLog({.seed = static_cast<std::uint64_t>(number(1)),
                                      .jobs = number(4),
                                      .load_percent = number(2),
                                      .limit_times = number(3)})));
  } else if (arguments.size() == 3 && arguments[0] == "small") {
    fmt::print("{}", SwfOf(SmallWorkLog(static_cast<std::uint64_t>(number(1)), number(2))));
  } else {
    GiveUp("expected --log model SEED LOAD TIMES JOBS, or --log small SEED TIMES");
  }
  return 0;
}

int Main(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments[0] == "--log") {
    return PrintLog({arguments.begin() + 1, arguments.end()});
  }
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool more = i + 1 < arguments.size();
    if (arguments[i] == "--config" && more) {
      Result<Configured> one = ReadConfigured(arguments[++i]);
      if (!one) GiveUp(one.error().message);
      options.configured.push_back(std::move(*one));
    } else if (arguments[i] == "--seeds" && more) {
      options.seeds = std::max(1ULL, std::stoull(arguments[++i]));
    } else if (arguments[i] == "--ours") {
      options.policies = false;
    } else if (arguments[i] == "model" || arguments[i] == "small" || arguments[i] == "philly") {
      options.sections.push_back(arguments[i]);
    } else {
      GiveUp(fmt::format(
          "\"{}\", expected model, small, philly, --config NAME=FILE, --ours or --seeds N",
          arguments[i]));
    }
  }
  if (options.configured.empty()) options.configured = WithoutAndWith();
  if (options.sections.empty()) options.sections = {"model", "small", "philly"};
  if (options.Has("model")) ModelTable(options);
  if (options.Has("small")) SmallWorkTable(options);
  if (options.Has("philly")) PhillyTable(options);
  return 0;
}

}  // namespace
}  // namespace fairlead::bench

int main(int argc, char** argv) {
  return fairlead::bench::Main(std::vector<std::string>(argv + 1, argv + argc));
}
