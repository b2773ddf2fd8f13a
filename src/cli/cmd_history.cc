#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/history_options.h"
#include "cli/remote.h"
#include "cli/targets.h"
#include "host/input.h"
#include "server/history_api.h"
#include "show/history_view.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;
using Parameters = std::map<std::string, std::string>;

constexpr std::int64_t kPage = 1'000;

struct HistoryCommandOptions {
  std::string what = "decisions";
  std::string queue, user, workload, since, session;
  std::string limit = "200";
  std::string data_dir;
  Scope scope;  // with the server
};

std::string UrlQuery(const Parameters& parameters) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string query;
  for (const auto& [name, value] : parameters) {
    query += (query.empty() ? "?" : "&") + name + "=";
    for (const char c : value) {
      if (kPlain.find(c) != std::string_view::npos) {
        query += c;
      } else {
        query += fmt::format("%{:02X}", static_cast<unsigned char>(c));
      }
    }
  }
  return query;
}

// A running server, or the file in a data directory: the same answers.
class Asked {
 public:
  explicit Asked(const HistoryCommandOptions& options) {
    const char* named = std::getenv("FAIRLEAD_SERVER");
    const bool asks_server = !options.scope.server.empty() ||
                             (options.data_dir.empty() && named != nullptr && *named != '\0');
    if (asks_server) {
      server_ = ServerUrl(options.scope.server);
    } else {
      directory_.emplace(options.data_dir.empty() ? UserDataDir() : options.data_dir);
    }
  }

  tl::expected<json::value, RemoteError> Get(const std::string& what,
                                             const Parameters& parameters) const {
    if (!directory_) return Call(server_, "GET", "/api/v1/history/" + what + UrlQuery(parameters));
    const server::Answer answer = server::HistoryAnswer(&*directory_, what, parameters);
    if (!answer) {
      return tl::unexpected(
          RemoteError{.message = answer.error().message, .faults = answer.error().faults});
    }
    return json::parse(*answer);
  }

 private:
  std::string server_;
  std::optional<history::Directory> directory_;
};

// `since` before the newest moment of the session that is asked.
tl::expected<void, RemoteError> AddSince(const Asked& asked, const HistoryCommandOptions& options,
                                         Parameters& parameters) {
  if (options.since.empty()) return {};
  const auto since = host::DurationFlag("--since", options.since);
  if (!since) return tl::unexpected(RemoteError{.message = since.error().message});
  const auto sessions = asked.Get("sessions", {});
  if (!sessions) return tl::unexpected(sessions.error());
  for (const json::value& row : show::ItemsAt(*sessions, "rows")) {
    const auto end = ParseTime(show::TextAt(row, "end"));
    const bool any = options.session.empty() || options.session == "all";
    const bool asked_for = any ? show::At(row, "current") == json::value(true)
                               : options.session == fmt::to_string(show::NumberAt(row, "session"));
    if (end && asked_for) parameters["from"] = FormatTime(*end + Duration{-since->us});
  }
  return {};
}

// Pages until there are `limit` rows (0: all); the oldest first.
tl::expected<json::array, RemoteError> AllRows(const Asked& asked, const std::string& what,
                                               Parameters parameters, std::int64_t limit) {
  json::array rows;
  for (;;) {
    const auto left = static_cast<std::int64_t>(limit) - static_cast<std::int64_t>(rows.size());
    parameters["limit"] = fmt::to_string(limit == 0 ? kPage : std::min(kPage, left));
    const auto page = asked.Get(what, parameters);
    if (!page) return tl::unexpected(page.error());
    for (const json::value& row : show::ItemsAt(*page, "rows")) rows.push_back(row);
    const bool enough = limit != 0 && static_cast<std::int64_t>(rows.size()) >= limit;
    if (enough || rows.empty() || show::At(*page, "more") != json::value(true)) break;
    parameters["before"] = fmt::to_string(show::NumberAt(rows.back(), "seq"));
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
}

int ShowUsage(const Asked& asked, const HistoryCommandOptions& options, Parameters parameters,
              std::int64_t limit, show::Output& output) {
  if (!options.user.empty() || !options.workload.empty() || !options.scope.name_space.empty()) {
    show::Complain(
        "usage is kept by queue: --user, --workload and -n belong to decisions and workloads");
    return show::kBadInput;
  }
  if (limit > 0) parameters["points"] = fmt::to_string(std::min<std::int64_t>(limit, 5'000));
  const auto series = asked.Get("usage", parameters);
  if (!series) return Complain(series.error());
  show::PrintUsage(*series, output);
  return show::kDone;
}

int RunHistory(const HistoryCommandOptions& options, show::Output& output) {
  const auto limit = host::CountFlag("--limit", options.limit, 0, 10'000'000);
  if (!limit) {
    show::Complain(limit.error().message);
    return show::kBadInput;
  }
  if (!options.data_dir.empty() && !options.scope.server.empty()) {
    show::Complain("--data-dir reads a file, --server asks who writes it: give one of them");
    return show::kBadInput;
  }
  if (const auto checked = CheckScope(options.scope); !checked) {
    show::Complain(checked.error().message);
    return show::kBadInput;
  }
  const Asked asked(options);
  Parameters parameters;
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) parameters[name] = value;
  };
  set("queue", options.queue);
  set("user", options.user);
  set("workload", options.workload);
  set("namespace", options.scope.name_space);
  set("session", options.session);
  if (const auto added = AddSince(asked, options, parameters); !added) {
    return Complain(added.error());
  }
  if (options.what == "usage") return ShowUsage(asked, options, parameters, *limit, output);
  if (options.what == "sessions" || options.what == "estimates") {
    const bool estimates = options.what == "estimates";
    const auto all = asked.Get(options.what, estimates ? parameters : Parameters());
    if (!all) return Complain(all.error());
    show::PrintHistory(options.what, show::ItemsAt(*all, "rows"), output);
    return show::kDone;
  }
  const auto rows = AllRows(asked, options.what, parameters, *limit);
  if (!rows) return Complain(rows.error());
  show::PrintHistory(options.what, *rows, output);
  return show::kDone;
}

void AddOptions(HistoryCommandOptions& options, std::vector<Option>& into) {
  into = {{.flags = "--queue",
           .value = "QUEUE",
           .help = "only of this queue and those below it",
           .into = &options.queue},
          {.flags = "--user",
           .value = "USER",
           .help = "only of whom the manifests name as their user",
           .into = &options.user},
          {.flags = "--workload",
           .value = "NS/NAME",
           .help = "only of this workload",
           .into = &options.workload},
          NamespaceOption(options.scope, "only of work in this namespace (default: all)"),
          AllNamespacesOption(options.scope),
          {.flags = "--since",
           .value = "DURATION",
           .help = "only so long before the newest that is recorded",
           .into = &options.since},
          {.flags = "--limit",
           .value = "N",
           .help = "at most so many rows, the newest; 0: all",
           .into = &options.limit},
          {.flags = "--session",
           .value = "N",
           .help = "another start of `up` than the last; all: every one",
           .into = &options.session},
          {.flags = "--data-dir",
           .value = "DIR",
           .help = "read what is kept there, whether a scheduler runs or not",
           .into = &options.data_dir,
           .completes = Completes::kFiles},
          {.flags = "--server",
           .value = "URL",
           .help = "ask a running scheduler instead; $FAIRLEAD_SERVER too",
           .into = &options.scope.server}};
}

}  // namespace

Command HistoryCommand() {
  auto options = std::make_shared<HistoryCommandOptions>();
  Command command{
      .name = "history",
      .summary = "what was decided and used, by queue, user and workload",
      .about =
          "Shows what schedulers wrote down: decisions, the use of queues by the minute,\n"
          "workloads that ended, how often work started when it was said to (estimates), and\n"
          "the sessions of the file; the oldest first. It reads the file of the data directory,\n"
          "while one is written or after. -o csv, too.\n"
          "A user is who a manifest says it is (fairlead.dev/user): nobody checks that.",
      .examples = {{"What was decided lately", "fairlead history"},
                   {"Who used what", "fairlead history workloads -o csv > used.csv"},
                   {"Can I trust what explain says of starts?", "fairlead history estimates"},
                   {"A queue's last day", "fairlead history usage --queue vision --since 24h"}},
      .positionals = {{.name = "WHAT",
                       .help = "decisions (default), usage, workloads, estimates, sessions",
                       .into = &options->what,
                       .required = false}},
      .options = {},
      .run = [options](show::Output& output) { return RunHistory(*options, output); },
  };
  command.more_formats = {"csv"};
  AddOptions(*options, command.options);
  return command;
}

}  // namespace fairlead::cli
