#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/fetch.h"
#include "cli/selection.h"
#include "host/input.h"
#include "objects/key.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct DeleteOptions {
  std::vector<std::string> words, paths;
  Scope scope;
  std::string labels;
  bool all = false;
};

// All of a kind that are there and meant, one by one.
Remote<std::vector<Target>> EveryOne(const Target& target, const Selection& selection,
                                     const Scope& scope) {
  const auto documents = FetchDocuments(target, scope);
  if (!documents) return tl::unexpected(documents.error());
  std::vector<Target> each;
  for (const json::value& document : *documents) {
    if (!selection.Wants(document)) continue;
    const std::string key = DocumentKey(document);
    const auto [name_space, name] = objects::SplitKey(key);
    each.push_back({target.kind, std::string(name_space), std::string(name)});
  }
  return each;
}

Remote<std::vector<Target>> NamedTargets(const DeleteOptions& options) {
  const auto refuse = [](std::string message) {
    return tl::unexpected(RemoteError{.message = std::move(message)});
  };
  if (options.words.empty()) return refuse("KIND NAME is missing, or -f PATH");
  const auto named = TargetsOf(options.words, options.scope);
  if (!named) return refuse(named.error().message);
  const auto selection = Selection::Parse(options.labels, "");
  if (!selection) return refuse(selection.error().message);
  const bool many = options.all || !selection->selects_all();
  std::vector<Target> targets;
  for (const Target& target : *named) {
    if (!target.kind->is_object()) {
      return refuse(fmt::format("{} cannot be deleted", target.kind->plural));
    }
    if (target.name.empty() != many) {
      return refuse(many ? "give names, or --all or -l, not both"
                         : "NAME is missing; --all removes every one of that kind");
    }
    if (!many) {
      targets.push_back(target);
      continue;
    }
    const auto every = EveryOne(target, *selection, options.scope);
    if (!every) return tl::unexpected(every.error());
    targets.insert(targets.end(), every->begin(), every->end());
  }
  return targets;
}

// What the files name, last first: what was made first goes last.
std::vector<Target> TargetsIn(const objects::Manifest& manifest) {
  std::vector<Target> targets;
  for (auto object = manifest.objects.rbegin(); object != manifest.objects.rend(); ++object) {
    const server::Kind* kind = server::FindKind(objects::KindOf(*object));
    const objects::Meta& meta = objects::MetaOf(*object);
    if (kind != nullptr) targets.push_back({kind, meta.name_space, meta.name});
  }
  return targets;
}

int DeleteAll(const std::vector<Target>& targets, const DeleteOptions& options,
              show::Output& output) {
  int code = show::kDone;
  json::array deleted;
  for (const Target& target : targets) {
    const auto answer = Call(ServerUrl(options.scope.server), "DELETE",
                             ApiPath(target.kind->plural, target.name_space, target.name));
    if (!answer) {
      code = Complain(answer.error());
      continue;
    }
    const std::string key = objects::JoinKey(target.name_space, target.name);
    if (output.is_table()) {
      output.Line(fmt::format("{} deleted", ObjectLabel(target.kind->kind, key)));
    } else {
      deleted.push_back(json::object{{"kind", target.kind->kind}, {"name", key}});
    }
  }
  if (!output.is_table()) {
    output.Document(json::object{{"kind", "Deleted"}, {"objects", std::move(deleted)}});
  }
  return code;
}

int RunDelete(const DeleteOptions& options, show::Output& output) {
  if (options.paths.empty()) {
    const auto targets = NamedTargets(options);
    if (!targets) return Complain(targets.error());
    if (targets->empty()) show::Complain("there is nothing like that");
    return DeleteAll(*targets, options, output);
  }
  if (!options.words.empty()) {
    show::Complain("give either KIND NAME or -f, not both");
    return show::kBadInput;
  }
  const objects::Manifest manifest = host::ReadInput({.paths = options.paths});
  if (!host::ReportInput(manifest)) return show::kBadInput;
  return DeleteAll(TargetsIn(manifest), options, output);
}

}  // namespace

Command DeleteCommand() {
  auto options = std::make_shared<DeleteOptions>();
  return {
      .name = "delete",
      .summary = "remove objects from the running cluster",
      .about =
          "Removes objects from the virtual cluster that `fairlead up` runs, and what they\n"
          "own: a Workload's, a Job's or a DaemonSet's pods; a node's pods.",
      .examples = {{"A workload and its pods", "fairlead delete workload train-7 -n vision"},
                   {"Two nodes, as if their power failed", "fairlead delete node n1 n2"},
                   {"All that somebody runs", "fairlead delete jobs --all -n vision"},
                   {"All that a file names", "fairlead delete -f job.yaml"}},
      .positionals = {{.name = "KIND",
                       .help = "pod, node, queue, workload, job, …, and names; or KIND/NAME",
                       .into = &options->words,
                       .required = false,
                       .completes = Completes::kKinds}},
      .options = {NamespaceOption(options->scope),
                  AllNamespacesOption(options->scope),
                  {.flags = "--all",
                   .value = "",
                   .help = "every one of that kind, in the namespace",
                   .into = &options->all},
                  {.flags = "-l,--selector",
                   .value = "LABELS",
                   .help = "every one with these labels",
                   .into = &options->labels},
                  {.flags = "-f,--filename",
                   .value = "PATH",
                   .help = "remove what these files name; may be repeated",
                   .into = &options->paths,
                   .completes = Completes::kFiles},
                  ServerOption(options->scope.server)},
      .run = [options](show::Output& output) { return RunDelete(*options, output); },
  };
}

}  // namespace fairlead::cli
