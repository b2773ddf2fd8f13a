#include "policy/fragmentation.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fairlead::policy {

using objects::TypicalPod;
using state::NodeId;

void Fragmentation::Prepare() {
  const std::vector<TypicalPod>& typical = cluster_.configuration().typical_pods;
  const state::NodeTable& nodes = cluster_.nodes();
  tables_.clear();
  table_of_.assign(nodes.size(), 0);
  total_weight_ = 0;
  for (const TypicalPod& pod : typical) total_weight_ += pod.count;
  std::vector<bool> entered_by(typical.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t t = 0; t < typical.size(); ++t) {
      const auto& wanted = typical[t].node_labels;
      entered_by[t] = std::all_of(wanted.begin(), wanted.end(), [&](const auto& requirement) {
        return objects::Matches(requirement,
                                objects::FindLabel(nodes.labels(NodeId(i)), requirement.key));
      });
    }
    std::size_t table = 0;
    while (table < tables_.size() && tables_[table].entered_by != entered_by) ++table;
    if (table == tables_.size()) tables_.push_back(TableFor(entered_by));
    table_of_[i] = static_cast<std::uint32_t>(table);
  }
}

Fragmentation::Table Fragmentation::TableFor(const std::vector<bool>& entered_by) const {
  const std::vector<TypicalPod>& typical = cluster_.configuration().typical_pods;
  Table table;
  table.entered_by = entered_by;
  std::map<std::pair<std::int64_t, std::int32_t>, std::map<std::int64_t, std::int64_t>> by_gpus;
  for (std::size_t t = 0; t < typical.size(); ++t) {
    const TypicalPod& pod = typical[t];
    if (!entered_by[t] || (pod.gpus == 0 && pod.gpu_milli == 0)) {
      table.lost_weight += pod.count;
    } else {
      by_gpus[{pod.gpu_milli, pod.gpus}][pod.cpu_milli] += pod.count;
    }
  }
  for (const auto& [gpus, by_cpu] : by_gpus) {
    Row& row = table.rows.emplace_back();
    row.share_milli = gpus.first;
    row.whole = gpus.second;
    std::int64_t sum = 0;
    for (const auto& [cpu, weight] : by_cpu) {
      row.cpu_milli.push_back(cpu);
      row.weight_up_to.push_back(sum += weight);
    }
  }
  return table;
}

std::int64_t Fragmentation::Of(NodeId n, std::int64_t cpu_free,
                               std::span<const std::int64_t> devices_free) const {
  const Table& table = tables_[table_of_[n.value()]];
  std::int64_t all = 0;
  std::int64_t whole = 0;
  for (std::int64_t free : devices_free) {
    all += free;
    whole += free >= 1000 ? 1 : 0;
  }
  if (all == 0) return 0;
  std::int64_t sum = table.lost_weight * all;
  for (const Row& row : table.rows) {
    std::int64_t unusable = 0;
    if (row.share_milli == 0) {
      unusable = whole >= row.whole ? all - whole * 1000 : all;
    } else {
      for (std::int64_t free : devices_free) unusable += free < row.share_milli ? free : 0;
    }
    std::size_t fit = row.cpu_milli.size();
    while (fit > 0 && row.cpu_milli[fit - 1] > cpu_free) --fit;
    const std::int64_t within_cpu = fit == 0 ? 0 : row.weight_up_to[fit - 1];
    sum += within_cpu * unusable + (row.weight() - within_cpu) * all;
  }
  return sum;
}

}  // namespace fairlead::policy
