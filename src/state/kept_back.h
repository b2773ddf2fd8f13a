#pragma once

#include <cstdint>
#include <vector>

#include "state/cluster.h"

namespace fairlead::state {

// While it lives, some of what nodes have free is nobody's to take: everybody who looks for room
// sees less of it. Nobody's queue has more by that, and it is no news once it is over. Likewise a
// queue may count as much more or less allocated as others would have come or left there.
//
// REQUIRES: nothing else changes what is kept, and the journal is not trimmed before it ends.
class KeptBack {
 public:
  explicit KeptBack(Cluster& cluster) : cluster_(cluster) {}
  ~KeptBack() { GiveAll(); }
  KeptBack(const KeptBack&) = delete;
  KeptBack& operator=(const KeptBack&) = delete;

  // So much more of the node. GPUs in whole devices.
  void Keep(NodeId n, const Amounts& amounts);
  // The queue has as much more; negative amounts: less.
  void Allocate(QueueId q, const Amounts& amounts);
  void GiveAll();

 private:
  void Count(NodeId n, const Amounts& amounts, bool keep);
  struct Of {
    NodeId node;
    Amounts amounts;
  };
  struct Allocated {
    QueueId queue;
    Amounts amounts;
  };
  void Count(const Allocated& allocated, std::int64_t times);
  Cluster& cluster_;
  std::vector<Of> kept_;
  std::vector<Allocated> allocated_;
};

}  // namespace fairlead::state
