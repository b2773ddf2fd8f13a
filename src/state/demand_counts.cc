#include "state/demand_counts.h"

#include "base/check.h"

namespace fairlead::state {

std::int32_t DemandCounts::Holders(TermId term, NodeId n, When when) const {
  const auto at = counts_.find(KeyOf(term, n));
  if (at == counts_.end()) return 0;
  return at->second.staying + (when == When::kNow ? at->second.leaving : 0);
}

void DemandCounts::Add(const std::vector<TermId>& terms, NodeId n, Stay stay, std::int32_t times) {
  for (const TermId term : terms) {
    const auto at = counts_.try_emplace(KeyOf(term, n)).first;
    std::int32_t& count = stay == Stay::kLeaves ? at->second.leaving : at->second.staying;
    count += times;
    DCHECK(count >= 0);
    if (at->second == Count{}) counts_.erase(at);
  }
}

}  // namespace fairlead::state
