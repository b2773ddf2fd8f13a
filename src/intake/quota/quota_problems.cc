#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/quantity.h"
#include "base/sorted_set.h"
#include "intake/quota/quotas.h"
#include "objects/key.h"
#include "objects/keys.h"

// What the owners of quotas are told: each quota with what is wrong with it, by itself, beside the
// labels and ResourceQuotas of its namespace and its other quotas, and all together with the pool.

namespace fairlead::intake {
namespace {

const std::int64_t* Find(const objects::ResourceList& list, std::string_view resource) {
  for (const auto& [name, amount] : list) {
    if (name == resource) return &amount;
  }
  return nullptr;
}

}  // namespace

// Tells those that name a resource in which the cluster became too small, or large enough.
void Quotas::NoteAbove() {
  if (told_mins_ == mins_.version() && told_pool_ == pool_.version()) return;
  told_mins_ = mins_.version();
  told_pool_ = pool_.version();
  std::vector<std::string> above = mins_.Above(pool_);
  if (above == above_) return;
  std::vector<std::string> moved;
  std::ranges::set_symmetric_difference(above, above_, std::back_inserter(moved));
  above_ = std::move(above);
  for (const auto& [name_space, space] : spaces_) {
    const bool names_one = std::ranges::any_of(space.quotas.front().min, [&](const auto& entry) {
      return std::ranges::find(moved, entry.first) != moved.end();
    });
    if (names_one) changed_.insert(name_space);
  }
}

std::vector<state::ObjectProblem> Quotas::ProblemsOf(std::string_view name_space,
                                                     const QuotaSpace& space,
                                                     const QuotaRow& quota) const {
  std::vector<state::ObjectProblem> problems;
  const auto add = [&](std::string_view code, std::string message) {
    problems.push_back({.code = std::string(code), .message = std::move(message)});
  };
  const std::optional<ResourceQuotas::Allowed> hard = hard_.AllowedIn(name_space);
  const auto above_hard = [&](std::string_view code, std::string_view field,
                              const std::string& resource, std::int64_t amount) {
    const std::int64_t* allowed = hard ? Find(hard->hard, resource) : nullptr;
    if (allowed == nullptr || amount <= *allowed) return;
    add(code, fmt::format("its {} of {} is {}, above the {} that the ResourceQuota {} allows",
                          field, resource, FormatResource(resource, amount),
                          FormatResource(resource, *allowed), hard->names));
  };
  for (const auto& [resource, max] : quota.max) {
    above_hard("MaxAboveResourceQuota", "max", resource, max);
  }
  for (const auto& [resource, min] : quota.min) {
    const std::int64_t* max = Find(quota.max, resource);
    if (max != nullptr && min > *max) {
      add("MinAboveMax",
          fmt::format("its min of {} is {}, above its max of {}", resource,
                      FormatResource(resource, min), FormatResource(resource, *max)));
    }
    if (max == nullptr) above_hard("MinAboveResourceQuota", "min", resource, min);
  }
  if (&quota != &space.quotas.front()) {
    add("SeveralQuotas",
        fmt::format("the ElasticQuota {} counts for namespace {}, as the first by creation and "
                    "name; this one does nothing",
                    space.quotas.front().name, name_space));
  } else {
    auto label = tables_.bound_name_spaces.find(name_space);
    if (label != tables_.bound_name_spaces.end() && label->second.queue != space.queue) {
      add("QueueLabelCounts",
          fmt::format("the label {} of namespace {} names the queue {}, which counts before it",
                      objects::kQueueLabel, name_space, label->second.queue));
    }
    if (tables_.queues.contains(name_space)) {
      add("NameTaken", fmt::format("a Queue {} is there too; the queue of this quota is {}",
                                   name_space, space.queue));
    }
  }
  std::ranges::stable_sort(problems, {}, &state::ObjectProblem::code);
  return problems;
}

std::map<std::string, state::QuotaChange> Quotas::ChangesOf(const std::string& name_space) const {
  std::map<std::string, state::QuotaChange> changes;
  const QuotaSpace* space = SpaceOf(name_space);
  if (space == nullptr) return changes;
  for (const QuotaRow& quota : space->quotas) {
    state::QuotaChange change;
    change.name = objects::JoinKey(name_space, quota.name);
    const bool counts = &quota == &space->quotas.front();
    if (counts) change.queue = space->queue;
    for (const objects::ResourceList* list : {&quota.min, &quota.max}) {
      for (const auto& [resource, amount] : *list) change.resources.push_back(resource);
    }
    MakeSet(change.resources);
    change.problems = ProblemsOf(name_space, *space, quota);
    for (const std::string& resource : above_) {
      if (!counts || Find(quota.min, resource) == nullptr) continue;
      change.problems.push_back(
          {.code = "MinAboveCluster",
           .message = fmt::format("all quotas' min of {} are more together than the nodes have",
                                  resource)});
    }
    std::ranges::stable_sort(change.problems, {}, &state::ObjectProblem::code);
    changes.emplace(change.name, std::move(change));
  }
  return changes;
}

void Quotas::Take(std::vector<state::Change>& out) {
  NoteAbove();
  if (changed_.empty()) return;
  for (const std::string& name_space : std::exchange(changed_, {})) {
    const std::string prefix = objects::JoinKey(name_space, "");
    std::map<std::string, state::QuotaChange> fresh = ChangesOf(name_space);
    for (auto at = given_.lower_bound(prefix);
         at != given_.end() && at->first.starts_with(prefix);) {
      if (fresh.contains(at->first)) {
        ++at;
        continue;
      }
      marks_.Removed(state::RowKind::kQuota, at->first);
      at = given_.erase(at);
    }
    for (auto& [name, change] : fresh) {
      auto given = given_.find(name);
      if (given != given_.end() && given->second == change) continue;
      given_.insert_or_assign(name, change);
      out.emplace_back(std::move(change));
    }
  }
}

}  // namespace fairlead::intake
