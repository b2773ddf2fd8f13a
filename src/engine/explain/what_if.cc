#include "engine/explain/what_if.h"

#include "base/check.h"
#include "engine/round/round.h"

namespace fairlead::engine {

// What is touched and given back meanwhile is no news to the next round. What was before is.
WhatIf::WhatIf(const Scheduler& scheduler) : round_(*scheduler.round_) {
  if (round_.what_ifs_++ > 0) return;
  round_.placer_.BeginWhatIf();
  round_.context_.relieved.News();
}

WhatIf::~WhatIf() {
  if (--round_.what_ifs_ > 0) return;
  DCHECK(round_.what_ifs_ == 0);
  round_.placer_.EndWhatIf();
  round_.context_.relieved.PassOver();
  round_.TrimJournal();
}

state::Cluster& WhatIf::cluster() const { return round_.cluster_; }
Placer& WhatIf::placer() const { return round_.placer_; }
const Contenders& WhatIf::contenders() const { return round_.contenders_; }
const ReservedStarts& WhatIf::reserved() const { return round_.reserved_; }
Bookings WhatIf::KeptForOthers(state::WorkloadId w) const {
  Bookings others = reserved().bookings();
  std::erase_if(others, [w](const Booking& booking) { return booking.workload == w; });
  return others;
}
const BrokenGangs& WhatIf::broken() const { return round_.broken_; }
const policy::Windows& WhatIf::windows() const { return round_.context_.windows; }

std::optional<Group> WhatIf::NextStep(state::WorkloadId gang) const {
  const Backlog& backlog = round_.backlog_;
  const GroupId g = backlog.GroupOfGang(gang);
  if (!g.valid()) return std::nullopt;
  return backlog.NextStep(g);
}

}  // namespace fairlead::engine
