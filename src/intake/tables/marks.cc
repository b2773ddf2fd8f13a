#include "intake/tables/marks.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace fairlead::intake {

template <typename Row, typename RowId>
std::vector<Row*> Marks::Take(Table<Row, RowId>& table, std::vector<RowId>& list) {
  std::vector<Row*> rows;
  rows.reserve(list.size());
  for (const RowId id : list) {
    if (!IsMarked(table, id)) continue;
    table[id].dirty = false;
    rows.push_back(&table[id]);
  }
  list.clear();
  std::ranges::sort(rows, {}, [](const Row* row) -> const std::string& { return row->name; });
  return rows;
}

void Marks::MarkPodsOf(const LabelsRow& labels) {
  for (const PodId id : labels.pods) {
    if (tables_.pods[id].facts.state != state::PodState::kFinished) Mark(id);
  }
}

void Marks::TakePods(std::vector<PodId>& into) {
  if (pods_.empty()) return;
  for (const PodId id : std::exchange(pods_, {})) {
    if (!IsMarked(tables_.pods, id)) continue;
    tables_.pods[id].dirty = false;
    into.push_back(id);
  }
  std::ranges::sort(into, std::ranges::greater(),
                    [&](PodId id) { return tables_.pods[id].name.view(); });
}

std::vector<NodeRow*> Marks::TakeNodes() { return Take(tables_.nodes, nodes_); }

std::vector<GangId> Marks::TakeGangs() {
  std::vector<GangId> ids;
  for (const GangId id : std::exchange(gangs_, {})) {
    if (!IsMarked(tables_.gangs, id)) continue;
    tables_.gangs[id].dirty = false;
    ids.push_back(id);
  }
  std::ranges::sort(ids, {},
                    [&](GangId id) -> const std::string& { return tables_.gangs[id].name; });
  return ids;
}

std::vector<state::Removal> Marks::TakeRemovals() {
  std::vector<state::Removal> removals = std::exchange(removals_, {});
  std::ranges::sort(removals, {}, [](const state::Removal& removal) {
    return std::tie(removal.kind, removal.name);
  });
  return removals;
}

}  // namespace fairlead::intake
