#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "base/version.h"
#include "cli/access_options.h"
#include "cli/clock_options.h"
#include "cli/commands.h"
#include "cli/history_options.h"
#include "cli/input_options.h"
#include "cli/memory.h"
#include "cli/signals.h"
#include "host/input.h"
#include "host/live_cluster.h"
#include "host/serving.h"
#include "intake/intake.h"
#include "objects/keys.h"
#include "server/api.h"
#include "server/http.h"
#include "server/page.h"
#include "server/page_files.h"
#include "server/services.h"
#include "show/human_text.h"
#include "show/progress.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

constexpr std::int64_t kMaxSpeed = 1'000'000;
constexpr std::time_t kStatusEverySeconds = 2;

struct UpOptions {
  host::InputOptions input;
  bool demo = false;
  std::string speed;
  std::string port, listen;
  DelayOptions delays;
  HistoryOptions history;
  AccessOptions access;
  bool allow_changes = false;
};

struct UpSettings {
  std::int64_t speed = 1;
  host::Address address;
  virtual_cluster::Delays delays;
  std::string data_dir;  // empty: the history is kept in memory
  history::Bounds bounds;
  host::PageAccess access;
  std::string why_read_only;  // empty: it is not
};

// What everybody may reach asks for a token.
Result<host::Address> AddressOf(const UpOptions& options) {
  Result<host::Address> address = host::ListenFlags(options.listen, options.port);
  const bool asks = !options.access.token_file.empty();
  if (address && !asks && !server::IsLoopbackHost(address->host)) {
    return Fail(
        fmt::format("--listen: found {}, expected 127.0.0.1 or localhost: whoever reaches "
                    "it sees everything; with --token-file who has a token",
                    address->host));
  }
  return address;
}

// Those who are let in from elsewhere look on, unless it is said that they may do more.
std::string WhyReadOnly(const UpOptions& options, const host::Address& address) {
  const bool elsewhere =
      !server::IsLoopbackHost(address.host) || !options.access.user_header.empty();
  if (!elsewhere || options.allow_changes) return {};
  return "this cluster is shown to others, and takes no changes: it was started without "
         "--allow-changes";
}

Result<UpSettings> SettingsOf(const UpOptions& options) {
  if (options.demo && !options.input.paths.empty()) {
    return Fail("--demo is a cluster of its own: give it or -f");
  }
  // An hour of the lab a minute: a day is over before somebody tires of it.
  const std::string usual = options.demo ? "60" : "1";
  const auto speed =
      host::CountFlag("--speed", options.speed.empty() ? usual : options.speed, 1, kMaxSpeed);
  const auto address = AddressOf(options);
  const auto delays = DelaysOf(options.delays);
  if (!speed) return tl::unexpected(speed.error());
  if (!address) return tl::unexpected(address.error());
  if (!delays) return tl::unexpected(delays.error());
  const auto bounds = BoundsOf(options.history);
  if (!bounds) return tl::unexpected(bounds.error());
  auto access =
      PageAccessOf(options.access, [](const std::string& message) { show::Complain(message); });
  if (!access) return tl::unexpected(access.error());
  const std::string& named = options.history.data_dir;
  return UpSettings{.speed = *speed,
                    .address = *address,
                    .delays = *delays,
                    .data_dir = named == "none" ? ""
                                : named.empty() ? UserDataDir()
                                                : named,
                    .bounds = *bounds,
                    .access = *std::move(access),
                    .why_read_only = WhyReadOnly(options, *address)};
}

// A saved state goes on where it was saved; anything else starts now.
Time StartOf(const std::vector<objects::Object>& objects) {
  const Time newest = intake::NewestTime(objects);
  if (newest != intake::NewestTime({})) return newest;
  return Time{} + Duration::Seconds(std::time(nullptr));
}

void PrintWelcome(int port, const UpSettings& settings, std::size_t objects, show::Output& output) {
  const std::string url =
      fmt::format("{}://{}:{}", settings.access.scheme(), settings.address.host, port);
  if (!output.is_table()) {
    output.StreamDocument(json::object{
        {"kind", "Up"}, {"url", url}, {"version", Version()}, {"speed", settings.speed}});
    return;
  }
  output.Line(fmt::format(
      "Fairlead {}: a virtual cluster with {} at {}{}", Version(),
      show::Counted(static_cast<std::int64_t>(objects), "object"), url,
      settings.speed == 1 ? "" : fmt::format(", its clock {} times as fast", settings.speed)));
  output.Line("");
  output.Line("In another terminal:");
  if (port != host::kDefaultPort || settings.access.tls != nullptr) {
    output.Line(fmt::format("  export FAIRLEAD_SERVER={}", url));
  }
  if (settings.access.access.asks_token()) {
    output.Line("  export FAIRLEAD_TOKEN=…           # one of the file");
  }
  if (objects == 0) output.Line("  fairlead submit -f nodes.yaml     # there are no nodes yet");
  output.Line("  fairlead get nodes");
  output.Line("  fairlead get pods -A");
  output.Line("  fairlead submit -f job.yaml");
  output.Line("  fairlead explain NS/NAME          # why is it pending?");
  output.Line("");
  output.Line("Ctrl-C ends it; `fairlead get all -A -o yaml` saves it.");
}

std::string StatusLine(const view::View& view) {
  const view::Totals& totals = view.tables->totals;
  std::string line =
      fmt::format("{}  {} running, {} pending, {} ended", FormatTime(view.now),
                  show::Grouped(totals.pods_running), show::Grouped(totals.pods_pending),
                  show::Grouped(totals.pods_finished));
  for (const view::Resource& resource : *view.tables->resources) {
    const std::int64_t all = view::AmountAt(totals.allocatable, resource.column);
    if (resource.name != objects::kGpuResource || all == 0) continue;
    const std::int64_t used = view::AmountAt(totals.allocated, resource.column);
    line += fmt::format("  GPUs {} {}/{}", show::ProgressBar(used, all, 16), (used + 999) / 1000,
                        all / 1000);
  }
  return line;
}

// Until a signal comes; on a terminal with a line that says how it goes.
void WaitForEnd(Signals& signals, host::LiveCluster& cluster) {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  while (!signals.Wait(kStatusEverySeconds)) {
    if (terminal) fmt::print(stderr, "\r\x1b[K{}", StatusLine(*cluster.Look()));
  }
  if (terminal) fmt::print(stderr, "\r\x1b[K");
}

void PrintSummary(const view::View& view, Time start, show::Output& output) {
  const view::Totals& totals = view.tables->totals;
  if (!output.is_table()) {
    output.StreamDocument(json::object{{"kind", "UpSummary"},
                                       {"start", FormatTime(start)},
                                       {"end", FormatTime(view.now)},
                                       {"bound", totals.bound},
                                       {"evicted", totals.evicted},
                                       {"running", totals.pods_running},
                                       {"pending", totals.pods_pending},
                                       {"finished", totals.pods_finished}});
    return;
  }
  output.Line("");
  output.Line(fmt::format(
      "Ended after {} of virtual time: {} bound, {} evicted; {} running, {} pending, {} ended.",
      show::HumanDuration(view.now - start), show::Counted(totals.bound, "pod"),
      show::Grouped(totals.evicted), show::Grouped(totals.pods_running),
      show::Grouped(totals.pods_pending), show::Grouped(totals.pods_finished)));
}

int Serve(objects::Manifest manifest, const UpSettings& settings, show::Output& output) {
  GiveBackFreedMemory();
  Signals signals;
  const Time start = StartOf(manifest.objects);
  const std::size_t objects = manifest.objects.size();
  const auto recorder =
      StartHistory(settings.data_dir, settings.bounds, history::Mode::kVirtual, start,
                   [](const std::string& problem) { show::Complain(problem); });
  host::LiveCluster cluster({.start = start,
                             .delays = settings.delays,
                             .speed = settings.speed,
                             .history = recorder.get(),
                             .why_read_only = settings.why_read_only});
  const auto submitted = cluster.SubmitRead(std::move(manifest.objects));
  if (!submitted) {
    for (const std::string& line : host::FaultLines(submitted.error())) show::ComplainAsIs(line);
    return show::kBadInput;
  }
  server::ApiService service(cluster, settings.access.access);
  auto http = server::HttpServer::Start(settings.address.host, settings.address.port, service,
                                        settings.access.Limits(), settings.access.tls);
  if (!http) {
    const std::string& message = http.error().message;
    const bool taken = message.find("in use") != std::string::npos;
    show::Complain(message + (taken ? "; is another `fairlead up` running? --port 0 takes any that "
                                      "is free"
                                    : ""));
    return show::kBadInput;
  }
  PrintWelcome((*http)->port(), settings, objects, output);
  output.Flush();
  WaitForEnd(signals, cluster);
  signals.Release();
  (*http)->Stop();
  cluster.Stop();
  recorder->Stop();
  PrintSummary(*cluster.Look(), start, output);
  return show::kDone;
}

// The lab of examples/research-lab, which the build puts beside the page.
objects::Manifest Demo() {
  constexpr std::string_view kFolder = "demo/";
  objects::Manifest manifest;
  for (const server::PageFile& file : server::PageFiles()) {
    if (!file.name.starts_with(kFolder)) continue;
    objects::ReadText(server::PageText(file.name), std::string(file.name), intake::AllDecoders(),
                      manifest);
  }
  host::JudgeInput(manifest);
  return manifest;
}

int RunUp(const UpOptions& options, show::Output& output) {
  const Result<UpSettings> settings = SettingsOf(options);
  if (!settings) {
    show::Complain(settings.error().message);
    return show::kBadInput;
  }
  objects::Manifest manifest = options.demo ? Demo() : host::ReadInput(options.input);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  return Serve(std::move(manifest), *settings, output);
}

}  // namespace

Command UpCommand() {
  auto options = std::make_shared<UpOptions>();
  Command command{
      .name = "up",
      .summary = "run a virtual cluster on this machine",
      .about =
          "Runs a virtual cluster in this process: nodes and kubelets are pretended, the\n"
          "scheduler is the real one. It listens on 127.0.0.1 unless told otherwise; submit,\n"
          "get, delete and explain speak to it. Ctrl-C ends it.",
      .examples = {{"A lab of nine teams and their Monday, an hour a minute", "fairlead up --demo"},
                   {"An empty cluster; give it nodes with submit", "fairlead up"},
                   {"A cluster from files, an hour a minute", "fairlead up -f lab/ --speed 60"},
                   {"A second one beside it", "fairlead up -f lab/ --port 0"}},
      .positionals = {},
      .options = InputOptionsInto(options->input, /*required=*/false),
      .run = [options](show::Output& output) { return RunUp(*options, output); },
  };
  command.options.push_back({.flags = "--demo",
                             .value = "",
                             .help = "a lab that is in the program: 40 nodes, 112 GPUs, nine teams",
                             .into = &options->demo});
  command.options.push_back({.flags = "--speed",
                             .value = "N",
                             .help = "its clock is so many times as fast (default: 1; --demo: 60)",
                             .into = &options->speed});
  command.options.push_back({.flags = "--port",
                             .value = "PORT",
                             .help = "where to listen (default: 8484); 0: any that is free",
                             .into = &options->port});
  command.options.push_back({.flags = "--listen",
                             .value = "HOST:PORT",
                             .help = "the same with an address; beyond this machine: --token-file",
                             .into = &options->listen});
  AddDelayOptions(options->delays, command.options);
  AddHistoryOptions(options->history, "default: your data folder", command.options);
  AddAccessOptions(options->access, command.options);
  command.options.push_back({.flags = "--allow-changes",
                             .value = "",
                             .help = "others who are let in may submit and delete, too",
                             .into = &options->allow_changes});
  return command;
}

}  // namespace fairlead::cli
