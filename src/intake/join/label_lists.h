#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "base/name_map.h"

namespace fairlead::intake {

// A label's value in a namespace, as a number: two of them may have one, so that whoever is found
// by it is asked whether he really is of it.
using LabelListId = std::size_t;

// Whatever the label's value is. An empty namespace: all of them. An empty label: whatever labels
// there are.
inline LabelListId LabelListOf(std::string_view name_space, std::string_view label) {
  LabelListId list = NameHash()(name_space);
  boost::hash_combine(list, NameHash()(label));
  return list;
}
inline LabelListId LabelListOf(std::string_view name_space, std::string_view label,
                               std::string_view value) {
  LabelListId list = LabelListOf(name_space, label);
  boost::hash_combine(list, NameHash()(value));
  return list;
}

// Who says which value of a label. Who stands in a list may have left since, or say something else,
// and may stand there twice.
// Cost: a look-up, and 4 bytes for each that is added until all are added anew.
template <typename RowId>
class LabelLists {
 public:
  void Add(LabelListId list, RowId id) {
    lists_[list].push_back(id);
    ++added_;
  }
  void AppendOf(LabelListId list, std::vector<RowId>& into) const {
    const auto found = lists_.find(list);
    if (found != lists_.end()) into.insert(into.end(), found->second.begin(), found->second.end());
  }

  // Whether it is time to Clear, and to add all who are there: most may be there no longer.
  bool IsStale() const { return added_ > 2 * fresh_ + kFew; }
  void Clear() {
    lists_.clear();
    added_ = fresh_ = 0;
  }
  // All who are there have been added.
  void Added() { fresh_ = added_; }

 private:
  static constexpr std::size_t kFew = 1'000;

  boost::unordered_flat_map<LabelListId, boost::container::small_vector<RowId, 2>> lists_;
  std::size_t added_ = 0, fresh_ = 0;
};

}  // namespace fairlead::intake
