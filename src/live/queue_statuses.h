#pragma once

#include <map>
#include <string>

#include "engine/scheduler.h"
#include "kube/loop.h"
#include "live/object_cache.h"
#include "live/writer.h"

namespace fairlead::live {

// The status of Queues: whether they are ready, what they ask, have and should have, and how many
// workloads wait and run in them. Written where it differs from what was written last, at most once
// in kEvery, so that it costs no decision anything.
//
// Thread safety: the loop's thread only.
class QueueStatuses {
 public:
  static constexpr Duration kEvery = Duration::Seconds(5);

  // `scheduler` must outlive it, as the rest.
  QueueStatuses(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
                const engine::Scheduler& scheduler);
  ~QueueStatuses();

  // Something was decided or changed.
  void Touch();

 private:
  void WriteAll();

  kube::Loop& loop_;
  Writer& writer_;
  const ObjectCache& cache_;
  const engine::Scheduler& scheduler_;
  kube::TimerId timer_ = 0;
  struct Written {
    std::string uid, not_ready;
    Time since;        // of that condition
    std::string text;  // without that time
  };
  std::map<std::string, Written> written_;
};

}  // namespace fairlead::live
