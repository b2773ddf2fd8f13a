#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "server/backend.h"
#include "server/kinds.h"

namespace fairlead::cli {

// What is asked instead of a server.
using AskFiles = std::function<server::Answer(const server::Query&)>;

// Where names are looked for.
struct Scope {
  std::string name_space;    // -n; empty: not given
  bool everywhere = false;   // -A
  std::string server;        // --server
  AskFiles files = nullptr;  // -f; null: a server is asked
};
Option NamespaceOption(Scope& scope, std::string help = "the namespace (default: default)");
Option AllNamespacesOption(Scope& scope);

// A kind, and one object of it or all.
struct Target {
  const server::Kind* kind = nullptr;
  std::string name_space;  // empty: all, or it has none
  std::string name;        // empty: all
};

// Error: it names one namespace and all.
Result<void> CheckScope(const Scope& scope);

// What words behind `get`, `describe` or `delete` mean, as kubectl reads them: "pods",
// "pods,nodes", "pod a b", "pod/a node/n1"; behind a kind "vision/a", too, as explain has it.
// Error: says what is wrong with them; a kind that neither this program nor the server knows.
Result<std::vector<Target>> TargetsOf(const std::vector<std::string>& words, const Scope& scope);

// Where those of a kind are looked for; empty: everywhere. What happened lately is asked for
// everywhere unless a namespace is named.
std::string NamespaceFor(const server::Kind& kind, const Scope& scope);

// Whether `explain` has something to say of one: it is work, or a pod.
bool IsWork(const server::Kind& kind);

}  // namespace fairlead::cli
