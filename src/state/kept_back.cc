#include "state/kept_back.h"

#include <utility>

namespace fairlead::state {

void KeptBack::Count(NodeId n, const Amounts& amounts, bool keep) {
  Tables& t = cluster_.t_;
  if (keep) {
    t.nodes.Take(n, amounts, 0, NodeTable::kBestDevice, Stay::kStays);
  } else {
    t.nodes.Give(n, amounts, 0, NodeTable::kBestDevice, Stay::kStays);
  }
  t.journal.touched.Add(n);
}

void KeptBack::Keep(NodeId n, const Amounts& amounts) {
  if (amounts.empty()) return;
  Count(n, amounts, true);
  Of& kept = kept_.emplace_back();
  kept.node = n;
  kept.amounts.assign(amounts.begin(), amounts.end());
}

void KeptBack::Count(const Allocated& allocated, std::int64_t times) {
  cluster_.t_.queues.AddAllocated(allocated.queue, allocated.amounts, times,
                                  {.priority = 0, .preemptible = false});
}

void KeptBack::Allocate(QueueId q, const Amounts& amounts) {
  Allocated& allocated = allocated_.emplace_back();
  allocated.queue = q;
  allocated.amounts.assign(amounts.begin(), amounts.end());
  Count(allocated, +1);
}

void KeptBack::GiveAll() {
  for (const Allocated& each : std::exchange(allocated_, {})) Count(each, -1);
  for (const Of& each : std::exchange(kept_, {})) Count(each.node, each.amounts, false);
}

}  // namespace fairlead::state
