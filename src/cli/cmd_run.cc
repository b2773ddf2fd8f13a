#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "base/version.h"
#include "cli/access_options.h"
#include "cli/commands.h"
#include "cli/history_options.h"
#include "cli/log.h"
#include "cli/memory.h"
#include "cli/signals.h"
#include "host/input.h"
#include "host/real_cluster.h"
#include "host/serving.h"
#include "kube/curl_loop.h"
#include "kube/kubeconfig.h"
#include "live/live_scheduler.h"
#include "live/record_writer.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

constexpr std::int64_t kEventsPerSecond = 200;

struct RunOptions {
  std::string kubeconfig, context;
  std::string config;
  std::string listen, port;
  std::string probe_listen = "none";
  std::string leader_elect = "auto";
  std::string lease_namespace;
  std::string log_format = "text";
  std::string record;
  HistoryOptions history;
  AccessOptions access;
};

Result<host::Serving::Addresses> AddressesOf(const RunOptions& run) {
  host::Serving::Addresses addresses;
  const Result<host::Address> pages = host::ListenFlags(run.listen, run.port);
  if (!pages) return tl::unexpected(pages.error());
  addresses.pages = *pages;
  auto access = PageAccessOf(run.access, [log = MakeLog(run.log_format)](
                                             const std::string& message) { log->warn(message); });
  if (!access) return tl::unexpected(access.error());
  addresses.access = *std::move(access);
  if (run.probe_listen == "none") return addresses;
  const Result<host::Address> probes = host::AddressFlag("--probe-listen", run.probe_listen);
  if (!probes) return tl::unexpected(probes.error());
  addresses.probes = *probes;
  return addresses;
}

// The only SchedulerConfiguration of the file, or the default one.
bool ReadConfiguration(const std::string& path, objects::SchedulerConfiguration& into) {
  if (path.empty()) return true;
  const objects::Manifest manifest = host::ReadInput({.paths = {}, .config = path});
  if (!host::ReportInput(manifest)) return false;
  for (const objects::Object& object : manifest.objects) {
    if (const auto* found = std::get_if<objects::SchedulerConfiguration>(&object)) into = *found;
  }
  return true;
}

std::uint64_t RandomSeed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? std::string(name) : std::string("unknown");
}

live::LiveScheduler::Options LiveOptions(const RunOptions& run,
                                         objects::SchedulerConfiguration configuration,
                                         const kube::Connection& connection) {
  live::LiveScheduler::Options options;
  options.seed = RandomSeed();
  options.identity = fmt::format("{}_{:08x}", HostName(), options.seed >> 32);
  options.writer.seed = options.seed + 1;
  options.writer.limits[static_cast<std::size_t>(kube::Lane::kEvents)] = {
      .per_second = kEventsPerSecond, .burst = kEventsPerSecond};
  // In a cluster there may be replicas; on somebody's desk there are none.
  const bool in_cluster = std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
  if (run.leader_elect == "true" || (run.leader_elect == "auto" && in_cluster)) {
    std::string name_space = run.lease_namespace;
    if (name_space.empty()) name_space = connection.name_space;
    if (name_space.empty()) name_space = "kube-system";
    options.lease = kube::LeaseOptions{.name_space = name_space,
                                       .name = configuration.scheduler_name,
                                       .identity = options.identity,
                                       .seed = options.seed + 2};
  }
  options.configuration = std::move(configuration);
  return options;
}

// Absent --data-dir it is in memory: for the page, as long as the process lives.
std::unique_ptr<history::Recorder> HistoryOf(const RunOptions& run, const history::Bounds& bounds,
                                             std::function<void(const std::string&)> problem) {
  const bool in_memory = run.history.data_dir == "none";
  const Time now{std::chrono::duration_cast<std::chrono::microseconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count()};
  return StartHistory(in_memory ? "" : run.history.data_dir, bounds, history::Mode::kReal, now,
                      std::move(problem));
}

int Serve(const RunOptions& run, const host::Serving::Addresses& addresses,
          const history::Bounds& bounds, kube::Connection connection,
          objects::SchedulerConfiguration configuration) {
  GiveBackFreedMemory();
  Signals signals;
  const std::shared_ptr<spdlog::logger> log = MakeLog(run.log_format);
  for (const std::string& warning : connection.warnings) log->warn("{}", warning);
  const auto problem = [log](const std::string& message) { log->warn("{}", message); };
  live::LiveScheduler::Options options = LiveOptions(run, std::move(configuration), connection);
  const std::string source = connection.source;
  const std::string server = connection.server;
  const std::string scheduler_name = options.configuration.scheduler_name;
  auto loop = kube::CurlLoop::Make(
      std::move(connection),
      {.user_agent = "fairlead/" + std::string(Version()), .on_problem = problem});
  if (!loop) {
    log->error("{}", loop.error().message);
    return show::kBadInput;
  }
  std::atomic<bool> lost = false;
  std::unique_ptr<live::RecordWriter> recorder;
  if (!run.record.empty()) {
    auto made = live::RecordWriter::Make(run.record, problem);
    if (!made) {
      log->error("{}", made.error().message);
      return show::kBadInput;
    }
    recorder = std::move(*made);
    log->info("recording into {}", recorder->path());
  }
  const auto kept = HistoryOf(run, bounds, problem);
  host::RealCluster cluster(
      std::move(*loop), std::move(options),
      {.on_problem = problem,
       .on_news = [log](const std::string& message) { log->info("{}", message); },
       .on_lost =
           [log, &lost] {
             log->error("the lease is lost: another may lead by now");
             lost = true;
           }},
      kept.get());
  auto serving = host::Serving::Start(addresses, cluster);
  if (!serving) {
    log->error("{}", serving.error().message);
    return show::kBadInput;
  }
  if (addresses.probes) {
    log->info("probes and metrics on http://{}:{}", addresses.probes->host,
              (*serving)->probes_port());
  }
  log->info("Fairlead {} schedules {} ({}) as \"{}\"; figures and explanations on {}://{}:{}",
            Version(), server, source, scheduler_name, addresses.access.scheme(),
            addresses.pages.host, (*serving)->pages_port());
  if (recorder != nullptr) cluster.AddObserver(recorder.get());
  cluster.Start();
  while (!lost && !signals.Wait(1)) {
  }
  log->info("ending");
  (*serving)->End();
  kept->Stop();
  // The successor of a leader that lost its lease begins with an empty memory.
  return lost ? show::kAnswerIsNo : show::kDone;
}

int RunRun(const RunOptions& run) {
  const Result<host::Serving::Addresses> addresses = AddressesOf(run);
  if (!addresses) {
    show::Complain(addresses.error().message);
    return show::kBadInput;
  }
  const Result<history::Bounds> bounds = BoundsOf(run.history);
  if (!bounds) {
    show::Complain(bounds.error().message);
    return show::kBadInput;
  }
  objects::SchedulerConfiguration configuration;
  if (!ReadConfiguration(run.config, configuration)) return show::kBadInput;
  Result<kube::Connection> connection =
      kube::FindConnection({.kubeconfig = run.kubeconfig, .context = run.context});
  if (!connection) {
    show::Complain(connection.error().message);
    return show::kBadInput;
  }
  return Serve(run, *addresses, *bounds, std::move(*connection), std::move(configuration));
}

}  // namespace

Command RunCommand() {
  auto options = std::make_shared<RunOptions>();
  Command command{
      .name = "run",
      .summary = "schedule a real cluster",
      .about =
          "Schedules the cluster that the kubeconfig names (or the one it runs in): binds the "
          "pods\n"
          "that name this scheduler, admits suspended jobs, evicts who has to give way. It needs\n"
          "the rights in deploy/; what it keeps in mind is all in the cluster, so that it may be\n"
          "killed at any time.",
      .examples = {{"The current context, as kubectl has it", "fairlead run"},
                   {"With a configuration of one's own", "fairlead run --config fairlead.yaml"},
                   {"Why is it pending?", "fairlead explain team/job"}},
      .positionals = {},
      .options = {{.flags = "--kubeconfig",
                   .value = "FILE",
                   .help = "instead of $KUBECONFIG and ~/.kube/config",
                   .into = &options->kubeconfig,
                   .completes = Completes::kFiles},
                  {.flags = "--context",
                   .value = "NAME",
                   .help = "of the kubeconfig; default: the current one",
                   .into = &options->context},
                  {.flags = "--config",
                   .value = "FILE",
                   .help = "a SchedulerConfiguration",
                   .into = &options->config,
                   .completes = Completes::kFiles},
                  {.flags = "--listen",
                   .value = "HOST:PORT",
                   .help = "the page and its answers (default: 127.0.0.1:8484); port 0: any",
                   .into = &options->listen},
                  {.flags = "--port",
                   .value = "PORT",
                   .help = "the same on this machine",
                   .into = &options->port},
                  {.flags = "--probe-listen",
                   .value = "HOST:PORT",
                   .help = "/healthz, /readyz, /metrics; none: at --listen",
                   .into = &options->probe_listen},
                  {.flags = "--leader-elect",
                   .value = "WHEN",
                   .help = "lead by a Lease; auto: in a cluster",
                   .into = &options->leader_elect,
                   .choices = {"true", "false", "auto"}},
                  {.flags = "--lease-namespace",
                   .value = "NAMESPACE",
                   .help = "of the Lease; default: the context's, or the pod's",
                   .into = &options->lease_namespace},
                  {.flags = "--log-format",
                   .value = "FORMAT",
                   .help = "text, or json: one object a line",
                   .into = &options->log_format,
                   .choices = {"text", "json"}},
                  {.flags = "--record",
                   .value = "DIR",
                   .help = "write down all that decides, for simulate --trace record",
                   .into = &options->record,
                   .completes = Completes::kFiles}},
      .run = [options](show::Output& /*output*/) { return RunRun(*options); },
  };
  AddHistoryOptions(options->history, "default", command.options);
  AddAccessOptions(options->access, command.options);
  return command;
}

}  // namespace fairlead::cli
