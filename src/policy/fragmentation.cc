#include "policy/fragmentation.h"

#include <algorithm>

#include "base/sorted_set.h"

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
  ListShares();
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

void Fragmentation::ListShares() {
  most_whole_ = 0;
  shares_ = 0;
  fitting_ = {};
  for (const TypicalPod& pod : cluster_.configuration().typical_pods) {
    most_whole_ = std::max(most_whole_, pod.gpus);
    if (pod.gpus == 0) fitting_[static_cast<std::size_t>(pod.gpu_milli)] = 1;
  }
  fitting_[0] = 0;
  for (std::uint16_t& fitting : fitting_) {
    shares_ += fitting;
    fitting = static_cast<std::uint16_t>(shares_);
  }
}

Fragmentation::Table Fragmentation::TableFor(const std::vector<bool>& entered_by) const {
  const std::vector<TypicalPod>& typical = cluster_.configuration().typical_pods;
  const auto can_use_gpus = [&](std::size_t t) {
    return entered_by[t] && (typical[t].gpus > 0 || typical[t].gpu_milli > 0);
  };
  Table table;
  table.entered_by = entered_by;
  for (std::size_t t = 0; t < typical.size(); ++t) {
    if (can_use_gpus(t)) table.cpu_milli.push_back(typical[t].cpu_milli);
  }
  MakeSet(table.cpu_milli);
  const std::size_t rows = table.cpu_milli.size() + 1;
  const std::size_t shares = shares_ + 1;
  const std::size_t wholes = static_cast<std::size_t>(most_whole_) + 1;
  table.by_share.resize(rows * shares);
  table.by_whole.resize(rows * wholes);
  for (std::size_t t = 0; t < typical.size(); ++t) {
    if (!can_use_gpus(t)) continue;
    const TypicalPod& pod = typical[t];
    const auto from = std::ranges::lower_bound(table.cpu_milli, pod.cpu_milli);
    const auto first = static_cast<std::size_t>(from - table.cpu_milli.begin()) + 1;
    for (std::size_t row = first; row < rows; ++row) {
      if (pod.gpus > 0) {
        const auto k = static_cast<std::size_t>(pod.gpus);
        for (std::size_t w = k; w < wholes; ++w) table.by_whole[row * wholes + w] += pod.count;
      } else {
        const std::size_t k = fitting_[static_cast<std::size_t>(pod.gpu_milli)];
        for (std::size_t s = k; s < shares; ++s) table.by_share[row * shares + s] += pod.count;
      }
    }
  }
  return table;
}

// All that is free, by all pods, less what those can use that may run here.
std::int64_t Fragmentation::Of(NodeId n, std::int64_t cpu_free,
                               std::span<const std::int64_t> devices_free) const {
  const Table& table = tables_[table_of_[n.value()]];
  const auto fits = std::ranges::upper_bound(table.cpu_milli, cpu_free);
  const auto row = static_cast<std::size_t>(fits - table.cpu_milli.begin());
  const std::int64_t* const by_share = &table.by_share[row * (shares_ + 1)];
  const std::int64_t* const by_whole =
      &table.by_whole[row * (static_cast<std::size_t>(most_whole_) + 1)];
  std::int64_t all = 0, usable = 0;
  std::int32_t whole = 0;
  for (const std::int64_t free : devices_free) {
    all += free;
    whole += free >= 1000 ? 1 : 0;
    usable += free * by_share[fitting_[static_cast<std::size_t>(free)]];
  }
  usable += std::int64_t{1000} * whole * by_whole[std::min(whole, most_whole_)];
  return total_weight_ * all - usable;
}

}  // namespace fairlead::policy
