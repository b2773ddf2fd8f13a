#include "intake/quota/quotas.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "objects/key.h"

namespace fairlead::intake {
namespace {

const objects::ResourceList& MinOf(const QuotaSpace& space) {
  static const objects::ResourceList kNone;
  return space.quotas.empty() ? kNone : space.quotas.front().min;
}

}  // namespace

void Quotas::Upsert(const objects::ElasticQuota& quota, Time now) {
  const std::string& name_space = quota.meta.name_space;
  QuotaSpace& space = spaces_[name_space];
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
  if (space.queue.empty()) NameQueue(name_space);
  Recount(name_space, min_before);
}

bool Quotas::Remove(std::string_view name_space, std::string_view name) {
  auto found = spaces_.find(name_space);
  if (found == spaces_.end()) return false;
  QuotaSpace& space = found->second;
  auto held = std::ranges::find(space.quotas, name, &QuotaRow::name);
  if (held == space.quotas.end()) return false;
  const objects::ResourceList min_before = MinOf(space);
  space.quotas.erase(held);
  const std::string owner = found->first;
  Recount(owner, min_before);
  if (!space.quotas.empty()) return true;
  Unbind(owner, space.queue);
  spaces_.erase(found);
  return true;
}

// After the quotas of a namespace changed.
void Quotas::Recount(const std::string& name_space, const objects::ResourceList& min_before) {
  const QuotaSpace& space = spaces_.find(name_space)->second;
  if (MinOf(space) != min_before) {
    mins_.Count(min_before, -1);
    mins_.Count(MinOf(space), +1);
  }
  marks_.MarkQueue(space.queue);
  marks_.MarkQueue(kElasticQuotas);
  changed_.insert(name_space);
}

// The namespace's work is of no such queue any more.
void Quotas::Unbind(const std::string& name_space, const std::string& queue) {
  owners_.erase(queue);
  marks_.MarkQueueNames();  // a name that one of Kueue's queues may have
  marks_.MarkQueue(queue);
  marks_.scope().quota_queues.insert(queue);
  marks_.scope().name_spaces.insert(name_space);
}

// The queue of the quotas in `name_space`, which may have none, after some name was taken or freed.
void Quotas::NameQueue(std::string_view name_space) {
  auto found = spaces_.find(name_space);
  if (found == spaces_.end()) return;
  const std::string& owner = found->first;
  const bool taken = tables_.queues.contains(owner) ||
                     owner == tables_.configuration->default_queue || owner == kElasticQuotas;
  std::string name = taken ? objects::JoinKey(kElasticQuotas, owner) : owner;
  std::string& queue = found->second.queue;
  if (queue == name) return;
  if (!queue.empty()) Unbind(owner, queue);
  queue = std::move(name);
  owners_[queue] = owner;
  marks_.MarkQueueNames();
  marks_.MarkQueue(queue);
  changed_.insert(owner);
  marks_.scope().quota_queues.insert(queue);
  marks_.scope().name_spaces.insert(owner);
}

std::optional<state::QueueChange> Quotas::QueueNamed(std::string_view name) const {
  const auto owner = owners_.find(name);
  if (owner == owners_.end()) return std::nullopt;
  const std::string& name_space = owner->second;
  const QuotaSpace& space = spaces_.find(name_space)->second;
  const QuotaRow& quota = space.quotas.front();
  state::QueueChange change;
  change.name = space.queue;
  change.parent = kElasticQuotas;
  change.guaranteed = quota.min;
  change.limit = quota.max;
  change.weight.milli = 0;
  change.created = quota.created;
  change.derived_from = "ElasticQuota " + objects::JoinKey(name_space, quota.name);
  return change;
}

state::QueueChange Quotas::Parent() const {
  state::QueueChange change;
  if (auto own = tables_.queues.find(kElasticQuotas); own != tables_.queues.end()) {
    change = ChangeOf(own->second);
  } else {
    change.name = kElasticQuotas;
    change.weight.milli = 0;
    change.derived_from = "ElasticQuotas";
  }
  const objects::ResourceList sums = mins_.AsList();
  if (change.guaranteed.empty() && change.guaranteed_all.empty()) change.guaranteed = sums;
  if (change.limit.empty()) change.limit = sums;
  return change;
}

void Quotas::Upsert(const objects::ResourceQuota& quota) {
  if (hard_.Upsert(quota)) changed_.insert(quota.meta.name_space);
}

bool Quotas::RemoveHard(std::string_view key) {
  if (!hard_.Remove(key)) return false;
  changed_.emplace(objects::SplitKey(key).name_space);
  return true;
}

const QuotaSpace* Quotas::SpaceOf(std::string_view name_space) const {
  const auto found = spaces_.find(name_space);
  return found == spaces_.end() ? nullptr : &found->second;
}

const std::string* Quotas::OwnerOf(std::string_view queue) const {
  const auto found = owners_.find(queue);
  return found == owners_.end() ? nullptr : &found->second;
}

}  // namespace fairlead::intake
