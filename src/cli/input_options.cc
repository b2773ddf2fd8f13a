#include "cli/input_options.h"

namespace fairlead::cli {

std::vector<Option> InputOptionsInto(host::InputOptions& options, bool required) {
  return {
      {.flags = "-f,--filename",
       .value = "PATH",
       .help = "YAML or JSON: a file, a directory, or - for stdin; may be repeated",
       .into = &options.paths,
       .completes = Completes::kFiles,
       .required = required},
      {.flags = "--config",
       .value = "FILE",
       .help = "a SchedulerConfiguration; one among -f serves as well",
       .into = &options.config,
       .completes = Completes::kFiles},
  };
}

Result<void> CheckConfig(const host::InputOptions& options) {
  if (!options.paths.empty() || options.config.empty()) return {};
  return Fail("--config belongs to -f; without -f a running cluster is asked");
}

Option AsOption(host::InputOptions& options) {
  return {.flags = "--as",
          .value = "NAMES",
          .help = "take pods of these schedulers (a,b) as Fairlead's own",
          .into = &options.as};
}

}  // namespace fairlead::cli
