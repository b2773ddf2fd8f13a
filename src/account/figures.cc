#include "account/figures.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "account/fragmentation_figure.h"
#include "account/late_guarantees.h"
#include "account/nearness.h"
#include "account/queue_figures.h"
#include "base/quantity.h"
#include "base/sorted_set.h"
#include "base/wide_int.h"
#include "objects/keys.h"

namespace fairlead::account {
namespace {

constexpr Duration kShortestRun = Duration::Seconds(10);
constexpr Duration kAgainWithin = Duration::Seconds(3600);
constexpr std::string_view kNoLevel = "no level";
constexpr double kUsPerHour = 3.6e9;

// Collects figures by name and whose they are.
class Figures {
 public:
  explicit Figures(std::vector<Figure>& into) : into_(into) {}

  void Add(std::string name, std::string of, std::string unit, double value) {
    into_.push_back({std::move(name), std::move(of), std::move(unit), value});
  }

  // Mean, percentiles by nearest rank, and the largest.
  void AddSpread(const std::string& name, const std::string& of, const std::string& unit,
                 std::vector<double> values) {
    if (values.empty()) return;
    std::sort(values.begin(), values.end());
    const auto rank = [&](std::size_t percent) {
      return values[(values.size() * percent + 99) / 100 - 1];
    };
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    Add(name + ".mean", of, unit, sum / static_cast<double>(values.size()));
    Add(name + ".p50", of, unit, rank(50));
    Add(name + ".p95", of, unit, rank(95));
    Add(name + ".p99", of, unit, rank(99));
    Add(name + ".max", of, unit, values.back());
  }

 private:
  std::vector<Figure>& into_;
};

double Seconds(Duration duration) { return static_cast<double>(duration.us) / 1e6; }

std::string OfQueue(const Ledger& ledger, NameId queue) {
  return fmt::format("queue {}", ledger.Name(queue));
}

// How long each workload's own work takes, by its row's name: the time in which pods of it ran to a
// good end, and what checkpoints saved of those that were stopped; of what is stopped at one moment
// the most.
std::vector<Duration> OwnWork(const Ledger& ledger) {
  std::vector<Duration> own(ledger.names.size());
  std::vector<Time> covered(ledger.names.size(), Time{std::numeric_limits<std::int64_t>::min()});
  std::map<std::pair<NameId, Time>, Duration> saved;
  ledger.ForEachByBegin([&](const Stay& stay) {
    if (stay.how == StayEnd::kFinished) {
      Time& until = covered[stay.workload];
      const Time from = std::max(until, stay.begin);
      if (stay.end > from) own[stay.workload] = own[stay.workload] + (stay.end - from);
      until = std::max(until, stay.end);
    } else if (stay.saved > Duration{}) {
      Duration& most = saved[{stay.workload, stay.evicted}];
      most = std::max(most, stay.saved);
    }
  });
  for (const auto& [of, most] : saved) own[of.first] = own[of.first] + most;
  return own;
}

// One measure at a time: of a year's jobs each is a lot of numbers. `of(row)`: absent: it has none.
template <typename Of>
void AddByGroup(const Ledger& ledger, const char* name, const char* unit, Of of, Figures& figures) {
  // In the order of their names; all of them first.
  std::map<std::string, std::vector<double>> groups;
  for (const WorkloadRow& row : ledger.workloads) {
    if (row.started == Time::Max() || row.began_before) continue;
    const std::optional<double> value = of(row);
    if (!value) continue;
    groups[""].push_back(*value);
    groups[OfQueue(ledger, row.queue)].push_back(*value);
    groups["size " + SizeClassOf(ledger, row)].push_back(*value);
  }
  for (auto& [group, values] : groups) figures.AddSpread(name, group, unit, std::move(values));
}

void AddTimes(const Ledger& ledger, Figures& figures) {
  std::int64_t started = 0, finished = 0;
  for (const WorkloadRow& row : ledger.workloads) {
    started += row.started != Time::Max() ? 1 : 0;
    finished += row.finished != Time::Max() ? 1 : 0;
  }
  const auto submitted = static_cast<std::int64_t>(ledger.workloads.size());
  figures.Add("workloads.submitted", "", "", static_cast<double>(submitted));
  figures.Add("workloads.started", "", "", static_cast<double>(started));
  figures.Add("workloads.finished", "", "", static_cast<double>(finished));
  figures.Add("workloads.pending", "", "", static_cast<double>(submitted - started));

  const auto whole = [](const WorkloadRow& row) { return row.finished - row.submitted; };
  const auto of_finished = [](auto of) {
    return [of](const WorkloadRow& row) {
      return row.finished == Time::Max() ? std::nullopt : std::optional<double>(of(row));
    };
  };
  AddByGroup(
      ledger, "waiting", "s",
      [](const WorkloadRow& row) { return std::optional(Seconds(row.started - row.submitted)); },
      figures);
  AddByGroup(ledger, "completion", "s",
             of_finished([&](const WorkloadRow& row) { return Seconds(whole(row)); }), figures);
  const std::vector<Duration> own_work = OwnWork(ledger);
  AddByGroup(ledger, "delay", "s", of_finished([&](const WorkloadRow& row) {
               return Seconds(std::max(Duration{}, whole(row) - own_work[row.name]));
             }),
             figures);
  AddByGroup(ledger, "slowdown", "", of_finished([&](const WorkloadRow& row) {
               const Duration run = std::max(kShortestRun, row.finished - row.started);
               return std::max(1.0, Seconds(whole(row)) / Seconds(run));
             }),
             figures);
}

void AddMakespan(const Ledger& ledger, Figures& figures) {
  if (ledger.workloads.empty()) return;
  Time first = Time::Max(), last = ledger.start;
  for (const WorkloadRow& row : ledger.workloads) first = std::min(first, row.submitted);
  for (const Stay& stay : ledger.stays) last = std::max(last, std::min(stay.end, ledger.end));
  figures.Add("makespan", "", "s",
              Seconds(std::max(Duration{}, last - std::max(first, ledger.start))));
}

using Integral = WideInt;  // amount × µs

std::vector<Integral> OfferedOf(const Ledger& ledger) {
  std::vector<Integral> offered(ledger.resources.size());
  ledger.ForEachOffer([&](const CapacityRow& row, Time until) {
    for (std::size_t r = 0; r < offered.size(); ++r) {
      offered[r] += static_cast<Integral>(ledger.Amount(row.offered, r)) * (until - row.time).us;
    }
  });
  return offered;
}

struct AgeClass {
  std::string_view name;
  Duration under;
};
constexpr Duration kHour = Duration::Seconds(3600);
constexpr AgeClass kAges[] = {{"under 1h", kHour},
                              {"1h to 4h", Duration{4 * kHour.us}},
                              {"4h to 1d", Duration{24 * kHour.us}},
                              {"1d to 7d", Duration{168 * kHour.us}},
                              {"over 7d", Duration::Max()}};

// What was lost, by how long it had run when it was stopped, in percent of all that was used.
void AddLossByAge(const Ledger& ledger, std::size_t resource, Integral used, Figures& figures) {
  std::array<Integral, std::size(kAges)> lost{};
  for (const Stay& stay : ledger.stays) {
    if (stay.evicted == Time::Max()) continue;
    const Duration age = stay.evicted - stay.begin;
    std::size_t i = 0;
    while (age >= kAges[i].under) ++i;
    lost[i] += static_cast<Integral>(ledger.Amount(stay.amounts, resource)) * stay.lost().us;
  }
  for (std::size_t i = 0; i < std::size(kAges); ++i) {
    if (lost[i] == 0) continue;
    figures.Add("lost.percent", fmt::format("age {}", kAges[i].name), "%",
                100.0 * static_cast<double>(lost[i]) / static_cast<double>(used));
  }
}

void AddUse(const Ledger& ledger, const std::vector<Integral>& offered, Figures& figures) {
  const std::size_t width = ledger.resources.size();
  std::vector<Integral> used(width), lost(width);
  std::map<std::string, std::vector<Integral>> by_queue;
  for (const Stay& stay : ledger.stays) {
    std::vector<Integral>& of_queue = by_queue[std::string(ledger.Name(stay.queue))];
    of_queue.resize(width);
    const Duration stayed = std::min(stay.end, ledger.end) - stay.begin;
    for (std::size_t r = 0; r < width; ++r) {
      const auto amount = static_cast<Integral>(ledger.Amount(stay.amounts, r));
      used[r] += amount * stayed.us;
      of_queue[r] += amount * stayed.us;
      if (stay.evicted == Time::Max()) continue;
      lost[r] += amount * stay.lost().us;
    }
  }
  const auto percent = [](Integral part, Integral whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  for (std::size_t r = 0; r < width; ++r) {
    const std::string of = "resource " + ledger.resources[r];
    const HumanUnit human = HumanUnitOf(ledger.resources[r]);
    const std::string unit = fmt::format("{} h", human.name);
    const double per_hour = static_cast<double>(human.amount) * kUsPerHour;
    figures.Add("utilisation", of, "%", percent(used[r], offered[r]));
    figures.Add("goodput", of, "%", percent(used[r] - lost[r], offered[r]));
    figures.Add("used", of, unit, static_cast<double>(used[r]) / per_hour);
    figures.Add("lost", of, unit, static_cast<double>(lost[r]) / per_hour);
    figures.Add("lost.percent", of, "%", percent(lost[r], used[r]));
  }
  const std::size_t decisive = DecisiveResource(ledger);
  if (decisive == std::string::npos) return;
  AddLossByAge(ledger, decisive, used[decisive], figures);
  const HumanUnit human = HumanUnitOf(ledger.resources[decisive]);
  const double per_hour = static_cast<double>(human.amount) * kUsPerHour;
  for (const auto& [queue, amounts] : by_queue) {
    figures.Add("used", "queue " + queue, fmt::format("{} h", human.name),
                static_cast<double>(amounts[decisive]) / per_hour);
  }
}

void AddEvictions(const Ledger& ledger, Figures& figures) {
  std::map<std::string, std::int64_t> by_action;
  std::map<NameId, std::vector<Time>> stops;
  std::int64_t all = 0;
  for (const Stay& stay : ledger.stays) {
    if (stay.evicted == Time::Max()) continue;
    ++all;
    ++by_action[std::string(ledger.Name(stay.action))];
    stops[stay.workload].push_back(stay.evicted);
  }
  std::int64_t count = 0, most = 0, again = 0;
  for (auto& [workload, times] : stops) {
    MakeSet(times);
    const auto own = static_cast<std::int64_t>(times.size());
    count += own;
    most = std::max(most, own);
    for (std::size_t i = 1; i < times.size(); ++i) {
      again += times[i] - times[i - 1] < kAgainWithin ? 1 : 0;
    }
  }
  figures.Add("evictions", "", "", static_cast<double>(all));
  for (const auto& [action, evictions] : by_action) {
    figures.Add("evictions", "action " + action, "", static_cast<double>(evictions));
  }
  figures.Add("stops.count", "", "", static_cast<double>(count));
  figures.Add("stops.most", "", "", static_cast<double>(most));
  figures.Add("stops.again", "", "", static_cast<double>(again));
}

void AddFairness(const Ledger& ledger, const std::vector<Integral>& all_offered, Figures& figures) {
  const std::size_t decisive = DecisiveResource(ledger);
  if (decisive == std::string::npos) return;
  const HumanUnit human = HumanUnitOf(ledger.resources[decisive]);
  const double per_hour = static_cast<double>(human.amount) * kUsPerHour;
  const std::string unit = fmt::format("{} h", human.name);
  const QueueFigures of_queues = QueueFiguresOf(ledger, decisive);
  const auto offered = static_cast<double>(all_offered[decisive]);
  if (of_queues.compared > Duration{}) figures.Add("fairness.jain", "", "", of_queues.jain);
  if (offered > 0) {
    figures.Add("fairness.deviation", "", "%",
                100.0 * static_cast<double>(of_queues.deviation) / (2 * offered));
  }
  Integral missing = 0;
  for (const auto& [queue, amount] : of_queues.missing) missing += amount;
  figures.Add("guarantee.missing", "", unit, static_cast<double>(missing) / per_hour);
  for (const auto& [queue, amount] : of_queues.missing) {
    figures.Add("guarantee.missing", OfQueue(ledger, queue), unit,
                static_cast<double>(amount) / per_hour);
  }
  std::vector<double> lacks;
  for (const Duration lack : of_queues.lacks) lacks.push_back(Seconds(lack));
  figures.Add("reclaim.count", "", "", static_cast<double>(lacks.size()));
  figures.AddSpread("reclaim", "", "s", std::move(lacks));
  std::vector<double> late;
  for (const Duration each : LateGuarantees(ledger, decisive)) late.push_back(Seconds(each));
  figures.Add("guarantee.late.count", "", "", static_cast<double>(late.size()));
  figures.AddSpread("guarantee.late", "", "s", std::move(late));
}

// "level KEY"; where several topologies have one of that key, of which.
std::string OfLevel(const std::vector<Nearness>& all, const Nearness& topology,
                    std::string_view level) {
  const auto has = [&](const Nearness& each) {
    return level == kNoLevel || std::ranges::count(each.levels, level, &Nearness::OfLevel::key) > 0;
  };
  const std::string of = level == kNoLevel ? std::string(level) : fmt::format("level {}", level);
  const bool is_only = std::ranges::count_if(all, has) == 1;
  return is_only ? of : fmt::format("{} of {}", of, topology.topology);
}

void AddNearness(const Ledger& ledger, Figures& figures) {
  const std::vector<Nearness> all = NearnessOf(ledger, DecisiveResource(ledger));
  for (const Nearness& topology : all) {
    for (const Nearness::OfLevel& level : topology.levels) {
      const std::string of = OfLevel(all, topology, level.key);
      if (level.gangs_within) figures.Add("gangs.within", of, "%", *level.gangs_within);
      if (level.nearest) figures.Add("pairs.nearest", of, "%", *level.nearest);
      if (level.free) figures.Add("domains.free", of, "", *level.free);
      if (level.free_percent) figures.Add("domains.free.percent", of, "%", *level.free_percent);
    }
    if (!topology.apart) continue;
    figures.Add("pairs.nearest", OfLevel(all, topology, kNoLevel), "%", *topology.apart);
  }
}

}  // namespace

HumanUnit HumanUnitOf(std::string_view resource) {
  if (resource == objects::kGpuResource) return {1000, "GPU"};
  if (resource == "cpu") return {1000, "core"};
  if (resource == "memory") return {std::int64_t{1} << 30, "GiB"};
  return {ScaleOf(resource) == Scale::kMilli ? 1000 : 1, resource};
}

std::size_t DecisiveResource(const Ledger& ledger) {
  for (const std::string_view name : {objects::kGpuResource, std::string_view("cpu")}) {
    const auto at = std::find(ledger.resources.begin(), ledger.resources.end(), name);
    if (at != ledger.resources.end()) {
      return static_cast<std::size_t>(at - ledger.resources.begin());
    }
  }
  return std::string::npos;
}

std::string SizeClassOf(const Ledger& ledger, const WorkloadRow& workload) {
  const auto gpu =
      std::find(ledger.resources.begin(), ledger.resources.end(), objects::kGpuResource);
  const auto at = static_cast<std::size_t>(gpu - ledger.resources.begin());
  const std::int64_t milli = at < ledger.resources.size() ? ledger.Amount(workload.size, at) : 0;
  if (milli == 0) return "no GPU";
  if (milli < 1000) return "part of a GPU";
  if (milli <= 1000) return "1 GPU";
  std::int64_t most = 2;
  while (most * 1000 < milli) most *= 2;
  return most == 2 ? "2 GPUs" : fmt::format("{}-{} GPUs", most / 2 + 1, most);
}

std::vector<Figure> FiguresOf(const Ledger& ledger) {
  std::vector<Figure> list;
  Figures figures(list);
  AddTimes(ledger, figures);
  AddMakespan(ledger, figures);
  const std::vector<Integral> offered = OfferedOf(ledger);
  AddUse(ledger, offered, figures);
  AddEvictions(ledger, figures);
  AddFairness(ledger, offered, figures);
  if (const auto lost = FragmentationOf(ledger)) figures.Add("fragmentation", "", "%", *lost);
  AddNearness(ledger, figures);
  return list;
}

}  // namespace fairlead::account
