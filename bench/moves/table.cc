// What moves bring on days with fragmentation (docs/moves.md): nobody moves, as the engine says, by
// the rule of everybody. Prints tables in Markdown.
//
//   moves_table [DAYS [WORLD]]   so many of each load; without: 10. WORLD: made or openb; without:
//                                both. All cores are used

#include "bench/days/table.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "bench/in_parallel.h"
#include "bench/moves/run.h"
#include "bench/moves/world.h"

namespace fairlead::bench {

constexpr int kDays = 10;

namespace {

constexpr std::array<std::int64_t, 2> kLoads = {85, 95};
constexpr std::uint64_t kFirstSeed = 1;

struct RuleName {
  MoveRule rule;
  const char* name;
};
constexpr std::array<RuleName, 5> kRules = {{{MoveRule::kOurs, "consolidation on"},
                                             {MoveRule::kOursSoon, "on, cooldown 5m"},
                                             {MoveRule::kOursBounded, "… and maxLoss 10m"},
                                             {MoveRule::kNobody, "off"},
                                             {MoveRule::kEverybody, "KAI's rule"}}};

struct Row {
  const char* title;
  double MoveFigures::* figure;
  int digits;
};
constexpr std::array<Row, 9> kRows = {{
    {"large gangs started", &MoveFigures::large_started, 1},
    {"– their waiting, mean, min", &MoveFigures::large_wait_mean, 0},
    {"– 95th percentile", &MoveFigures::large_wait_p95, 0},
    {"work lost by moves, GPU hours", &MoveFigures::lost_gpu_hours, 0},
    {"pods that moved", &MoveFigures::moves, 0},
    {"– within an hour of their start", &MoveFigures::moved_within_hour, 0},
    {"nodes wholly free, mean", &MoveFigures::free_nodes, 2},
    {"waiting of small work, mean, min", &MoveFigures::small_wait_mean, 1},
    {"utilisation, %", &MoveFigures::utilisation, 1},
}};

using MakeWorld = std::optional<MoveWorld> (*)(std::int64_t load, std::uint64_t seed);

// By rule, then day.
using Figures = std::vector<std::vector<MoveFigures>>;

Figures RunDays(MakeWorld make, std::int64_t load, std::size_t days) {
  Figures figures(kRules.size(), std::vector<MoveFigures>(days));
  InParallel(days * kRules.size(), "running", "days", [&](std::size_t i) {
    const std::size_t day = i / kRules.size(), rule = i % kRules.size();
    const auto world = make(load, kFirstSeed + day);
    figures[rule][day] = FiguresOf(RunMoves(*world, kRules[rule].rule));
  });
  return figures;
}

std::vector<double> ValuesOf(const std::vector<MoveFigures>& days, double MoveFigures::* figure) {
  std::vector<double> values;
  for (const MoveFigures& day : days) values.push_back(day.*figure);
  return values;
}

void PrintTable(const char* title, std::int64_t load, const Figures& figures) {
  fmt::print("| {}, {} % asked |", title, load);
  for (const RuleName& rule : kRules) fmt::print(" {} |", rule.name);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < kRules.size(); ++i) fmt::print("---:|");
  for (const Row& row : kRows) {
    fmt::print("\n| {} |", row.title);
    const std::vector<double> ours = ValuesOf(figures[0], row.figure);
    for (const std::vector<MoveFigures>& days : figures) {
      fmt::print(" {} |", Cell(ValuesOf(days, row.figure), ours, row.digits));
    }
  }
  fmt::print("\n\n");
  std::fflush(stdout);
}

int Main(std::size_t days, std::string_view only) {
  struct World {
    std::string_view name;
    const char* title;
    MakeWorld make;
  };
  const std::array<World, 2> worlds = {
      {{"made", "made days",
        [](std::int64_t load, std::uint64_t seed) { return std::optional(MadeWorld(load, seed)); }},
       {"openb", "openb", OpenbWorld}}};
  for (const World& world : worlds) {
    if (!only.empty() && only != world.name) continue;
    if (!world.make(kLoads[0], kFirstSeed)) {
      fmt::print("{} is not there (FAIRLEAD_DATA): left out.\n", world.title);
      continue;
    }
    for (const std::int64_t load : kLoads) {
      PrintTable(world.title, load, RunDays(world.make, load, days));
    }
  }
  return 0;
}

}  // namespace
}  // namespace fairlead::bench

int main(int argc, char** argv) {
  const int days = argc > 1 ? std::atoi(argv[1]) : fairlead::bench::kDays;
  const std::string_view only = argc > 2 ? argv[2] : "";
  if (days < 1 || (!only.empty() && only != "made" && only != "openb")) {
    fmt::print(stderr, "moves_table: expected a number of days, and made or openb\n");
    return 2;
  }
  return fairlead::bench::Main(static_cast<std::size_t>(days), only);
}
