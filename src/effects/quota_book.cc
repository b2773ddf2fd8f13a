#include "effects/quota_book.h"

#include <algorithm>
#include <utility>

namespace fairlead::effects {

using state::Figure;

void QuotaBook::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* quota = std::get_if<state::QuotaChange>(&change)) {
      Row& row = rows_[quota->name];
      row.facts = *quota;
      row.fresh = true;
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      if (removal->kind == state::RowKind::kQuota) rows_.erase(removal->name);
    }
  }
}

void QuotaBook::Locate(Row& row, const state::Cluster& cluster) {
  row.queue = cluster.queues().Find(row.facts.queue);
  row.resources.clear();
  if (row.facts.queue.empty()) return;
  const state::ResourceTable& resources = cluster.resources();
  for (const std::string& name : row.facts.resources) {
    state::ResourceId& found = row.resources.emplace_back();
    for (std::uint32_t r = 0; r < resources.size() && !found.valid(); ++r) {
      if (resources.name(state::ResourceId(r)) == name) found = state::ResourceId(r);
    }
  }
}

SetQuotaStatus QuotaBook::StatusOf(const Row& row) {
  SetQuotaStatus status{.quota = row.facts.name, .used = {}, .conditions = {}};
  const bool in_effect = !row.facts.queue.empty();
  status.conditions.push_back({.type = "InEffect", .holds = in_effect});
  for (std::size_t i = 0; i < row.used.size(); ++i) {
    status.used.emplace_back(row.facts.resources[i], row.used[i]);
  }
  for (const state::ObjectProblem& problem : row.facts.problems) {
    // Why it does not count is told there.
    if (!in_effect && problem.code == "SeveralQuotas") {
      status.conditions.front().reason = problem.code;
      status.conditions.front().message = problem.message;
      continue;
    }
    // A condition a code: what is wrong in several resources is one of them.
    objects::Condition& last = status.conditions.back();
    if (last.type == problem.code) {
      last.message += "; " + problem.message;
    } else {
      status.conditions.push_back({.type = problem.code,
                                   .holds = true,
                                   .reason = problem.code,
                                   .message = problem.message,
                                   .since = {}});
    }
  }
  return status;
}

void QuotaBook::Warn(Row& row, std::vector<Write>& writes) {
  std::set<std::string> codes;
  for (const state::ObjectProblem& problem : row.facts.problems) {
    codes.insert(problem.code);
    if (row.warned_of.contains(problem.code)) continue;
    writes.push_back(effects::Warn{.kind = "ElasticQuota",
                                   .object = row.facts.name,
                                   .reason = problem.code,
                                   .note = problem.message});
  }
  row.warned_of = std::move(codes);
}

std::vector<Write> QuotaBook::TakeWrites(const state::Cluster& cluster) {
  std::vector<Write> writes;
  for (auto& [name, row] : rows_) {
    if (row.fresh) Locate(row, cluster);
    bool moved = row.fresh;
    row.used.resize(row.resources.size(), 0);
    for (std::size_t i = 0; i < row.resources.size(); ++i) {
      const bool known = row.queue.valid() && row.resources[i].valid();
      const std::int64_t used =
          known ? cluster.queues().Get(row.queue, Figure::kAllocated, row.resources[i]) : 0;
      moved |= used != row.used[i];
      row.used[i] = used;
    }
    if (!moved) continue;
    writes.push_back(StatusOf(row));
    if (row.fresh) Warn(row, writes);
    row.fresh = false;
  }
  return writes;
}

}  // namespace fairlead::effects
