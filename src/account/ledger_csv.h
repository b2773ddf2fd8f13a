#pragma once

#include <string>

#include "account/figures.h"
#include "account/ledger.h"
#include "base/result.h"

namespace fairlead::account {

// Writes a ledger and its figures as CSV files (RFC 4180, with a header line) into `directory`,
// which is made where it is not there; files of these names are replaced:
//   workloads.csv  workload,queue,submitted,started,finished,began_before,<resources>: its size
//   stays.csv      pod,workload,queue,node,gpu_device,begin,end,how,evicted,action,for,<resources>
//   capacity.csv   time,node,<resources>: what it offers from then on
//   shares.csv     time,queue,resource,guaranteed,fair,requested,allocated
//   run.csv        start,seconds: RFC 3339, and how long the run is
//   figures.csv    figure,of,unit,value
// Times are seconds since the run's start, exact to the microsecond, negative before it; empty:
// not yet. Amounts are in the resource's unit (cpu and nvidia.com/gpu in thousandths).
// Error: a file that cannot be written, by name.
Result<void> WriteCsv(const Ledger& ledger, const std::vector<Figure>& figures,
                      const std::string& directory);

}  // namespace fairlead::account
