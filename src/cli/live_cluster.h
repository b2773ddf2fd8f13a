#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/time.h"
#include "cli/event_log.h"
#include "cli/history_feed.h"
#include "objects/reader.h"
#include "server/backend.h"
#include "virtual/cluster.h"

namespace fairlead::cli {

// What a look at the cluster shows, as of `now`. Never changes once it is published.
struct LiveView {
  Time now;
  std::int64_t nodes = 0, running = 0, pending = 0, finished = 0;  // pods of ours
  std::int64_t bound = 0, evicted = 0;                             // since the start
  std::int64_t gpu_milli_used = 0, gpu_milli_total = 0;
};

// A virtual cluster whose time runs with the machine's clock, `speed` times as fast.
//
// One thread owns the cluster. Everything else asks it: a call of the Backend is put into its queue
// and waits for the answer, so that a Get after a Submit shows what was submitted. The owner also
// publishes a LiveView at most once a second, which costs a reader nothing.
//
//   LiveCluster live({.start = …, .speed = 60});
//   auto answer = live.Submit(texts);   // from any thread, until Stop
//   live.Stop();
//
// Thread safety: everything but Stop and the destructor may be called from any thread.
class LiveCluster : public server::Backend {
 public:
  struct Options {
    Time start;
    Duration start_delay, grace;
    std::int64_t speed = 1;                // 1 … 1,000,000
    history::Recorder* history = nullptr;  // is told of all that happens; not owned
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
  server::Answer Explain(const std::string& name) override;
  server::Answer QueueShares() override;
  std::string Metrics() override;
  const history::Source* history() const override { return options_.history; }

  std::shared_ptr<const LiveView> view() const;

  // Ends the owner's thread; later calls are refused. The view is then the final one.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;

  // Runs `work` on the owner's thread and waits for what it returns.
  template <typename Work>
  auto Ask(Work work) -> decltype(work());
  void Own();
  // Lets happen what is due by now, for a few milliseconds at most. True: there is more.
  bool Advance();
  void PublishIfDue();
  Time VirtualNow() const;
  Clock::time_point WakeTime() const;
  tl::expected<virtual_cluster::Submitted, std::vector<objects::Fault>> Take(
      std::vector<objects::Object> objects);

  const Options options_;
  const Clock::time_point origin_;
  virtual_cluster::VirtualCluster cluster_;  // the owner's, as are the next four
  EventLog log_;
  std::optional<VirtualHistory> history_feed_;
  Clock::time_point published_at_;
  std::uint64_t published_version_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::function<void()>> commands_;
  bool stopping_ = false;
  std::shared_ptr<const LiveView> view_;

  std::thread owner_;
};

}  // namespace fairlead::cli
