#include <boost/json.hpp>
#include <fmt/core.h>

#include "base/version.h"
#include "cli/commands.h"

namespace fairlead::cli {
namespace {

int RunVersion(show::Output& output) {
  if (output.is_table()) {
    output.Line(Commit().empty() ? fmt::format("fairlead {}", Version())
                                 : fmt::format("fairlead {} ({})", Version(), Commit()));
    return show::kDone;
  }
  boost::json::object object{{"version", Version()}};
  if (!Commit().empty()) object["commit"] = Commit();
  output.Document(object);
  return show::kDone;
}

}  // namespace

Command VersionCommand() {
  return {
      .name = "version",
      .summary = "the version of this program",
      .about = "Prints the version, and what commit it was built from where that is known.",
      .examples = {{"For a bug report", "fairlead version"},
                   {"For a script", "fairlead version -o json | jq -r .version"}},
      .positionals = {},
      .options = {},
      .run = RunVersion,
  };
}

}  // namespace fairlead::cli
