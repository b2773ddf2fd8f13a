#include "bench/topology_day/hosts.h"

#include <algorithm>

#include "base/check.h"

namespace fairlead::bench {
namespace {

constexpr std::array<Level, 4> kLevels = {Level::kAll, Level::kBlock, Level::kRack, Level::kHost};

}  // namespace

std::int64_t HostsIn(Level level) {
  switch (level) {
    case Level::kAll:
      return kHosts;
    case Level::kBlock:
      return kRacksOfBlock * kHostsOfRack;
    case Level::kRack:
      return kHostsOfRack;
    case Level::kHost:
      break;
  }
  return 1;
}

std::int64_t DomainsOf(Level level) { return kHosts / HostsIn(level); }

std::vector<Domain> Within(Domain d, Level level) {
  std::vector<Domain> domains;
  for (std::int64_t h = FirstHost(d); h < EndHost(d); h += HostsIn(level)) {
    domains.push_back(At(h, level));
  }
  return domains;
}

Hosts::Hosts() {
  for (auto& levels : rooms_) {
    for (const Level level : kLevels) {
      levels[static_cast<std::size_t>(level)].resize(static_cast<std::size_t>(DomainsOf(level)));
    }
  }
  for (std::int64_t h = 0; h < kHosts; ++h) AddFree(h, kGpus);
}

void Hosts::AddFree(std::int64_t host, std::int64_t gpus) {
  const std::int64_t before = FreeOf({Level::kHost, host});
  const std::int64_t after = before + gpus;
  CHECK(after >= 0 && after <= kGpus);
  for (std::int64_t of_pod = 1; of_pod <= kGpus; ++of_pod) {
    const std::int64_t more = after / of_pod - before / of_pod;
    for (const Level level : kLevels) {
      rooms_[static_cast<std::size_t>(of_pod)][static_cast<std::size_t>(level)]
            [static_cast<std::size_t>(At(host, level).i)] += more;
    }
  }
}

void Hosts::Add(const DayJob& job, const Placement& on, std::int64_t sign) {
  for (const auto& [host, pods] : on) AddFree(host, sign * pods * job.gpus);
}

Level RequiredLevel(const DayJob& job) {
  if (job.asks == Asks::kRequiresRack) return Level::kRack;
  return job.asks == Asks::kRequiresBlock ? Level::kBlock : Level::kAll;
}

bool Fits(const Hosts& hosts, const DayJob& job) {
  return std::ranges::any_of(Within(kEverything, RequiredLevel(job)),
                             [&](Domain d) { return hosts.RoomIn(d, job.gpus) >= job.pods; });
}

}  // namespace fairlead::bench
