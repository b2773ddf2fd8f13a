#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "bench/topology_day/day.h"

namespace fairlead::bench {

enum class Level : std::uint8_t { kAll, kBlock, kRack, kHost };

// A domain of the level: which of them, by name. Its hosts are next to each other.
struct Domain {
  Level level = Level::kAll;
  std::int64_t i = 0;
  bool operator==(const Domain&) const = default;
};
inline constexpr Domain kEverything = {};
std::int64_t DomainsOf(Level level);
std::int64_t HostsIn(Level level);  // one domain of it
inline std::int64_t FirstHost(Domain d) { return d.i * HostsIn(d.level); }
inline std::int64_t EndHost(Domain d) { return (d.i + 1) * HostsIn(d.level); }
inline Domain At(std::int64_t host, Level level) { return {level, host / HostsIn(level)}; }
// The domains of the level that are inside it, by name.
std::vector<Domain> Within(Domain d, Level level);

// Hosts, and how many pods are put on each.
using Placement = std::vector<std::pair<std::int64_t, std::int64_t>>;

// How many GPUs are free, by host; how many pods of each size fit into each domain.
class Hosts {
 public:
  Hosts();
  // REQUIRES: they fit, or are there.
  void Put(const DayJob& job, const Placement& on) { Add(job, on, -1); }
  void Take(const DayJob& job, const Placement& on) { Add(job, on, +1); }

  std::int64_t FreeOf(Domain d) const { return RoomIn(d, 1); }
  std::int64_t UsedOf(Domain d) const { return HostsIn(d.level) * kGpus - FreeOf(d); }
  // Pods of so many GPUs.
  std::int64_t RoomIn(Domain d, std::int64_t gpus) const {
    return rooms_[static_cast<std::size_t>(gpus)][static_cast<std::size_t>(d.level)]
                 [static_cast<std::size_t>(d.i)];
  }

 private:
  void Add(const DayJob& job, const Placement& on, std::int64_t sign);
  void AddFree(std::int64_t host, std::int64_t gpus);
  // By GPUs of a pod, level, domain.
  std::array<std::array<std::vector<std::int64_t>, 4>, kGpus + 1> rooms_;
};

// Where all of its pods have to be: domains of this level.
Level RequiredLevel(const DayJob& job);
// Whether some domain of that level has room for all of it: the same under every rule.
bool Fits(const Hosts& hosts, const DayJob& job);

}  // namespace fairlead::bench
