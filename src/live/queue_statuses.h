#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <boost/json.hpp>

#include "engine/scheduler.h"
#include "kube/loop.h"
#include "live/object_cache.h"
#include "live/writer.h"

namespace fairlead::live {

// The status of Queues: whether they are ready, what they ask, have and should have, and how many
// workloads wait and run in them. Written where it differs from what was written last, at most once
// in kEvery, so that it costs no decision anything. What they used over time, which is another each
// minute, at most once in kUsageEvery, and once more by who ceases to lead.
//
// Thread safety: the loop's thread only.
class QueueStatuses {
 public:
  static constexpr Duration kEvery = Duration::Seconds(5);
  static constexpr Duration kUsageEvery = Duration::Seconds(300);
  // Who ceases to lead waits so long for answers.
  static constexpr Duration kLastWrites = Duration::Seconds(2);

  // `scheduler` must outlive it, as the rest.
  QueueStatuses(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
                const engine::Scheduler& scheduler);
  ~QueueStatuses();

  // Something was decided or changed.
  void Touch();

  // How long their work runs in the median; of others the cluster's own word stays.
  void SetMedianDurations(std::map<std::string, Duration> by_queue);

  // What they used by now, for whoever leads next; then `done`, at once where nothing is to be
  // said.
  void WriteLast(std::function<void()> done);

 private:
  enum class Usage : std::uint8_t { kAsWritten, kNow };
  void WriteAll(Usage usage);
  void Finish(Duration wait);

  kube::Loop& loop_;
  Writer& writer_;
  const ObjectCache& cache_;
  const engine::Scheduler& scheduler_;
  kube::TimerId timer_ = 0, usage_timer_ = 0, last_timer_ = 0;
  struct Written {
    std::string uid, not_ready;
    Time since;        // of that condition
    std::string text;  // without that time
    boost::json::value usage;
  };
  std::map<std::string, Written> written_;
  std::map<std::string, Duration> median_durations_;
  std::optional<Time> usage_written_;
  std::size_t under_way_ = 0;
  std::function<void()> when_answered_;
};

}  // namespace fairlead::live
