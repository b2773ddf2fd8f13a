#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/time.h"
#include "engine/scheduler.h"
#include "history/records.h"

namespace fairlead::history {

// Takes a sample of every queue and of the whole cluster at each full minute of the cluster's
// clock.
//
// - It is asked before something changes: since the last change everything was as it is, so that
// the
//   figures are those of the minutes that passed, however late it is asked.
// - Of several minutes that passed at once the first and the last are taken; between them nothing
//   changed. A reader of the history fills them in, or leaves them out.
// - Only queues that differ from the sample before are in it, and all of them once an hour.
// - However fast the clock runs, there are not more than kRowsPerSecond rows a second of the
//   machine's time: samples beyond that are skipped, and the next one says all that has changed.
// Thread safety: none. Cost: O(queues + workloads) a sample.
class Sampler {
 public:
  static constexpr double kRowsPerSecond = 2'000;
  using MachineClock = std::function<Duration()>;  // since some moment; never goes back

  explicit Sampler(MachineClock clock);

  // The samples that are due by `now`; mostly none. REQUIRES: the scheduler is settled.
  std::vector<Sample> Due(const engine::Scheduler& scheduler, Time now);

 private:
  Sample Take(const engine::Scheduler& scheduler, Time at);
  bool MayTake();
  void NoteResources(const engine::Scheduler& scheduler);

  MachineClock clock_;
  std::optional<std::int64_t> minute_;  // the last that was looked at
  std::int64_t whole_hour_ = -1;        // of the last sample of all queues
  std::shared_ptr<const Resources> resources_;
  std::map<std::string, QueueUsage> last_;
  double rows_left_ = kRowsPerSecond;
  Duration refilled_;
};

}  // namespace fairlead::history
