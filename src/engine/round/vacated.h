#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/sorted_set.h"
#include "state/ids.h"

namespace fairlead::engine {

// Nodes that victims of one plan leave: room that is coming there is this plan's own.
class Vacated {
 public:
  void Clear() { *this = {}; }
  void Note(state::NodeId n) {
    is_vacated_.insert(n.value());
    news_.push_back(n);
  }
  bool empty() const { return is_vacated_.empty(); }
  bool Contains(state::NodeId n) const { return is_vacated_.contains(n.value()); }

  // Those noted since they were taken last: by number, each once.
  bool HasNews() const { return !news_.empty(); }
  std::vector<state::NodeId> TakeNews() {
    MakeSet(news_);
    return std::exchange(news_, {});
  }

 private:
  boost::unordered_flat_set<std::uint32_t> is_vacated_;  // by number
  std::vector<state::NodeId> news_;
};

}  // namespace fairlead::engine
