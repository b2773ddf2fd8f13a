// ElasticQuotas as queues (semantics.md §5).
//
//   ElasticQuota a/q {min, max}    queue a: guaranteed = min, limit = max, weight 0, under
//   all that count                 queue elastic-quotas: guaranteed = limit = Σ min, in each
//                                  resource that some min names; weight 0
//
// Of several quotas in a namespace the first by creation, then name, counts. A quota always has a
// queue: where the namespace's name is taken (a Queue has it, or the default queue, or the parent),
// its queue is elastic-quotas/NAMESPACE, which nothing else can be named. Where a Queue
// elastic-quotas is there it is the parent, as written; what it leaves unsaid of guaranteed and
// limit stays Σ min.
//
// A min or max that changes touches two queues and joins nothing. A quota that comes or goes has
// the work of its namespace joined anew.

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/quantity.h"
#include "intake/store.h"
#include "objects/key.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

std::string KeyOf(std::string_view name_space, std::string_view name) {
  return fmt::format("{}/{}", name_space, name);
}

const objects::ResourceList& MinOf(const QuotaSpace& space) {
  static const objects::ResourceList kNone;
  return space.quotas.empty() ? kNone : space.quotas.front().min;
}

const std::int64_t* Find(const objects::ResourceList& list, std::string_view resource) {
  for (const auto& [name, amount] : list) {
    if (name == resource) return &amount;
  }
  return nullptr;
}

}  // namespace

void Intake::Store::Upsert(const objects::ElasticQuota& quota, Time now) {
  const std::string& name_space = quota.meta.name_space;
  QuotaSpace& space = quotas_[name_space];
  const objects::ResourceList min_before = MinOf(space);
  auto held = std::ranges::find(space.quotas, quota.meta.name, &QuotaRow::name);
  const bool added = held == space.quotas.end();
  QuotaRow fresh{.name = quota.meta.name,
                 .min = quota.min,
                 .max = quota.max,
                 .created = quota.meta.creation_time.value_or(added ? now : held->created),
                 .source = quota.meta.source};
  if (added) {
    space.quotas.push_back(std::move(fresh));
  } else {
    *held = std::move(fresh);
  }
  std::ranges::sort(space.quotas, {},
                    [](const QuotaRow& row) { return std::tie(row.created, row.name); });
  if (space.queue.empty()) NameQuotaQueue(name_space);
  Recount(name_space, min_before);
}

bool Intake::Store::RemoveQuota(std::string_view name_space, std::string_view name) {
  auto found = quotas_.find(name_space);
  if (found == quotas_.end()) return false;
  QuotaSpace& space = found->second;
  auto held = std::ranges::find(space.quotas, name, &QuotaRow::name);
  if (held == space.quotas.end()) return false;
  const objects::ResourceList min_before = MinOf(space);
  space.quotas.erase(held);
  const std::string owner = found->first;
  Recount(owner, min_before);
  if (!space.quotas.empty()) return true;
  Unbind(owner, space.queue);
  quotas_.erase(found);
  return true;
}

// After the quotas of a namespace changed.
void Intake::Store::Recount(const std::string& name_space,
                            const objects::ResourceList& min_before) {
  const QuotaSpace& space = quotas_.find(name_space)->second;
  if (MinOf(space) != min_before) {
    CountMin(min_before, -1);
    CountMin(MinOf(space), +1);
  }
  dirty_queues_.insert(space.queue);
  dirty_queues_.emplace(kElasticQuotas);
  dirty_quotas_.insert(name_space);
}

void Intake::Store::CountMin(const objects::ResourceList& min, std::int64_t by) {
  for (const auto& [resource, amount] : min) {
    MinSum& sum = min_sums_[resource];
    sum.named_by += by;
    sum.sum += static_cast<Wide>(amount) * by;
    if (sum.named_by == 0) min_sums_.erase(resource);
  }
  sums_dirty_ = true;
}

// The namespace's work is of no such queue any more.
void Intake::Store::Unbind(const std::string& name_space, const std::string& queue) {
  quota_queues_.erase(queue);
  kueue_dirty_ = true;  // a name that one of Kueue's queues may have
  dirty_queues_.insert(queue);
  scope_.quota_queues.insert(queue);
  scope_.name_spaces.insert(name_space);
}

// The queue of the quotas in `name_space`, which may have none, after some name was taken or freed.
void Intake::Store::NameQuotaQueue(std::string_view name_space) {
  auto found = quotas_.find(name_space);
  if (found == quotas_.end()) return;
  const std::string& owner = found->first;
  const bool taken =
      queues_.contains(owner) || owner == configuration_->default_queue || owner == kElasticQuotas;
  std::string name = taken ? KeyOf(kElasticQuotas, owner) : owner;
  std::string& queue = found->second.queue;
  if (queue == name) return;
  if (!queue.empty()) Unbind(owner, queue);
  queue = std::move(name);
  quota_queues_[queue] = owner;
  kueue_dirty_ = true;
  dirty_queues_.insert(queue);
  dirty_quotas_.insert(owner);
  scope_.quota_queues.insert(queue);
  scope_.name_spaces.insert(owner);
}

state::QueueChange Intake::Store::QuotaQueueOf(const QuotaSpace& space,
                                               std::string_view name_space) const {
  const QuotaRow& quota = space.quotas.front();
  state::QueueChange change;
  change.name = space.queue;
  change.parent = kElasticQuotas;
  change.guaranteed = quota.min;
  change.limit = quota.max;
  change.weight.milli = 0;
  change.created = quota.created;
  change.derived_from = "ElasticQuota " + KeyOf(name_space, quota.name);
  return change;
}

state::QueueChange Intake::Store::QuotasParent() const {
  state::QueueChange change;
  if (auto own = queues_.find(kElasticQuotas); own != queues_.end()) {
    change = intake::ChangeOf(own->second);
  } else {
    change.name = kElasticQuotas;
    change.weight.milli = 0;
    change.derived_from = "ElasticQuotas";
  }
  objects::ResourceList sums;
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  for (const auto& [resource, min] : min_sums_) {
    sums.emplace_back(resource, static_cast<std::int64_t>(std::min(min.sum, kMost)));
  }
  if (change.guaranteed.empty() && change.guaranteed_all.empty()) change.guaranteed = sums;
  if (change.limit.empty()) change.limit = sums;
  return change;
}

void Intake::Store::Upsert(const objects::ResourceQuota& quota) {
  const std::string key = quota.meta.Key();
  // One with scopes says nothing of the other pods.
  if (!quota.scopes.empty()) {
    RemoveHard(key);
    return;
  }
  hard_[key] = {.hard = quota.hard, .source = quota.meta.source};
  dirty_quotas_.insert(quota.meta.name_space);
}

bool Intake::Store::RemoveHard(std::string_view key) {
  auto found = hard_.find(key);
  if (found == hard_.end()) return false;
  dirty_quotas_.emplace(objects::SplitKey(key).name_space);
  hard_.erase(found);
  return true;
}

// What all ResourceQuotas of the namespace allow together; their names as source.
std::optional<HardRow> Intake::Store::HardOf(std::string_view name_space) const {
  std::optional<HardRow> all;
  const std::string prefix = KeyOf(name_space, "");
  for (auto at = hard_.lower_bound(prefix); at != hard_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    if (!all) all.emplace();
    all->source += (all->source.empty() ? "" : ", ") + at->first;
    for (const auto& [resource, amount] : at->second.hard) {
      auto said = std::ranges::find(
          all->hard, resource, [](const auto& entry) -> const std::string& { return entry.first; });
      if (said == all->hard.end()) {
        all->hard.emplace_back(resource, amount);
      } else {
        said->second = std::min(said->second, amount);
      }
    }
  }
  return all;
}

void Intake::Store::CountPool(const NodeRow& row, std::int64_t by) {
  for (const auto& [resource, amount] : row.change.allocatable) {
    pool_sums_[resource] += static_cast<Wide>(amount) * by;
  }
  pool_nodes_ += by;
  device_memory_.Count(row.change.labels, row.change.allocatable, by);
  sums_dirty_ = true;
}

// Where no node is known they may come from elsewhere.
std::vector<std::string> Intake::Store::MinAboveCluster() const {
  std::vector<std::string> above;
  if (pool_nodes_ == 0) return above;
  for (const auto& [resource, min] : min_sums_) {
    auto pool = pool_sums_.find(resource);
    if (min.sum > (pool == pool_sums_.end() ? Wide{0} : pool->second)) above.push_back(resource);
  }
  return above;
}

// Tells those that name a resource in which the cluster became too small, or large enough.
void Intake::Store::NoteMinAboveCluster() {
  if (!std::exchange(sums_dirty_, false)) return;
  std::vector<std::string> above = MinAboveCluster();
  if (above == above_cluster_) return;
  std::vector<std::string> moved;
  std::ranges::set_symmetric_difference(above, above_cluster_, std::back_inserter(moved));
  above_cluster_ = std::move(above);
  for (const auto& [name_space, space] : quotas_) {
    const bool names_one = std::ranges::any_of(MinOf(space), [&](const auto& entry) {
      return std::ranges::find(moved, entry.first) != moved.end();
    });
    if (names_one) dirty_quotas_.insert(name_space);
  }
}

// What its owner should know of a quota; sorted by code.
std::vector<state::QuotaProblem> Intake::Store::ProblemsOf(std::string_view name_space,
                                                           const QuotaSpace& space,
                                                           const QuotaRow& quota) const {
  std::vector<state::QuotaProblem> problems;
  const auto add = [&](std::string_view code, std::string message) {
    problems.push_back({.code = std::string(code), .message = std::move(message)});
  };
  const std::optional<HardRow> hard = HardOf(name_space);
  const auto above_hard = [&](std::string_view code, std::string_view field,
                              const std::string& resource, std::int64_t amount) {
    const std::int64_t* allowed = hard ? Find(hard->hard, resource) : nullptr;
    if (allowed == nullptr || amount <= *allowed) return;
    add(code, fmt::format("its {} of {} is {}, above the {} that the ResourceQuota {} allows",
                          field, resource, FormatResource(resource, amount),
                          FormatResource(resource, *allowed), hard->source));
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
    auto label = bound_name_spaces_.find(name_space);
    if (label != bound_name_spaces_.end() && label->second.queue != space.queue) {
      add("QueueLabelCounts",
          fmt::format("the label {} of namespace {} names the queue {}, which counts before it",
                      objects::kQueueLabel, name_space, label->second.queue));
    }
    if (queues_.contains(name_space)) {
      add("NameTaken", fmt::format("a Queue {} is there too; the queue of this quota is {}",
                                   name_space, space.queue));
    }
  }
  std::ranges::stable_sort(problems, {}, &state::QuotaProblem::code);
  return problems;
}

void Intake::Store::TakeQuotas(std::vector<state::Change>& out) {
  NoteMinAboveCluster();
  for (const std::string& name_space : std::exchange(dirty_quotas_, {})) {
    const std::string prefix = KeyOf(name_space, "");
    static const QuotaSpace kNone;
    auto found = quotas_.find(name_space);
    const QuotaSpace& space = found == quotas_.end() ? kNone : found->second;
    std::map<std::string, state::QuotaChange> fresh;
    for (const QuotaRow& quota : space.quotas) {
      state::QuotaChange change;
      change.name = prefix + quota.name;
      const bool counts = &quota == &space.quotas.front();
      if (counts) change.queue = space.queue;
      for (const objects::ResourceList* list : {&quota.min, &quota.max}) {
        for (const auto& [resource, amount] : *list) change.resources.push_back(resource);
      }
      std::ranges::sort(change.resources);
      change.resources.erase(std::ranges::unique(change.resources).begin(), change.resources.end());
      change.problems = ProblemsOf(name_space, space, quota);
      for (const std::string& resource : above_cluster_) {
        if (!counts || Find(quota.min, resource) == nullptr) continue;
        change.problems.push_back(
            {.code = "MinAboveCluster",
             .message = fmt::format("all quotas' min of {} are more together than the nodes have",
                                    resource)});
      }
      std::ranges::stable_sort(change.problems, {}, &state::QuotaProblem::code);
      fresh.emplace(change.name, std::move(change));
    }
    for (auto at = given_quotas_.lower_bound(prefix);
         at != given_quotas_.end() && at->first.starts_with(prefix);) {
      if (fresh.contains(at->first)) {
        ++at;
        continue;
      }
      removals_.push_back({.kind = state::RowKind::kQuota, .name = at->first});
      at = given_quotas_.erase(at);
    }
    for (auto& [name, change] : fresh) {
      auto given = given_quotas_.find(name);
      if (given != given_quotas_.end() && given->second == change) continue;
      given_quotas_.insert_or_assign(name, change);
      out.emplace_back(std::move(change));
    }
  }
}

}  // namespace fairlead::intake
