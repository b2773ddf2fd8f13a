#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "account/bookkeeper.h"
#include "account/figures.h"
#include "account/fold.h"
#include "account/ledger.h"
#include "account/ledger_csv.h"
#include "account/metrics_report.h"
#include "base/file.h"
#include "cli/clock_options.h"
#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/load_runs.h"
#include "cli/signals.h"
#include "cli/simulation_document.h"
#include "cli/trace_input.h"
#include "engine/explain/explain.h"
#include "host/input.h"
#include "host/other_schedulers.h"
#include "host/saved_state.h"
#include "intake/intake.h"
#include "show/human_text.h"
#include "show/progress.h"
#include "show/queue_use.h"
#include "show/replay_view.h"
#include "show/report_html.h"
#include "show/simulation_view.h"
#include "trace/arrivals.h"
#include "trace/audited_rounds.h"
#include "trace/run.h"
#include "virtual/cluster.h"

namespace fairlead::cli {
namespace {

using drive::EventType;
using virtual_cluster::VirtualCluster;

struct SimulateOptions {
  host::InputOptions input;
  ClockOptions clock;
  TraceOptions trace;
  std::string report;
  std::string save;  // the file for the state at the end
  std::string use;   // the resource whose use is shown; empty: none
  bool events = false;
  bool audit = false;
};

// The options' values, once they make sense.
struct SimulateSettings {
  ClockSettings clock;
  TraceSettings trace;
};

Result<SimulateSettings> SettingsOf(const SimulateOptions& options) {
  SimulateSettings settings;
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
  if (options.audit && (options.trace.format == "record" || settings.trace.seeds > 1)) {
    return Fail("--audit is of one run: neither of a record nor of several --seeds");
  }
  if (!options.report.empty() && settings.trace.seeds > 1) {
    return Fail("--report is of one run, not of several --seeds; see compare");
  }
  // Found out before hours of work are lost.
  for (const std::string* path : {&options.report, &options.save}) {
    const auto can = path->empty() ? Result<void>() : CanWrite(*path);
    if (!can) return tl::unexpected(can.error());
  }
  return settings;
}

// Counts what comes and what ends, for the progress bar.
class StepCounter : public drive::Observer {
 public:
  void OnEvent(const drive::Event& event) override {
    if (event.type == EventType::kArrive || event.type == EventType::kFinish) ++steps_;
  }
  std::int64_t steps() const { return steps_; }

 private:
  std::int64_t steps_ = 0;
};

// A look at the terminal now and then.
class Looker {
 public:
  Looker(const StepCounter& counter, Time start) : counter_(counter), start_(start) {}

  void Expect(std::int64_t steps) { steps_expected_ = steps; }
  // False: somebody wants no more of it (Ctrl-C).
  bool AfterInstant(const VirtualCluster& cluster) {
    constexpr int kInstantsBetweenLooks = 64;
    if (instants_++ % kInstantsBetweenLooks != 0) return true;
    if (signals_.Wait(0)) stopped_ = true;
    if (stopped_) return false;
    const std::string at = "+" + show::HumanDuration(cluster.Now() - start_);
    progress_.Show(counter_.steps(), steps_expected_, "arrivals and ends", at);
    return true;
  }
  bool stopped() const { return stopped_; }

 private:
  const StepCounter& counter_;
  const Time start_;
  std::int64_t steps_expected_ = 0;
  int instants_ = 0;
  bool stopped_ = false;
  Signals signals_;
  show::Progress progress_{"simulating"};
};

// Pods that are there, or that jobs ask for: each of them ends once.
std::int64_t CountOfPods(const objects::Manifest& manifest, const trace::JobList& jobs) {
  std::int64_t pods = jobs.PodCount();
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

// Everything that listens to a simulation beside what every run keeps.
struct Watchers {
  Watchers(Time start, const std::string& resource)
      : timeline(start, kTimelineRows), table(start), use(resource) {}
  static constexpr int kTimelineRows = 12;
  show::Timeline timeline;
  StepCounter counter;
  show::EventTable table;
  SimulationDocument document;
  show::QueueUse use;
  trace::AuditedRounds audit;
};

std::vector<drive::Observer*> Listening(Watchers& watchers, const SimulateOptions& options,
                                        const show::Output& output) {
  std::vector<drive::Observer*> all{&watchers.timeline, &watchers.counter};
  if (!output.is_table()) all.push_back(&watchers.document);
  if (output.is_table() && options.events) all.push_back(&watchers.table);
  if (output.is_table() && !options.use.empty()) all.push_back(&watchers.use);
  if (options.audit) all.push_back(&watchers.audit);
  return all;
}

void NoteRunning(const VirtualCluster& cluster, show::Timeline& timeline) {
  const std::string& ours = cluster.intake().configuration().scheduler_name;
  for (const objects::Object* object : cluster.List("Pod")) {
    const auto& pod = std::get<objects::Pod>(*object);
    if (pod.spec.scheduler_name == ours && !pod.spec.node_name.empty() && !pod.finished()) {
      timeline.AddRunning(pod.meta.Key());
    }
  }
}

// Beside the answer, on standard error. Returns the exit code.
int TellOfAudit(const trace::AuditedRounds& audit) {
  for (const std::string& complaint : audit.kept()) show::ComplainAsIs("audit: " + complaint);
  const std::int64_t complaints = audit.complaints();
  show::ComplainAsIs(
      fmt::format("audit: {}, {}", show::Counted(audit.rounds(), "round"),
                  complaints == 0 ? "no complaint" : show::Counted(complaints, "complaint")));
  return complaints == 0 ? show::kDone : show::kAnswerIsNo;
}

void PrintResult(const trace::RunResult& result, Time start, const SimulateOptions& options,
                 Watchers& watchers, show::Output& output) {
  constexpr std::size_t kUseRows = 40;
  const VirtualCluster& cluster = *result.cluster;
  if (!output.is_table()) return watchers.document.Print(result, start, output);
  if (options.events) {
    watchers.table.Print(output);
    output.Line("");
  }
  if (!options.use.empty()) {
    output.Print(watchers.use.Rows(start, kUseRows));
    output.Line(watchers.use.Legend());
    output.Line("");
  }
  show::PrintSimulation(
      {.start = start,
       .end = result.end,
       .idle = result.idle,
       .digest = result.digest,
       .timeline = watchers.timeline,
       .workloads = cluster.FinalWorkloads(),
       .finished_before = cluster.forgotten_workloads(),
       .metrics = result.metrics,
       .nearness = result.nearness,
       .pending = engine::ReportPending(cluster.scheduler(), result.end, show::kShownPending),
       .others = host::OtherSchedulersText(cluster.intake())},
      output);
  if (!result.allocation.empty()) PrintAllocation(result.allocation, output);
}

struct Reported {
  std::string title, name, digest;
};

// The page, and the rows behind it as CSV. Returns the exit code: `code`, where it could be
// written.
int WriteReport(const std::string& path, const Reported& reported, const account::Ledger& ledger,
                int code) {
  const std::vector<account::Figure> figures = FiguresOf(ledger);
  show::ReportPage page{
      .title = reported.title, .command = {}, .runs = {}, .comparison = {}, .jitter = {}};
  page.runs.push_back(show::ReportOf(reported.name, ledger, reported.digest, figures));
  auto written = WriteCsv(ledger, figures, show::CsvDirectory(path));
  if (written) written = WriteFile(path, show::ReportHtml(page));
  if (written) return code;
  show::Complain(written.error().message);
  return show::kBadInput;
}

std::string TitleOf(const SimulateOptions& options) {
  std::string input = options.trace.format.empty() ? "" : "trace " + options.trace.format;
  for (const std::string& path : options.input.paths) input += (input.empty() ? "" : ", ") + path;
  return "Simulation of " + input;
}

// Decides every round of a record again; the report is of what happened in it.
int RunReplay(const SimulateOptions& options, show::Output& output) {
  account::Fold fold;
  account::Bookkeeper books(fold);
  const Result<trace::Replay> replay =
      trace::ReplayRecord(options.trace.directory, options.report.empty() ? nullptr : &fold);
  if (!replay) {
    show::Complain(replay.error().message);
    return show::kBadInput;
  }
  show::PrintReplay(*replay, output);
  const int code = replay->differing == 0 ? show::kDone : show::kAnswerIsNo;
  if (options.report.empty()) return code;
  std::string title = "As recorded in " + options.trace.directory;
  if (replay->differing > 0) {
    title += fmt::format(", without the evictions of {} that would be decided otherwise now",
                         show::Counted(replay->differing, "round"));
  }
  return WriteReport(options.report, {.title = title, .name = "record", .digest = replay->digest},
                     books.Take(replay->end, replay->topologies), code);
}

int RunOne(objects::Manifest manifest, trace::RunOptions run, const SimulateOptions& options,
           show::Output& output) {
  const Time start = run.start;
  const std::int64_t pods = CountOfPods(manifest, *run.jobs);
  const std::int64_t jobs = run.jobs->JobCount();
  Watchers watchers(start, options.use);
  run.forget_ended = jobs > 0 && options.save.empty();
  if (run.forget_ended && !output.is_table()) watchers.document.KeepForgotten(run);
  std::optional<Looker> looker(std::in_place, watchers.counter, start);
  run.keep_ledger = !options.report.empty();
  run.keep_cluster = true;
  run.observers = Listening(watchers, options, output);
  run.on_submitted = [&](const VirtualCluster& cluster,
                         const virtual_cluster::Submitted& submitted) {
    NoteRunning(cluster, watchers.timeline);
    const std::int64_t later = submitted.later + jobs;
    looker->Expect(later > 0 ? later + pods : 0);
  };
  run.on_instant = [&](const VirtualCluster& cluster) { return looker->AfterInstant(cluster); };
  const auto result = trace::Run(std::move(manifest.objects), run);
  const bool stopped = looker->stopped();
  looker.reset();  // rubs its line out
  if (!result) {
    for (const std::string& line : host::FaultLines(result.error())) show::ComplainAsIs(line);
    return show::kBadInput;
  }
  if (stopped) {
    show::Complain(
        fmt::format("stopped after {} of the cluster's time: this is what was until then",
                    show::HumanDuration(result->end - start)));
  }
  PrintResult(*result, start, options, watchers, output);
  if (!options.save.empty()) {
    if (const auto saved = WriteFile(options.save, host::SavedState(*result->cluster)); !saved) {
      show::Complain(saved.error().message);
      return show::kBadInput;
    }
  }
  const int audited = options.audit ? TellOfAudit(watchers.audit) : show::kDone;
  const int code = stopped ? kInterrupted : audited;
  if (!result->ledger) return code;
  return WriteReport(options.report,
                     {.title = TitleOf(options), .name = "simulation", .digest = result->digest},
                     *result->ledger, code);
}

int RunSimulate(const SimulateOptions& options, show::Output& output) {
  const Result<SimulateSettings> settings = SettingsOf(options);
  if (!settings) {
    show::Complain(settings.error().message);
    return show::kBadInput;
  }
  if (options.trace.format == "record") return RunReplay(options, output);
  objects::Manifest manifest = host::ReadInput(options.input);
  auto jobs = std::make_shared<trace::JobList>();
  if (!options.trace.format.empty()) ReadTrace(options.trace, settings->trace, manifest, *jobs);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  const Time start =
      settings->clock.start ? *settings->clock.start : intake::NewestTime(manifest.objects);
  trace::RunOptions run{.start = start,
                        .configuration = {},
                        .delays = settings->clock.delays,
                        .until = settings->clock.until,
                        .arrivals = settings->trace.arrivals,
                        .jobs = std::move(jobs)};
  if (settings->trace.seeds > 1) {
    return RunLoads(manifest.objects, run, settings->trace.seeds, output);
  }
  return RunOne(std::move(manifest), std::move(run), options, output);
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
  into.push_back({.flags = "--audit",
                  .value = "",
                  .help = "recompute all sums and verdicts after each round; exits 1 on a fault",
                  .into = &options.audit});
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
      .run = [options](show::Output& output) { return RunSimulate(*options, output); },
  };
  AddOptions(*options, command.options);
  return command;
}

}  // namespace fairlead::cli
