#include "policy/dynamic_demand.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "objects/key.h"
#include "policy/node_fit.h"

namespace fairlead::policy {

using state::Cluster;
using state::ColumnId;
using state::DomainId;
using state::NodeId;
using state::Shape;
using state::TermId;
using state::When;

namespace {

bool Holds(const Shape& shape, TermId term) {
  return std::binary_search(shape.dynamic->holds.begin(), shape.dynamic->holds.end(), term);
}

// How many pods of one that is placed itself count there, for those who do not count it.
struct Itself {
  const Shape* shape = nullptr;  // null: it is not placed
  bool in_favour = false;
  std::int32_t Against(TermId term) const {
    return shape != nullptr && policy::Holds(*shape, term) ? 1 : 0;
  }
  std::int32_t InFavour(TermId term) const { return in_favour ? Against(term) : 0; }
};

bool IsRefused(const Cluster& cluster, TermId term, NodeId n, When when, const Itself& itself) {
  const DomainId domain = cluster.demands().columns().Of(cluster.terms().ColumnOf(term), n);
  return domain.valid() && cluster.demands().Against(term, domain, when) > itself.Against(term);
}

bool IsAttractedBeside(const Cluster& cluster, const Shape& shape, NodeId n, When when,
                       const Itself& itself) {
  bool all_there = true, nobody_anywhere = true;
  for (const TermId term : shape.dynamic->attracted_by) {
    const DomainId domain = cluster.demands().columns().Of(cluster.terms().ColumnOf(term), n);
    if (!domain.valid()) return false;
    const std::int32_t own = itself.InFavour(term);
    all_there = all_there && cluster.demands().InFavour(term, domain, when) > own;
    // That somebody leaves does not make it the first.
    nobody_anywhere =
        nobody_anywhere && cluster.demands().InFavourAnywhere(term, When::kNow) == own;
  }
  return all_there || (shape.dynamic->first_of_series && nobody_anywhere);
}

bool IsEven(const Cluster& cluster, const state::DemandCounts& counts,
            const state::DynamicDemands::Spread& spread, NodeId n) {
  const ColumnId column = cluster.terms().ColumnOf(spread.term);
  const DomainId domain = counts.columns().Of(column, n);
  if (!domain.valid()) return false;
  const bool few = counts.columns().CountOf(column) < spread.min_domains;
  const std::int64_t least = few ? 0 : counts.Least(spread.term);
  const std::int64_t matches = counts.Matches(spread.term, domain);
  return matches + (spread.self ? 1 : 0) - least <= spread.max_skew;
}

// Of the terms that count here: counts(term).
template <typename Counts>
bool NobodyRefusesBy(const Cluster& cluster, const Shape& shape, NodeId n, When when, Counts counts,
                     const Itself& itself = {}) {
  return std::ranges::none_of(shape.dynamic->refused_by, [&](TermId term) {
    return counts(term) && IsRefused(cluster, term, n, when, itself);
  });
}
template <typename Counts>
bool StaysEvenBy(const Cluster& cluster, const Shape& shape, NodeId n, Counts counts) {
  return std::ranges::all_of(shape.dynamic->spread, [&](const auto& each) {
    return !counts(each.term) || IsEven(cluster, cluster.demands(), each, n);
  });
}

bool All(TermId /*term*/) { return true; }

}  // namespace

bool NobodyRefuses(const Cluster& cluster, const Shape& shape, NodeId n, When when) {
  return NobodyRefusesBy(cluster, shape, n, when, All);
}

bool NobodyRefuses(const Cluster& cluster, const Shape& shape, NodeId n, When when,
                   state::TermKind kind) {
  return NobodyRefusesBy(cluster, shape, n, when,
                         [&](TermId term) { return cluster.terms().KindOf(term) == kind; });
}

bool IsAttracted(const Cluster& cluster, const Shape& shape, NodeId n, When when) {
  return IsAttractedBeside(cluster, shape, n, when, {});
}

bool StaysEven(const Cluster& cluster, const Shape& shape, NodeId n) {
  return StaysEvenBy(cluster, shape, n, All);
}

bool StaysEven(const Cluster& cluster, const state::DemandCounts& counts, const Shape& shape,
               NodeId n) {
  return std::ranges::all_of(shape.dynamic->spread,
                             [&](const auto& each) { return IsEven(cluster, counts, each, n); });
}

bool VolumesSuffice(const Cluster& cluster, const Shape& shape, NodeId n) {
  return !shape.dynamic->takes_volumes ||
         cluster.volumes().supply.Suffices(shape.needs->rare->volume_wishes, n);
}

bool SharedVolumesFit(const Cluster& cluster, const Shape& shape, NodeId n, When when) {
  return !shape.dynamic->shares_volumes ||
         cluster.volumes().attachments.Suffice(shape.needs->rare->shared_volumes, shape.request, n,
                                               when);
}

std::int64_t PodsWithVolumes(const Cluster& cluster, const Shape& shape, NodeId n,
                             std::int64_t pods) {
  if (!shape.dynamic->takes_volumes || pods <= 0) return pods;
  return cluster.volumes().supply.MostOn(shape.needs->rare->volume_wishes, n, pods);
}

bool OthersMightAllow(const Cluster& cluster, const Shape& shape, NodeId n, When when, Asked asked,
                      const std::vector<ColumnId>& columns) {
  const auto told = [&](TermId term) {
    return std::ranges::find(columns, cluster.terms().ColumnOf(term)) != columns.end();
  };
  if (!NobodyRefusesBy(cluster, shape, n, when, told)) return false;
  if (asked == Asked::kRefusals) return true;
  if (!StaysEvenBy(cluster, shape, n, told)) return false;
  if (asked == Asked::kAllButAffinity || shape.dynamic->first_of_series) return true;
  return std::ranges::all_of(shape.dynamic->attracted_by, [&](TermId term) {
    if (!told(term)) return true;
    const DomainId domain = cluster.demands().columns().Of(cluster.terms().ColumnOf(term), n);
    return domain.valid() && cluster.demands().InFavour(term, domain, when) > 0;
  });
}

bool OthersAllow(const Cluster& cluster, const Shape& shape, NodeId n, When when, Asked asked) {
  if (shape.dynamic->empty()) return true;
  if (!NobodyRefuses(cluster, shape, n, when) || !VolumesSuffice(cluster, shape, n) ||
      !SharedVolumesFit(cluster, shape, n, when)) {
    return false;
  }
  if (asked == Asked::kRefusals) return true;
  if (!StaysEven(cluster, shape, n)) return false;
  return asked == Asked::kAllButAffinity || shape.dynamic->attracted_by.empty() ||
         IsAttracted(cluster, shape, n, when);
}

namespace {

Itself ItselfOf(const Cluster& cluster, state::PodId p) {
  const state::Pod& pod = cluster.pods()[p];
  const bool favoured = pod.workload.valid() && pod.workload == cluster.demands().favoured();
  return {.shape = &cluster.shapes()[pod.shape], .in_favour = !pod.claims() || favoured};
}

}  // namespace

bool OthersAllowPlaced(const Cluster& cluster, state::PodId p, When when) {
  const state::Pod& pod = cluster.pods()[p];
  const Shape& shape = cluster.shapes()[pod.shape];
  return NobodyRefusesBy(cluster, shape, pod.node, when, All, ItselfOf(cluster, p)) &&
         IsAttractedPlaced(cluster, p, when);
}

bool IsAttractedPlaced(const Cluster& cluster, state::PodId p, When when) {
  const state::Pod& pod = cluster.pods()[p];
  const Shape& shape = cluster.shapes()[pod.shape];
  return shape.dynamic->attracted_by.empty() ||
         IsAttractedBeside(cluster, shape, pod.node, when, ItselfOf(cluster, p));
}

bool Exclude(const Cluster& cluster, const Shape& a, NodeId at, const Shape& b, NodeId there) {
  return state::MeetAt(a.dynamic->refused_by, at, b.dynamic->holds, there, cluster.terms(),
                       cluster.demands().columns()) ||
         state::MeetAt(b.dynamic->refused_by, there, a.dynamic->holds, at, cluster.terms(),
                       cluster.demands().columns());
}

bool Exclude(const Shape& a, const Shape& b) {
  return state::Meet(a.dynamic->refused_by, b.dynamic->holds) ||
         state::Meet(b.dynamic->refused_by, a.dynamic->holds);
}

bool DependsOnDomains(const Cluster& cluster, const Shape& shape) {
  const auto& refused_by = shape.dynamic->refused_by;
  return !shape.dynamic->attracted_by.empty() || !shape.dynamic->spread.empty() ||
         shape.dynamic->takes_volumes ||
         std::any_of(refused_by.begin(), refused_by.end(), [&](TermId term) {
           return !cluster.demands().columns().IsByNode(cluster.terms().ColumnOf(term));
         });
}

bool IsKeptOffForGood(const Cluster& cluster, const Shape& shape, NodeId n) {
  if (!cluster.nodes().exists(n)) return false;
  if (AvoidsNode(cluster, shape, n)) return true;
  if (shape.dynamic->empty()) return false;
  bool found = false;
  ForEachInTheWay(cluster, shape, n, [&](state::PodId p) {
    found = found || cluster.pods()[p].foreign || cluster.pods()[p].node != n;
  });
  return found || !IsAttracted(cluster, shape, n, When::kLater) || !StaysEven(cluster, shape, n) ||
         !VolumesSuffice(cluster, shape, n);
}

bool IsAloneOn(const Cluster& cluster, const Shape& shape, NodeId n) {
  const auto& alone_in = shape.dynamic->alone_in;
  return std::any_of(alone_in.begin(), alone_in.end(), [&](ColumnId column) {
    return cluster.demands().columns().Of(column, n).valid();
  });
}

namespace {

// `by_nodes`: also of what one node alone refuses.
std::uint64_t NewestOf(const Cluster& cluster, const Shape& shape, bool by_nodes) {
  std::uint64_t version = 1;
  const auto look = [&](TermId term) {
    version = std::max(version, cluster.demands().VersionOf(term));
  };
  for (const TermId term : shape.dynamic->refused_by) {
    if (by_nodes || !cluster.demands().columns().IsByNode(cluster.terms().ColumnOf(term))) {
      look(term);
    }
  }
  for (const TermId term : shape.dynamic->attracted_by) look(term);
  for (const auto& each : shape.dynamic->spread) look(each.term);
  // Both only grow.
  return version + (shape.dynamic->takes_volumes ? cluster.volumes().supply.version() : 0);
}

}  // namespace

std::uint64_t VersionOf(const Cluster& cluster, const Shape& shape) {
  return NewestOf(cluster, shape, true);
}

std::uint64_t VersionOfDomains(const Cluster& cluster, const Shape& shape) {
  return NewestOf(cluster, shape, false);
}

// For people ------------------------------------------------------------------------------------

namespace {

// "topology.kubernetes.io/zone" is a zone to people.
std::string_view Short(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  return slash == std::string_view::npos ? key : key.substr(slash + 1);
}

bool IsHostname(const objects::DemandRow& row) { return row.topology_key == state::kHostnameLabel; }

template <typename Rows, typename RowOf>
std::string Listed(const Rows& rows, RowOf row_of, std::string (*text)(const objects::DemandRow&)) {
  std::vector<std::string> parts;
  for (const auto& each : rows) {
    std::string part = text(*row_of(each));
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
      parts.push_back(std::move(part));
    }
  }
  return fmt::format("{}", fmt::join(parts, " or "));
}

}  // namespace

std::string RepelledText(const Shape& shape) {
  const auto& rows = shape.needs->rare->joined.repelled_by;
  return Listed(rows, std::identity(), [](const objects::DemandRow& row) {
    return IsHostname(row) ? fmt::format("that hold a pod of {} already", row.selects)
                           : fmt::format("in a {} that holds a pod of {} already",
                                         Short(row.topology_key), row.selects);
  });
}

std::string UnattractedText(const Shape& shape) {
  const auto& rows = shape.needs->rare->joined.attracted_by;
  std::string text = Listed(rows, std::identity(), [](const objects::DemandRow& row) {
    return IsHostname(row) ? fmt::format("without a pod of {}", row.selects)
                           : fmt::format("in no {} that holds a pod of {}", Short(row.topology_key),
                                         row.selects);
  });
  for (const std::string& claim : shape.needs->rare->one_node_claims) {
    text += fmt::format("{}without the other pods of claim {}", text.empty() ? "" : " or ",
                        objects::SplitKey(claim).name);
  }
  return text;
}

std::optional<ClaimHolder> HolderOfClaim(const Cluster& cluster, const Shape& shape) {
  std::optional<ClaimHolder> first;
  for (const TermId term : shape.dynamic->refused_by) {
    if (cluster.terms().KindOf(term) != state::TermKind::kOnePodClaim) continue;
    for (const NodeId n : cluster.demands().HoldersOf(term)) {
      for (const state::PodId p : cluster.nodes().pods(n)) {
        if (!Holds(cluster.shapes()[cluster.pods()[p].shape], term)) continue;
        const std::string_view name = cluster.pods().name(p);
        if (first && first->pod <= name) continue;
        first = {.claim = cluster.terms()[term].name, .pod = std::string(name)};
      }
    }
  }
  return first;
}

std::string NoVolumeText(const Shape& shape) {
  const bool by_storage = std::ranges::any_of(shape.needs->rare->volume_wishes,
                                              [](const auto& wish) { return wish->by_storage; });
  return by_storage ? "without storage for the volumes of its claims"
                    : "without an available volume for its claims";
}

std::string UnevenText(const Shape& shape) {
  const auto row_of = [](const objects::JoinedDemands::Spread& each) -> const auto& {
    return each.row;
  };
  return Listed(shape.needs->rare->joined.spread, row_of, [](const objects::DemandRow& row) {
    return IsHostname(row)
               ? fmt::format("where one more pod of {} would be too many", row.selects)
               : fmt::format("in no {}, or in one that holds too many pods of {} already",
                             Short(row.topology_key), row.selects);
  });
}

}  // namespace fairlead::policy
