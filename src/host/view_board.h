#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "engine/scheduler.h"
#include "server/backend.h"
#include "view/answer.h"
#include "view/view_builder.h"

namespace fairlead::host {

// Where the thread that owns the engine puts what others look at.
//
//   owner: board.builder().OnChanges(…), OnRound(…);  if (board.Due()) board.Publish(now, …);
//   others: board.Answer(question)
//
// - It publishes at most once a second, and not at all while nobody has looked for ten.
// - Who looks then is answered with what is published for it. So is who looks after Outdate: what
//   a request has changed is shown to the next.
//
// Thread safety: Look, Answer and Stop from any thread, the rest from the owner's.
class ViewBoard {
 public:
  // `scheduler` must outlive it. `wake` lets the owner call Due and Publish soon; from any thread.
  ViewBoard(const engine::Scheduler& scheduler, std::function<void()> wake);

  view::ViewBuilder& builder() { return builder_; }
  // What is published lacks something that its reader may know of.
  void Outdate();
  bool Due() const;
  void Publish(Time now, const view::Status& status,
               std::vector<objects::KnownTopology> topologies);

  // From now on views have these; of any thread.
  void SetStarts(std::shared_ptr<const view::ExpectedStarts> starts);

  // What was published last; waits for nobody. Null: nothing was.
  std::shared_ptr<const view::View> Last() const;

  // Waits for the owner where what is published is old; two seconds at most, then it is that.
  // Null: nothing was ever published.
  std::shared_ptr<const view::View> Look();
  server::Answer Answer(const view::Question& question);
  // The owner publishes no more: nobody waits for it.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;

  view::ViewBuilder builder_;  // the owner's
  const std::function<void()> wake_;

  mutable Mutex mutex_;
  ConditionVariable published_;
  std::shared_ptr<const view::View> view_ GUARDED_BY(mutex_);
  Clock::time_point published_at_ GUARDED_BY(mutex_), looked_at_ GUARDED_BY(mutex_);
  std::uint64_t publications_ GUARDED_BY(mutex_) = 0;
  std::shared_ptr<const view::ExpectedStarts> starts_ GUARDED_BY(mutex_);
  std::uint64_t starts_told_ GUARDED_BY(mutex_) = 0;
  bool outdated_ GUARDED_BY(mutex_) = false, asked_ GUARDED_BY(mutex_) = false;
  bool stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace fairlead::host
