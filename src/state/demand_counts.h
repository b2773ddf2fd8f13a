#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "state/demand_terms.h"
#include "state/domain_columns.h"
#include "state/ids.h"
#include "state/nodes.h"

namespace fairlead::state {

// How many pods hold which term in which domain: the one store behind all demands that depend on
// other pods. Placing and leaving keep it (Cluster::Occupy, Vacate, Restand), so that a Trial
// undoes it as it undoes room. Only what somebody holds is in it.
//
// Who leaves holds its terms now and not later. Who claims a place holds them from now on as far as
// that stands against others, so that nobody comes between; in anybody's favour it does not count,
// but for the workload whose pods are being placed together (Favour).
//
// Cost: a look-up a term and a pod; memory an entry a term and domain that is held.
class DemandCounts {
 public:
  // Both must outlive it.
  DemandCounts(const TermTable& terms, const DomainColumns& columns)
      : terms_(terms), columns_(columns) {}

  // A pod's part. `favoured`: it is of the workload whose claims count in its favour. A node that
  // is in no domain of a term's column adds nothing.
  void Take(const std::vector<TermId>& terms, NodeId n, Stay stay, bool favoured = false) {
    if (!terms.empty()) Add(terms, n, stay, favoured, +1);
  }
  // REQUIRES: they were taken so.
  void Give(const std::vector<TermId>& terms, NodeId n, Stay stay, bool favoured = false) {
    if (!terms.empty()) Add(terms, n, stay, favoured, -1);
  }

  // How many hold it there, against those who want nobody there.
  std::int32_t Against(TermId term, DomainId d, When when) const;
  // How many hold it there, in favour of those who want somebody there; and in all domains.
  std::int32_t InFavour(TermId term, DomainId d, When when) const;
  std::int32_t InFavourAnywhere(TermId term, When when) const;
  // For a spread: how many stand or will stand there, and the least in any domain. Who leaves does
  // not count. REQUIRES: the term is a spread's.
  std::int32_t Matches(TermId term, DomainId d) const;
  std::int32_t Least(TermId term) const;

  // The nodes of the pods that hold it, one a pod, in no order. REQUIRES: the term is a claim's,
  // which is held everywhere by whoever holds it somewhere.
  std::span<const NodeId> HoldersOf(TermId term) const;

  // Another number: something about the term has changed. Never 0.
  std::uint64_t VersionOf(TermId term) const {
    return term.value() < versions_.size() ? versions_[term.value()] : 1;
  }
  // Domains came or went in the column.
  void NoteColumn(ColumnId c);

  // The workload whose pods are placed together; invalid: none. Kept by Cluster::Favour.
  WorkloadId favoured() const { return favoured_; }
  void SetFavoured(WorkloadId w) { favoured_ = w; }

  const DomainColumns& columns() const { return columns_; }

  // Pairs of a term and a domain that somebody holds.
  std::size_t size() const { return counts_.size(); }
  // Of what is held. REQUIRES: the same terms and columns.
  bool Same(const DemandCounts& other) const;
  void Clear();

 private:
  struct Count {
    std::int32_t staying = 0;
    std::int32_t leaving = 0;
    std::int32_t coming = 0;
    std::int32_t favoured = 0;  // of the coming
    std::int32_t InFavour(When when) const {
      return staying + favoured + (when == When::kNow ? leaving : 0);
    }
    bool operator==(const Count&) const = default;
  };
  // For a spread's minimum: how many domains have how many pods in favour, but for none.
  using Levels = std::map<std::int32_t, std::int32_t>;

  static std::uint64_t KeyOf(TermId term, DomainId d) {
    return std::uint64_t{term.value()} << 32 | d.value();
  }
  static void Change(Count& count, Stay stay, bool favoured, std::int32_t times);
  const Count* Find(TermId term, DomainId d) const;
  void Add(const std::vector<TermId>& terms, NodeId n, Stay stay, bool favoured,
           std::int32_t times);
  void MoveLevel(TermId term, std::int32_t from, std::int32_t to);
  void MoveHolder(TermId term, NodeId n, std::int32_t times);

  const TermTable& terms_;
  const DomainColumns& columns_;
  boost::unordered_flat_map<std::uint64_t, Count> counts_;
  boost::unordered_flat_map<std::uint32_t, Count> anywhere_;               // by term: of affinities
  boost::unordered_flat_map<std::uint32_t, Levels> levels_;                // by term: of spreads
  boost::unordered_flat_map<std::uint32_t, std::vector<NodeId>> holders_;  // by term: of claims
  std::vector<std::uint64_t> versions_;                                    // by term
  std::uint64_t version_ = 1;
  WorkloadId favoured_;
};

}  // namespace fairlead::state
