#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "objects/pod.h"
#include "state/ids.h"

namespace fairlead::state {

// What kind of demand a term belongs to: a row in policy/node_fit.cc each.
enum class TermKind : std::uint8_t { kHostPort };

// Something that one pod holds in a domain, and that another may not meet there. The domain is that
// of the kind: for a host port the node itself.
struct Term {
  TermKind kind = TermKind::kHostPort;
  std::string name;
  auto operator<=>(const Term&) const = default;
};

// Terms by number; equal ones are one.
class TermTable {
 public:
  TermId Intern(const Term& term);
  const Term& operator[](TermId id) const { return terms_[id.value()]->first; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(terms_.size()); }

 private:
  using ByTerm = std::map<Term, TermId>;
  ByTerm by_term_;
  std::vector<ByTerm::const_iterator> terms_;  // a map's entries stay where they are
};

// What the pods of a shape demand of what else is placed. Both are sorted, each term once.
//
// Worked, of host ports: a pod asks TCP 80 of every address, another of 10.0.0.1. Both hold "TCP
// 80"; the first is refused by that, so by both. The second holds "TCP 80 of 10.0.0.1" as well, and
// is refused by it and by "TCP 80 of every address", which the first holds: by both, too. A third
// that asks 10.0.0.2 meets the first only.
struct DynamicDemands {
  std::vector<TermId> holds;
  std::vector<TermId> refused_by;
  bool refuses_its_like = false;  // no two pods of the shape in one domain

  bool empty() const { return holds.empty() && refused_by.empty(); }
};

DynamicDemands DemandsOf(const objects::PodNeeds& needs, TermTable& terms);

// Whether some term is in both.
bool Meet(const std::vector<TermId>& a, const std::vector<TermId>& b);

}  // namespace fairlead::state
