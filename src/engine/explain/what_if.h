#pragma once

#include <optional>

#include "engine/place/placer.h"
#include "engine/room/booking.h"
#include "engine/room/contenders.h"
#include "engine/round/backlog.h"
#include "engine/scheduler.h"
#include "policy/windows.h"
#include "state/cluster.h"

namespace fairlead::engine {

class BrokenGangs;
class ReservedStarts;

// What would be if: for explanations, which ask the same placer and the same searches that decide.
// What is tried is tried on the live state, through trials, and leaves no trace: the next round
// decides as if nobody had asked.
//
//   WhatIf what_if(scheduler);
//   state::Trial trial(what_if.cluster());
//   …
//
// REQUIRES: every trial ends before it, uncommitted; nothing is applied or decided meanwhile.
class WhatIf {
 public:
  explicit WhatIf(const Scheduler& scheduler);
  ~WhatIf();
  WhatIf(const WhatIf&) = delete;
  WhatIf& operator=(const WhatIf&) = delete;

  // For trials alone.
  state::Cluster& cluster() const;
  Placer& placer() const;
  const Contenders& contenders() const;
  const ReservedStarts& reserved() const;  // as of the last round
  // Of those, what is kept for others than the workload: nobody is before himself.
  Bookings KeptForOthers(state::WorkloadId w) const;
  const BrokenGangs& broken() const;  // likewise
  const policy::Windows& windows() const;

  // The gang with its next step, as it would be worked out now; empty: it has none.
  std::optional<Group> NextStep(state::WorkloadId gang) const;

 private:
  engine::Round& round_;
};

}  // namespace fairlead::engine
