#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/time.h"
#include "cli/history_feed.h"
#include "cli/state_index.h"
#include "cli/view_board.h"
#include "kube/curl_loop.h"
#include "kube/histogram.h"
#include "kube/live_scheduler.h"
#include "server/backend.h"

namespace fairlead::cli {

// A live scheduler on a thread of its own, and what others may ask of it.
//
// The thread owns everything: it reads the network, decides and writes. A call of the Backend is
// put into its queue and waits for the answer.
//
// Thread safety: everything but Start, Stop and the destructor may be called from any thread.
class RealCluster : public server::Backend, private kube::LiveObserver {
 public:
  // `callbacks` are called on the owner's thread.
  // `recorder` is told of all that happens; not owned; null: no history.
  RealCluster(std::unique_ptr<kube::CurlLoop> loop, kube::LiveScheduler::Options options,
              kube::LiveScheduler::Callbacks callbacks, history::Recorder* recorder);
  ~RealCluster() override;

  // Before Start; not owned, told on the owner's thread.
  void AddObserver(kube::LiveObserver* observer) { scheduler_.AddObserver(observer); }
  void Start();
  // Gives the lease back and ends the thread; waits for it.
  void Stop();

  server::Answer Get(const server::Query& query) override;
  server::Answer Submit(const std::vector<server::SourceText>& texts) override;
  server::Answer Delete(const server::Kind& kind, const std::string& name_space,
                        const std::string& name) override;
  server::Answer Explain(const std::string& name) override;
  server::Answer QueueShares() override;
  server::Answer View(const view::Question& question) override;
  std::string Metrics() override;
  std::string NotReady() override;
  const history::Source* history() const override { return recorder_; }

 private:
  void OnObject(Time now, const kube::Resource& resource, const kube::ObjectRef& ref,
                const objects::Object* object, std::string_view json) override;
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(Time now, const engine::Scheduler& scheduler, const engine::Plan& plan,
               Duration took) override;

  void PublishEverySecond();
  void PublishIfDue();

  // Runs `work` on the owner's thread and waits for what it returns; `otherwise` where that ended.
  template <typename Returned>
  Returned Ask(std::function<Returned()> work, Returned otherwise);

  std::unique_ptr<kube::CurlLoop> loop_;
  const std::string scheduler_name_;
  kube::LiveScheduler scheduler_;  // the owner's, as are the next
  ViewBoard board_;
  StateIndex index_;
  history::Recorder* recorder_;
  std::optional<RealHistory> history_feed_;
  kube::Histogram deciding_;
  std::uint64_t rounds_ = 0, decisions_ = 0, events_ = 0;
  std::thread owner_;
};

}  // namespace fairlead::cli
