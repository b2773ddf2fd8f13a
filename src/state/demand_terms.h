#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/rare.h"
#include "objects/pod.h"
#include "state/domain_columns.h"
#include "state/ids.h"

namespace fairlead::state {

// What kind of demand a term belongs to.
enum class TermKind : std::uint8_t {
  kHostPort,
  kSelected,     // pods that a term of an anti-affinity selects …
  kRepels,       // … and pods that carry it
  kAttracts,     // pods that all terms of an affinity select
  kSpread,       // pods that a spread constraint counts
  kOnePodClaim,  // pods that name a claim which one pod alone may use
};

// Something that pods hold in a domain, and of which others demand that it be held there by nobody,
// by somebody, or by so many.
struct Term {
  TermKind kind = TermKind::kHostPort;
  std::string name;
  ColumnId column = DomainColumns::OfNodes();
  auto operator<=>(const Term&) const = default;
};

// Terms by number; equal ones are one.
class TermTable {
 public:
  TermId Intern(const Term& term);
  const Term& operator[](TermId id) const { return terms_[id.value()]->first; }
  ColumnId ColumnOf(TermId id) const { return columns_[id.value()]; }
  TermKind KindOf(TermId id) const { return kinds_[id.value()]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(terms_.size()); }  // used or not
  // Lets go of all but those, by number. REQUIRES: nobody holds any of the others.
  void KeepOnly(const std::vector<bool>& used);

 private:
  using ByTerm = std::map<Term, TermId>;
  ByTerm by_term_;
  std::vector<TermId> unused_;
  std::vector<ByTerm::const_iterator> terms_;  // a map's entries stay where they are
  std::vector<ColumnId> columns_;
  std::vector<TermKind> kinds_;
};

// What the pods of a shape demand of what else is placed. All lists of terms are sorted, each term
// once.
//
// Worked, of host ports: a pod asks TCP 80 of every address, another of 10.0.0.1. Both hold "TCP
// 80"; the first is refused by that, so by both. The second holds "TCP 80 of 10.0.0.1" as well, and
// is refused by it and by "TCP 80 of every address", which the first holds: by both, too. A third
// that asks 10.0.0.2 meets the first only.
//
// Worked, of anti-affinity: `a` wants no app=db in its zone, `b` has that label. `a` holds "carries
// it" and is refused by "is selected by it"; `b` holds the latter and is refused by the former. A
// pod that is both holds both and is refused by both, so by its like.
struct DynamicDemands {
  struct Spread {
    TermId term;
    std::int32_t max_skew = 1;
    std::int32_t min_domains = 1;
    bool self = false;  // its pods are counted themselves
  };
  std::vector<TermId> holds;
  std::vector<TermId> refused_by;
  std::vector<ColumnId> alone_in;    // no two pods of the shape in one domain of these
  std::vector<TermId> attracted_by;  // all of these must be held in its domains …
  bool first_of_series = false;      // … or nowhere at all: its pods hold them themselves
  std::vector<Spread> spread;
  bool takes_volumes = false;   // of those that are there: RareNeeds::volume_wishes
  bool shares_volumes = false;  // RareNeeds::shared_volumes

  // Whether nothing that is placed makes a difference to it. Others may demand something of it.
  bool empty() const {
    return refused_by.empty() && attracted_by.empty() && spread.empty() && !takes_volumes &&
           !shares_volumes;
  }
};

// Behind a pointer, as most pods demand nothing and rounds look at every shape that waits.
Rare<DynamicDemands> DemandsOf(const objects::PodNeeds& needs, TermTable& terms,
                               DomainColumns& columns);

// What the pods of a shape would rather have. Nothing here keeps them off a node.
struct Preferred {
  struct Pods {
    TermId term;
    std::int32_t weight = 1;  // a pod that holds the term in the domain; below 0: rather not there
  };
  std::vector<objects::Preferences::OfNodes> nodes;
  std::vector<Pods> pods;
  std::vector<TermId> spread;  // the fewer hold these in the domain the better
};

// Absent: nothing.
RareOptional<Preferred> PreferredOf(const objects::PodNeeds& needs, TermTable& terms,
                                    DomainColumns& columns);

// Whether some term is in both.
bool Meet(const std::vector<TermId>& a, const std::vector<TermId>& b);
// The same, and whether the nodes share a domain of that term.
bool MeetAt(const std::vector<TermId>& a, NodeId at, const std::vector<TermId>& b, NodeId there,
            const TermTable& terms, const DomainColumns& columns);

}  // namespace fairlead::state
