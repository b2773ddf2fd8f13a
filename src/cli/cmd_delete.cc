#include <memory>
#include <string>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/remote.h"
#include "host/input.h"
#include "objects/key.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct DeleteOptions {
  std::string kind, name, name_space = "default", server;
  std::vector<std::string> paths;
};

struct Target {
  const server::Kind* kind = nullptr;
  std::string name_space, name;
};

Result<std::vector<Target>> NamedTarget(const DeleteOptions& options) {
  if (options.kind.empty()) return Fail("KIND NAME is missing, or -f PATH");
  const Result<const server::Kind*> kind = KindNamed(options.kind, ServerUrl(options.server));
  if (!kind) return tl::unexpected(kind.error());
  if (!(*kind)->is_object()) return Fail(fmt::format("{} cannot be deleted", (*kind)->plural));
  if (options.name.empty()) return Fail("NAME is missing");
  return std::vector<Target>{{*kind, (*kind)->namespaced ? options.name_space : "", options.name}};
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
    const auto answer = Call(ServerUrl(options.server), "DELETE",
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
    const Result<std::vector<Target>> targets = NamedTarget(options);
    if (targets) return DeleteAll(*targets, options, output);
    show::Complain(targets.error().message);
    return show::kBadInput;
  }
  if (!options.kind.empty()) {
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
                   {"A node, as if its power failed", "fairlead delete node n1"},
                   {"All that a file names", "fairlead delete -f job.yaml"}},
      .positionals =
          {{.name = "KIND",
            .help = "pod, node, queue, workload, job, …",
            .into = &options->kind,
            .required = false,
            .completes = Completes::kKinds},
           {.name = "NAME", .help = "which one", .into = &options->name, .required = false}},
      .options = {{.flags = "-n,--namespace",
                   .value = "NS",
                   .help = "the namespace",
                   .into = &options->name_space},
                  {.flags = "-f,--filename",
                   .value = "PATH",
                   .help = "remove what these files name; may be repeated",
                   .into = &options->paths,
                   .completes = Completes::kFiles},
                  ServerOption(options->server)},
      .run = [options](show::Output& output) { return RunDelete(*options, output); },
  };
}

}  // namespace fairlead::cli
