// First fit   The first domain by name that holds what is required, and the hosts by name in it.
//             Nobody looks at what is preferred.
// Kueue       tas_flavor_snapshot.go (00c4551). The requested level, or the next wider one: the
// domain with
//             the least room that holds all of it. None even of the widest level: the roomiest
//             first, the last again the one with the least room that holds the rest. Down from
//             there, level by level, the same among all children of those that were taken. Who
//             asks nothing gets the hosts with the least room, whatever rack they are in.
// KAI         topology plugin. The fullest domain that holds it, from the preferred level outwards;
//             in a wider one racks (and blocks) with less room go first. Then, pod by pod, the
//             fullest host.
// Volcano     network-topology-aware plugin beside binpack. Hard: the narrowest tier that holds it,
//             there the domain of which most is used. Soft: pod by pod over all hosts, those
//             nearest to the pods before it first, then the rack that has most of these. Pods that
//             ask nothing: racks (weight 1) and blocks (0.8) of which most is used, together as
//             much as the host itself.
//
// Worked: 6 pods of a whole host each prefer a rack; those of a block have 3, 5, 9 and 7 free
// hosts, by name. Kueue and KAI take the one with 7. Volcano's first pod goes to the first free
// host by name, two more fill that rack, and three go on in the next.

#include "bench/topology_day/rules.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>

#include "base/check.h"

namespace fairlead::bench {
namespace {

Level Wider(Level level) { return static_cast<Level>(static_cast<int>(level) - 1); }
Level Narrower(Level level) { return static_cast<Level>(static_cast<int>(level) + 1); }

bool Prefers(const DayJob& job) { return job.asks == Asks::kPrefersRack; }
bool Requires(const DayJob& job) { return RequiredLevel(job) != Level::kAll; }

// The one that comes first by `key`, then by name, of those that have room for `pods`.
template <typename Key>
std::optional<Domain> Best(const Hosts& hosts, const DayJob& job, const std::vector<Domain>& of,
                           std::int64_t pods, Key key) {
  std::optional<Domain> best;
  for (const Domain d : of) {
    if (hosts.RoomIn(d, job.gpus) >= pods && (!best || key(d) < key(*best))) best = d;
  }
  return best;
}

// Host after host, each filled.
Placement Fill(const Hosts& hosts, const DayJob& job, const std::vector<Domain>& of) {
  Placement on;
  std::int64_t left = job.pods;
  for (const Domain host : of) {
    const std::int64_t pods = std::min(left, hosts.RoomIn(host, job.gpus));
    if (pods > 0) on.emplace_back(host.i, pods);
    left -= pods;
  }
  CHECK(left == 0);
  return on;
}

// Pod by pod, each on the best host by `key` that has room, given what the job has so far.
template <typename Key>
Placement PodByPod(Hosts hosts, const DayJob& job, Domain in, Key key) {
  Placement on;
  const std::vector<Domain> all = Within(in, Level::kHost);
  for (std::int64_t pod = 0; pod < job.pods; ++pod) {
    const std::optional<Domain> host =
        Best(hosts, job, all, 1, [&](Domain d) { return key(hosts, d, on); });
    CHECK(host);
    hosts.Put(job, {{host->i, 1}});
    if (!on.empty() && on.back().first == host->i) {
      ++on.back().second;
    } else {
      on.emplace_back(host->i, 1);
    }
  }
  return on;
}

Placement FirstFit(const Hosts& hosts, const DayJob& job) {
  const std::optional<Domain> in =
      Best(hosts, job, Within(kEverything, RequiredLevel(job)), job.pods, [](Domain) { return 0; });
  return Fill(hosts, job, Within(*in, Level::kHost));
}

// Kueue ------------------------------------------------------------------------------------------

// The roomiest first, the last one the least that holds the rest.
std::vector<Domain> FewestOf(const Hosts& hosts, const DayJob& job, std::vector<Domain> of) {
  const auto room = [&](Domain d) { return hosts.RoomIn(d, job.gpus); };
  std::ranges::stable_sort(of, std::greater<>(), room);
  std::vector<Domain> taken;
  std::int64_t left = job.pods;
  for (auto at = of.begin(); at != of.end() && left > 0; ++at) {
    const bool is_last = room(*at) >= left;
    taken.push_back(is_last ? *Best(hosts, job, {at, of.end()}, left, room) : *at);
    left -= room(*at);
  }
  CHECK(left <= 0);
  return taken;
}

Placement Kueue(const Hosts& hosts, const DayJob& job) {
  const auto room = [&](Domain d) { return hosts.RoomIn(d, job.gpus); };
  if (job.asks == Asks::kNothing) {
    std::vector<Domain> all = Within(kEverything, Level::kHost);
    if (const auto one = Best(hosts, job, all, job.pods, room)) return Fill(hosts, job, {*one});
    std::ranges::stable_sort(all, {}, room);
    return Fill(hosts, job, all);
  }
  Level level = Prefers(job) ? Level::kRack : RequiredLevel(job);
  std::vector<Domain> taken;
  for (; taken.empty(); level = Wider(level)) {
    const std::vector<Domain> all = Within(kEverything, level);
    if (const auto one = Best(hosts, job, all, job.pods, room)) {
      taken = {*one};
    } else if (level == Level::kBlock) {
      taken = FewestOf(hosts, job, all);
    }
  }
  while (taken.front().level != Level::kHost) {
    std::vector<Domain> children;
    for (const Domain d : taken) {
      const std::vector<Domain> of = Within(d, Narrower(d.level));
      children.insert(children.end(), of.begin(), of.end());
    }
    taken = FewestOf(hosts, job, std::move(children));
  }
  return Fill(hosts, job, taken);
}

// KAI --------------------------------------------------------------------------------------------

Placement Kai(const Hosts& hosts, const DayJob& job) {
  const auto room = [&](Domain d) { return hosts.RoomIn(d, job.gpus); };
  Level level = Prefers(job) ? Level::kRack : RequiredLevel(job);
  std::optional<Domain> in;
  for (; !in; level = Wider(level))
    in = Best(hosts, job, Within(kEverything, level), job.pods, room);
  return PodByPod(hosts, job, *in, [&](const Hosts& now, Domain host, const Placement&) {
    // Domains keep the order that they had when the job was looked at.
    const Domain block = At(host.i, Level::kBlock), rack = At(host.i, Level::kRack);
    const bool by_rack = Prefers(job);
    return std::tuple(by_rack ? room(block) : 0, by_rack ? block.i : 0, by_rack ? room(rack) : 0,
                      by_rack ? rack.i : 0, now.FreeOf(host));
  });
}

// Volcano ----------------------------------------------------------------------------------------

// The narrowest domain that holds what the job has so far, and the tier at which a host's rack
// meets it; then how few of its pods are in the host's rack; then binpack.
auto NearestFirst(const Hosts& now, Domain host, const Placement& on) {
  std::int64_t tier = 0, in_rack = 0;  // no pod is anywhere yet
  if (!on.empty()) {
    const std::int64_t first = on.front().first;
    const auto holds_all = [&](Level level) {
      return std::ranges::all_of(
          on, [&](const auto& each) { return At(each.first, level) == At(first, level); });
    };
    const auto is_inside = [&](Level level) {
      return holds_all(level) && At(host.i, level) == At(first, level);
    };
    tier = is_inside(Level::kRack) ? 0 : is_inside(Level::kBlock) ? 1 : 2;
    for (const auto& [h, pods] : on) {
      if (At(h, Level::kRack) == At(host.i, Level::kRack)) in_rack += pods;
    }
  }
  return std::tuple(tier, -in_rack, now.FreeOf(host));
}

Placement Volcano(const Hosts& hosts, const DayJob& job) {
  if (job.asks == Asks::kNothing) {
    return PodByPod(hosts, job, kEverything, [](const Hosts& now, Domain host, const Placement&) {
      const auto used = [&](Level level) { return now.UsedOf(At(host.i, level)); };
      const auto whole = [](Level level) { return HostsIn(level) * kGpus; };
      // used(host) / whole(host) + (used(rack) / whole(rack) + 0.8 used(block) / whole(block))
      // / 1.8
      return -(used(Level::kHost) * 18 * whole(Level::kBlock) / whole(Level::kHost) +
               used(Level::kRack) * 10 * whole(Level::kBlock) / whole(Level::kRack) +
               used(Level::kBlock) * 8);
    });
  }
  Domain in = kEverything;
  for (Level level = Level::kRack; Requires(job); level = Wider(level)) {
    const auto fullest = Best(hosts, job, Within(kEverything, level), job.pods,
                              [&](Domain d) { return hosts.FreeOf(d); });
    if (!fullest) continue;
    in = *fullest;
    break;
  }
  return PodByPod(hosts, job, in, NearestFirst);
}

}  // namespace

std::vector<PeerRule> PeerRules() {
  return {{"first fit", FirstFit}, {"Kueue's", Kueue}, {"KAI's", Kai}, {"Volcano's", Volcano}};
}

}  // namespace fairlead::bench
