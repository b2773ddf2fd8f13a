#include <memory>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/remote.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct GetOptions {
  std::string kind, name, name_space, server;
  bool all_namespaces = false;
};

// Empty: all. What happened lately is asked for everywhere, unless a namespace is named.
std::string NamespaceFor(const server::Kind& kind, const GetOptions& options) {
  if (!kind.namespaced || options.all_namespaces) return "";
  if (options.name_space.empty() && kind.kind != "Event") return "default";
  return options.name_space;
}

bool ShowsState(std::string_view column) {
  return column == "STATUS" || column == "STATE" || column == "EVENT";
}

// From the server's {"columns":[…],"rows":[[…]]}. Rows of another length are left out.
show::Table ToTable(const json::value& answer) {
  std::vector<std::string> header;
  for (const json::value& column : show::ItemsAt(answer, "columns")) {
    header.emplace_back(column.is_string() ? std::string_view(column.get_string()) : "");
  }
  show::Table table(header);
  for (const json::value& row : show::ItemsAt(answer, "rows")) {
    const json::array* cells = row.if_array();
    if (cells == nullptr || cells->size() != header.size()) continue;
    std::vector<show::Cell> line;
    for (std::size_t i = 0; i < header.size(); ++i) {
      const json::string* text = (*cells)[i].if_string();
      std::string shown(text == nullptr ? std::string_view() : std::string_view(*text));
      const show::Tone tone = ShowsState(header[i]) ? show::ToneOf(shown) : show::Tone::kPlain;
      line.emplace_back(std::move(shown), tone);
    }
    table.Add(std::move(line));
  }
  return table;
}

std::string PathOf(const server::Kind& kind, const GetOptions& options) {
  return ApiPath(kind.plural, NamespaceFor(kind, options), options.name);
}

void SayNothingFound(const server::Kind& kind, const GetOptions& options) {
  const std::string name_space = NamespaceFor(kind, options);
  show::Complain(name_space.empty()
                     ? fmt::format("there are no {}", kind.plural)
                     : fmt::format("there are no {} in namespace {}; -A shows every namespace",
                                   kind.plural, name_space));
}

int GetOne(const server::Kind& kind, const GetOptions& options, show::Output& output) {
  const std::string query = output.is_table() ? "?as=table" : "";
  const auto answer = Call(ServerUrl(options.server), "GET", PathOf(kind, options) + query);
  if (!answer) return Complain(answer.error());
  if (!output.is_table()) {
    output.Document(*answer);
    return show::kDone;
  }
  const show::Table table = ToTable(*answer);
  if (table.empty()) {
    SayNothingFound(kind, options);
  } else {
    output.Print(table);
  }
  return show::kDone;
}

// Every kind in one list, which can be read back; events are none of the state.
int GetAll(const GetOptions& options, show::Output& output) {
  json::array items;
  for (const server::Kind& kind : server::AllKinds()) {
    if (kind.kind == "Event") continue;
    const std::string query = output.is_table() ? "?as=table" : "";
    auto answer = Call(ServerUrl(options.server), "GET", PathOf(kind, options) + query);
    if (!answer) return Complain(answer.error());
    if (output.is_table()) {
      output.Section(kind.plural, ToTable(*answer), "");
      continue;
    }
    for (const json::value& item : show::ItemsAt(*answer, "items")) items.push_back(item);
  }
  if (!output.is_table()) {
    output.Document(
        json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}});
  }
  return show::kDone;
}

int RunGet(const GetOptions& options, show::Output& output) {
  if (options.kind == "all") {
    if (options.name.empty()) return GetAll(options, output);
    show::Complain("`get all` takes no name");
    return show::kBadInput;
  }
  const Result<const server::Kind*> kind = KindNamed(options.kind, ServerUrl(options.server));
  if (!kind) {
    show::Complain(kind.error().message);
    return show::kBadInput;
  }
  if (options.all_namespaces && !options.name.empty() && (*kind)->namespaced) {
    show::Complain("a name lies in one namespace: give -n, not -A");
    return show::kBadInput;
  }
  return GetOne(**kind, options, output);
}

}  // namespace

Command GetCommand() {
  auto options = std::make_shared<GetOptions>();
  return {
      .name = "get",
      .summary = "show objects of the running cluster",
      .about =
          "Shows objects of the virtual cluster that `fairlead up` runs: pods, nodes, queues,\n"
          "workloads, jobs, …, by kubectl's names, and events: what was decided lately.\n"
          "`get all -A -o yaml` is a saved state that plan and simulate can read.",
      .examples = {{"All pods", "fairlead get pods -A"},
                   {"Why are these waiting?", "fairlead get workloads -n vision"},
                   {"Save the cluster, and plan over it",
                    "fairlead get all -A -o yaml > state.yaml && fairlead plan -f state.yaml"}},
      .positionals =
          {{.name = "KIND",
            .help = "pods (po), nodes (no), queues (q), workloads (wl), events, …, all",
            .into = &options->kind,
            .completes = Completes::kKinds},
           {.name = "NAME", .help = "only this one", .into = &options->name, .required = false}},
      .options = {{.flags = "-n,--namespace",
                   .value = "NS",
                   .help = "the namespace (default: default; events: all)",
                   .into = &options->name_space},
                  {.flags = "-A,--all-namespaces",
                   .value = "",
                   .help = "every namespace",
                   .into = &options->all_namespaces},
                  ServerOption(options->server)},
      .run = [options](show::Output& output) { return RunGet(*options, output); },
  };
}

}  // namespace fairlead::cli
