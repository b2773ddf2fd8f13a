#include "host/live_metrics.h"

#include <string_view>

#include <fmt/format.h>

#include "base/quantity.h"
#include "engine/explain/report.h"
#include "show/metrics_text.h"

namespace fairlead::host {
namespace {

class Text {
 public:
  void Begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
  }
  template <typename Value>
  void Add(Value value, std::string_view labels = {}) {
    text_ += labels.empty() ? fmt::format("{} {}\n", name_, value)
                            : fmt::format("{}{{{}}} {}\n", name_, labels, value);
  }
  void Add(const kube::Histogram& histogram) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kube::Histogram::kBounds.size(); ++i) {
      sum += histogram.counts()[i];
      text_ += fmt::format("{}_bucket{{le=\"{:g}\"}} {}\n", name_,
                           static_cast<double>(kube::Histogram::kBounds[i]) / 1e6, sum);
    }
    text_ += fmt::format("{}_bucket{{le=\"+Inf\"}} {}\n", name_, histogram.count());
    text_ += fmt::format("{}_sum {:g}\n", name_, static_cast<double>(histogram.sum_us()) / 1e6);
    text_ += fmt::format("{}_count {}\n", name_, histogram.count());
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_, name_;
};

// The number of a canonical quantity: cores, bytes, devices.
std::string InBaseUnits(const std::string& quantity) {
  const Result<std::int64_t> milli = ParseQuantity(quantity, Scale::kMilli);
  return milli ? fmt::format("{:g}", static_cast<double>(*milli) / 1e3) : std::string("NaN");
}

// A label's value may hold anything.
std::string Quoted(std::string_view name, std::string_view value) {
  std::string text = fmt::format("{}=\"", name);
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

void AddQueues(Text& text, const engine::Scheduler& scheduler) {
  const std::vector<engine::QueueReport> queues = engine::ReportQueues(scheduler);
  text.Begin("fairlead_queue_pending_workloads", "gauge", "Workloads that wait in a queue.");
  for (const auto& queue : queues) text.Add(queue.pending_workloads, Quoted("queue", queue.name));
  text.Begin("fairlead_queue_running_workloads", "gauge", "Workloads that run in a queue.");
  for (const auto& queue : queues) text.Add(queue.running_workloads, Quoted("queue", queue.name));
  const std::pair<std::string_view, engine::Quantities engine::QueueReport::*> amounts[] = {
      {"guaranteed", &engine::QueueReport::guaranteed},
      {"requested", &engine::QueueReport::requested},
      {"allocated", &engine::QueueReport::allocated},
      {"fair_share", &engine::QueueReport::fair_share}};
  for (const auto& [name, member] : amounts) {
    text.Begin(fmt::format("fairlead_queue_{}", name), "gauge",
               "Of a queue, by resource; as in its status, in base units.");
    for (const auto& queue : queues) {
      for (const auto& [resource, quantity] : queue.*member) {
        const std::string labels = Quoted("queue", queue.name) + "," + Quoted("resource", resource);
        text.Add(InBaseUnits(quantity), labels);
      }
    }
  }
}

void AddWriter(Text& text, const live::LiveScheduler& live) {
  constexpr kube::Lane kWritten[] = {kube::Lane::kBindings, kube::Lane::kWrites,
                                     kube::Lane::kEvents};
  text.Begin("fairlead_api_writes_total", "counter", "Writes to the API server, by outcome.");
  for (const kube::Lane lane : kWritten) {
    const live::Writer::Counts& counts = live.writer().counts(lane);
    const std::string of = Quoted("lane", NameOf(lane));
    text.Add(counts.done, of + ",outcome=\"done\"");
    text.Add(counts.retried, of + ",outcome=\"retried\"");
    text.Add(counts.refused, of + ",outcome=\"refused\"");
  }
  text.Begin("fairlead_api_writes_waiting", "gauge", "Writes that wait or are under way.");
  for (const kube::Lane lane : kWritten) {
    text.Add(live.writer().waiting(lane), Quoted("lane", NameOf(lane)));
  }
  text.Begin("fairlead_events_dropped_total", "counter", "Events that were not written.");
  text.Add(live.events().dropped());
}

void AddCaches(Text& text, const live::LiveScheduler& live) {
  const auto caches = live.caches();
  text.Begin("fairlead_cache_objects", "gauge", "Objects known, by resource.");
  for (const auto& cache : caches) text.Add(cache.objects, Quoted("resource", cache.resource));
  const std::pair<std::string_view, std::uint64_t kube::ReflectorCounts::*> counts[] = {
      {"lists", &kube::ReflectorCounts::lists},     {"watches", &kube::ReflectorCounts::watches},
      {"events", &kube::ReflectorCounts::events},   {"failures", &kube::ReflectorCounts::failures},
      {"refused", &kube::ReflectorCounts::refused}, {"stale", &kube::ReflectorCounts::stale}};
  for (const auto& [name, member] : counts) {
    text.Begin(fmt::format("fairlead_cache_{}_total", name), "counter",
               "Of lists and watches, by resource.");
    for (const auto& cache : caches) {
      text.Add(cache.counts.*member, Quoted("resource", cache.resource));
    }
  }
}

}  // namespace

std::string LiveMetricsText(const live::LiveScheduler& live, const LiveFigures& figures) {
  Text text;
  text.Begin("fairlead_leader", "gauge", "1 where this process decides, else 0.");
  text.Add(live.state() == live::LiveScheduler::State::kDeciding ? 1 : 0);
  text.Begin("fairlead_clock_ahead_seconds", "gauge",
             "This machine's clock less the API server's, by which times are judged.");
  text.Add(fmt::format("{:g}", static_cast<double>(live.clock_ahead().us) / 1e6));
  text.Begin("fairlead_decision_seconds", "histogram", "How long a round of decisions took.");
  text.Add(live.deciding());
  text.Begin("fairlead_decisions_total", "counter", "Decisions given.");
  text.Add(figures.decisions);
  text.Begin("fairlead_objects_told_total", "counter", "Objects told by lists and watches.");
  text.Add(figures.objects_told);
  text.Begin("fairlead_audits_total", "counter", "Times that all sums were computed again.");
  text.Add(figures.audited);
  const live::Executor::Counts& counts = live.executor().counts();
  text.Begin("fairlead_bind_seconds", "histogram", "From a pod's decision to its binding.");
  text.Add(counts.bind);
  text.Begin("fairlead_reaction_seconds", "histogram",
             "From reading an object to handing over the binding that it led to.");
  text.Add(live.reaction());
  text.Begin("fairlead_bind_failures_total", "counter", "Bindings that the API server refused.");
  text.Add(counts.bind_failed);
  text.Begin("fairlead_victims_total", "counter", "Pods that had to leave, by action.");
  for (const auto& [action, victims] : counts.victims) {
    text.Add(victims, Quoted("action", action));
  }
  text.Begin("fairlead_evict_failures_total", "counter", "Evictions that were given up.");
  text.Add(counts.evict_failed);
  AddQueues(text, live.scheduler());
  AddWriter(text, live);
  AddCaches(text, live);
  return text.Take() + show::MetricsText(live.scheduler());
}

}  // namespace fairlead::host
