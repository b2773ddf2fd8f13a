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

void KeptBack::Keep(NodeId n, Amounts amounts) {
  if (amounts.empty()) return;
  Count(n, amounts, true);
  kept_.push_back({n, std::move(amounts)});
}

void KeptBack::GiveAll() {
  for (const Of& each : std::exchange(kept_, {})) Count(each.node, each.amounts, false);
}

}  // namespace fairlead::state
