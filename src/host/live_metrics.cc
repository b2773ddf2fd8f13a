#include "host/live_metrics.h"

#include <string_view>

#include <fmt/format.h>

#include "policy/room_action.h"
#include "show/metric_lines.h"
#include "show/metrics_text.h"

namespace fairlead::host {
namespace {

using show::Label;

class Text : public show::MetricLines {
 public:
  using MetricLines::Add;
  void Add(const kube::Histogram& histogram) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kube::Histogram::kBounds.size(); ++i) {
      sum += histogram.counts()[i];
      const double bound = static_cast<double>(kube::Histogram::kBounds[i]) / 1e6;
      Add(sum, Label("le", fmt::format("{:g}", bound)), "_bucket");
    }
    Add(histogram.count(), Label("le", "+Inf"), "_bucket");
    Add(fmt::format("{:g}", static_cast<double>(histogram.sum_us()) / 1e6), {}, "_sum");
    Add(histogram.count(), {}, "_count");
  }
};

void AddWriter(Text& text, const live::LiveScheduler& live) {
  constexpr kube::Lane kWritten[] = {kube::Lane::kBindings, kube::Lane::kWrites,
                                     kube::Lane::kEvents};
  text.Begin("fairlead_api_writes_total", "counter", "Writes to the API server, by outcome.");
  for (const kube::Lane lane : kWritten) {
    const live::Writer::Counts& counts = live.writer().counts(lane);
    const std::string of = Label("lane", NameOf(lane));
    text.Add(counts.done, of + ",outcome=\"done\"");
    text.Add(counts.retried, of + ",outcome=\"retried\"");
    text.Add(counts.refused, of + ",outcome=\"refused\"");
  }
  text.Begin("fairlead_api_writes_waiting", "gauge", "Writes that wait or are under way.");
  for (const kube::Lane lane : kWritten) {
    text.Add(live.writer().waiting(lane), Label("lane", NameOf(lane)));
  }
  text.Begin("fairlead_events_dropped_total", "counter", "Events that were not written.");
  text.Add(live.events().dropped());
}

void AddCaches(Text& text, const live::LiveScheduler& live) {
  const auto caches = live.caches();
  text.Begin("fairlead_cache_objects", "gauge", "Objects known, by resource.");
  for (const auto& cache : caches) text.Add(cache.objects, Label("resource", cache.resource));
  const std::pair<std::string_view, std::uint64_t kube::ReflectorCounts::*> counts[] = {
      {"lists", &kube::ReflectorCounts::lists},     {"watches", &kube::ReflectorCounts::watches},
      {"events", &kube::ReflectorCounts::events},   {"failures", &kube::ReflectorCounts::failures},
      {"refused", &kube::ReflectorCounts::refused}, {"stale", &kube::ReflectorCounts::stale}};
  for (const auto& [name, member] : counts) {
    text.Begin(fmt::format("fairlead_cache_{}_total", name), "counter",
               "Of lists and watches, by resource.");
    for (const auto& cache : caches) {
      text.Add(cache.counts.*member, Label("resource", cache.resource));
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
  // Those that never happened too: what grows from nothing is no growth to Prometheus.
  for (const policy::RoomAction action : policy::kRoomActions) {
    const auto found = counts.victims.find(ToString(action));
    text.Add(found == counts.victims.end() ? 0 : found->second, Label("action", ToString(action)));
  }
  text.Begin("fairlead_evict_failures_total", "counter", "Evictions that were given up.");
  text.Add(counts.evict_failed);
  AddWriter(text, live);
  AddCaches(text, live);
  return text.Take() + show::MetricsText(live.scheduler());
}

}  // namespace fairlead::host
