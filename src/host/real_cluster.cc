#include "host/real_cluster.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "base/did_you_mean.h"
#include "base/version.h"
#include "engine/explain/report_json.h"
#include "history/past_durations.h"
#include "host/askers.h"
#include "host/candidates.h"
#include "host/explanation.h"
#include "host/if_submitted.h"
#include "host/live_metrics.h"
#include "host/live_view.h"
#include "host/real_tables.h"
#include "host/state_index.h"
#include "host/submitted_texts.h"
#include "show/human_text.h"
#include "show/queue_metrics.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;
using server::Answer;
using server::Refusal;

constexpr std::chrono::seconds kLoopPatience(30);
constexpr Duration kLookEvery = Duration::Seconds(5);
// Of the audit, a second: 1.4 ms where there are 100,000 nodes, 500,000 pods and 50 queues.
constexpr std::int64_t kAuditedRows = 20'000;
constexpr Duration kMinute = Duration::Seconds(60);

constexpr const char* kUseKubectl = "objects of a real cluster are read and changed with kubectl";
constexpr const char* kTablesOnly =
    "of a real cluster there are tables of workloads, pods, queues, users, nodes, topologies and "
    "events; its objects are kubectl's, as in: kubectl get queues -o yaml";

// Its objects are kept up to a size (host/kept_objects.h).
constexpr const char* kTooLargeToCopy =
    "this cluster is too large to be copied for that; ask of what kubectl shows of it, as in: "
    "kubectl get nodes,pods,queues,jobs,workloads.fairlead.dev -A -o yaml | "
    "fairlead explain NS/NAME -f - -f job.yaml";

Answer UseKubectl() { return tl::unexpected(Refusal{.status = 501, .message = kUseKubectl}); }

Answer Ended() {
  return tl::unexpected(Refusal{.status = 503, .message = "the scheduler does not answer"});
}

std::string_view ToString(live::LiveScheduler::State state) {
  switch (state) {
    case live::LiveScheduler::State::kStandby:
      return "Standby";
    case live::LiveScheduler::State::kReading:
      return "Reading";
    case live::LiveScheduler::State::kDeciding:
      return "Deciding";
    case live::LiveScheduler::State::kStopped:
      break;
  }
  return "Stopped";
}

// Empty: it can do its work.
std::string WhyNotReady(live::LiveScheduler::State state) {
  switch (state) {
    case live::LiveScheduler::State::kStandby:  // ready to take over
    case live::LiveScheduler::State::kDeciding:
      return {};
    case live::LiveScheduler::State::kReading:
      return "the cluster is being read";
    case live::LiveScheduler::State::kStopped:
      break;
  }
  return "it has stopped";
}

}  // namespace

RealCluster::RealCluster(std::unique_ptr<kube::OwnedLoop> loop,
                         live::LiveScheduler::Options options,
                         live::LiveScheduler::Callbacks callbacks, history::Recorder* recorder)
    : loop_(std::move(loop)),
      configuration_(options.configuration),
      scheduler_(*loop_, std::move(options), std::move(callbacks)),
      board_(scheduler_.scheduler(), [this] { loop_->Post([this] { PublishIfDue(); }); }),
      audit_(scheduler_.scheduler().cluster()),
      recorder_(recorder),
      made_(loop_->Now()),
      forecast_({.tell = [this](const StartForecast::Starts& starts) { NoteStarts(starts); },
                 .wake = [this] { loop_->Post([this] { GiveForecast(); }); },
                 .history = recorder}) {
  scheduler_.AddObserver(this);
  scheduler_.AddObserver(&kept_);
  scheduler_.AddObserver(&log_);
  if (recorder_ == nullptr) return;
  history_feed_.emplace(loop_->WallNow(), scheduler_.scheduler(), *recorder_);
  scheduler_.AddObserver(&*history_feed_);
  TickHistory();
}

RealCluster::~RealCluster() { Stop(); }

void RealCluster::Start() {
  scheduler_.Start();
  PublishEverySecond();
  if (recorder_ != nullptr) {
    medians_.emplace(*recorder_, [this](QueueMedians::Medians medians) {
      loop_->Post([this, medians = std::move(medians)] { scheduler_.SetMedianDurations(medians); });
    });
  }
  owner_ = std::thread([this] { loop_->Run(); });
}

void RealCluster::Stop() {
  if (!owner_.joinable()) return;
  medians_.reset();
  forecast_.Stop();
  board_.Stop();
  loop_->Post([this] {
    scheduler_.Stop([this] { loop_->Stop(); });
    vitals_.SetReadiness(WhyNotReady(scheduler_.state()));
  });
  owner_.join();
  {
    const MutexLock lock(asked_);
    ended_ = true;
  }
  answered_.NotifyAll();
}

template <typename Returned>
Returned RealCluster::Ask(std::function<Returned()> work, Returned otherwise) {
  auto answer = std::make_shared<std::optional<Returned>>();
  loop_->Post([this, answer, work = std::move(work)] {
    Returned returned = work();
    {
      const MutexLock lock(asked_);
      *answer = std::move(returned);
    }
    answered_.NotifyAll();
  });
  MutexLock lock(asked_);
  const auto at_most = ConditionVariable::Clock::now() + kLoopPatience;
  while (!answer->has_value() && !ended_ && answered_.WaitUntil(lock, at_most)) continue;
  return answer->has_value() ? std::move(**answer) : std::move(otherwise);
}

std::string RealCluster::WhyReadOnly() const { return kUseKubectl; }

// Tables of what schedules: kubectl has no reasons, no queues' figures, and no list of what labels
// make of Topologies.
Answer RealCluster::Get(const server::Query& query) {
  if (!query.as_table) return tl::unexpected(Refusal{.status = 501, .message = kTablesOnly});
  if (query.kind->kind == "Workload" || query.kind->kind == "Pod") AwaitStarts();
  return Ask<Answer>([this, query] { return TableNow(query); }, Ended());
}

std::optional<Refusal> RealCluster::WhyNoAnswer() const {
  if (scheduler_.state() != live::LiveScheduler::State::kStandby) return std::nullopt;
  return Refusal{.status = 503,
                 .message = fmt::format("{}: ask the one that leads, which the Lease names",
                                        server::kStandsBy)};
}

Answer RealCluster::TableNow(const server::Query& query) {
  if (auto why = WhyNoAnswer()) return tl::unexpected(*std::move(why));
  if (query.kind->kind == objects::kTopology) return TopologyTable(query.name);
  Publish();
  const std::shared_ptr<const view::View> view = board_.Look();
  const RealSource source{.view = *view,
                          .scheduler = scheduler_.scheduler(),
                          .intake = scheduler_.intake(),
                          .events = &log_,
                          .now = Now()};
  auto rows = RealRows(source, query);
  if (!rows) return tl::unexpected(Refusal{.status = 501, .message = kTablesOnly});
  if (rows->rows.empty() && !query.name.empty()) {
    return tl::unexpected(NoSuch(query, NamesBeside(source, query)));
  }
  return json::serialize(ToJson(std::move(*rows), Now())) + "\n";
}

Answer RealCluster::TopologyTable(const std::string& name) const {
  json::array rows;
  std::vector<std::string> names;
  for (const objects::KnownTopology& each : scheduler_.intake().KnownTopologies()) {
    names.push_back(each.name);
    if (!name.empty() && each.name != name) continue;
    rows.push_back(json::array{each.name, each.of_labels ? "labels" : each.group,
                               fmt::format("{}", fmt::join(each.levels, ", "))});
  }
  if (rows.empty() && !name.empty()) {
    return tl::unexpected(Refusal{.status = 404,
                                  .message = fmt::format("there is no {} {}{}", objects::kTopology,
                                                         name, DidYouMean(name, names))});
  }
  return json::serialize(
             ToJson({.columns = {"NAME", "API", "LEVELS"}, .rows = std::move(rows)}, Now())) +
         "\n";
}

Answer RealCluster::Submit(const std::vector<server::SourceText>& /*texts*/) {
  return UseKubectl();
}
Answer RealCluster::Delete(const server::Kind& /*kind*/, const std::string& /*name_space*/,
                           const std::string& /*name*/) {
  return UseKubectl();
}

Answer RealCluster::Explain(const std::string& name, bool nodes) {
  auto explanation = Ask<JsonOrRefusal>(
      [this, name, nodes]() -> JsonOrRefusal {
        if (auto why = WhyNoAnswer()) return tl::unexpected(*std::move(why));
        auto found = host::Explain({.scheduler = scheduler_.scheduler(),
                                    .intake = scheduler_.intake(),
                                    .now = scheduler_.now()},
                                   name);
        if (!found) {
          return tl::unexpected(Refusal{.status = 404, .message = found.error().message});
        }
        if (nodes) AddCandidates(scheduler_.scheduler(), name, *found);
        return std::move(*found);
      },
      tl::unexpected(Ended().error()));
  if (!explanation) return tl::unexpected(explanation.error());
  if (show::TextAt(*explanation, "state") == "Pending") {
    const StartForecast::Starts starts = forecast_.Newest();
    if (starts != nullptr) AddExpectedStart(*starts, *explanation);
  }
  return json::serialize(*explanation) + "\n";
}

Answer RealCluster::ExplainIfSubmitted(const std::vector<server::SourceText>& texts) {
  objects::Manifest manifest = ReadTexts(texts);
  if (!manifest.faults.empty()) return RefuseFaults(manifest.faults);
  struct Shown {
    std::vector<std::shared_ptr<const objects::Object>> objects;
    std::vector<std::string> names;  // of pods and workloads
    Time now;
  };
  using ShownOrRefusal = tl::expected<Shown, Refusal>;
  const auto shown = Ask<ShownOrRefusal>(
      [this]() -> ShownOrRefusal {
        if (auto why = WhyNoAnswer()) return tl::unexpected(*std::move(why));
        if (scheduler_.state() != live::LiveScheduler::State::kDeciding) {
          return tl::unexpected(Refusal{.status = 503, .message = "the cluster is not read yet"});
        }
        auto objects = kept_.All();
        if (!objects) return tl::unexpected(Refusal{.status = 503, .message = kTooLargeToCopy});
        return Shown{.objects = *std::move(objects),
                     .names = StateIndex(scheduler_.intake()).Names(),
                     .now = Now()};
      },
      tl::unexpected(Ended().error()));
  if (!shown) return tl::unexpected(shown.error());
  // On the asker's thread: it may take its time.
  std::vector<objects::Object> there;
  for (const auto& object : shown->objects) there.push_back(*object);
  there.emplace_back(configuration_);
  history::PastDurations past;
  if (recorder_ != nullptr) {
    // What cannot be read is not known.
    if (const auto reader = recorder_->OpenReader()) (void)past.ReadOn(**reader);
  }
  return host::ExplainIfSubmitted(
      std::move(there), shown->names, std::move(manifest.objects), {.start = shown->now},
      [&past](std::string_view queue, std::string_view work) { return past.Of(queue, work); });
}

Answer RealCluster::QueueShares() {
  return Ask<Answer>(
      [this]() -> Answer {
        if (auto why = WhyNoAnswer()) return tl::unexpected(*std::move(why));
        return json::serialize(
                   engine::SharesToJson(Now(), engine::ReportShares(scheduler_.scheduler()))) +
               "\n";
      },
      Ended());
}

Answer RealCluster::Askers(const std::string& node) {
  return Ask<Answer>(
      [this, node]() -> Answer { return AskersOf(scheduler_.scheduler(), node, Now()); }, Ended());
}

Answer RealCluster::View(const view::Question& question) {
  using About = view::Question::About;
  if (question.about == About::kWorkloads || question.about == About::kWorkload) forecast_.Look();
  return board_.Answer(question);
}

void RealCluster::AwaitStarts() {
  const auto view = board_.Look();
  const auto pending = static_cast<std::size_t>(view::WorkloadState::kPending);
  if (view != nullptr && view->tables->totals.workloads[pending] > 0) {
    (void)forecast_.Newest();
  }
}

void RealCluster::NoteStarts(const StartForecast::Starts& starts) {
  board_.SetStarts(std::make_shared<const view::ExpectedStarts>(ToView(*starts)));
  if (recorder_ == nullptr) return;
  loop_->Post([this, estimates = ToEstimates(*starts)] { history_feed_->Said(estimates); });
}

// Pointers are copied here, objects where they are played forward.
void RealCluster::GiveForecast() {
  if (!forecast_.Wants()) return;
  auto objects = kept_.All();
  if (!objects || scheduler_.state() != live::LiveScheduler::State::kDeciding) {
    forecast_.Decline();
    return;
  }
  objects->push_back(std::make_shared<const objects::Object>(configuration_));
  forecast_.Take(std::move(*objects), {.start = loop_->WallNow()});
}

// Not the last round's: nothing may have happened since.
Time RealCluster::Now() const { return loop_->WallNow(); }

void RealCluster::PublishEverySecond() {
  AuditPart();
  GiveForecast();
  PublishIfDue();
  vitals_.SetReadiness(WhyNotReady(scheduler_.state()));
  if (vitals_.IsAskedForMetrics()) Publish();  // why who waits waits
  if (vitals_.WantsMetrics()) vitals_.SetMetrics(FiguresText());
  loop_->After(Duration::Seconds(1), [this] { PublishEverySecond(); });
}

// Between instants, when the sums are settled. What is wrong is a bug of ours, and is told as one.
void RealCluster::AuditPart() {
  if (scheduler_.state() != live::LiveScheduler::State::kDeciding) return;
  std::vector<std::string> faults;
  if (audit_.Walk(kAuditedRows, faults)) ++audited_;
  if (faults.empty()) return;
  BUG(fmt::format("the audit found {} wrong: {}", faults.size(), faults.front()).c_str());
}

// As a minute begins, too: its sample, which looks at every workload, is then taken before anything
// happens that somebody waits for.
void RealCluster::TickHistory() {
  const Duration to_minute{kMinute.us - loop_->WallNow().us % kMinute.us};
  loop_->After(std::min(kLookEvery, to_minute), [this] {
    if (scheduler_.state() == live::LiveScheduler::State::kDeciding) {
      history_feed_->Tick(loop_->WallNow());
    }
    TickHistory();
  });
}

void RealCluster::PublishIfDue() {
  if (board_.Due()) Publish();
}

void RealCluster::Publish() {
  board_.Publish(loop_->WallNow(),
                 {.mode = "real",
                  .state = std::string(ToString(scheduler_.state())),
                  .speed = 1,
                  .can_submit = false,
                  .scheduler = configuration_.scheduler_name,
                  .build = std::string(Version())},
                 scheduler_.intake().KnownTopologies());
}

std::string RealCluster::FiguresText() const {
  const std::shared_ptr<const view::View> view = board_.Last();
  const std::string text = LiveMetricsText(
      scheduler_, {.decisions = decisions_, .objects_told = events_, .audited = audited_});
  return view == nullptr ? text : text + show::HopelessMetricsText(*view);
}

std::string RealCluster::Metrics() {
  const std::string text = Ask<std::string>(
      [this] {
        Publish();
        return FiguresText();
      },
      {});
  const bool all = !text.empty() && recorder_ != nullptr;
  return all ? text + HistoryMetricsText(recorder_->counts()) : text;
}

std::string RealCluster::LastMetrics() {
  const std::string text = vitals_.Metrics();
  return recorder_ == nullptr ? text : text + HistoryMetricsText(recorder_->counts());
}

void RealCluster::OnObject(const drive::ObjectNews& /*news*/) { ++events_; }

// When this was made nobody had asked the API server for the time yet.
void RealCluster::OnChanges(Time /*now*/, std::span<const state::Change> changes) {
  if (!std::exchange(began_, true) && history_feed_) {
    history_feed_->Began(loop_->WallNow() + (made_ - loop_->Now()));
  }
  audit_.NoteChange();
  board_.builder().OnChanges(changes);
}

void RealCluster::OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& plan) {
  board_.builder().OnRound(plan);
  audit_.NoteChange();
  decisions_ += plan.decisions.size();
}

}  // namespace fairlead::host
