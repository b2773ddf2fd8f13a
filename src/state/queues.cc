#include "state/queues.h"

#include <algorithm>

#include "base/check.h"

namespace fairlead::state {
namespace {
constexpr std::size_t kFigures = static_cast<std::size_t>(Figure::kCount);
}

QueueTree::QueueTree(const ResourceTable& resources) {
  Widen(resources);
  counts_[kPods.value()] = 0;
  Intern("");
  Queue& root = queues_[0];
  root.exists = true;
  root.health = QueueHealth::kReady;
}

QueueId QueueTree::Find(std::string_view name) const {
  auto it = by_name_.find(name);
  return it == by_name_.end() || !queues_[it->second.value()].exists ? QueueId() : it->second;
}

QueueId QueueTree::Intern(std::string_view name) {
  auto [it, added] = by_name_.try_emplace(std::string(name), QueueId(size()));
  if (added) {
    queues_.emplace_back().name = name;
    queues_.back().weights.assign(stride_, 1000);
    for (auto& figure : figures_) figure.resize(figure.size() + stride_, 0);
    for (std::uint32_t r = 0; r < stride_; ++r)
      At(it->second, Figure::kLimit, ResourceId(r)) = kUnlimited;
    in_asked_.push_back(false);
    settled_ = false;
  }
  return it->second;
}

std::int64_t QueueTree::Requestable(QueueId q, ResourceId r) const {
  if (queues_[q.value()].health != QueueHealth::kReady) return Get(q, Figure::kAllocated, r);
  return std::min(Get(q, Figure::kLimit, r), Get(q, Figure::kRequested, r));
}

// Queues do not count `pods` unless one names it.
std::int64_t QueueTree::UnnamedLimit(const Queue& queue, ResourceId r) const {
  return queue.limits_all && r != kPods && !IsInternal(r) ? 0 : kUnlimited;
}

void QueueTree::Update(QueueId q, const QueueChange& change, ResourceTable& resources) {
  for (const objects::ResourceList* list :
       {&change.guaranteed, &change.limit, &change.weight.by_resource}) {
    for (const auto& [name, amount] : *list) resources.Intern(name);
  }
  for (const objects::UserLimit& limit : change.user_limits) {
    for (const auto& [name, max] : limit.max) resources.Intern(name);
  }
  for (const std::string& name : change.guaranteed_all) resources.Intern(name);
  Widen(resources);

  Queue& queue = queues_[q.value()];
  queue.parent_name = change.parent;
  queue.derived_from = change.derived_from;
  queue.exists = true;
  queue.active = change.active;
  queue.why_inactive = change.why_inactive;
  queue.asks = change.asks;
  queue.limits_all = change.limits_all;
  queue.priority = change.priority;
  queue.created = change.created;
  queue.weight = change.weight;
  queue.preempt_min_runtime = change.preempt_min_runtime;
  queue.reclaim_min_runtime = change.reclaim_min_runtime;
  queue.max_loss = change.max_loss.Copy();
  queue.repeat_protection = change.repeat_protection;
  queue.lend = change.lend;
  queue.order = change.order;
  queue.ageing = change.ageing.Copy();
  queue.median_duration = change.median_duration.Copy();
  queue.user_limits = change.user_limits;
  queue.shown_usage = change.usage.Copy();
  for (std::uint32_t r = 0; r < stride_; ++r) {
    At(q, Figure::kGuaranteed, ResourceId(r)) = 0;
    At(q, Figure::kLimit, ResourceId(r)) = UnnamedLimit(queue, ResourceId(r));
    queue.weights[r] =
        r < resources.size() ? change.weight.Of(resources.name(ResourceId(r))) : 1000;
  }
  queue.guaranteed_names.clear();
  auto guarantee = [&](const std::string& name, std::int64_t amount) {
    const ResourceId r = resources.Intern(name);
    At(q, Figure::kGuaranteed, r) = amount;
    At(q, Figure::kLimit, r) = kUnlimited;
    queue.guaranteed_names.push_back(r);
  };
  for (const auto& [name, amount] : change.guaranteed) guarantee(name, amount);
  for (const std::string& name : change.guaranteed_all) guarantee(name, kUnlimited);
  for (const auto& [name, amount] : change.limit) {
    At(q, Figure::kLimit, resources.Intern(name)) = amount;
  }
  settled_ = false;
}

void QueueTree::LendOfAll(std::int32_t percent) {
  settled_ = settled_ && queues_[0].lend == percent;
  queues_[0].lend = percent;
}

void QueueTree::Retire(QueueId q) {
  Queue& queue = queues_[q.value()];
  queue.exists = false;
  queue.lend = 100;
  queue.limits_all = false;
  queue.user_limits.clear();
  queue.weight = objects::Weight{.milli = 0, .by_resource = {}};
  queue.weights.assign(stride_, 0);
  queue.guaranteed_names.clear();
  for (std::uint32_t r = 0; r < stride_; ++r) {
    At(q, Figure::kGuaranteed, ResourceId(r)) = 0;
    At(q, Figure::kLimit, ResourceId(r)) = kUnlimited;
  }
  settled_ = false;
}

void QueueTree::AddAllocated(QueueId q, const Amounts& request, std::int64_t times,
                             Bearing bearing) {
  const bool preemptible = bearing.preemptible;
  if (preemptible) {
    for (QueueId counted : {q, Root()}) {
      auto& placed = queues_[counted.value()].placed_priorities;
      auto at = placed.try_emplace(bearing.priority, 0).first;
      at->second += times;
      if (at->second == 0) placed.erase(at);
      if (q == Root()) break;
    }
  }
  for (const Amount& a : request) {
    const std::int64_t delta = a.amount * times;
    At(q, Figure::kOwnAllocated, a.resource) += delta;
    if (!preemptible) At(q, Figure::kOwnNonPreemptible, a.resource) += delta;
  }
  if (!settled_) return;
  idle_.Add(*this, q, request, times);
  ++figures_version_;
  for (QueueId at = q; at.valid(); at = queues_[at.value()].parent) {
    std::int64_t* allocated = &At(at, Figure::kAllocated, ResourceId(0U));
    for (const Amount& a : request) allocated[a.resource.value()] += a.amount * times;
    // What a queue that is not ready may request follows what it has.
    if (queues_[at.value()].health != QueueHealth::kReady) {
      NoteAsked(at);
      for (const Amount& a : request) {
        AddRequestedAlong(queues_[at.value()].parent, a.resource, a.amount * times);
      }
    }
    if (preemptible) continue;
    std::int64_t* fixed = &At(at, Figure::kNonPreemptible, ResourceId(0U));
    for (const Amount& a : request) fixed[a.resource.value()] += a.amount * times;
  }
}

void QueueTree::AddTurnover(QueueId q, const Amounts& request, std::int64_t times,
                            bool preemptible) {
  if (!settled_ || (preemptible && !any_limited_)) return;
  for (QueueId at = q; at != Root(); at = queues_[at.value()].parent) {
    if (queues_[at.value()].limited) {
      std::int64_t* row = &At(at, Figure::kTurnover, ResourceId(0U));
      for (const Amount& a : request) row[a.resource.value()] += a.amount * times;
    }
    if (preemptible) continue;
    std::int64_t* fixed = &At(at, Figure::kTurnoverNonPreemptible, ResourceId(0U));
    for (const Amount& a : request) fixed[a.resource.value()] += a.amount * times;
  }
}

void QueueTree::AddRequested(QueueId q, const Amounts& request, std::int64_t times) {
  for (const Amount& a : request) {
    At(q, Figure::kOwnRequested, a.resource) += a.amount * times;
    if (settled_) AddRequestedAlong(q, a.resource, a.amount * times);
  }
}

void QueueTree::NoteAsked(QueueId q) {
  if (in_asked_[q.value()]) return;
  in_asked_[q.value()] = true;
  asked_.push_back(q);
}

void QueueTree::AddRequestedAlong(QueueId q, ResourceId r, std::int64_t delta) {
  while (delta != 0 && q.valid()) {
    const std::int64_t before = Requestable(q, r);
    At(q, Figure::kRequested, r) += delta;
    const std::int64_t after = Requestable(q, r);
    delta = after - before;
    if (delta != 0) NoteAsked(q);
    q = queues_[q.value()].parent;
  }
}

void QueueTree::AddCapacity(ResourceId r, std::int64_t amount) {
  capacity_[r.value()] += amount;
  divide_all_ = true;
  if (idle_.of_capacity()) settled_ = false;
}

void QueueTree::SetShare(QueueId q, Figure f, ResourceId r, std::int64_t share) {
  At(q, f, r) = share;
  ++figures_version_;
  if (f == Figure::kFairShare) At(q, Figure::kDivided, r) = Requestable(q, r);
}

void QueueTree::SetChildrenSatisfied(QueueId parent, ResourceId r, bool satisfied) {
  if (r.value() >= 64) return;
  const std::uint64_t bit = 1ULL << r.value();
  std::uint64_t& bits = queues_[parent.value()].satisfied_children;
  bits = satisfied ? bits | bit : bits & ~bit;
}

bool QueueTree::ChildrenSatisfied(QueueId parent, ResourceId r) const {
  return r.value() < 64 && (queues_[parent.value()].satisfied_children >> r.value() & 1) != 0;
}

void QueueTree::Widen(const ResourceTable& resources) {
  const std::uint32_t wider = (std::max(resources.size(), kFixedResources) + 3) / 4 * 4;
  if (counts_.size() < wider) counts_.resize(wider, 1);
  for (; looked_at_ < resources.size(); ++looked_at_) {
    if (resources.IsSlots(ResourceId(looked_at_))) counts_[looked_at_] = 0;
  }
  if (wider <= stride_) return;
  for (std::size_t f = 0; f < kFigures; ++f) {
    const bool limit = static_cast<Figure>(f) == Figure::kLimit;
    std::vector<std::int64_t> wide(static_cast<std::size_t>(size()) * wider,
                                   limit ? kUnlimited : 0);
    for (std::uint32_t q = 0; q < size(); ++q) {
      std::copy_n(figures_[f].begin() + static_cast<std::ptrdiff_t>(q) * stride_, stride_,
                  wide.begin() + static_cast<std::ptrdiff_t>(q) * wider);
    }
    if (limit) {
      for (std::uint32_t q = 0; q < size(); ++q) {
        for (std::uint32_t r = stride_; r < wider; ++r) {
          wide[std::size_t{q} * wider + r] = UnnamedLimit(queues_[q], ResourceId(r));
        }
      }
    }
    figures_[f] = std::move(wide);
  }
  for (Queue& queue : queues_) {
    for (std::uint32_t r = stride_; r < wider; ++r) {
      queue.weights.push_back(r < resources.size() ? queue.weight.Of(resources.name(ResourceId(r)))
                                                   : queue.weight.milli);
    }
  }
  capacity_.resize(wider, 0);
  guaranteed_by_.resize(wider, 0);
  stride_ = wider;
  settled_ = false;
}

void QueueTree::Connect() {
  // Follow parents from every queue; a walk that meets itself is a cycle.
  enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
  std::vector<Mark> marks(size(), Mark::kNew);
  marks[0] = Mark::kDone;
  for (std::uint32_t i = 1; i < size(); ++i) {
    std::vector<QueueId> path;
    QueueId q(i);
    while (marks[q.value()] == Mark::kNew) {
      marks[q.value()] = Mark::kOnPath;
      path.push_back(q);
      Queue& queue = queues_[q.value()];
      auto parent = by_name_.find(queue.parent_name);
      const bool known = parent != by_name_.end() && queues_[parent->second.value()].exists;
      queue.parent = known ? parent->second : Root();
      queue.health = !queue.exists ? QueueHealth::kNotFound
                     : known       ? QueueHealth::kReady
                                   : QueueHealth::kParentNotFound;
      q = queue.parent;
    }
    if (marks[q.value()] == Mark::kOnPath) {
      const auto from = std::find(path.begin(), path.end(), q);
      for (auto it = from; it != path.end(); ++it) {
        queues_[it->value()].parent = Root();
        queues_[it->value()].health = QueueHealth::kParentCycle;
      }
    }
    for (QueueId done : path) marks[done.value()] = Mark::kDone;
  }
}

bool QueueTree::Settle() {
  if (settled_) return false;
  Connect();
  for (Queue& queue : queues_) queue.children.clear();
  std::vector<QueueId> by_name;
  for (std::uint32_t i = 1; i < size(); ++i) by_name.emplace_back(i);
  std::sort(by_name.begin(), by_name.end(), [this](QueueId a, QueueId b) {
    return queues_[a.value()].name < queues_[b.value()].name;
  });
  for (QueueId q : by_name) queues_[queues_[q.value()].parent.value()].children.push_back(q);

  order_.clear();
  for (std::vector<QueueId> open = {Root()}; !open.empty();) {
    const QueueId q = open.back();
    open.pop_back();
    order_.push_back(q);
    const std::vector<QueueId>& children = queues_[q.value()].children;
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      Queue& queue = queues_[child->value()];
      queue.depth = queues_[q.value()].depth + 1;
      // What is wrong with a parent is wrong with its subtree.
      if (queue.health == QueueHealth::kReady) queue.health = queues_[q.value()].health;
      open.push_back(*child);
    }
  }

  std::fill(guaranteed_by_.begin(), guaranteed_by_.end(), 0);
  named_pods_ = 0;
  any_limited_ = false;
  constexpr std::pair<Figure, Figure> kSums[] = {
      {Figure::kAllocated, Figure::kOwnAllocated},
      {Figure::kNonPreemptible, Figure::kOwnNonPreemptible},
      {Figure::kRequested, Figure::kOwnRequested}};
  for (const auto& [sum, own] : kSums) {
    figures_[static_cast<std::size_t>(sum)] = figures_[static_cast<std::size_t>(own)];
  }
  for (const Figure f : {Figure::kTurnover, Figure::kTurnoverNonPreemptible}) {
    auto& row = figures_[static_cast<std::size_t>(f)];
    std::fill(row.begin(), row.end(), 0);
  }
  for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
    const QueueId q = *it;
    bool& limited = queues_[q.value()].limited;
    limited = false;
    for (ResourceId r : queues_[q.value()].guaranteed_names) {
      ++guaranteed_by_[r.value()];
      if (r == kPods) ++named_pods_;
    }
    for (std::uint32_t i = 0; i < stride_; ++i) {
      const ResourceId r(i);
      const bool has_limit = Get(q, Figure::kLimit, r) < kUnlimited;
      if (r == kPods && has_limit) ++named_pods_;
      if (q == Root()) continue;
      limited |= has_limit;
      const QueueId parent = queues_[q.value()].parent;
      At(parent, Figure::kAllocated, r) += Get(q, Figure::kAllocated, r);
      At(parent, Figure::kNonPreemptible, r) += Get(q, Figure::kNonPreemptible, r);
      At(parent, Figure::kRequested, r) += Requestable(q, r);
    }
    any_limited_ |= limited;
  }
  counts_[kPods.value()] = named_pods_ > 0 ? 1 : 0;
  idle_.Settle(*this, stride_);
  settled_ = true;
  divide_all_ = true;
  ++figures_version_;
  return true;
}

std::vector<QueueId> QueueTree::TakeAsked() {
  for (QueueId q : asked_) in_asked_[q.value()] = false;
  return std::exchange(asked_, {});
}

bool QueueTree::TakeDivideAll() {
  const bool by_usage = usage_.TakeNews();
  return std::exchange(divide_all_, false) || by_usage;
}

bool IsWithin(const QueueTree& queues, QueueId q, QueueId ancestor) {
  for (; q.valid(); q = queues[q].parent) {
    if (q == ancestor) return true;
  }
  return false;
}

bool IsLeaf(const QueueTree& queues, QueueId q) {
  return std::ranges::none_of(queues[q].children,
                              [&](QueueId child) { return queues[child].exists; });
}

bool TakesWork(const QueueTree& queues, QueueId q) {
  const Queue& queue = queues[q];
  return queue.health == QueueHealth::kReady && queue.active && q != QueueTree::Root() &&
         IsLeaf(queues, q);
}

std::int64_t GuaranteeOf(const QueueTree& queues, QueueId q, ResourceId r) {
  if (q != QueueTree::Root() && queues[q].health != QueueHealth::kReady) return 0;
  while (q != QueueTree::Root() && queues.Get(q, Figure::kGuaranteed, r) >= kUnlimited) {
    q = queues[q].parent;
  }
  return q == QueueTree::Root() ? queues.capacity(r) : queues.Get(q, Figure::kGuaranteed, r);
}

}  // namespace fairlead::state
