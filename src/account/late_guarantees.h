#pragma once

#include <cstddef>
#include <vector>

#include "account/ledger.h"

namespace fairlead::account {

// How late guarantees were kept: of each time in which a workload waited though its queue would
// have stayed within its guarantee with it, how long that lasted: until it started, or others of
// its queue had the guarantee; or to the end. Those that started at once are not among them, nor
// work that never started.
//
// Beside what a queue lacks of its guarantee (account/queue_figures.h) this leaves out what no
// decision can give: of a guarantee of 12 GPUs 4 are missing for as long as jobs of 8 alone wait.
// Cost: O(rows log rows).
std::vector<Duration> LateGuarantees(const Ledger& ledger, std::size_t resource);

}  // namespace fairlead::account
