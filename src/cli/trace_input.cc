#include "cli/trace_input.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "host/input.h"
#include "trace/openb.h"
#include "trace/philly.h"
#include "trace/record_workload.h"
#include "trace/swf.h"

namespace fairlead::cli {
namespace {

constexpr std::int64_t kMaxNodes = 1'000'000;
constexpr std::int64_t kMaxPerNode = 10'000;
constexpr std::int64_t kMaxLoadPercent = 100'000;
constexpr std::int64_t kMaxSeeds = 10'000;

struct Flag {
  const char* name;
  std::string TraceOptions::* text;
  std::string_view formats;   // that take it
  std::string_view required;  // that must have it
};
constexpr Flag kFlags[] = {
    {"--nodes", &TraceOptions::nodes, "openb philly swf", "openb philly"},
    {"--pods", &TraceOptions::pods, "openb", "openb"},
    {"--jobs", &TraceOptions::jobs, "philly swf", "philly swf"},
    {"--tenants", &TraceOptions::tenants, "philly", ""},
    {"--gpus", &TraceOptions::gpus, "philly", "philly"},
    {"--cores", &TraceOptions::cores, "swf", ""},
    {"--checkpoints", &TraceOptions::checkpoints, "philly swf", ""},
    {"--dir", &TraceOptions::directory, "record", "record"},
    {"--load", &TraceOptions::load, "openb", ""},
    {"--seed", &TraceOptions::seed, "openb", ""},
    {"--seeds", &TraceOptions::seeds, "openb", ""},
};

// "openb philly" as "openb or philly".
std::string Listed(std::string_view words) {
  std::string text(words);
  const std::size_t last = text.rfind(' ');
  if (last != std::string::npos) text.replace(last, 1, " or ");
  return text;
}

bool Names(std::string_view words, std::string_view word) {
  return !word.empty() &&
         (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

Result<void> CheckFlags(const TraceOptions& options) {
  for (const Flag& flag : kFlags) {
    const bool given = !(options.*flag.text).empty();
    if (given && !Names(flag.formats, options.format)) {
      return Fail(fmt::format("{} belongs to --trace {}", flag.name, Listed(flag.formats)));
    }
    if (!given && Names(flag.required, options.format)) {
      return Fail(fmt::format("--trace {} needs {}", options.format, flag.name));
    }
  }
  return {};
}

bool IsConfiguration(const objects::Object& object) {
  return std::holds_alternative<objects::SchedulerConfiguration>(object);
}

std::optional<Time> ReadRecord(const std::string& directory, objects::Manifest& into) {
  auto recorded = trace::ReadRecordedWorkload(directory);
  if (!recorded) {
    into.faults.push_back({.message = recorded.error().message});
    return std::nullopt;
  }
  const bool has_configuration =
      std::any_of(into.objects.begin(), into.objects.end(), IsConfiguration);
  for (objects::Object& object : recorded->objects) {
    if (has_configuration && IsConfiguration(object)) continue;
    into.objects.push_back(std::move(object));
  }
  objects::CheckDuplicates(into);
  // Nodes of names that are there: what becomes of them.
  std::move(recorded->changes.begin(), recorded->changes.end(), std::back_inserter(into.objects));
  into.warnings.insert(into.warnings.end(), recorded->warnings.begin(), recorded->warnings.end());
  return recorded->start;
}

}  // namespace

std::vector<Option> TraceOptionsInto(TraceOptions& options) {
  return {
      {.flags = "--trace",
       .value = "FORMAT",
       .help = "a trace: openb (Alibaba), philly (Microsoft), swf, or a record",
       .into = &options.format,
       .choices = {"openb", "philly", "swf", "record"}},
      {.flags = "--nodes",
       .value = "FILE|N",
       .help = "openb: the list of nodes; philly, swf: how many nodes",
       .into = &options.nodes,
       .completes = Completes::kFiles},
      {.flags = "--pods",
       .value = "FILE",
       .help = "openb: the list of pods",
       .into = &options.pods,
       .completes = Completes::kFiles},
      {.flags = "--jobs",
       .value = "FILE",
       .help = "philly, swf: the list of jobs",
       .into = &options.jobs,
       .completes = Completes::kFiles},
      {.flags = "--tenants",
       .value = "FILE",
       .help = "philly: the nodes of each virtual cluster, for guarantees",
       .into = &options.tenants,
       .completes = Completes::kFiles},
      {.flags = "--gpus", .value = "N", .help = "philly: GPUs of a node", .into = &options.gpus},
      {.flags = "--cores", .value = "N", .help = "swf: cores of a node", .into = &options.cores},
      {.flags = "--checkpoints",
       .value = "DURATION",
       .help = "philly, swf: jobs make a checkpoint so often and go on from there",
       .into = &options.checkpoints},
      {.flags = "--dir",
       .value = "DIR",
       .help = "what `fairlead run --record` wrote",
       .into = &options.directory,
       .completes = Completes::kFiles},
      {.flags = "--load",
       .value = "PERCENT",
       .help = "openb: pods arrive at random and stay, up to this part of all GPUs",
       .into = &options.load},
      {.flags = "--seed",
       .value = "N",
       .help = "of the order of arrival, and of random placement",
       .into = &options.seed},
      {.flags = "--seeds",
       .value = "N",
       .help = "run with N seeds, from --seed on, on all cores",
       .into = &options.seeds},
  };
}

Result<TraceSettings> TraceSettingsOf(const TraceOptions& options) {
  TraceSettings settings;
  if (const auto good = CheckFlags(options); !good) return tl::unexpected(good.error());
  auto number = [](const char* flag, const std::string& text, std::int64_t absent,
                   std::int64_t least, std::int64_t most) -> Result<std::int64_t> {
    return text.empty() ? Result<std::int64_t>(absent) : host::CountFlag(flag, text, least, most);
  };
  if (options.format == "philly" || options.format == "swf") {
    const auto nodes = number("--nodes", options.nodes, 0, 1, kMaxNodes);
    const auto gpus = number("--gpus", options.gpus, 0, 1, kMaxPerNode);
    const auto cores = number("--cores", options.cores, 0, 1, kMaxPerNode);
    for (const auto* each : {&nodes, &gpus, &cores}) {
      if (!*each) return tl::unexpected(each->error());
    }
    if (!options.checkpoints.empty()) {
      const auto every = ParseDuration(options.checkpoints);
      if (!every || *every <= Duration()) {
        return Fail(fmt::format("--checkpoints is \"{}\", expected a duration such as 1h",
                                options.checkpoints));
      }
      settings.machine.checkpoint_every = *every;
    }
    settings.machine.nodes = *nodes;
    settings.machine.per_node = options.format == "swf" ? *cores : *gpus;
  }
  if (options.load.empty()) {
    if (!options.seed.empty() || !options.seeds.empty()) {
      return Fail("--seed and --seeds need --load PERCENT");
    }
    return settings;
  }
  const auto load = number("--load", options.load, 0, 1, kMaxLoadPercent);
  const auto seed = number("--seed", options.seed, 0, 0, std::int64_t{1} << 53);
  const auto seeds = number("--seeds", options.seeds, 1, 1, kMaxSeeds);
  for (const auto* each : {&load, &seed, &seeds}) {
    if (!*each) return tl::unexpected(each->error());
  }
  settings.arrivals =
      trace::Arrivals{.load_percent = *load, .seed = static_cast<std::uint64_t>(*seed)};
  settings.seeds = *seeds;
  return settings;
}

std::optional<Time> ReadTrace(const TraceOptions& options, const TraceSettings& settings,
                              objects::Manifest& into, trace::JobList& jobs) {
  if (options.format == "record") return ReadRecord(options.directory, into);
  if (options.format == "openb") {
    trace::ReadOpenbFiles(options.nodes, options.pods, into);
  } else if (options.format == "philly") {
    trace::ReadPhillyFiles(options.jobs, options.tenants, settings.machine, into, jobs);
  } else if (options.format == "swf") {
    trace::ReadSwfFile(options.jobs, settings.machine, into, jobs);
  }
  objects::CheckDuplicates(into);
  return std::nullopt;
}

}  // namespace fairlead::cli
