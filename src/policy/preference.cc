#include "policy/preference.h"

#include "base/check.h"
#include "policy/node_fit.h"

namespace fairlead::policy {

using state::Cluster;
using state::DomainId;
using state::NodeId;
using state::Shape;
using state::When;

RawPreference PreferenceOfNode(const Cluster& cluster, const Shape& shape, NodeId n) {
  RawPreference raw;
  const state::NodeTable& nodes = cluster.nodes();
  if (shape.preferred) {
    for (const objects::Preferences::OfNodes& each : shape.preferred->nodes) {
      if (objects::Matches(each.term, nodes.labels(n), nodes.name(n))) {
        raw[Preference::kNodeAffinity] += each.weight;
      }
    }
  }
  for (const objects::Taint& taint : nodes.taints(n)) {
    if (taint.effect != objects::TaintEffect::kPreferNoSchedule) continue;
    raw[Preference::kTaints] += objects::Tolerates(shape.needs->tolerations, taint) ? 0 : 1;
  }
  return raw;
}

void AddPods(const Cluster& cluster, const state::Preferred::Pods& term, DomainId d, When when,
             RawPreference& raw) {
  if (!d.valid()) return;
  const std::int64_t pods = term.weight > 0 ? cluster.demands().InFavour(term.term, d, when)
                                            : cluster.demands().Against(term.term, d, when);
  raw[Preference::kPodAffinity] += term.weight * pods;
}

void AddSpread(const Cluster& cluster, state::TermId term, DomainId d, RawPreference& raw) {
  if (d.valid()) {
    raw[Preference::kSpread] += cluster.demands().Matches(term, d);
  } else {
    raw.uncounted = true;
  }
}

RawPreference PreferenceOf(const Cluster& cluster, const Shape& shape, NodeId n, When when) {
  RawPreference raw = PreferenceOfNode(cluster, shape, n);
  if (!shape.preferred) return raw;
  const auto domain = [&](state::TermId term) {
    return cluster.demands().columns().Of(cluster.terms().ColumnOf(term), n);
  };
  for (const state::Preferred::Pods& each : shape.preferred->pods) {
    AddPods(cluster, each, domain(each.term), when, raw);
  }
  for (const state::TermId term : shape.preferred->spread) {
    AddSpread(cluster, term, domain(term), raw);
  }
  return raw;
}

void PreferenceScale::Add(const RawPreference& raw) {
  uncounted_ |= raw.uncounted;
  for (std::size_t kind = 0; kind < kPreferences; ++kind) {
    if (raw.uncounted && kind == static_cast<std::size_t>(Preference::kSpread)) continue;
    ranges_[kind].least = std::min(ranges_[kind].least, raw.of[kind]);
    ranges_[kind].most = std::max(ranges_[kind].most, raw.of[kind]);
  }
}

std::int64_t PreferenceScale::PointsOf(Preference kind, const RawPreference& raw) const {
  const Range& range = ranges_[static_cast<std::size_t>(kind)];
  if (kind == Preference::kSpread && raw.uncounted) return 0;
  DCHECK(range.least <= raw[kind] && raw[kind] <= range.most);
  if (range.least == range.most) {
    // Equal are those that count; they are better than those that do not.
    return kind == Preference::kSpread && uncounted_ ? kMostOfAKind : 0;
  }
  const std::int64_t points = kMostOfAKind * (raw[kind] - range.least) / (range.most - range.least);
  const bool less_is_better = kind == Preference::kSpread || kind == Preference::kTaints;
  return less_is_better ? kMostOfAKind - points : points;
}

std::int64_t PreferenceScale::Of(const RawPreference& raw) const {
  std::int64_t sum = 0;
  for (std::size_t kind = 0; kind < kPreferences; ++kind) {
    sum += kPreferenceWeights[kind] * PointsOf(static_cast<Preference>(kind), raw);
  }
  return sum;
}

NodePlace PlaceOf(objects::PreferenceOrder order, std::int64_t preferred, std::uint32_t score,
                  std::uint32_t rank) {
  const auto lacking = static_cast<NodePlace>(kMostPreferred - preferred);
  return order == objects::PreferenceOrder::kTie
             ? static_cast<NodePlace>(score) << 64 | lacking << 32 | rank
             : lacking << 64 | static_cast<NodePlace>(score) << 32 | rank;
}

}  // namespace fairlead::policy
