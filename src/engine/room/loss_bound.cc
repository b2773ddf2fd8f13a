// What others lose at least when room for one pod is made on a node: as if each pod could leave by
// parts, and those first that lose least for what they free. Of the resources that are lacking the
// one that costs most counts. Where no node is below the ceiling so, none is with whole pods.
//
// Worked: 4 GPUs are lacking; pods of 2, 2 and 8 GPUs have run for 1 h, 3 h and 2 h. The first
// frees 2 for 2 GPU hours, and 2 of the 8 cost 4: at least 6 are lost. (With whole pods it is 8.)

#include "engine/room/loss_bound.h"

#include <algorithm>

#include <boost/container/small_vector.hpp>

#include "policy/victims.h"

namespace fairlead::engine {

bool LossBound::MightServe(const VictimScope& scope, const RoomStep& step) {
  const policy::LossCeiling& ceiling = scope.ceiling();
  if (!ceiling.binds()) return true;
  return std::all_of(step.parts.begin(), step.parts.end(), [&](const GangPart& part) {
    const state::Shape& shape = cluster_.shapes()[part.shape];
    if (!shape.dynamic->empty() || shape.gpu_milli > 0) return true;
    Time from = Time::Max();
    for (std::uint32_t n = 0; n < cluster_.nodes().size(); ++n) {
      const auto loss = LeastLoss(scope, part.shape, state::NodeId(n));
      if (!loss) continue;
      if (loss->lost <= ceiling.most()) return true;
      from = std::min(from, ceiling.AllowsFrom(*loss));
    }
    scope.NoteLapse(from);
    return false;
  });
}

// Empty: whoever leaves, there is no room.
std::optional<policy::Loss> LossBound::LeastLoss(const VictimScope& scope, state::ShapeId s,
                                                 state::NodeId n) {
  if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) return std::nullopt;
  const std::int64_t* later = cluster_.nodes().later(n);
  struct Lack {
    state::ResourceId resource;
    std::int64_t amount = 0;
  };
  boost::container::small_vector<Lack, 4> lacks;
  for (const state::Amount& a : cluster_.shapes()[s].fit) {
    const state::ResourceId r = state::PublicOf(a.resource);
    const std::int64_t lack = state::PublicAmount(a.resource, a.amount) - later[r.value()];
    if (lack > 0) lacks.push_back({r, lack});
  }
  policy::Loss least;
  if (lacks.empty()) return least;
  struct Part {
    policy::Loss loss;
    std::int64_t amount = 0;
    state::PodId pod;
  };
  boost::container::small_vector<Part, 16> parts;
  for (const state::PodId p : cluster_.nodes().pods(n)) {
    if (!policy::MayBeEvicted(cluster_, p)) continue;
    const auto donor = scope.DonorOf(cluster_.pods()[p].workload);
    if (!donor) continue;
    parts.push_back(
        {.loss = scope.BoundsLoss(*donor) ? losses_.Of({&p, 1}) : policy::Loss(), .pod = p});
    least.falls_at = std::min(least.falls_at, parts.back().loss.falls_at);
  }
  for (const Lack& lack : lacks) {
    for (Part& part : parts) {
      part.amount = state::AmountOf(cluster_.shapes()[cluster_.pods()[part.pod].shape].request,
                                    lack.resource);
    }
    std::ranges::sort(parts, [](const Part& a, const Part& b) {
      if ((a.amount == 0) != (b.amount == 0)) return b.amount == 0;
      return a.loss.lost * static_cast<policy::Work>(b.amount) <
             b.loss.lost * static_cast<policy::Work>(a.amount);
    });
    policy::Loss loss{.falls_at = least.falls_at};
    std::int64_t left = lack.amount;
    for (const Part& part : parts) {
      if (left <= 0 || part.amount == 0) break;
      const auto taken = static_cast<policy::Work>(std::min(left, part.amount));
      const auto amount = static_cast<policy::Work>(part.amount);
      loss.lost += part.loss.lost * taken / amount;
      loss.rate += part.loss.rate * taken / amount;
      left -= part.amount;
    }
    if (left > 0) return std::nullopt;
    if (loss.lost > least.lost) least = loss;
  }
  return least;
}

}  // namespace fairlead::engine
