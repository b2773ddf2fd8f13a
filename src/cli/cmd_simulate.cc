#include <memory>
#include <set>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/file.h"
#include "cli/clock_options.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/load_runs.h"
#include "cli/other_schedulers.h"
#include "cli/progress.h"
#include "cli/queue_use.h"
#include "cli/replay_view.h"
#include "cli/report_html.h"
#include "cli/saved_state.h"
#include "cli/simulation_json.h"
#include "cli/simulation_view.h"
#include "cli/trace_input.h"
#include "cli/words.h"
#include "engine/explain/explain.h"
#include "intake/intake.h"
#include "trace/arrivals.h"
#include "trace/figures.h"
#include "trace/ledger.h"
#include "trace/ledger_csv.h"
#include "trace/metrics.h"
#include "trace/run.h"
#include "virtual/cluster.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;
using virtual_cluster::EventType;
using virtual_cluster::VirtualCluster;

struct SimulateOptions {
  InputOptions input;
  ClockOptions clock;
  TraceOptions trace;
  std::string report;
  std::string save;  // the file for the state at the end
  std::string use;   // the resource whose use is shown; empty: none
  bool events = false;
};

// The options' values, once they make sense.
struct Settings {
  ClockSettings clock;
  TraceSettings trace;
};

Result<Settings> SettingsOf(const SimulateOptions& options) {
  Settings settings;
  const auto clock = ClockSettingsOf(options.clock);
  if (!clock) return tl::unexpected(clock.error());
  settings.clock = *clock;
  if (options.trace.format.empty() && options.input.paths.empty()) {
    return Fail("-f PATH is missing, or --trace");
  }
  const auto of_trace = TraceSettingsOf(options.trace);
  if (!of_trace) return tl::unexpected(of_trace.error());
  settings.trace = *of_trace;
  const bool adds = !options.input.paths.empty() || !options.input.config.empty();
  if (options.trace.format == "record" && adds) {
    return Fail("a record is decided as it was: -f and --config do not belong to it; see compare");
  }
  if (!options.save.empty() && (options.trace.format == "record" || settings.trace.seeds > 1)) {
    return Fail("--save is of one run's end: neither of a record nor of several --seeds");
  }
  if (!options.report.empty() && settings.trace.seeds > 1) {
    return Fail("--report is of one run, not of several --seeds; see compare");
  }
  return settings;
}

// Keeps the events as JSON.
class EventList : public virtual_cluster::Observer {
 public:
  void OnEvent(const virtual_cluster::Event& event) override { events_.push_back(ToJson(event)); }
  json::array Take() { return std::move(events_); }

 private:
  json::array events_;
};

// Counts what comes and what ends, for the progress bar.
class StepCounter : public virtual_cluster::Observer {
 public:
  void OnEvent(const virtual_cluster::Event& event) override {
    if (event.type == EventType::kArrive || event.type == EventType::kFinish) ++steps_;
  }
  std::int64_t steps() const { return steps_; }

 private:
  std::int64_t steps_ = 0;
};

// Runs to the end with a look at the terminal now and then. Returns whether it is idle.
bool RunShown(VirtualCluster& cluster, const Settings& settings, const StepCounter& counter,
              std::int64_t steps_expected) {
  constexpr int kStepsBetweenLooks = 64;
  Progress progress("simulating");
  const Time start = cluster.Now();
  const Time end = settings.clock.until ? start + *settings.clock.until : Time::Max();
  for (int i = 0;; ++i) {
    const std::optional<Time> next = cluster.NextEventTime();
    if (!next || *next > end) break;
    cluster.Step();
    if (i % kStepsBetweenLooks != 0) continue;
    const std::string at = "+" + HumanDuration(cluster.Now() - start);
    progress.Show(counter.steps(), steps_expected, "arrivals and ends", at);
  }
  const bool idle = !cluster.NextEventTime();
  if (settings.clock.until) cluster.RunUntil(end);
  return idle;
}

// Pods that are there, or that jobs ask for: each of them ends once.
std::int64_t CountOfPods(const objects::Manifest& manifest) {
  std::int64_t pods = 0;
  for (const objects::Object& object : manifest.objects) {
    pods += std::holds_alternative<objects::Pod>(object) ? 1 : 0;
    if (const auto* job = std::get_if<objects::Job>(&object)) pods += job->completions.value_or(1);
    const auto* workload = std::get_if<objects::Workload>(&object);
    if (workload == nullptr) continue;
    for (const objects::PodSet& set : workload->pod_sets) {
      if (set.pod_template) pods += set.count.value_or(0);
    }
  }
  return pods;
}

// Everything that listens to a simulation and is reported on at its end.
struct Watchers {
  Watchers(Time start, const std::string& resource) : metrics(start), table(start), use(resource) {}
  trace::Metrics metrics;
  Timeline timeline;
  StepCounter counter;
  EventTable table;
  EventList list;
  QueueUse use;
  std::optional<trace::AllocationCurve> allocation;
  std::optional<trace::Bookkeeper> books;  // for a report
};

void PrintResult(const VirtualCluster& cluster, Time start, bool idle,
                 const SimulateOptions& options, Watchers& watchers, Output& output) {
  constexpr std::size_t kUseRows = 40;
  const trace::MetricsReport metrics = watchers.metrics.Report(cluster.Now());
  if (!output.is_table()) {
    json::object document{{"apiVersion", "fairlead.dev/v1alpha1"},
                          {"kind", "Simulation"},
                          {"start", FormatTime(start)},
                          {"end", FormatTime(cluster.Now())},
                          {"digest", cluster.EventDigest()},
                          {"events", watchers.list.Take()},
                          {"final", ToJson(cluster.FinalState())},
                          {"metrics", ToJson(metrics)}};
    AddOtherSchedulers(cluster.intake(), document);
    if (watchers.allocation) {
      document["allocatedPercent"] = AllocationToJson(watchers.allocation->Hundredths());
    }
    output.Document(document);
    return;
  }
  if (options.events) {
    output.Print(watchers.table.table());
    output.Line("");
  }
  if (!options.use.empty()) {
    output.Print(watchers.use.Rows(start, kUseRows));
    output.Line(watchers.use.Legend());
    output.Line("");
  }
  PrintSimulation(
      {.start = start,
       .end = cluster.Now(),
       .idle = idle,
       .digest = cluster.EventDigest(),
       .timeline = watchers.timeline,
       .workloads = cluster.FinalWorkloads(),
       .metrics = metrics,
       .pending = engine::ReportPending(cluster.scheduler(), cluster.Now(), kShownPending),
       .others = OtherSchedulersText(cluster.intake())},
      output);
  if (watchers.allocation) {
    PrintAllocation(watchers.allocation->Hundredths(), output);
  }
}

struct Reported {
  std::string title, name, digest;
};

// The page, and the rows behind it as CSV. Returns the exit code: `code`, where it could be
// written.
int WriteReport(const std::string& path, const Reported& reported, const trace::Ledger& ledger,
                int code) {
  const std::vector<trace::Figure> figures = FiguresOf(ledger);
  ReportPage page{
      .title = reported.title, .command = {}, .runs = {}, .comparison = {}, .jitter = {}};
  page.runs.push_back(ReportOf(reported.name, ledger, reported.digest, figures));
  auto written = WriteCsv(ledger, figures, CsvDirectory(path));
  if (written) written = WriteFile(path, ReportHtml(page));
  if (written) return code;
  Complain(written.error().message);
  return kBadInput;
}

std::string TitleOf(const SimulateOptions& options) {
  std::string input = options.trace.format.empty() ? "" : "trace " + options.trace.format;
  for (const std::string& path : options.input.paths) input += (input.empty() ? "" : ", ") + path;
  return "Simulation of " + input;
}

// Decides every round of a record again; the report is of what happened in it.
int RunReplay(const SimulateOptions& options, Output& output) {
  trace::Bookkeeper books;
  const Result<trace::Replay> replay =
      trace::ReplayRecord(options.trace.directory, options.report.empty() ? nullptr : &books);
  if (!replay) {
    Complain(replay.error().message);
    return kBadInput;
  }
  PrintReplay(*replay, output);
  const int code = replay->differing == 0 ? kDone : kAnswerIsNo;
  if (options.report.empty()) return code;
  std::string title = "As recorded in " + options.trace.directory;
  if (replay->differing > 0) {
    title += fmt::format(", without the evictions of {} that would be decided otherwise now",
                         Counted(replay->differing, "round"));
  }
  return WriteReport(options.report, {.title = title, .name = "record", .digest = replay->digest},
                     books.Take(replay->end), code);
}

int RunSimulate(const SimulateOptions& options, Output& output) {
  const Result<Settings> settings = SettingsOf(options);
  if (!settings) {
    Complain(settings.error().message);
    return kBadInput;
  }
  if (options.trace.format == "record") return RunReplay(options, output);
  objects::Manifest manifest = ReadInput(options.input);
  if (!options.trace.format.empty()) ReadTrace(options.trace, settings->trace, manifest);
  if (!ReportInput(manifest)) return kBadInput;
  const Time start =
      settings->clock.start ? *settings->clock.start : intake::NewestTime(manifest.objects);
  if (settings->trace.seeds > 1) {
    return RunLoads(manifest.objects,
                    {.start = start,
                     .configuration = {},
                     .start_delay = settings->clock.kubelets.start_delay,
                     .grace = settings->clock.kubelets.grace,
                     .until = settings->clock.until,
                     .arrivals = settings->trace.arrivals},
                    settings->trace.seeds, output);
  }
  const std::int64_t pods = CountOfPods(manifest);
  std::vector<objects::Object> submission =
      trace::SubmissionOf(std::move(manifest.objects), {.start = start,
                                                        .configuration = {},
                                                        .start_delay = {},
                                                        .grace = {},
                                                        .until = {},
                                                        .arrivals = settings->trace.arrivals});

  VirtualCluster cluster({.start = start,
                          .start_delay = settings->clock.kubelets.start_delay,
                          .grace = settings->clock.kubelets.grace});
  Watchers watchers(start, options.use);
  if (settings->trace.arrivals) {
    watchers.allocation.emplace(submission);
    cluster.AddObserver(&*watchers.allocation);
  }
  cluster.AddObserver(&watchers.metrics);
  if (!options.report.empty()) cluster.AddObserver(&watchers.books.emplace(start));
  cluster.AddObserver(&watchers.timeline);
  cluster.AddObserver(&watchers.counter);
  if (!output.is_table()) cluster.AddObserver(&watchers.list);
  if (output.is_table() && options.events) cluster.AddObserver(&watchers.table);
  if (output.is_table() && !options.use.empty()) cluster.AddObserver(&watchers.use);
  const auto submitted = cluster.Submit(std::move(submission));
  if (!submitted) {
    for (const std::string& line : FaultLines(submitted.error())) ComplainAsIs(line);
    return kBadInput;
  }
  const std::string& ours = cluster.intake().configuration().scheduler_name;
  for (const objects::Object* object : cluster.List("Pod")) {
    const auto& pod = std::get<objects::Pod>(*object);
    if (pod.spec.scheduler_name == ours && !pod.spec.node_name.empty() && !pod.finished()) {
      watchers.timeline.AddRunning(pod.meta.Key());
    }
  }
  const bool idle = RunShown(cluster, *settings, watchers.counter,
                             submitted->later > 0 ? submitted->later + pods : 0);
  PrintResult(cluster, start, idle, options, watchers, output);
  if (!options.save.empty()) {
    if (const auto saved = WriteFile(options.save, SavedState(cluster)); !saved) {
      Complain(saved.error().message);
      return kBadInput;
    }
  }
  if (!watchers.books) return kDone;
  return WriteReport(
      options.report,
      {.title = TitleOf(options), .name = "simulation", .digest = cluster.EventDigest()},
      watchers.books->Take(cluster.Now()), kDone);
}

void AddOptions(SimulateOptions& options, std::vector<Option>& into) {
  AddClockOptions(options.clock, into);
  into.push_back({.flags = "--events",
                  .value = "",
                  .help = "list every event before the summary (JSON and YAML always do)",
                  .into = &options.events});
  into.push_back({.flags = "--use",
                  .value = "RESOURCE",
                  .help = "show who used how much of it (cpu, memory, gpu, …), as bars",
                  .into = &options.use});
  into.push_back({.flags = "--report",
                  .value = "FILE",
                  .help = "write a page to be mailed, and what is behind it as CSV beside it",
                  .into = &options.report,
                  .completes = Completes::kFiles});
  into.push_back(AsOption(options.input));
  into.push_back({.flags = "--save",
                  .value = "FILE",
                  .help = "write the state at the end, to be planned over or run on",
                  .into = &options.save,
                  .completes = Completes::kFiles});
  for (Option& option : TraceOptionsInto(options.trace)) into.push_back(std::move(option));
}

}  // namespace

Command SimulateCommand() {
  auto options = std::make_shared<SimulateOptions>();
  Command command{
      .name = "simulate",
      .summary = "run a saved state or a trace forward on a virtual clock",
      .about =
          "Runs the state forward on a virtual clock: pods run, end, are evicted and come back,\n"
          "without a cluster and much faster than in one. How long a pod runs is its annotation\n"
          "fairlead.dev/run-duration; an object with fairlead.dev/arrives-at comes that much "
          "later.",
      .examples = {{"Until nothing more can change", "fairlead simulate -f cluster.yaml"},
                   {"The first hour, event by event",
                    "fairlead simulate -f cluster.yaml --until 1h --events"},
                   {"A trace of 8,152 pods on 1,523 nodes",
                    "fairlead simulate --trace openb --nodes nodes.csv --pods pods.csv"},
                   {"How much of 130% of its GPUs' load fits, on average of ten orders",
                    "fairlead simulate --trace openb --nodes nodes.csv --pods pods.csv "
                    "--load 130 --seeds 10"},
                   {"109 days of 82,247 jobs on 512 GPUs",
                    "fairlead simulate --trace philly --jobs philly.csv --tenants "
                    "philly_vc.csv --nodes 64 --gpus 8"},
                   {"A real cluster's rounds, once more, and a report of what happened",
                    "fairlead simulate --trace record --dir DIR --report week.html"}},
      .positionals = {},
      .options = InputOptionsInto(options->input, /*required=*/false),
      .run = [options](Output& output) { return RunSimulate(*options, output); },
  };
  AddOptions(*options, command.options);
  return command;
}

}  // namespace fairlead::cli
