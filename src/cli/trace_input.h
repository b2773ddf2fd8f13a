#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/command.h"
#include "objects/read/reader.h"
#include "trace/arrivals.h"
#include "trace/jobs.h"

namespace fairlead::cli {

// What the commands that run traces are given: as text, as it stands on the command line.
struct TraceOptions {
  std::string format;       // --trace; empty: none
  std::string nodes, pods;  // openb: files; philly, swf: `nodes` is how many
  std::string jobs, tenants;
  std::string gpus, cores;  // of a node
  std::string checkpoints;  // how often jobs make one
  std::string directory;    // of a record
  std::string load, seed, seeds;
};
std::vector<Option> TraceOptionsInto(TraceOptions& options);

// The same, once it makes sense.
struct TraceSettings {
  trace::Machine machine;                   // 0: as the trace says
  std::optional<trace::Arrivals> arrivals;  // --load, with the first seed
  std::int64_t seeds = 1;
};
// Errors: a flag that is missing, that does not belong to the format, or has a wrong value.
Result<TraceSettings> TraceSettingsOf(const TraceOptions& options);

// Appends the trace's objects, or faults; of a record, the work that was recorded (a configuration
// that is there already counts). Of a trace of jobs these come to `jobs`. Returns when it begins,
// where it says that.
std::optional<Time> ReadTrace(const TraceOptions& options, const TraceSettings& settings,
                              objects::Manifest& into, trace::JobList& jobs);

}  // namespace fairlead::cli
