#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "account/ledger.h"

namespace fairlead::account {

// One number of a report. Every figure can be computed again from the ledger's CSV files
// (account/ledger_csv.h), and a test does.
struct Figure {
  std::string name;  // "waiting.p95"
  std::string of;    // whose: "queue vision", "size 8 GPUs", "resource cpu"; empty: the whole run's
  std::string unit;  // "s", "%", "GPU h", …; empty: a count or a ratio
  double value = 0;
};

// What a run was like. Times are those of workloads; a percentile is the smallest value that at
// least so many percent do not exceed.
//
//   workloads.{submitted,started,finished,pending}
//   makespan                        first submission to the end of the last stay
//   waiting.{mean,p50,p95,p99,max}  first start − submission; of all, each queue, each size
//   completion.{…}                  end − submission, of those that finished; likewise
//   delay.{…}                       completion − the time that its own work takes: until it ran to
//                                   a good end, and what checkpoints saved; likewise
//   slowdown.{…}                    max(1, (end − submission) / max(end − start, 10 s)): bounded
//                                   slowdown (Feitelson)
//   utilisation                     100 × ∫ allocated / ∫ offered; of each resource
//   goodput                         the same without what evictions lost
//   used                            ∫ allocated; of each resource, and of each queue's share of it
//   evictions                       of pods; of all, each action
//   stops.{count,most,again}        moments at which pods of a workload were evicted; most: of one
//                                   workload; again: less than an hour after its last
//   lost, lost.percent              ∫ over evicted stays until the eviction, less what checkpoints
//                                   saved; of each resource, and lost.percent also by the age of
//                                   what was stopped, in the resource by which queues are judged
//   fairness.jain                   (Σx)² / (n Σx²), x = allocated / fair share, over queues that
//                                   ask for anything; mean over the time in which there are two
//   fairness.deviation              Σ ∫ |allocated − fair share| / 2 ∫ offered, in percent, of
//                                   queues while they ask for their fair share or more
//   guarantee.missing               ∫ max(0, min(requested, guaranteed) − allocated); each queue's
//   reclaim.{count,p50,p99,max}     how long such a lack lasted until it was made good (or the end)
//   guarantee.late.{count,…}        how long work waited with which its queue would have stayed
//                                   within its guarantee (account/late_guarantees.h)
//   fragmentation                   GPUs that are free and that pods like the run's cannot use, of
//                                   all (account/fragmentation_figure.h)
//   gangs.within                    of workloads that had pods at the same time, those all of whose
//                                   such pairs shared a domain; of each level (account/nearness.h)
//   pairs.nearest                   of such pairs, those whose narrowest shared level it is; of
//   each
//                                   level, and of none
//   domains.free, .free.percent     domains whose nodes offer anything and where no pod has any of
//                                   it: mean over time; in percent of those that offer; each level
//
// The last three only where nodes carry levels that some work asks for, or that a Topology has.
// Fairness, guarantees and free domains are judged by GPUs where there are any, otherwise by CPU.
// Cost: O(rows log rows + moments × queues).
std::vector<Figure> FiguresOf(const Ledger& ledger);

// The resource by which queues are compared: its index in ledger.resources, or npos.
std::size_t DecisiveResource(const Ledger& ledger);

// How much of a resource people call one, and what they call it: {1000, "GPU"}, {1<<30, "GiB"}.
struct HumanUnit {
  std::int64_t amount = 1;
  std::string_view name;
};
HumanUnit HumanUnitOf(std::string_view resource);

// "8 GPUs", "no GPU": the class of sizes that a workload belongs to.
std::string SizeClassOf(const Ledger& ledger, const WorkloadRow& workload);

}  // namespace fairlead::account
