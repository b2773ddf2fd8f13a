#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "host/event_log.h"
#include "host/history_feed.h"
#include "host/queue_medians.h"
#include "host/start_forecast.h"
#include "host/view_board.h"
#include "objects/read/reader.h"
#include "server/backend.h"
#include "virtual/cluster.h"

namespace fairlead::host {

// A virtual cluster whose time runs with the machine's clock, `speed` times as fast.
//
// One thread owns the cluster. Everything else asks it: a call of the Backend is put into its queue
// and waits for the answer, so that a Get after a Submit shows what was submitted. What the web
// page shows is published (host/view_board.h), and costs the owner nothing but that.
//
//   LiveCluster live({.start = …, .speed = 60});
//   auto answer = live.Submit(texts);   // from any thread, until Stop
//   live.Stop();
//
// Thread safety: everything but Stop and the destructor may be called from any thread.
class LiveCluster : public server::Backend, private drive::Observer {
 public:
  struct Options {
    Time start;
    virtual_cluster::Delays delays = {};
    std::int64_t speed = 1;                // 1 … 1,000,000
    history::Recorder* history = nullptr;  // is told of all that happens; not owned
    std::string why_read_only = {};        // to those who ask; empty: it is not
  };

  explicit LiveCluster(const Options& options);
  ~LiveCluster() override;

  // What was read before there was a server.
  tl::expected<virtual_cluster::Submitted, std::vector<objects::Fault>> SubmitRead(
      std::vector<objects::Object> objects);

  server::Answer Get(const server::Query& query) override;
  server::Answer Submit(const std::vector<server::SourceText>& texts) override;
  server::Answer Delete(const server::Kind& kind, const std::string& name_space,
                        const std::string& name) override;
  server::Answer Explain(const std::string& name, bool nodes) override;
  server::Answer ExplainIfSubmitted(const std::vector<server::SourceText>& texts) override;
  server::Answer QueueShares() override;
  server::Answer Askers(const std::string& node) override;
  server::Answer View(const view::Question& question) override;
  std::string Metrics() override;
  std::string WhyReadOnly() const override { return options_.why_read_only; }
  const history::Source* history() const override { return options_.history; }

  std::shared_ptr<const view::View> Look() { return board_.Look(); }  // never null

  // Ends the owner's thread; later calls are refused. Look then shows the end.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;

  // Runs `work` on the owner's thread and waits for what it returns.
  template <typename Work>
  auto Ask(Work work) -> decltype(work());
  void Own();
  // Lets happen what is due by now, for a few milliseconds at most. True: there is more.
  bool Advance();
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;
  void Publish();
  void GiveForecast();
  // On the owner's thread, soon; from any. Nothing, once it is stopping.
  void Post(std::function<void()> command);
  // When those that wait are expected to start is in the view from then on, as far as that can be
  // known soon.
  void AwaitStarts();
  // Notes what was said first of each, on the owner's thread.
  void NoteStarts(const StartForecast::Told& told);
  // How long work of queues runs in the median, into their status; on another thread.
  void NoteMedians(QueueMedians::Medians medians);
  Time VirtualNow() const;
  Clock::time_point WakeTime() const;
  tl::expected<virtual_cluster::Submitted, std::vector<objects::Fault>> Take(
      std::vector<objects::Object> objects);

  const Options options_;
  const Clock::time_point origin_;
  virtual_cluster::VirtualCluster cluster_;  // the owner's, as are the next three
  EventLog log_;
  std::optional<HistoryFeed> history_feed_;
  ViewBoard board_;
  StartForecast forecast_;
  std::optional<QueueMedians> medians_;

  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::function<void()>> commands_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;

  std::thread owner_;
};

}  // namespace fairlead::host
