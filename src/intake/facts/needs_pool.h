#pragma once

#include <cstddef>

#include <boost/unordered/unordered_flat_set.hpp>

#include "objects/pod.h"
#include "state/change.h"

namespace fairlead::intake {

// Pod needs, each kept once while somebody holds it: pods that ask the same share one pointer.
// Cost: one hash and one comparison; for needs like the last ones asked for, the comparison only.
class NeedsPool {
 public:
  state::NeedsPtr Intern(const objects::PodNeeds& needs);
  std::size_t size() const { return pool_.size(); }

 private:
  void Sweep();  // drops what only the pool holds

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const objects::PodNeeds& needs) const;
    std::size_t operator()(const state::NeedsPtr& needs) const { return (*this)(*needs); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const state::NeedsPtr& a, const state::NeedsPtr& b) const { return *a == *b; }
    bool operator()(const objects::PodNeeds& a, const state::NeedsPtr& b) const { return a == *b; }
    bool operator()(const state::NeedsPtr& a, const objects::PodNeeds& b) const { return *a == b; }
  };

  boost::unordered_flat_set<state::NeedsPtr, Hash, Equal> pool_;
  state::NeedsPtr last_;
  std::size_t sweep_at_ = 1024;
};

}  // namespace fairlead::intake
