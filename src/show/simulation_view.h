#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "account/metrics_report.h"
#include "account/nearness.h"
#include "engine/explain/report.h"
#include "show/long_table.h"
#include "show/output.h"
#include "show/timeline.h"
#include "virtual/cluster.h"

namespace fairlead::show {

// Of how many that are pending the summary tells why.
inline constexpr std::size_t kShownPending = 10;

// All that the summary of a simulation says.
struct SimulationSummary {
  Time start, end;
  bool idle = false;  // nothing more can change
  std::string digest;
  const Timeline& timeline;
  std::vector<virtual_cluster::WorkloadFinal> workloads;
  std::int64_t finished_before = 0;  // workloads that are not among them any more
  const account::MetricsReport& metrics;
  const std::vector<account::Nearness>& nearness;
  std::vector<engine::PendingReport> pending;  // reasons: of the first kShownPending
  std::vector<std::string> others;             // of pods of other schedulers
};

void PrintSimulation(const SimulationSummary& summary, Output& output);

// One line an event, for --events.
class EventTable : public drive::Observer {
 public:
  explicit EventTable(Time start) : start_(start) {}
  void OnEvent(const drive::Event& event) override;
  void Print(Output& output) const { table_.Print(output); }

 private:
  Time start_;
  LongTable table_{{"TIME", "EVENT", "OBJECT", "NODE", "DETAIL"}};
};

}  // namespace fairlead::show
