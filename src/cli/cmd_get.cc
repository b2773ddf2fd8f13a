#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/fetch.h"
#include "cli/get_domains.h"
#include "cli/input_options.h"
#include "cli/past.h"
#include "cli/print_documents.h"
#include "cli/selection.h"
#include "cli/signals.h"
#include "cli/targets.h"
#include "cli/watch.h"
#include "host/saved_cluster.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

constexpr std::time_t kWatchEverySeconds = 1;

struct GetOptions {
  std::vector<std::string> words;
  Scope scope;
  std::string labels, fields, sort_by, now, data_dir;
  bool watch = false, no_headers = false;
  DomainsQuestion domains;
};

bool AsksAll(const GetOptions& options) {
  return options.words.size() == 1 && options.words[0] == "all";
}

// Every kind; events are none of the state. With -n what lies in that namespace.
std::vector<Target> AllTargets(const Scope& scope) {
  std::vector<Target> targets;
  for (const server::Kind& kind : server::AllKinds()) {
    if (!kind.is_object() || (!scope.name_space.empty() && !kind.namespaced)) continue;
    targets.push_back({&kind, NamespaceFor(kind, scope), ""});
  }
  return targets;
}

// Of one question: what to look for, how, and what was not there.
class Getter {
 public:
  Getter(const GetOptions& options, Selection selection, std::vector<Target> targets)
      : options_(options), selection_(std::move(selection)), targets_(std::move(targets)) {}

  int Print(show::Output& output);
  int Watch(show::Output& output);

 private:
  std::vector<std::vector<Target>> ByKind() const;
  // What is there of them; what is missing is said. Absent: there was no answer.
  Remote<Rows> RowsOf(const std::vector<Target>& of_kind);
  enum class Missing : std::uint8_t { kSay, kPass };
  Remote<std::vector<json::value>> Selected(const std::vector<Target>& targets, Missing missing);
  Remote<void> Sort(std::vector<json::value>& documents) const;
  Remote<void> Narrow(const std::vector<Target>& of_kind, Rows& rows);

  int PrintTables(show::Output& output);
  int PrintNames(show::Output& output);
  int PrintObjects(show::Output& output);
  void SayNothingFound(const Target& target) const;
  // Whether it is one of several things that were asked for, which may be missing.
  bool Skips(const RemoteError& error) const {
    if (error.status == kNotServed && AsksAll(options_)) return true;
    return error.status == kNotThere && targets_.size() > 1;
  }
  void Miss(const RemoteError& error) {
    if (error.status == kNotThere) code_ = Complain(error);
  }

  const GetOptions& options_;
  const Selection selection_;
  const std::vector<Target> targets_;
  std::string field_of_none_;  // why nothing is like that
  int code_ = show::kDone;
};

std::vector<std::vector<Target>> Getter::ByKind() const {
  std::vector<std::vector<Target>> groups;
  for (const Target& target : targets_) {
    const auto group = std::ranges::find_if(groups, [&](const std::vector<Target>& known) {
      return known.front().kind->kind == target.kind->kind;
    });
    if (group == groups.end()) {
      groups.push_back({target});
    } else {
      group->push_back(target);
    }
  }
  return groups;
}

// Their documents, of those that are meant. What is not there is said by who looks first.
Remote<std::vector<json::value>> Getter::Selected(const std::vector<Target>& targets,
                                                  Missing missing) {
  std::vector<json::value> documents;
  for (const Target& target : targets) {
    auto found = FetchDocuments(target, options_.scope);
    if (!found && Skips(found.error())) {
      if (missing == Missing::kSay) Miss(found.error());
      continue;
    }
    if (!found) return tl::unexpected(found.error());
    std::ranges::move(*found, std::back_inserter(documents));
  }
  if (!documents.empty()) field_of_none_ = selection_.FieldOfNone(documents);
  std::erase_if(documents, [&](const json::value& each) { return !selection_.Wants(each); });
  return documents;
}

Remote<void> Getter::Sort(std::vector<json::value>& documents) const {
  if (options_.sort_by.empty()) return {};
  const auto sorted = SortBy(options_.sort_by, documents);
  if (!sorted) return tl::unexpected(RemoteError{.message = sorted.error().message});
  if (!documents.empty() && !options_.watch && !AnyHas(options_.sort_by, documents)) {
    show::Complain(fmt::format("--sort-by: nothing that is shown has {}", options_.sort_by));
  }
  return {};
}

// A row has neither labels nor fields: those of the objects say which ones are meant, and in which
// order.
Remote<void> Getter::Narrow(const std::vector<Target>& of_kind, Rows& rows) {
  const std::size_t column = rows.Column(options_.sort_by);
  const bool by_column = column < rows.columns.size();
  const bool by_path = !options_.sort_by.empty() && !by_column;
  if (!selection_.selects_all() || by_path) {
    auto documents = Selected(of_kind, Missing::kPass);
    if (!documents) return tl::unexpected(documents.error());
    const auto sorted = by_path ? Sort(*documents) : Remote<void>();
    if (!sorted) return sorted;
    boost::unordered_flat_map<std::string, std::size_t> places;
    for (const json::value& document : *documents)
      places.emplace(DocumentKey(document), places.size());
    std::erase_if(rows.rows, [&](const NamedRow& row) { return !places.contains(row.key); });
    std::ranges::stable_sort(rows.rows, {},
                             [&](const NamedRow& row) { return places.at(row.key); });
  }
  if (by_column) {
    std::ranges::stable_sort(rows.rows, [&](const NamedRow& a, const NamedRow& b) {
      return CellBefore(a.cells[column], b.cells[column]);
    });
  }
  return {};
}

Remote<Rows> Getter::RowsOf(const std::vector<Target>& of_kind) {
  Rows rows;
  for (const Target& target : of_kind) {
    auto found = FetchRows(target, options_.scope);
    if (!found && Skips(found.error())) {
      Miss(found.error());
      continue;
    }
    if (!found) return tl::unexpected(found.error());
    rows.columns = std::move(found->columns);
    for (NamedRow& row : found->rows) rows.rows.push_back(std::move(row));
  }
  if (const auto narrowed = Narrow(of_kind, rows); !narrowed) {
    return tl::unexpected(narrowed.error());
  }
  return rows;
}

void Getter::SayNothingFound(const Target& target) const {
  const std::string_view which = selection_.selects_all() ? "" : " like that";
  const std::string why =
      field_of_none_.empty() ? "" : fmt::format(": none has a field {}", field_of_none_);
  show::Complain(target.name_space.empty()
                     ? fmt::format("there are no {}{}{}", target.kind->plural, which, why)
                     : fmt::format("there are no {}{} in namespace {}{}; -A shows every namespace",
                                   target.kind->plural, which, target.name_space, why));
}

int Getter::PrintTables(show::Output& output) {
  const auto groups = ByKind();
  for (const std::vector<Target>& of_kind : groups) {
    const auto rows = RowsOf(of_kind);
    if (!rows) return Complain(rows.error());
    if (rows->columns.empty()) continue;  // it is not served, or was said to be missing
    const show::Table table = ToTable(*rows);
    if (groups.size() > 1) {
      output.Section(of_kind.front().kind->plural, table, "");
    } else if (table.empty()) {
      SayNothingFound(of_kind.front());
    } else {
      output.Print(table, !options_.no_headers);
    }
  }
  return code_;
}

// As kubectl prints them: what is printed can be given back.
int Getter::PrintNames(show::Output& output) {
  for (const std::vector<Target>& of_kind : ByKind()) {
    const auto rows = RowsOf(of_kind);
    if (!rows) return Complain(rows.error());
    for (const NamedRow& row : rows->rows) {
      const std::string name = row.key.substr(row.key.find('/') + 1);
      if (!name.empty()) output.Line(ObjectLabel(of_kind.front().kind->kind, name));
    }
  }
  return code_;
}

int Getter::PrintObjects(show::Output& output) {
  auto documents = Selected(targets_, Missing::kSay);
  if (!documents) return Complain(documents.error());
  if (const auto sorted = Sort(*documents); !sorted) return Complain(sorted.error());
  const bool one = targets_.size() == 1 && !targets_.front().name.empty();
  const auto printed = PrintDocuments(std::move(*documents), one ? Named::kOne : Named::kAny,
                                      !options_.no_headers, output);
  if (printed) return code_;
  show::Complain(printed.error().message);
  return show::kBadInput;
}

int Getter::Print(show::Output& output) {
  if (output.is_table()) return PrintTables(output);
  return output.format() == show::Format::kName ? PrintNames(output) : PrintObjects(output);
}

// Asks again and again, and prints what changed.
int Getter::Watch(show::Output& output) {
  Signals signals;
  RowChanges changes;
  std::vector<std::size_t> widths;
  bool header = !options_.no_headers;
  for (;;) {
    auto found = RowsOf(targets_);
    if (!found) return Complain(found.error());
    const show::Table table = ToTable(changes.Take(std::move(*found)));
    if (!table.empty()) {
      const std::vector<std::size_t> wanted = table.Widths();
      widths.resize(wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) widths[i] = std::max(widths[i], wanted[i]);
      output.Print(table, std::exchange(header, false), widths);
    }
    if (!output.Flush()) return show::kBadInput;
    if (output.reader_gone() || signals.Wait(kWatchEverySeconds)) return code_;
  }
}

// What is wrong with how the flags stand together; empty: nothing.
std::string FaultOf(const GetOptions& options, const show::Output& output) {
  const bool of_files = !options.domains.input.paths.empty();
  if (options.domains.asked() &&
      (options.words.size() != 1 || server::FindKind(options.words[0]) == nullptr ||
       server::FindKind(options.words[0])->kind != "Node")) {
    return "--by and --topology show the domains of all nodes: get nodes --by LEVEL";
  }
  if (!of_files && (!options.domains.input.config.empty() || !options.now.empty() ||
                    !options.data_dir.empty())) {
    return "--config, --now and --data-dir belong to -f; without -f a running cluster is asked";
  }
  if (of_files && options.watch) return "-f shows files, of which nothing changes: leave out -w";
  if (options.words[0] == "all" && options.words.size() > 1) return "`get all` takes no name";
  if (const auto checked = CheckScope(options.scope); !checked) return checked.error().message;
  if (options.watch && !output.is_table()) return "--watch prints tables: -o table or wide";
  return {};
}

// False: they are faulty, which was said.
bool ReadFiles(GetOptions& options) {
  const auto now = host::TimeFlag("--now", options.now);
  const auto past = PastIn(options.data_dir);
  if (!now || !past) {
    show::Complain((!now ? now.error() : past.error()).message);
    return false;
  }
  objects::Manifest manifest = host::ReadInput(options.domains.input);
  if (!host::ReportInput(manifest)) return false;
  const auto saved = std::make_shared<host::SavedCluster>(std::move(manifest.objects), *now, *past);
  options.scope.files = [saved](const server::Query& query) { return saved->Get(query); };
  return true;
}

int RunGet(GetOptions& options, show::Output& output) {
  if (const std::string fault = FaultOf(options, output); !fault.empty()) {
    show::Complain(fault);
    return show::kBadInput;
  }
  if (options.domains.asked()) return GetDomains(options.domains, options.scope.server, output);
  if (!options.domains.input.paths.empty() && !ReadFiles(options)) return show::kBadInput;
  auto targets = AsksAll(options) ? Result<std::vector<Target>>(AllTargets(options.scope))
                                  : TargetsOf(options.words, options.scope);
  auto selection = Selection::Parse(options.labels, options.fields);
  const Error* error = !targets ? &targets.error() : !selection ? &selection.error() : nullptr;
  if (error != nullptr) {
    show::Complain(error->message);
    return show::kBadInput;
  }
  const auto is_first = [&](const Target& target) {
    return target.kind->kind == targets->front().kind->kind;
  };
  if (options.watch && !std::ranges::all_of(*targets, is_first)) {
    show::Complain("--watch shows one kind");
    return show::kBadInput;
  }
  Getter getter(options, std::move(*selection), std::move(*targets));
  return options.watch ? getter.Watch(output) : getter.Print(output);
}

std::vector<Option> GetFlags(GetOptions& options) {
  std::vector<Option> flags = {
      NamespaceOption(options.scope),
      AllNamespacesOption(options.scope),
      {.flags = "-l,--selector",
       .value = "LABELS",
       .help = "only those with these labels: app=web,tier!=cache,env in (dev,test)",
       .into = &options.labels},
      {.flags = "--field-selector",
       .value = "FIELDS",
       .help = "only those with these fields: status.phase=Running,spec.nodeName!=n1",
       .into = &options.fields},
      {.flags = "--sort-by",
       .value = "PATH",
       .help = "by a field (.metadata.creationTimestamp), or a column's name",
       .into = &options.sort_by},
      {.flags = "-w,--watch",
       .value = "",
       .help = "go on and print what changes; Ctrl-C ends it",
       .into = &options.watch},
      {.flags = "--no-headers", .value = "", .help = "rows alone", .into = &options.no_headers},
      {.flags = "--by",
       .value = "LEVEL",
       .help = "of nodes: the domains of a level of a Topology, or of a label",
       .into = &options.domains.by},
      {.flags = "--topology",
       .value = "NAME",
       .help = "of which Topology; without --by its narrowest level above nodes",
       .into = &options.domains.topology},
      ServerOption(options.scope.server),
      {.flags = "--now",
       .value = "TIME",
       .help = "of files: when that is (default: the newest time in them)",
       .into = &options.now},
      PastOption(options.data_dir)};
  for (Option& option : InputOptionsInto(options.domains.input, /*required=*/false)) {
    flags.push_back(std::move(option));
  }
  return flags;
}

}  // namespace

Command GetCommand() {
  auto options = std::make_shared<GetOptions>();
  return {
      .name = "get",
      .summary = "show objects of the running cluster",
      .about =
          "Shows objects of a running cluster as kubectl does: pods, nodes, queues, workloads,\n"
          "jobs, …, and events: what was decided lately. Of a real cluster (`fairlead run`) it\n"
          "has tables of what schedules; its objects are kubectl's.\n"
          "`get all -A -o yaml` is a saved state that plan and simulate can read.\n"
          "`get nodes --by LEVEL` shows racks, blocks and their like: how full, and who is there.\n"
          "EXPECTED is when something that waits starts, if nothing else comes. -f shows a saved\n"
          "state as it stands there, before anything is decided.",
      .examples = {{"All pods", "fairlead get pods -A"},
                   {"Why are these waiting?", "fairlead get workloads -n vision"},
                   {"What changes, as it does", "fairlead get pods -n vision -w"},
                   {"Pods by label, the oldest first",
                    "fairlead get pods -A -l team=nlp --sort-by .metadata.creationTimestamp"},
                   {"Names for a script", "fairlead get pods -n vision -o name"},
                   {"When does what waits start?", "fairlead get workloads -A -f cluster.yaml"},
                   {"Which racks are free", "fairlead get nodes --by rack"},
                   {"Save the cluster, and plan over it",
                    "fairlead get all -A -o yaml > state.yaml && fairlead plan -f state.yaml"}},
      .positionals =
          {{.name = "KIND",
            .help = "pods (po), nodes (no), queues (q), workloads (wl), …, all; or KIND/NAME",
            .into = &options->words,
            .completes = Completes::kKinds}},
      .options = GetFlags(*options),
      .run = [options](show::Output& output) { return RunGet(*options, output); },
      .more_formats = {"name", "jsonpath=", "custom-columns="},
  };
}

}  // namespace fairlead::cli
