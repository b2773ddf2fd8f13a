#include "account/ledger.h"

#include "base/check.h"

namespace fairlead::account {

std::string_view ToString(StayEnd end) {
  switch (end) {
    case StayEnd::kRuns:
      return "running";
    case StayEnd::kFinished:
      return "finished";
    case StayEnd::kEvicted:
      return "evicted";
    case StayEnd::kDeleted:
      return "deleted";
  }
  return "";
}

Amounts Ledger::AmountsOf(AmountsId id) const {
  Amounts of;
  for (std::size_t r = 0; r < resources.size(); ++r) of.push_back(Amount(id, r));
  return of;
}

AmountsId Ledger::Add(const Amounts& more) {
  if (more.empty()) return kNoAmounts;
  DCHECK(more.size() == resources.size());
  const auto id = static_cast<AmountsId>(amounts.size() / more.size());
  for (const std::int64_t amount : more) amounts.push_back(amount);
  return id;
}

}  // namespace fairlead::account
