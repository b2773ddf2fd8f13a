#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "intake/kueue/kueue_queues.h"
#include "intake/quota/quotas.h"
#include "intake/tables/queue_uses.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// All queues, whatever they are made of: Queues, ElasticQuotas, what stands for Kueue's objects,
// and the default one, which is always there and made when the first one uses it. A view: it keeps
// nothing.
//
// There may be cycles, and parents that are not there.
class QueueTree {
 public:
  QueueTree(const Tables& tables, const Quotas& quotas, const KueueQueues& kueue,
            const QueueUses& uses)
      : tables_(tables), quotas_(quotas), kueue_(kueue), uses_(uses) {}

  // Whether something that is not Kueue's has the name.
  bool HasBesideKueue(std::string_view queue) const;
  bool HasOwn(std::string_view queue) const;  // … or that is
  bool Has(std::string_view queue) const;     // … or it is the default one
  // What there is under the name; none: nothing is.
  std::optional<state::QueueChange> Find(const std::string& name) const;

  std::string_view ParentOf(std::string_view queue) const;  // empty: it has none, or is not there
  bool IsAtOrBelow(std::string_view queue, std::string_view ancestor) const;
  // The first from `queue` up for which wanted(name); empty: there is none. Cost: O(depth).
  template <typename Wanted>
  std::string_view FirstUpwards(std::string_view queue, Wanted wanted) const {
    // Bounded: there may be a cycle. A quota's queue and their parent may stand above all others.
    const std::size_t most = tables_.queues.size() + kueue_.model().queues.size() + 2;
    for (std::size_t steps = 0; steps <= most && !queue.empty(); ++steps) {
      if (wanted(queue)) return queue;
      queue = ParentOf(queue);
    }
    return {};
  }

 private:
  const Tables& tables_;
  const Quotas& quotas_;
  const KueueQueues& kueue_;
  const QueueUses& uses_;
};

}  // namespace fairlead::intake
