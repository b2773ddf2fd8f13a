#include <charconv>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "bench/topology_day/run.h"
#include "bench/worlds.h"
#include "trace/run.h"

namespace fairlead::bench {
namespace {

[[noreturn]] void Fail(std::string_view what) {
  fmt::print(stderr, "the engine's day: {}\n", what);
  std::exit(1);
}

// The number behind the first '-' that stands after `kNameSpace`: "day/job-00017-main-3" is 17.
std::size_t NumberIn(std::string_view name) {
  const std::size_t at = name.find('-');
  std::size_t number = 0;
  if (at == std::string_view::npos ||
      std::from_chars(name.data() + at + 1, name.data() + name.size(), number).ec != std::errc{}) {
    Fail(name);
  }
  return number;
}

}  // namespace

DayRun RunEngine(const Day& day) {
  trace::RunOptions options;
  options.start = kNow;
  options.keep_ledger = true;
  const auto result = trace::Run(ObjectsOf(day, kNow), options);
  if (!result) Fail(result.error()[0].message);
  const account::Ledger& ledger = *result->ledger;
  std::vector<std::map<std::int64_t, std::int64_t>> on(day.jobs.size());
  DayRun run(day.jobs.size());
  for (const account::Stay& stay : ledger.stays) {
    const std::string& pod = ledger.Name(stay.pod);
    if (stay.how != account::StayEnd::kFinished) Fail(pod + " did not finish");
    const std::size_t j = NumberIn(pod);
    Start& start = run[j];
    const Duration at = stay.begin - kNow;
    if (start.at != Duration::Max() && start.at != at) Fail(pod + " came alone");
    start.at = at;
    ++on[j][static_cast<std::int64_t>(NumberIn(ledger.Name(stay.node)))];
  }
  for (std::size_t j = 0; j < run.size(); ++j) {
    std::int64_t pods = 0;
    for (const auto& [host, count] : on[j]) {
      run[j].on.emplace_back(host, count);
      pods += count;
    }
    if (pods != day.jobs[j].pods) Fail(day.jobs[j].name + " did not run as a whole");
  }
  return run;
}

}  // namespace fairlead::bench
