#include "host/live_cluster.h"

#include <algorithm>
#include <optional>
#include <set>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/version.h"
#include "engine/explain/report_json.h"
#include "host/askers.h"
#include "host/candidates.h"
#include "host/explanation.h"
#include "host/if_submitted.h"
#include "host/input.h"
#include "host/live_view.h"
#include "host/saved_state.h"
#include "host/state_index.h"
#include "host/submitted_texts.h"
#include "intake/intake.h"
#include "objects/key.h"
#include "show/human_text.h"
#include "show/metrics_text.h"
#include "show/queue_metrics.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;
using server::Answer;
using server::Refusal;

constexpr auto kAdvanceAtMost = std::chrono::milliseconds(20);
constexpr auto kPublishEvery = std::chrono::seconds(1);
constexpr std::int64_t kMostForecastPods = 5'000, kMostForecastNodes = 1'000;

}  // namespace

LiveCluster::LiveCluster(const Options& options)
    : options_(options),
      origin_(Clock::now()),
      cluster_({.start = options.start, .delays = options.delays}),
      board_(cluster_.scheduler(), [this] { Post([] {}); }),
      forecast_({.tell =
                     [this](const StartForecast::Starts& starts) {
                       board_.SetStarts(
                           std::make_shared<const view::ExpectedStarts>(ToView(*starts)));
                       NoteStarts(*starts);
                     },
                 .wake = [this] { Post([] {}); },
                 .history = options.history}) {
  cluster_.AddObserver(&log_);
  if (options.history != nullptr) {
    history_feed_.emplace(options.start, cluster_.scheduler(), *options.history);
    cluster_.AddObserver(&*history_feed_);
  }
  cluster_.AddObserver(this);
  Publish();
  owner_ = std::thread([this] { Own(); });
  if (options.history == nullptr) return;
  medians_.emplace(*options.history,
                   [this](QueueMedians::Medians medians) { NoteMedians(std::move(medians)); });
}

LiveCluster::~LiveCluster() { Stop(); }

void LiveCluster::Post(std::function<void()> command) {
  const MutexLock lock(mutex_);
  if (!stopping_) commands_.push_back(std::move(command));
  changed_.NotifyAll();
}

void LiveCluster::NoteStarts(const StartForecast::Told& told) {
  if (options_.history == nullptr) return;
  std::vector<history::Estimate> estimates = ToEstimates(told);
  if (estimates.empty()) return;
  Post([this, estimates = std::move(estimates)] { history_feed_->Said(estimates); });
}

void LiveCluster::NoteMedians(QueueMedians::Medians medians) {
  Post([this, medians = std::move(medians)] {
    std::vector<objects::Object> changed;
    for (const auto& [name, median] : medians) {
      const objects::Object* found = cluster_.Find("Queue", "", name);
      if (found == nullptr) continue;
      auto queue = std::get<objects::Queue>(*found);
      if (queue.median_duration == median) continue;
      queue.median_duration = median;
      changed.emplace_back(std::move(queue));
    }
    if (!changed.empty()) (void)Take(std::move(changed));
  });
}

void LiveCluster::AwaitStarts() {
  const auto view = board_.Look();
  const auto pending = static_cast<std::size_t>(view::WorkloadState::kPending);
  if (view->tables->totals.workloads[pending] > 0) (void)forecast_.Newest();
}

void LiveCluster::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  medians_.reset();
  if (owner_.joinable()) owner_.join();
  forecast_.Stop();
}

template <typename Work>
auto LiveCluster::Ask(Work work) -> decltype(work()) {
  using Returned = decltype(work());
  auto promise = std::make_shared<std::promise<Returned>>();
  std::future<Returned> future = promise->get_future();
  {
    const MutexLock lock(mutex_);
    if (stopping_) {
      if constexpr (std::is_constructible_v<Returned, tl::unexpected<Refusal>>) {
        return tl::unexpected(Refusal{.status = 503, .message = "the cluster is shutting down"});
      } else {
        return Returned{};
      }
    }
    commands_.emplace_back(
        [promise, work = std::move(work)]() mutable { promise->set_value(work()); });
  }
  changed_.NotifyAll();
  return future.get();
}

Time LiveCluster::VirtualNow() const {
  const std::int64_t elapsed_us =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - origin_).count();
  // Whole seconds, as Kubernetes' times are: nobody reads microseconds.
  const Duration elapsed{elapsed_us * options_.speed};
  return options_.start + Duration::Seconds(elapsed.WholeSeconds());
}

// When the owner must look again: at the next event, but often enough to publish.
LiveCluster::Clock::time_point LiveCluster::WakeTime() const {
  const Clock::time_point publish = Clock::now() + kPublishEvery;
  const std::optional<Time> next = cluster_.NextEventTime();
  if (!next) return publish;
  const Duration ahead = *next - options_.start;
  const auto event = origin_ + std::chrono::microseconds(ahead.us / options_.speed + 1);
  return std::min(publish, Clock::time_point(event));
}

bool LiveCluster::Advance() {
  const Time target = VirtualNow();
  const Clock::time_point deadline = Clock::now() + kAdvanceAtMost;
  for (;;) {
    const std::optional<Time> next = cluster_.NextEventTime();
    if (!next || *next > target) break;
    cluster_.Step();
    if (Clock::now() > deadline) return true;
  }
  if (target > cluster_.Now()) cluster_.RunUntil(target);
  return false;
}

void LiveCluster::OnChanges(Time /*now*/, std::span<const state::Change> changes) {
  board_.builder().OnChanges(changes);
}

void LiveCluster::OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& plan) {
  board_.builder().OnRound(plan);
}

void LiveCluster::Publish() {
  board_.Publish(cluster_.Now(),
                 {.mode = "virtual",
                  .state = "Deciding",
                  .speed = options_.speed,
                  .can_submit = options_.why_read_only.empty(),
                  .scheduler = cluster_.intake().configuration().scheduler_name,
                  .build = std::string(Version())},
                 cluster_.intake().KnownTopologies());
}

void LiveCluster::Own() {
  MutexLock lock(mutex_);
  while (!stopping_ || !commands_.empty()) {
    std::deque<std::function<void()>> commands = std::exchange(commands_, {});
    lock.Unlock();
    const bool behind = Advance();
    for (const std::function<void()>& command : commands) command();
    if (board_.Due()) Publish();
    if (forecast_.Wants()) GiveForecast();
    if (history_feed_) history_feed_->Tick(cluster_.Now());
    const Clock::time_point wake = WakeTime();
    lock.Lock();
    if (!behind && commands_.empty() && !stopping_) changed_.WaitUntil(lock, wake);
  }
  Publish();
  board_.Stop();
}

// A copy of many objects would keep the owner for long, and playing them forward a processor.
void LiveCluster::GiveForecast() {
  const view::Totals& totals = board_.builder().totals();
  const std::int64_t pods = totals.pods_running + totals.pods_pending + totals.pods_finished;
  if (pods > kMostForecastPods || totals.nodes > kMostForecastNodes) {
    forecast_.Decline();
    return;
  }
  virtual_cluster::Options options = cluster_.options();
  options.start = cluster_.Now();
  StartForecast::Objects copy;
  for (objects::Object& object : CopyOf(cluster_)) {
    copy.push_back(std::make_shared<const objects::Object>(std::move(object)));
  }
  forecast_.Take(std::move(copy), options);
}

Answer LiveCluster::View(const view::Question& question) {
  using About = view::Question::About;
  if (question.about == About::kWorkloads || question.about == About::kWorkload) forecast_.Look();
  return board_.Answer(question);
}

Answer LiveCluster::Askers(const std::string& node) {
  return Ask([&] { return AskersOf(cluster_.scheduler(), node, cluster_.Now()); });
}

Answer LiveCluster::Get(const server::Query& query) {
  const std::string_view kind = query.kind->kind;
  if (kind == "Pod" || kind == "Workload" || objects::FindJobRow(kind) != nullptr) AwaitStarts();
  return Ask([this, &query]() -> Answer {
    Publish();
    const std::shared_ptr<const view::View> view = board_.Last();
    const LiveSource source{cluster_, log_, *view};
    auto value = query.as_table ? TableOf(source, query) : ObjectsOf(source, query);
    if (!value) return tl::unexpected(value.error());
    return json::serialize(*value) + "\n";
  });
}

// On the owner's thread.
tl::expected<virtual_cluster::Submitted, std::vector<objects::Fault>> LiveCluster::Take(
    std::vector<objects::Object> objects) {
  auto submitted = cluster_.Submit(std::move(objects));
  // What can be decided at once is decided before anyone asks.
  if (submitted) cluster_.RunUntil(cluster_.Now());
  board_.Outdate();
  return submitted;
}

namespace {

// As kubectl says it.
std::string_view WordFor(virtual_cluster::Submitted::Outcome outcome) {
  using Outcome = virtual_cluster::Submitted::Outcome;
  if (outcome == Outcome::kReplaced) return "configured";
  return outcome == Outcome::kUnchanged ? "unchanged" : "created";
}

}  // namespace

Answer LiveCluster::Submit(const std::vector<server::SourceText>& texts) {
  objects::Manifest manifest = ReadTexts(texts);
  if (!manifest.faults.empty()) return RefuseFaults(manifest.faults);
  std::vector<std::string> warnings = WarningLines(manifest);
  for (std::string& line : DoubtLines(manifest)) warnings.push_back(std::move(line));
  return Ask([&]() -> Answer {
    json::array rows;
    for (const objects::Object& object : manifest.objects) {
      rows.push_back(
          json::object{{"kind", objects::KindOf(object)}, {"name", objects::MetaOf(object).Key()}});
    }
    const auto submitted = Take(std::move(manifest.objects));
    if (!submitted) return RefuseFaults(submitted.error());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].get_object()["result"] = WordFor(submitted->outcomes[i]);
    }
    const json::object answer{{"kind", "Submitted"},
                              {"created", submitted->created},
                              {"configured", submitted->replaced},
                              {"unchanged", submitted->unchanged},
                              {"later", submitted->later},
                              {"objects", std::move(rows)},
                              {"warnings", json::array(warnings.begin(), warnings.end())}};
    return json::serialize(answer) + "\n";
  });
}

tl::expected<virtual_cluster::Submitted, std::vector<objects::Fault>> LiveCluster::SubmitRead(
    std::vector<objects::Object> objects) {
  return Ask([&] { return Take(std::move(objects)); });
}

Answer LiveCluster::Delete(const server::Kind& kind, const std::string& name_space,
                           const std::string& name) {
  return Ask([&]() -> Answer {
    const auto deleted = cluster_.Delete(kind.kind, name_space, name);
    if (!deleted) {
      return tl::unexpected(Refusal{.status = 404, .message = deleted.error().message});
    }
    const std::string key = objects::JoinKey(name_space, name);
    cluster_.RunUntil(cluster_.Now());
    board_.Outdate();
    return json::serialize(
               json::object{{"kind", "Status"},
                            {"status", "Success"},
                            {"message", fmt::format("{} {} deleted", kind.kind, key)}}) +
           "\n";
  });
}

Answer LiveCluster::Explain(const std::string& name, bool nodes) {
  std::vector<objects::Object> objects;
  auto explanation = Ask([&]() -> JsonOrRefusal {
    auto found = host::Explain(
        {.scheduler = cluster_.scheduler(), .intake = cluster_.intake(), .now = cluster_.Now()},
        name);
    if (!found) return tl::unexpected(Refusal{.status = 404, .message = found.error().message});
    if (nodes) AddCandidates(cluster_.scheduler(), name, *found);
    if (show::TextAt(*found, "state") == "Pending") objects = CopyOf(cluster_);
    return std::move(*found);
  });
  if (!explanation) return tl::unexpected(explanation.error());
  // On the asker's thread: it may take its time.
  NoteStarts(AddExpectedStarts(objects, cluster_.options(), {}, {&*explanation, 1}));
  return json::serialize(*explanation) + "\n";
}

Answer LiveCluster::ExplainIfSubmitted(const std::vector<server::SourceText>& texts) {
  objects::Manifest manifest = ReadTexts(texts);
  if (!manifest.faults.empty()) return RefuseFaults(manifest.faults);
  virtual_cluster::Options options = cluster_.options();
  std::vector<std::string> known;
  std::vector<objects::Object> there = Ask([&] {
    options.start = cluster_.Now();
    known = StateIndex(cluster_.intake()).Names();
    return CopyOf(cluster_);
  });
  // On the asker's thread, as above.
  return host::ExplainIfSubmitted(std::move(there), known, std::move(manifest.objects), options);
}

Answer LiveCluster::QueueShares() {
  return Ask([&]() -> Answer {
    return json::serialize(
               engine::SharesToJson(cluster_.Now(), engine::ReportShares(cluster_.scheduler()))) +
           "\n";
  });
}

std::string LiveCluster::Metrics() {
  std::string text = Ask([&]() -> std::string {
    Publish();
    return show::MetricsText(cluster_.scheduler()) + show::HopelessMetricsText(*board_.Last());
  });
  if (options_.history != nullptr) text += HistoryMetricsText(options_.history->counts());
  return text;
}

}  // namespace fairlead::host
