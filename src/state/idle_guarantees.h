#pragma once

#include <cstdint>
#include <vector>

#include "state/ids.h"
#include "state/resources.h"

namespace fairlead::state {

class QueueTree;

// What leaf queues leave of their guarantees, Σ max(0, guaranteed − allocated) below each queue:
// kept where some queue lends less than all of it only (time.md §5.4).
class IdleGuarantees {
 public:
  bool kept() const { return kept_; }
  // REQUIRES: kept.
  std::int64_t Of(QueueId q, ResourceId r) const {
    return idle_[std::size_t{q.value()} * width_ + r.value()];
  }

  // From nothing, by what is allocated. Cost: O(queues × resources), where any are kept.
  void Settle(const QueueTree& queues, std::uint32_t width);
  // `times` pods of `request` more are placed in `q`. REQUIRES: what is allocated there does not
  // show it yet.
  void Add(const QueueTree& queues, QueueId q, const Amounts& request, std::int64_t times);
  // Whether it is another with another capacity: a leaf is guaranteed all that there is.
  bool of_capacity() const { return of_capacity_; }

 private:
  bool kept_ = false, of_capacity_ = false;
  std::uint32_t width_ = 0;
  std::vector<std::int64_t> idle_;  // by queue and resource
};

}  // namespace fairlead::state
