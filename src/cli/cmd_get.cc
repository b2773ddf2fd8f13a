#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/remote.h"
#include "host/input.h"
#include "host/offline_cluster.h"
#include "show/domains_view.h"
#include "show/human_text.h"
#include "view/answer.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

constexpr int kMostWorkloads = 1000;  // named in a domain

struct GetOptions {
  std::string kind, name, name_space, server;
  bool all_namespaces = false;
  std::string by, topology;  // a level: domains instead of nodes
  host::InputOptions input;  // of these, instead of a running cluster
  bool asks_domains() const { return !by.empty() || !topology.empty(); }
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
    if (!kind.is_object()) continue;
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

Result<json::value> DomainsOfFiles(const objects::Manifest& manifest,
                                   const view::Question& question) {
  host::OfflineCluster offline(manifest.objects, std::nullopt);
  const auto answer = view::Answer(*offline.Look(), question);
  if (!answer) return Fail(answer.error().message);
  return json::parse(*answer);
}

int GetDomains(const GetOptions& options, show::Output& output) {
  std::map<std::string, std::string> parameters = {{"most", std::to_string(kMostWorkloads)}};
  if (!options.by.empty()) parameters["by"] = options.by;
  if (!options.topology.empty()) parameters["topology"] = options.topology;
  if (options.input.paths.empty()) {
    const auto answer =
        Call(ServerUrl(options.server), "GET", WithQuery("/api/v1/view/domains", parameters));
    if (!answer) return Complain(answer.error());
    show::PrintDomains(*answer, output);
    return show::kDone;
  }
  const objects::Manifest manifest = host::ReadInput(options.input);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  const Result<json::value> answer = DomainsOfFiles(
      manifest, {.about = view::Question::About::kDomains, .parameters = std::move(parameters)});
  if (!answer) {
    show::Complain(answer.error().message);
    return show::kBadInput;
  }
  show::PrintDomains(*answer, output);
  return show::kDone;
}

// What is wrong with how the flags stand together; empty: nothing.
std::string FaultOf(const GetOptions& options) {
  const bool of_files = !options.input.paths.empty();
  if (!options.asks_domains()) {
    if (of_files) return "of files only domains are shown: get nodes --by LEVEL -f PATH";
  } else if (server::FindKind(options.kind) == nullptr ||
             server::FindKind(options.kind)->kind != "Node" || !options.name.empty()) {
    return "--by and --topology show the domains of all nodes: get nodes --by LEVEL";
  }
  if (!of_files && !options.input.config.empty()) {
    return "--config belongs to -f; without -f a running cluster is asked";
  }
  return {};
}

int RunGet(const GetOptions& options, show::Output& output) {
  if (const std::string fault = FaultOf(options); !fault.empty()) {
    show::Complain(fault);
    return show::kBadInput;
  }
  if (options.asks_domains()) return GetDomains(options, output);
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
  std::vector<Option> flags = {
      {.flags = "-n,--namespace",
       .value = "NS",
       .help = "the namespace (default: default; events: all)",
       .into = &options->name_space},
      {.flags = "-A,--all-namespaces",
       .value = "",
       .help = "every namespace",
       .into = &options->all_namespaces},
      {.flags = "--by",
       .value = "LEVEL",
       .help = "of nodes: the domains of a level of a Topology, or of a label",
       .into = &options->by},
      {.flags = "--topology",
       .value = "NAME",
       .help = "of which Topology; without --by its narrowest level above nodes",
       .into = &options->topology},
      ServerOption(options->server)};
  for (Option& option : InputOptionsInto(options->input, /*required=*/false)) {
    flags.push_back(std::move(option));
  }
  return {
      .name = "get",
      .summary = "show objects of the running cluster",
      .about =
          "Shows objects of the virtual cluster that `fairlead up` runs: pods, nodes, queues,\n"
          "workloads, jobs, …, by kubectl's names, and events: what was decided lately.\n"
          "`get all -A -o yaml` is a saved state that plan and simulate can read.\n"
          "`get nodes --by LEVEL` shows racks, blocks and their like: how full, and who is there;\n"
          "of a real cluster (`fairlead run`) and of files (-f), too.",
      .examples = {{"All pods", "fairlead get pods -A"},
                   {"Why are these waiting?", "fairlead get workloads -n vision"},
                   {"Which racks are free", "fairlead get nodes --by rack"},
                   {"Save the cluster, and plan over it",
                    "fairlead get all -A -o yaml > state.yaml && fairlead plan -f state.yaml"}},
      .positionals =
          {{.name = "KIND",
            .help = "pods (po), nodes (no), queues (q), workloads (wl), events, …, all",
            .into = &options->kind,
            .completes = Completes::kKinds},
           {.name = "NAME", .help = "only this one", .into = &options->name, .required = false}},
      .options = std::move(flags),
      .run = [options](show::Output& output) { return RunGet(*options, output); },
  };
}

}  // namespace fairlead::cli
