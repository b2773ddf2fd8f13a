#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// Which pods own others (semantics.md §7.5). An owner and the pods that name it may come in any
// order, so what is named is counted under its name, be such a pod there or not: by
// "namespace/name", and within that by the uid that is meant. Kubernetes lets an object have its
// owners in its own namespace only.
//
// - `owns_pods` of a row that is there says whether some other pod that is there to stay names it,
//   after each call; a row in which it changed is marked.
// - `owned` of a row says whether something is kept of it here.
//
// Cost: a pod that names no pod costs a look at its owner references, and nothing is kept of it.
class Owners {
 public:
  Owners(Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  // Counts the pods that `meta` names as owners, where the pod is there to stay; what it named
  // before counts no more.
  void Count(PodId id, const objects::Meta& meta, const PodFacts& facts);
  void Drop(PodId id);
  // For a row that is new, or of which the uid is. Cost: a look-up, none where nobody is named.
  bool OwnsPods(const PodRow& row) const;

 private:
  // Pods of one name that others name as their owner, be there one now or not.
  struct Named {
    std::string uid;         // of the owner that is meant; empty: whichever has the name
    std::uint32_t pods = 0;  // that mean it; 0: free for another
  };
  struct Row {
    std::string name;  // "namespace/name"
    std::vector<Named> named;
  };
  using OwnerId = Id<struct OwnerRowTag>;
  struct Use {
    OwnerId owner;
    std::uint32_t named = 0;  // of the owner's
  };
  using Uses = boost::container::small_vector<Use, 1>;

  Use Name(std::string_view name, const std::string& uid);
  void Forget(Use use);
  void Review(const Row& owner);

  Tables& tables_;
  Marks& marks_;
  Table<Row, OwnerId> owners_;                            // that some pod names
  boost::unordered_flat_map<std::uint32_t, Uses> owned_;  // by PodId
  std::string key_;                                       // so that a look-up does not allocate
};

}  // namespace fairlead::intake
