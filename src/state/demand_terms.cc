#include "state/demand_terms.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/sorted_set.h"

namespace fairlead::state {
namespace {

void AddHostPort(const objects::HostPort& port, TermTable& terms, DynamicDemands& out) {
  const auto term = [&](std::string_view of) {
    return terms.Intern({.kind = TermKind::kHostPort,
                         .name = fmt::format("{} {}{}", port.protocol, port.port, of)});
  };
  const bool everywhere = port.ip.empty() || port.ip == "0.0.0.0" || port.ip == "::";
  const TermId at_all = term("");
  const TermId of_every = term(" of every address");
  const TermId own = everywhere ? of_every : term(" of " + port.ip);
  out.holds.insert(out.holds.end(), {at_all, own});
  if (everywhere) {
    out.refused_by.push_back(at_all);
  } else {
    out.refused_by.insert(out.refused_by.end(), {of_every, own});
  }
}

// The term that pods hold which the row selects.
TermKind SelectedKind(const objects::DemandRow& row) {
  switch (row.kind) {
    case objects::DemandRow::Kind::kRepel:
      return TermKind::kSelected;
    case objects::DemandRow::Kind::kAttract:
      return TermKind::kAttracts;
    case objects::DemandRow::Kind::kSpread:
      break;
  }
  return TermKind::kSpread;
}

TermId TermOf(TermKind kind, const objects::DemandRow& row, TermTable& terms,
              DomainColumns& columns) {
  return terms.Intern(
      {.kind = kind, .name = std::to_string(row.number), .column = columns.Intern(row)});
}

void AddJoined(const objects::JoinedDemands& joined, TermTable& terms, DomainColumns& columns,
               DynamicDemands& out) {
  const auto term = [&](TermKind kind, const objects::DemandRow& row) {
    return TermOf(kind, row, terms, columns);
  };
  if (joined.counted_by != nullptr) {
    for (const auto& row : *joined.counted_by) {
      out.holds.push_back(term(SelectedKind(*row), *row));
      if (row->kind == objects::DemandRow::Kind::kRepel) {
        out.refused_by.push_back(term(TermKind::kRepels, *row));
      }
    }
  }
  for (const auto& row : joined.repelled_by) {
    out.holds.push_back(term(TermKind::kRepels, *row));
    out.refused_by.push_back(term(TermKind::kSelected, *row));
  }
  for (const auto& row : joined.attracted_by) {
    out.attracted_by.push_back(term(TermKind::kAttracts, *row));
  }
  for (const objects::JoinedDemands::Spread& each : joined.spread) {
    out.spread.push_back({.term = term(TermKind::kSpread, *each.row),
                          .max_skew = each.max_skew,
                          .min_domains = each.min_domains});
  }
}

// Of claims. One that one pod alone may use is held everywhere; one that is had on one node only is
// as an affinity to the other pods that name it.
void AddClaims(const objects::RareNeeds& rare, TermTable& terms, DomainColumns& columns,
               DynamicDemands& out) {
  for (const std::string& claim : rare.one_pod_claims) {
    const TermId term = terms.Intern(
        {.kind = TermKind::kOnePodClaim, .name = claim, .column = columns.OfAllNodes()});
    out.holds.push_back(term);
    out.refused_by.push_back(term);
  }
  for (const std::string& claim : rare.one_node_claims) {
    const TermId term = terms.Intern(
        {.kind = TermKind::kAttracts, .name = "claim " + claim, .column = columns.OfEachNode()});
    out.holds.push_back(term);
    out.attracted_by.push_back(term);
  }
  out.takes_volumes = !rare.volume_wishes.empty();
  out.shares_volumes = !rare.shared_volumes.empty();
}

}  // namespace

TermId TermTable::Intern(const Term& term) {
  const auto [it, added] = by_term_.try_emplace(term, TermId());
  if (!added) return it->second;
  if (unused_.empty()) {
    unused_.emplace_back(size());
    terms_.emplace_back();
    columns_.emplace_back();
    kinds_.emplace_back();
  }
  const TermId id = unused_.back();
  unused_.pop_back();
  terms_[id.value()] = it;
  columns_[id.value()] = term.column;
  kinds_[id.value()] = term.kind;
  return it->second = id;
}

void TermTable::KeepOnly(const std::vector<bool>& used) {
  std::erase_if(by_term_, [&](const auto& each) { return !used[each.second.value()]; });
  unused_.clear();
  for (std::uint32_t i = size(); i-- > 0;) {
    if (!used[i]) unused_.emplace_back(i);
  }
}

Rare<DynamicDemands> DemandsOf(const objects::PodNeeds& needs, TermTable& terms,
                               DomainColumns& columns) {
  DynamicDemands demands;
  for (const objects::HostPort& port : needs.host_ports) AddHostPort(port, terms, demands);
  AddJoined(needs.rare->joined, terms, columns, demands);
  AddClaims(*needs.rare, terms, columns, demands);
  MakeSet(demands.holds);
  MakeSet(demands.refused_by);
  MakeSet(demands.attracted_by);
  const auto held = [&](TermId term) {
    return std::binary_search(demands.holds.begin(), demands.holds.end(), term);
  };
  for (const TermId term : demands.refused_by) {
    if (held(term)) demands.alone_in.push_back(terms.ColumnOf(term));
  }
  MakeSet(demands.alone_in);
  demands.first_of_series =
      std::all_of(demands.attracted_by.begin(), demands.attracted_by.end(), held);
  for (DynamicDemands::Spread& each : demands.spread) each.self = held(each.term);
  Rare<DynamicDemands> rare;
  if (!demands.empty() || !demands.holds.empty()) rare.Edit() = std::move(demands);
  return rare;
}

RareOptional<Preferred> PreferredOf(const objects::PodNeeds& needs, TermTable& terms,
                                    DomainColumns& columns) {
  const objects::RareNeeds& rare = *needs.rare;
  Preferred preferred{.nodes = rare.preferences.nodes, .pods = {}, .spread = {}};
  for (const objects::JoinedDemands::Preferred& each : rare.joined.preferred) {
    preferred.pods.push_back({.term = TermOf(SelectedKind(*each.row), *each.row, terms, columns),
                              .weight = each.weight});
  }
  for (const auto& row : rare.joined.preferred_spread) {
    preferred.spread.push_back(TermOf(SelectedKind(*row), *row, terms, columns));
  }
  if (preferred.nodes.empty() && preferred.pods.empty() && preferred.spread.empty()) return {};
  return preferred;
}

bool Meet(const std::vector<TermId>& a, const std::vector<TermId>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

bool MeetAt(const std::vector<TermId>& a, NodeId at, const std::vector<TermId>& b, NodeId there,
            const TermTable& terms, const DomainColumns& columns) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) {
      const ColumnId column = terms.ColumnOf(*i);
      const DomainId domain = columns.Of(column, at);
      if (domain.valid() && domain == columns.Of(column, there)) return true;
      ++i;
    } else {
      *i < *j ? ++i : ++j;
    }
  }
  return false;
}

}  // namespace fairlead::state
