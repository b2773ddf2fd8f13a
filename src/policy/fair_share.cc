// Water-filling, exactly.
//
// After the guarantees, what is left (L) goes to bands of priority, high first. In a band every
// sharer asks a rest r and has a weight w. Sorted by r/w, the first k are satisfied in full as long
// as r_k ≤ L·w_k/W, where L and W are what is left and the weight of those not yet satisfied; from
// there on everybody gets L·w/W, a fraction, and nothing is left for later bands. So at most one
// band ends in fractions, all with the denominator W, and rounding happens once.
//
// Worked (semantics.md §2): 11 GPUs; a and b are guaranteed 2 each and ask 6, weights 3 and 1.
// L = 7; rests are 4 and 4. a: 4·4 ≤ 7·3, so a gets 4; then L = 3, W = 1: 4·1 > 3·1, b gets 3.

#include "policy/fair_share.h"

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/wide_int.h"
#include "policy/usage_weight.h"

namespace fairlead::policy {
namespace {

using state::Figure;
using state::QueueId;
using state::QueueTree;
using state::ResourceId;
struct Fraction {
  Sharer* sharer;
  std::int64_t rest;  // asked beyond the guarantee
  WideInt remainder;  // of the division by W, for rounding
};

// Gives everyone in `open` the part left·w/W, rounded down to units, and what rounding leaves by
// largest remainder, one unit each.
void GiveFractions(std::int64_t left, std::int64_t unit, std::span<Fraction> open) {
  WideInt total_weight = 0;
  for (const Fraction& f : open) total_weight += f.sharer->weight_milli;
  std::int64_t given = 0;
  const WideInt denominator = total_weight * unit;
  for (Fraction& f : open) {
    const WideInt numerator = static_cast<WideInt>(left) * f.sharer->weight_milli;
    const std::int64_t units = static_cast<std::int64_t>(numerator / denominator);
    f.remainder = numerator % denominator;
    f.sharer->share += units * unit;
    given += units * unit;
  }
  std::sort(open.begin(), open.end(), [](const Fraction& a, const Fraction& b) {
    if (a.remainder != b.remainder) return a.remainder > b.remainder;
    if (a.sharer->created != b.sharer->created) return a.sharer->created < b.sharer->created;
    return *a.sharer->name < *b.sharer->name;
  });
  for (Fraction& f : open) {
    if (given >= left) return;
    const std::int64_t most = f.sharer->requestable - f.sharer->share;
    const std::int64_t more = std::min({unit, left - given, most});
    f.sharer->share += more;
    given += more;
  }
}

// One band: returns what it leaves to the next.
std::int64_t FillBand(std::int64_t left, std::int64_t unit, std::span<Fraction> band) {
  WideInt asked = 0;
  WideInt weight = 0;
  for (const Fraction& f : band) {
    asked += f.rest;
    weight += f.sharer->weight_milli;
  }
  if (asked <= left) {
    for (Fraction& f : band) f.sharer->share += f.rest;
    return left - static_cast<std::int64_t>(asked);
  }
  std::sort(band.begin(), band.end(), [](const Fraction& a, const Fraction& b) {
    return static_cast<WideInt>(a.rest) * b.sharer->weight_milli <
           static_cast<WideInt>(b.rest) * a.sharer->weight_milli;
  });
  std::size_t satisfied = 0;
  for (; satisfied < band.size(); ++satisfied) {
    const Fraction& f = band[satisfied];
    if (static_cast<WideInt>(f.rest) * weight > static_cast<WideInt>(left) * f.sharer->weight_milli)
      break;
    f.sharer->share += f.rest;
    left -= f.rest;
    weight -= f.sharer->weight_milli;
  }
  GiveFractions(left, unit, band.subspan(satisfied));
  return 0;
}

}  // namespace

void Divide(std::int64_t amount, std::int64_t unit, std::span<Sharer> sharers) {
  WideInt asked = 0;
  std::int64_t left = amount;
  for (Sharer& c : sharers) {
    c.share = std::min(c.guaranteed, c.requestable);
    left -= c.share;
    asked += c.requestable;
  }
  if (left <= 0) return;

  static thread_local std::vector<Fraction> open;
  open.clear();
  for (Sharer& c : sharers) {
    // A weight of 0 has no right to a surplus.
    if (c.requestable > c.share && c.weight_milli > 0)
      open.push_back({&c, c.requestable - c.share, 0});
  }
  if (open.empty()) return;
  auto higher = [](const Fraction& a, const Fraction& b) {
    return a.sharer->priority > b.sharer->priority;
  };
  if (!std::is_sorted(open.begin(), open.end(), higher))
    std::sort(open.begin(), open.end(), higher);
  for (std::size_t from = 0; from < open.size() && left > 0;) {
    std::size_t to = from;
    while (to < open.size() && open[to].sharer->priority == open[from].sharer->priority) ++to;
    left = FillBand(left, unit, std::span(open).subspan(from, to - from));
    from = to;
  }
}

namespace {

// Queues have no share of what they do not count.
bool Divided(const QueueTree& queues, ResourceId r) {
  return !state::IsInternal(r) && queues.Counts(r);
}

void PutSharers(const QueueTree& queues, QueueId parent, ResourceId r,
                std::vector<Sharer>& sharers) {
  sharers.clear();
  sharers.reserve(queues[parent].children.size());
  for (const QueueId child : queues[parent].children) {
    const state::Queue& queue = queues[child];
    sharers.push_back({.guaranteed = queues.Get(child, Figure::kGuaranteed, r),
                       .requestable = std::max<std::int64_t>(0, queues.Requestable(child, r)),
                       .weight_milli = queue.weights[r.value()],
                       .priority = queue.priority,
                       .created = queue.created,
                       .name = &queue.name,
                       .used = queues.usage().Of(child, r)});
  }
}

// Which resources of a parent have to be divided anew: a bit each.
class Divisions {
 public:
  // `share`: which one is worked out. kPlainShare: as if nobody had used anything.
  Divisions(QueueTree& queues, const state::ResourceTable& resources, Figure share)
      : queues_(queues),
        resources_(resources),
        share_(share),
        by_usage_(share == Figure::kFairShare && queues.usage().counts()) {}

  void Mark(QueueId parent, ResourceId r) {
    std::uint64_t& bits = marked_[parent.value()];
    if (bits == 0) {
      const std::uint32_t depth = queues_[parent].depth;
      if (by_depth_.size() <= depth) by_depth_.resize(depth + std::size_t{1});
      by_depth_[depth].push_back(parent);
    }
    bits |= Bit(r);
  }

  // `child` asks another amount. Where everybody gets what they ask, before and after, that is its
  // share and nobody else is concerned; else its parent is divided again. REQUIRES: the children of
  // one parent come after what was asked of the parent itself has been dealt with (Run).
  void Reask(QueueId child, ResourceId r) { asked_.push_back({child, r}); }

  // Returns whether a share was set to another than before.
  bool Run() {
    // Parents first: what there is to divide must be known before it is divided.
    std::sort(asked_.begin(), asked_.end(), [this](const Asked& a, const Asked& b) {
      return queues_[a.child].depth < queues_[b.child].depth;
    });
    std::size_t next = 0;
    for (std::uint32_t depth = 0; depth < by_depth_.size() || next < asked_.size(); ++depth) {
      for (; next < asked_.size() && queues_[asked_[next].child].depth == depth + 1; ++next) {
        const auto [child, r] = asked_[next];
        const QueueId parent = queues_[child].parent;
        if (!StaySatisfied(parent, child, r)) {
          Mark(parent, r);
        } else {
          SetShare(child, r, queues_.Requestable(child, r));
        }
      }
      if (depth < by_depth_.size()) DivideAt(depth);
    }
    return changed_;
  }

 private:
  struct Asked {
    QueueId child;
    ResourceId r;
  };

  bool StaySatisfied(QueueId parent, QueueId child, ResourceId r) const {
    if (!queues_.ChildrenSatisfied(parent, r)) return false;
    const std::int64_t asked =
        queues_.Get(parent, Figure::kRequested, r) - queues_.Get(parent, Figure::kOwnRequested, r);
    const bool has_right =
        queues_[child].weights[r.value()] > 0 ||
        queues_.Requestable(child, r) <= queues_.Get(child, Figure::kGuaranteed, r);
    return has_right && asked <= ToDivide(parent, r);
  }

  void DivideAt(std::uint32_t depth) {
    for (std::size_t i = 0; i < by_depth_[depth].size(); ++i) {
      const QueueId parent = by_depth_[depth][i];
      for (std::uint32_t r = 0; r < resources_.size(); ++r) {
        const bool marked = (marked_[parent.value()] & Bit(ResourceId(r))) != 0;
        if (marked && Divided(queues_, ResourceId(r))) DivideOne(parent, ResourceId(r));
      }
    }
  }

  // The 64th and later resources share a bit: they are then divided together.
  static std::uint64_t Bit(ResourceId r) { return 1ULL << std::min(r.value(), 63U); }

  std::int64_t ToDivide(QueueId parent, ResourceId r) const {
    return parent == QueueTree::Root() ? queues_.capacity(r) : queues_.Get(parent, share_, r);
  }

  void SetShare(QueueId child, ResourceId r, std::int64_t share) {
    const bool changed = queues_.Get(child, share_, r) != share;
    queues_.SetShare(child, share_, r, share);
    changed_ |= changed;
    if (changed && !queues_[child].children.empty()) Mark(child, r);
  }

  void DivideOne(QueueId parent, ResourceId r) {
    const std::vector<QueueId>& children = queues_[parent].children;
    const std::int64_t amount = ToDivide(parent, r);
    PutSharers(queues_, parent, r, sharers_);
    if (by_usage_) {
      const std::vector<UsageWeight> weights =
          UsageWeights(sharers_, queues_.usage().influence_milli());
      for (std::size_t i = 0; i < sharers_.size(); ++i)
        sharers_[i].weight_milli = weights[i].weight;
    }
    Divide(amount, state::ResourceTable::ShareUnit(r), sharers_);
    bool satisfied = true;
    for (std::size_t i = 0; i < children.size(); ++i) {
      satisfied = satisfied && sharers_[i].share == sharers_[i].requestable;
      SetShare(children[i], r, sharers_[i].share);
    }
    // What usage makes of weights may leave a queue no right to what nobody else asks.
    if (share_ == Figure::kFairShare) {
      queues_.SetChildrenSatisfied(parent, r, satisfied && !by_usage_);
    }
  }

  QueueTree& queues_;
  const state::ResourceTable& resources_;
  const Figure share_;
  const bool by_usage_;
  boost::unordered_flat_map<std::uint32_t, std::uint64_t> marked_;  // by queue: bits of resources
  std::vector<std::vector<QueueId>> by_depth_;
  std::vector<Asked> asked_;
  std::vector<Sharer> sharers_;
  bool changed_ = false;
};

// A queue that asked at least a unit more than it got, and still does, moves nobody's share: the
// water does not reach it, however its level was rounded. Any other change counts.
bool MovesTheLevel(const QueueTree& queues, QueueId q, ResourceId r) {
  const std::int64_t out_of_reach =
      queues.Get(q, Figure::kFairShare, r) + state::ResourceTable::ShareUnit(r);
  const std::int64_t before = queues.Get(q, Figure::kDivided, r);
  const std::int64_t now = queues.Requestable(q, r);
  return now != before && (before < out_of_reach || now < out_of_reach);
}

// Which is worked out: of the children of all, or of those who ask another amount.
bool BringUpToDate(QueueTree& queues, const state::ResourceTable& resources, Figure share, bool all,
                   const std::vector<QueueId>& asked) {
  // With a queue that begins or ceases to ask the weights of its siblings are others.
  const bool level_tells = !queues.usage().counts();
  Divisions divisions(queues, resources, share);
  for (QueueId q : all ? queues.order() : asked) {
    if (all ? queues[q].children.empty() : q == QueueTree::Root()) continue;
    for (std::uint32_t i = 0; i < resources.size(); ++i) {
      const ResourceId r(i);
      if (!Divided(queues, r)) continue;
      if (all) {
        divisions.Mark(q, r);
      } else if (!level_tells) {
        divisions.Mark(queues[q].parent, r);
      } else if (MovesTheLevel(queues, q, r)) {
        divisions.Reask(q, r);
      }
    }
  }
  return divisions.Run();
}

}  // namespace

std::vector<Sharer> SharersOf(const QueueTree& queues, QueueId parent, ResourceId r) {
  std::vector<Sharer> sharers;
  PutSharers(queues, parent, r, sharers);
  return sharers;
}

bool UpdateFairShares(QueueTree& queues, const state::ResourceTable& resources) {
  const std::vector<QueueId> asked = queues.TakeAsked();
  const bool all = queues.TakeDivideAll();
  if (!all && asked.empty()) return false;
  bool changed = BringUpToDate(queues, resources, Figure::kFairShare, all, asked);
  if (queues.usage().counts()) {
    changed |= BringUpToDate(queues, resources, Figure::kPlainShare, all, asked);
  }
  return changed;
}

}  // namespace fairlead::policy
