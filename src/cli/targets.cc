#include "cli/targets.h"

#include <utility>

#include <fmt/format.h>

#include "cli/remote.h"
#include "objects/job_rows.h"
#include "objects/key.h"

namespace fairlead::cli {
namespace {

// "queues.fairlead.dev" and "jobs.batch" as kubectl prints them: the kind, if its group is that.
Result<const server::Kind*> KindOfWord(const std::string& word, const Scope& scope) {
  const std::string server = ServerUrl(scope.server);
  const std::size_t dot = word.find('.');
  if (dot != std::string::npos) {
    const server::Kind* kind = server::FindKind(word.substr(0, dot));
    const std::string group = word.substr(dot + 1);
    if (kind != nullptr && kind->api_version.starts_with(group + "/")) return kind;
  }
  return KindNamed(word, server);
}

Result<Target> OneOf(const server::Kind& kind, const std::string& name, const Scope& scope) {
  if (!kind.namespaced) return Target{.kind = &kind, .name_space = {}, .name = name};
  const auto [name_space, own] = objects::SplitKey(name);
  if (!name_space.empty()) {
    if (!scope.name_space.empty() && scope.name_space != name_space) {
      return Fail(fmt::format("{} names a namespace, and -n {} another", name, scope.name_space));
    }
    return Target{.kind = &kind, .name_space = std::string(name_space), .name = std::string(own)};
  }
  if (scope.everywhere) return Fail("a name lies in one namespace: give -n, not -A");
  return Target{.kind = &kind, .name_space = NamespaceFor(kind, scope), .name = name};
}

// "pod/a node/n1".
Result<std::vector<Target>> Pairs(const std::vector<std::string>& words, const Scope& scope) {
  std::vector<Target> targets;
  for (const std::string& word : words) {
    const std::size_t slash = word.find('/');
    if (slash == std::string::npos) {
      return Fail(fmt::format("found {} beside {}, expected KIND/NAME everywhere", word, words[0]));
    }
    const auto kind = KindOfWord(word.substr(0, slash), scope);
    if (!kind) return tl::unexpected(kind.error());
    const std::string name = word.substr(slash + 1);
    if (name.empty()) return Fail(fmt::format("{} has no name behind its /", word));
    auto target = OneOf(**kind, name, scope);
    if (!target) return tl::unexpected(target.error());
    targets.push_back(std::move(*target));
  }
  return targets;
}

std::vector<std::string> AtCommas(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

Option NamespaceOption(Scope& scope, std::string help) {
  return {
      .flags = "-n,--namespace", .value = "NS", .help = std::move(help), .into = &scope.name_space};
}

Option AllNamespacesOption(Scope& scope) {
  return {.flags = "-A,--all-namespaces",
          .value = "",
          .help = "every namespace",
          .into = &scope.everywhere};
}

std::string NamespaceFor(const server::Kind& kind, const Scope& scope) {
  if (!kind.namespaced || scope.everywhere) return "";
  if (scope.name_space.empty() && kind.kind != "Event") return "default";
  return scope.name_space;
}

bool IsWork(const server::Kind& kind) {
  return kind.kind == "Pod" || kind.kind == "Workload" || kind.kind == "PodGroup" ||
         objects::FindJobRow(kind.kind) != nullptr;
}

Result<void> CheckScope(const Scope& scope) {
  if (!scope.everywhere || scope.name_space.empty()) return {};
  return Fail("give -n or -A, not both");
}

Result<std::vector<Target>> TargetsOf(const std::vector<std::string>& words, const Scope& scope) {
  if (words.empty()) return Fail("KIND is missing");
  if (const auto checked = CheckScope(scope); !checked) return tl::unexpected(checked.error());
  if (words[0].find('/') != std::string::npos) return Pairs(words, scope);
  std::vector<Target> targets;
  for (const std::string& word : AtCommas(words[0])) {
    const auto kind = KindOfWord(word, scope);
    if (!kind) return tl::unexpected(kind.error());
    if (words.size() == 1) {
      targets.push_back({*kind, NamespaceFor(**kind, scope), ""});
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
      auto target = OneOf(**kind, words[i], scope);
      if (!target) return tl::unexpected(target.error());
      targets.push_back(std::move(*target));
    }
  }
  return targets;
}

}  // namespace fairlead::cli
