#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/time.h"
#include "drive/observer.h"
#include "engine/audit/sums_audit.h"
#include "host/event_log.h"
#include "host/history_feed.h"
#include "host/kept_objects.h"
#include "host/queue_medians.h"
#include "host/start_forecast.h"
#include "host/view_board.h"
#include "host/vitals.h"
#include "kube/loop.h"
#include "live/live_scheduler.h"
#include "server/backend.h"

namespace fairlead::host {

// A live scheduler on a thread of its own, and what others may ask of it.
//
// The thread owns everything: it reads the network, decides and writes. A call of the Backend is
// put into its queue and waits for the answer; one of Probes is answered from what was published.
//
// Thread safety: everything but Start, Stop and the destructor may be called from any thread.
class RealCluster : public server::Backend, public server::Probes, private drive::Observer {
 public:
  // `callbacks` are called on the owner's thread.
  // `recorder` is told of all that happens; not owned; null: no history.
  RealCluster(std::unique_ptr<kube::OwnedLoop> loop, live::LiveScheduler::Options options,
              live::LiveScheduler::Callbacks callbacks, history::Recorder* recorder);
  ~RealCluster() override;

  // Before Start; not owned, told on the owner's thread.
  void AddObserver(drive::Observer* observer) { scheduler_.AddObserver(observer); }
  void Start();
  // Decides no more, gives the lease back and ends the thread; waits for it. Whoever still asks is
  // refused at once.
  void Stop();

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
  std::string NotReady() override { return vitals_.NotReady(); }
  std::string LastMetrics() override;
  std::string WhyReadOnly() const override;
  const history::Source* history() const override { return recorder_; }

 private:
  // On the owner's thread.
  server::Answer TopologyTable(const std::string& name) const;  // empty: of all
  std::optional<server::Refusal> WhyNoAnswer() const;
  server::Answer TableNow(const server::Query& query);
  void OnObject(const drive::ObjectNews& news) override;
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;

  void PublishEverySecond();
  void TickHistory();
  void AuditPart();
  void PublishIfDue();
  void Publish();
  void GiveForecast();
  void NoteStarts(const StartForecast::Starts& starts);  // on the forecast's thread
  // When those that wait are expected to start is in the view from then on, as far as that can be
  // known soon. On the asker's thread, as the next.
  void AwaitStarts();
  std::string FiguresText() const;  // on the owner's thread; by the last view
  Time Now() const;                 // the same

  // Runs `work` on the owner's thread and waits for what it returns; `otherwise` where that ended.
  template <typename Returned>
  Returned Ask(std::function<Returned()> work, Returned otherwise);

  std::unique_ptr<kube::OwnedLoop> loop_;
  const objects::SchedulerConfiguration configuration_;
  live::LiveScheduler scheduler_;  // the owner's, as are the next
  ViewBoard board_;
  KeptObjects kept_;
  DecisionLog log_;
  engine::SumsAudit audit_;
  std::uint64_t audited_ = 0;  // whole tours
  history::Recorder* recorder_;
  const Time made_;  // by the loop's Now
  bool began_ = false;
  std::optional<HistoryFeed> history_feed_;
  std::uint64_t decisions_ = 0, events_ = 0;
  Vitals vitals_;
  StartForecast forecast_;
  std::optional<QueueMedians> medians_;

  Mutex asked_;  // guards what Ask waits for, too
  bool ended_ GUARDED_BY(asked_) = false;
  ConditionVariable answered_;

  std::thread owner_;
};

}  // namespace fairlead::host
