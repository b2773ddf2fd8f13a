// A day on racks (docs/topology-day.md): how many gangs run inside one rack, and how long work
// waits, by our order of domains and by others'. Prints a table in Markdown.
//
//   topology_table [DAYS]      so many of each load; without: 30. All cores are used

#include "bench/days/table.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "bench/in_parallel.h"
#include "bench/topology_day/figures.h"
#include "bench/topology_day/rules.h"

namespace fairlead::bench {

constexpr int kDays = 30;

namespace {

constexpr std::array<std::int64_t, 2> kLoads = {85, 95};
constexpr std::uint64_t kFirstSeed = 1;

struct Column {
  const char* title;
  double DayFigures::* figure;
  int digits;
};
constexpr std::array<Column, 13> kColumns = {{
    {"of gangs that a rack holds, in one rack, %", &DayFigures::in_rack, 1},
    {"– of those that prefer it, %", &DayFigures::preferring_in_rack, 1},
    {"– of those that ask nothing, %", &DayFigures::others_in_rack, 1},
    {"of all gangs, in one block, %", &DayFigures::in_block, 1},
    {"waiting of everything, mean, min", &DayFigures::wait_mean, 1},
    {"– 95th percentile", &DayFigures::wait_p95, 1},
    {"waiting of gangs, mean, min", &DayFigures::gang_wait_mean, 1},
    {"– 95th percentile", &DayFigures::gang_wait_p95, 0},
    {"– that require a rack, mean", &DayFigures::rack_wait_mean, 1},
    {"– that require a rack, 95th percentile", &DayFigures::rack_wait_p95, 0},
    {"– of a rack's GPUs or more, mean", &DayFigures::large_wait_mean, 0},
    {"racks wholly free, of 32", &DayFigures::free_racks, 2},
    {"utilisation, %", &DayFigures::utilisation, 1},
}};

// One day by everybody's order: ours, ours where gangs that ask nothing prefer a rack, the peers'.
struct OneDay {
  std::int64_t load = 0;
  std::uint64_t seed = 0;
  std::vector<DayFigures> by_rule;
};

// Ends the program where the engine's day is none of the simulator's.
DayFigures ByEngine(const Day& day, const Day& asked, const OneDay& one) {
  const DayRun run = RunEngine(asked);
  if (IsOfSimulator(asked, run)) return FiguresOf(day, run);
  fmt::print(stderr, "load {}, seed {}: the engine starts work at other moments\n", one.load,
             one.seed);
  std::exit(1);
}

Day WhereAllPrefer(Day day) {
  for (DayJob& job : day.jobs) {
    if (job.is_gang() && job.asks == Asks::kNothing) job.asks = Asks::kPrefersRack;
  }
  return day;
}

void RunOne(OneDay& one) {
  const Day day = MakeDay(one.load, one.seed);
  one.by_rule.push_back(ByEngine(day, day, one));
  one.by_rule.push_back(ByEngine(day, WhereAllPrefer(day), one));
  for (const PeerRule& rule : PeerRules()) {
    const DayRun run = Simulate(day, [&](const Hosts& hosts, std::size_t j) {
      return std::optional(rule.place(hosts, day.jobs[j]));
    });
    one.by_rule.push_back(FiguresOf(day, run));
  }
}

std::vector<double> FiguresBy(const std::vector<const OneDay*>& days, std::size_t rule,
                              const Column& column) {
  std::vector<double> values;
  for (const OneDay* day : days) values.push_back(day->by_rule[rule].*column.figure);
  return values;
}

int Main(int count) {
  std::vector<OneDay> days;
  for (const std::int64_t load : kLoads) {
    for (int i = 0; i < count; ++i) {
      days.push_back({.load = load, .seed = kFirstSeed + static_cast<std::uint64_t>(i)});
    }
  }
  InParallel(days.size(), "running", "days", [&](std::size_t d) { RunOne(days[d]); });
  std::vector<std::string> names = {"ours", "ours, all prefer"};
  for (const PeerRule& rule : PeerRules()) names.emplace_back(rule.name);
  for (const std::int64_t load : kLoads) {
    std::vector<const OneDay*> of_load;
    for (const OneDay& day : days) {
      if (day.load == load) of_load.push_back(&day);
    }
    fmt::print("| {} % asked |", load);
    for (const std::string& name : names) fmt::print(" {} |", name);
    fmt::print("\n|---|");
    for (std::size_t i = 0; i < names.size(); ++i) fmt::print("---:|");
    for (const Column& column : kColumns) {
      fmt::print("\n| {} |", column.title);
      for (std::size_t rule = 0; rule < names.size(); ++rule) {
        fmt::print(" {} |", Cell(FiguresBy(of_load, rule, column), FiguresBy(of_load, 0, column),
                                 column.digits));
      }
    }
    fmt::print("\n\n");
  }
  return 0;
}

}  // namespace
}  // namespace fairlead::bench

int main(int argc, char** argv) {
  return fairlead::bench::Main(argc > 1 ? std::atoi(argv[1]) : fairlead::bench::kDays);
}
