#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/flat_map.hpp>

#include "base/name_map.h"
#include "state/accounts.h"
#include "state/change.h"
#include "state/idle_guarantees.h"
#include "state/ids.h"
#include "state/resources.h"
#include "state/usage.h"

namespace fairlead::state {

// An amount that is never reached: "no limit", "all that the parent has".
inline constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max() / 4;

// A figure that a queue has for every resource.
enum class Figure : std::uint8_t {
  kGuaranteed,      // spec; kUnlimited: all that the parent has
  kLimit,           // spec; kUnlimited: none
  kAllocated,       // Σ requests of its subtree's live pods
  kNonPreemptible,  // the part of kAllocated that is not preemptible
  // What pods that are still leaving take, less what pods that claim room do not take yet: beyond
  // what is allocated the queue uses so much at this moment. Below zero where more is claimed than
  // leaves. Kept where there is a limit only (Queue::limited).
  kTurnover,
  kTurnoverNonPreemptible,
  kRequested,   // own live and waiting pods, plus Σ requestable of the children
  kFairShare,   // set by policy/fair_share
  kPlainShare,  // the same, as if nobody had used anything; kept where usage counts only
  kDivided,     // what was requestable when the fair share was last divided
  kOwnAllocated,
  kOwnNonPreemptible,
  kOwnRequested,  // of workloads directly in this queue
  kCount
};

enum class QueueHealth : std::uint8_t { kReady, kNotFound, kParentNotFound, kParentCycle };

struct Queue {
  std::string name;
  std::string parent_name;
  std::string derived_from;       // empty: a Queue, or the default one (state/change.h)
  QueueId parent;                 // of the tree as it is used; invalid for the root only
  std::vector<QueueId> children;  // by name
  std::uint32_t depth = 0;
  QueueHealth health = QueueHealth::kNotFound;
  bool exists = false;
  bool active = true;
  std::string why_inactive;
  Asks asks;
  bool limits_all = false;  // resources that it does not name may not be used
  bool limited = false;     // of some resource
  std::int32_t priority = 0;
  Time created;
  objects::Weight weight;
  std::vector<std::int64_t> weights;  // by resource, thousandths
  // Resources (by bit, the first 64) of which every child got all it asked when last divided.
  std::uint64_t satisfied_children = 0;
  std::vector<ResourceId> guaranteed_names;  // what `guaranteed` names, an amount of 0 included
  std::optional<Duration> preempt_min_runtime, reclaim_min_runtime;
  std::optional<objects::MaxLoss> max_loss;
  std::optional<Duration> repeat_protection;
  std::int32_t lend = 100;  // percent of what is idle below it that others may use
  objects::WorkOrder order = objects::WorkOrder::kCreated;
  std::optional<Duration> ageing;
  std::optional<Duration> median_duration;  // of work that succeeded, as the cluster shows it
  std::vector<objects::UserLimit> user_limits;
  std::optional<objects::QueueUsage> shown_usage;  // as the cluster shows it
  boost::container::flat_map<std::int32_t, std::int64_t> placed_priorities;
};

// The queue tree with running sums: a figure changes along the path to the root, never by walking
// pods. Row 0 is the implicit root.
//
// Invariants (recomputed in tests): allocated and turnover = own + Σ children's; requested = own +
// Σ requestable of children; requestable = min(limit, requested), or allocated where the queue is
// not ready. Queues that workloads name but nobody made stand at the root with health kNotFound.
// Members of a cycle and queues without their parent stand at the root too, not ready.
class QueueTree {
 public:
  explicit QueueTree(const ResourceTable& resources);

  static constexpr QueueId Root() { return QueueId(0U); }
  QueueId Find(std::string_view name) const;  // only queues that exist; else invalid
  QueueId Intern(std::string_view name);
  std::uint32_t size() const { return static_cast<std::uint32_t>(queues_.size()); }
  const Queue& operator[](QueueId q) const { return queues_[q.value()]; }

  std::int64_t Get(QueueId q, Figure f, ResourceId r) const {
    return figures_[static_cast<std::size_t>(f)][std::size_t{q.value()} * stride_ + r.value()];
  }
  // Grows whenever what some queue has allocated, or its share, changes.
  std::uint64_t figures_version() const { return figures_version_; }
  const std::int64_t* Row(QueueId q, Figure f) const {
    return &figures_[static_cast<std::size_t>(f)][std::size_t{q.value()} * stride_];
  }
  std::int64_t Requestable(QueueId q, ResourceId r) const;
  std::int64_t capacity(ResourceId r) const { return capacity_[r.value()]; }
  // Some queue's `guaranteed` names the resource.
  bool GuaranteedInTree(ResourceId r) const { return guaranteed_by_[r.value()] > 0; }
  // Queues count `pods` only where one of them names it, slots for volumes never; everything else
  // always.
  bool Counts(ResourceId r) const { return counts_[r.value()] != 0; }

  void Update(QueueId q, const QueueChange& change, ResourceTable& resources);
  // Of the root, which has no object.
  void LendOfAll(std::int32_t percent);
  void Retire(QueueId q);  // the object is gone; what runs in it goes on, counted here and above

  // What pods of one kind count for.
  struct Bearing {
    std::int32_t priority = 0;
    bool preemptible = true;
  };
  // `times` pods of `request` more (or fewer) placed directly in `q`.
  void AddAllocated(QueueId q, const Amounts& request, std::int64_t times, Bearing bearing);
  // The same of pods that are leaving (+) or claim room (-): Figure::kTurnover. Of no effect
  // before Settle, after which they are to be added anew.
  void AddTurnover(QueueId q, const Amounts& request, std::int64_t times, bool preemptible);
  // How many preemptible pods are placed directly in `q`, by priority; of the root: in all queues.
  const boost::container::flat_map<std::int32_t, std::int64_t>& PlacedPriorities(QueueId q) const {
    return queues_[q.value()].placed_priorities;
  }
  void AddRequested(QueueId q, const Amounts& request, std::int64_t times);
  void AddCapacity(ResourceId r, std::int64_t amount);
  // `f`: kFairShare or kPlainShare.
  void SetShare(QueueId q, Figure f, ResourceId r, std::int64_t share);
  void SetChildrenSatisfied(QueueId parent, ResourceId r, bool satisfied);
  bool ChildrenSatisfied(QueueId parent, ResourceId r) const;
  void Widen(const ResourceTable& resources);

  // What users and groups have under limits; what queues used over time.
  const Accounts& accounts() const { return accounts_; }
  Accounts& accounts() { return accounts_; }
  const Usage& usage() const { return usage_; }
  Usage& usage() { return usage_; }
  const IdleGuarantees& idle() const { return idle_; }

  // Brings the tree and its sums up to date after Update and Retire. Returns whether it had to.
  bool Settle();

  // A parent, then its subtree, siblings by name: as of the last Settle.
  const std::vector<QueueId>& order() const { return order_; }
  // No queue was updated or retired since Settle.
  bool settled() const { return settled_; }

  // Queues whose requestable amounts changed since TakeAsked; and whether shares must be divided
  // from nothing (the tree or the capacity changed, or what usage makes of weights).
  std::vector<QueueId> TakeAsked();
  bool TakeDivideAll();

 private:
  std::int64_t UnnamedLimit(const Queue& queue, ResourceId r) const;
  void Connect();
  void AddRequestedAlong(QueueId q, ResourceId r, std::int64_t delta);
  void NoteAsked(QueueId q);
  std::int64_t& At(QueueId q, Figure f, ResourceId r) {
    return figures_[static_cast<std::size_t>(f)][std::size_t{q.value()} * stride_ + r.value()];
  }

  std::uint32_t stride_ = 0;
  std::vector<Queue> queues_;
  std::vector<std::int64_t> figures_[static_cast<std::size_t>(Figure::kCount)];
  std::uint64_t figures_version_ = 1;
  std::vector<std::int64_t> capacity_;
  std::vector<std::int32_t> guaranteed_by_;
  std::int32_t named_pods_ = 0;
  std::vector<char> counts_;     // by resource
  std::uint32_t looked_at_ = 0;  // resources: whether they are slots
  bool any_limited_ = false;
  NameMap<QueueId> by_name_;
  std::vector<QueueId> order_;
  std::vector<QueueId> asked_;
  std::vector<bool> in_asked_;
  bool settled_ = false;
  bool divide_all_ = true;
  Accounts accounts_;
  Usage usage_;
  IdleGuarantees idle_;
};

// It is `ancestor`, or below it.
bool IsWithin(const QueueTree& queues, QueueId q, QueueId ancestor);
// No queue that exists names it as its parent.
bool IsLeaf(const QueueTree& queues, QueueId q);
// New work may start in it.
bool TakesWork(const QueueTree& queues, QueueId q);

// What a queue is guaranteed, where "all that the parent has" is what the parent is guaranteed, and
// of a top queue the capacity. A queue that is not ready: nothing.
std::int64_t GuaranteeOf(const QueueTree& queues, QueueId q, ResourceId r);

}  // namespace fairlead::state
