#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "account/comparison.h"
#include "account/jitter.h"
#include "base/file.h"
#include "cli/clock_options.h"
#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/parallel.h"
#include "cli/signals.h"
#include "cli/trace_input.h"
#include "host/input.h"
#include "intake/intake.h"
#include "show/comparison_view.h"
#include "show/report_html.h"
#include "trace/run.h"

namespace fairlead::cli {
namespace {

constexpr std::int64_t kMaxComparedSeeds = 1000;

struct CompareOptions {
  host::InputOptions input;
  TraceOptions trace;
  std::vector<std::string> configurations;
  std::string seeds = "1";
  std::string jitter = "1h";
  ClockOptions clock;
  std::string report;
  bool all = false;
};

struct CompareSettings {
  std::optional<Time> start;
  trace::RunOptions run;
  TraceSettings trace;
  std::int64_t seeds = 1;
  Duration jitter;
};

Result<CompareSettings> SettingsOf(const CompareOptions& options) {
  const auto seeds = host::CountFlag("--seeds", options.seeds, 1, kMaxComparedSeeds);
  const auto jitter = host::DurationFlag("--jitter", options.jitter);
  const auto clock = ClockSettingsOf(options.clock);
  const auto of_trace = TraceSettingsOf(options.trace);
  if (!seeds) return tl::unexpected(seeds.error());
  if (!jitter) return tl::unexpected(jitter.error());
  if (!clock) return tl::unexpected(clock.error());
  if (!of_trace) return tl::unexpected(of_trace.error());
  if (options.trace.format.empty() && options.input.paths.empty()) {
    return Fail("-f PATH is missing, or --trace");
  }
  CompareSettings settings{
      .start = clock->start, .run = {}, .trace = *of_trace, .seeds = *seeds, .jitter = *jitter};
  settings.run.delays = clock->delays;
  settings.run.until = clock->until;
  settings.run.arrivals = settings.trace.arrivals;
  settings.run.keep_ledger = true;
  return settings;
}

struct Candidate {
  std::string name;  // the file's, without folder and extension
  std::vector<objects::Object> objects;
};

using Key = std::pair<std::string_view, std::string>;
Key KeyOf(const objects::Object& object) {
  // There is one configuration, whatever its name.
  if (std::holds_alternative<objects::SchedulerConfiguration>(object)) return {"configuration", {}};
  return {objects::KindOf(object), objects::MetaOf(object).Key()};
}

// The common input, with what a configuration's file says instead.
std::vector<objects::Object> Under(const std::vector<objects::Object>& common,
                                   std::vector<objects::Object> instead) {
  std::vector<Key> replaced;
  for (const objects::Object& object : instead) replaced.push_back(KeyOf(object));
  std::vector<objects::Object> all;
  for (const objects::Object& object : common) {
    if (std::find(replaced.begin(), replaced.end(), KeyOf(object)) == replaced.end()) {
      all.push_back(object);
    }
  }
  std::move(instead.begin(), instead.end(), std::back_inserter(all));
  return all;
}

// A configuration's file: a SchedulerConfiguration, queues, or anything else that differs.
bool ReadCandidates(const CompareOptions& options, const std::vector<objects::Object>& common,
                    std::vector<Candidate>& candidates) {
  for (const std::string& path : options.configurations) {
    objects::Manifest manifest = host::ReadInput({.paths = {path}, .config = {}});
    if (!host::ReportInput(manifest)) return false;
    candidates.push_back({.name = std::filesystem::path(path).stem().string(),
                          .objects = Under(common, std::move(manifest.objects))});
  }
  return true;
}

// One run of many: what is kept of it.
struct Outcome {
  std::vector<account::Figure> figures;
  show::ReportedRun reported;
  std::vector<objects::Fault> faults;
};

Outcome RunOne(const Candidate& candidate, const CompareSettings& settings, std::uint64_t seed) {
  trace::RunOptions run = settings.run;
  std::vector<objects::Object> objects = candidate.objects;
  run.start = settings.start ? *settings.start : intake::NewestTime(objects);
  if (run.arrivals) {
    run.arrivals->seed += seed;
  } else if (settings.seeds > 1) {
    account::Jitter(objects, seed, settings.jitter);
  }
  auto result = trace::Run(std::move(objects), run);
  Outcome outcome;
  if (!result) {
    outcome.faults = std::move(result.error());
    return outcome;
  }
  const account::Ledger& ledger = *result->ledger;
  outcome.figures = FiguresOf(ledger);
  for (std::size_t percent = 10; percent < result->allocation.size(); percent += 10) {
    if (result->allocation[percent] < 0) continue;
    outcome.figures.push_back({"allocated", fmt::format("load {}%", percent), "%",
                               static_cast<double>(result->allocation[percent]) / 100});
  }
  // Of the others only figures are shown.
  if (seed == 0) {
    outcome.reported = show::ReportOf(candidate.name, ledger, result->digest, outcome.figures);
  }
  return outcome;
}

std::string CommandOf(const CompareOptions& options) {
  std::string command = "fairlead compare";
  for (const std::string& path : options.configurations) command += " " + path;
  for (const std::string& path : options.input.paths) command += " -f " + path;
  if (!options.trace.format.empty()) command += " --trace " + options.trace.format;
  if (!options.trace.directory.empty()) command += " --dir " + options.trace.directory;
  return command + " --seeds " + options.seeds;
}

int RunCompare(const CompareOptions& options, show::Output& output) {
  Result<CompareSettings> settings = SettingsOf(options);
  const auto can_report = options.report.empty() ? Result<void>() : CanWrite(options.report);
  if (!settings || !can_report) {
    show::Complain((settings ? can_report.error() : settings.error()).message);
    return show::kBadInput;
  }
  objects::Manifest manifest = host::ReadInput(options.input);
  std::optional<Time> begins;
  if (!options.trace.format.empty()) {
    trace::JobList jobs;
    begins = ReadTrace(options.trace, settings->trace, manifest, jobs);
    AppendJobs(jobs, manifest);  // each run lets them arrive at times of its own
  }
  if (!host::ReportInput(manifest)) return show::kBadInput;
  if (!settings->start) settings->start = begins;
  std::vector<Candidate> candidates;
  if (!ReadCandidates(options, manifest.objects, candidates)) return show::kBadInput;

  const auto seeds = static_cast<std::size_t>(settings->seeds);
  std::vector<Outcome> outcomes(candidates.size() * seeds);
  // Seed by seed, so that those which are there when somebody has seen enough compare.
  const std::size_t ran = OnAllCores(outcomes.size(), "comparing", "runs", [&](std::size_t i) {
    outcomes[i] = RunOne(candidates[i % candidates.size()], *settings, i / candidates.size());
  });
  const std::size_t whole = ran / candidates.size() * candidates.size();
  const bool stopped = ran < outcomes.size();
  outcomes.resize(whole);
  if (stopped) {
    show::Complain(
        fmt::format("stopped after {} of {} runs of each", whole / candidates.size(), seeds));
    if (whole == 0) return kInterrupted;
  }
  const int code = stopped ? kInterrupted : show::kDone;
  std::vector<std::vector<std::vector<account::Figure>>> figures(candidates.size());
  show::ReportPage page{.title = "Configurations compared",
                        .command = CommandOf(options),
                        .runs = {},
                        .comparison = {},
                        .jitter = settings->jitter};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].faults.empty()) {
      for (const std::string& line : host::FaultLines(outcomes[i].faults)) show::ComplainAsIs(line);
      return show::kBadInput;
    }
    figures[i % candidates.size()].push_back(std::move(outcomes[i].figures));
    if (i < candidates.size()) page.runs.push_back(std::move(outcomes[i].reported));
  }
  page.comparison = account::Compare(figures);
  show::PrintComparison(page, options.all, output);
  if (options.report.empty()) return code;
  if (const auto written = WriteFile(options.report, show::ReportHtml(page)); !written) {
    show::Complain(written.error().message);
    return show::kBadInput;
  }
  return code;
}

}  // namespace

Command CompareCommand() {
  auto options = std::make_shared<CompareOptions>();
  Command command{
      .name = "compare",
      .summary = "the same input under several configurations, side by side",
      .about =
          "Runs a saved state or a trace under each of the configurations and shows what came of\n"
          "it, side by side. A configuration's file holds a SchedulerConfiguration, queues, or\n"
          "whatever else is to differ: what it names replaces what the input has of that name.\n"
          "With --seeds N each is run N times, on all cores; every arrival is then a random time\n"
          "(up to --jitter) later, the same under all of them. Figures are means with half of\n"
          "their 95% interval; a * marks those that certainly differ from the first one's.\n"
          "-o csv, too.",
      .examples = {{"Two policies on a saved state",
                    "fairlead compare lenient.yaml strict.yaml -f cluster.yaml"},
                   {"What minimum runtimes cost and save, on a trace",
                    "fairlead compare none.yaml 10m.yaml 1h.yaml --trace philly \\\n"
                    "    --jobs philly.csv --tenants philly_vc.csv --nodes 64 --gpus 8 \\\n"
                    "    --seeds 10 --report minruntimes.html"},
                   {"One's own cluster as it was recorded, under another policy",
                    "fairlead compare mine.yaml other.yaml --trace record --dir DIR"}},
      .positionals = {{.name = "CONFIGURATION",
                       .help = "files, the first of which the others are compared with",
                       .into = &options->configurations,
                       .completes = Completes::kFiles}},
      .options = InputOptionsInto(options->input, /*required=*/false),
      .run = [options](show::Output& output) { return RunCompare(*options, output); },
      .more_formats = {"csv"},
  };
  for (Option& option : TraceOptionsInto(options->trace)) {
    if (option.flags.starts_with("--seed")) continue;  // of all comparisons
    command.options.push_back(std::move(option));
  }
  command.options.push_back(
      {.flags = "--seeds", .value = "N", .help = "how many runs of each", .into = &options->seeds});
  command.options.push_back({.flags = "--jitter",
                             .value = "DURATION",
                             .help = "how much later arrivals may be with more than one seed",
                             .into = &options->jitter});
  AddClockOptions(options->clock, command.options);
  command.options.push_back({.flags = "--all",
                             .value = "",
                             .help = "show figures of queues, sizes and all resources, too",
                             .into = &options->all});
  command.options.push_back({.flags = "--report",
                             .value = "FILE",
                             .help = "also write a page with pictures, in one file to be mailed",
                             .into = &options->report,
                             .completes = Completes::kFiles});
  return command;
}

}  // namespace fairlead::cli
