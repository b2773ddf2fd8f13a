#include "policy/lending.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/wide_int.h"
#include "policy/fair_share.h"
#include "state/resources.h"

// Worked (story 1 of the elastic quotas): 10 GPUs, a is guaranteed 4 and has 6, b is guaranteed 6
// and has 3. T = 10, Σ guaranteed = 10, so all that a borrows (2) comes from b: b lends 2 of the 3
// that it leaves, and the third is free.

namespace fairlead::policy {

using state::Figure;
using state::QueueId;
using state::QueueTree;
using state::ResourceId;

std::vector<Loan> LoansBelow(const QueueTree& queues, QueueId parent, ResourceId r) {
  DCHECK(queues.settled());
  const std::vector<QueueId>& children = queues[parent].children;
  std::vector<Loan> loans;
  loans.reserve(children.size());
  if (!queues.GuaranteedInTree(r)) return loans;
  std::vector<Sharer> lenders;
  std::vector<std::size_t> lender_at;
  WideInt guaranteed = 0, borrowed = 0;
  for (QueueId child : children) {
    const std::int64_t sure = state::GuaranteeOf(queues, child, r);
    const std::int64_t allocated = queues.Get(child, Figure::kAllocated, r);
    guaranteed += sure;
    loans.push_back({.queue = child, .borrowed = std::max<std::int64_t>(0, allocated - sure)});
    borrowed += loans.back().borrowed;
    if (sure <= allocated) continue;
    Sharer& lender = lenders.emplace_back();
    lender.requestable = lender.weight_milli = sure - allocated;
    lender.created = queues[child].created;
    lender.name = &queues[child].name;
    lender_at.push_back(loans.size() - 1);
  }
  const WideInt total =
      std::max(state::GuaranteeOf(queues, parent, r), queues.Get(parent, Figure::kAllocated, r));
  const WideInt unguaranteed = std::max<WideInt>(0, total - guaranteed);
  const WideInt lent =
      std::clamp<WideInt>(borrowed - unguaranteed, 0, std::numeric_limits<std::int64_t>::max());
  Divide(static_cast<std::int64_t>(lent), state::ResourceTable::ShareUnit(r), lenders);
  for (std::size_t i = 0; i < lenders.size(); ++i) loans[lender_at[i]].lent = lenders[i].share;
  return loans;
}

}  // namespace fairlead::policy
