#include "state/demand_terms.h"

#include <algorithm>

#include <fmt/format.h>

namespace fairlead::state {
namespace {

void MakeSet(std::vector<TermId>& terms) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
}

void AddHostPort(const objects::HostPort& port, TermTable& terms, DynamicDemands& out) {
  const auto term = [&](std::string_view of) {
    return terms.Intern(
        {TermKind::kHostPort, fmt::format("{} {}{}", port.protocol, port.port, of)});
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

}  // namespace

TermId TermTable::Intern(const Term& term) {
  const auto [it, added] = by_term_.try_emplace(term, TermId(size()));
  if (added) terms_.push_back(it);
  return it->second;
}

DynamicDemands DemandsOf(const objects::PodNeeds& needs, TermTable& terms) {
  DynamicDemands demands;
  for (const objects::HostPort& port : needs.host_ports) AddHostPort(port, terms, demands);
  MakeSet(demands.holds);
  MakeSet(demands.refused_by);
  demands.refuses_its_like = Meet(demands.holds, demands.refused_by);
  return demands;
}

bool Meet(const std::vector<TermId>& a, const std::vector<TermId>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

}  // namespace fairlead::state
