#include "intake/join/spread_scope.h"

#include <fmt/format.h>

#include "intake/facts/pod_traits.h"
#include "intake/join/queue_chooser.h"
#include "objects/key.h"

namespace fairlead::intake {
namespace {

// What somebody's join depends on.
struct Stand {
  std::string_view name_space, class_name;
  std::string_view named;        // the queue that is named; empty: none
  std::string_view local_queue;  // the same where it may be a LocalQueue
  NameId queue;                  // as joined
};

class Spread {
 public:
  Spread(const Scope& scope, const Tables& tables, const Quotas& quotas, const QueueTree& queues)
      : scope_(scope), tables_(tables), quotas_(quotas), queues_(queues) {}

  bool Touches(const Stand& stand) const {
    const std::string_view name_space = stand.name_space;
    if (scope_.all || scope_.name_spaces.contains(name_space)) return true;
    const std::string_view class_name = stand.class_name;
    if (class_name.empty() ? scope_.default_class : scope_.classes.contains(class_name)) {
      return true;
    }
    if (!scope_.queues.empty() && scope_.queues.contains(tables_.names[stand.queue])) return true;
    if (IsAtOrBelow(tables_.names[stand.queue], scope_.bounding_queues)) return true;
    if (!scope_.local_queues.empty() && !stand.local_queue.empty() &&
        scope_.local_queues.contains(fmt::format("{}/{}", name_space, stand.local_queue))) {
      return true;
    }
    if (stand.named.empty()) return false;
    const bool any_quota = quotas_.any() || !scope_.quota_queues.empty();
    if (scope_.queue_tree && (any_quota || tables_.bound_name_spaces.contains(name_space))) {
      return true;
    }
    return IsAtOrBelow(stand.named, scope_.quota_queues);
  }

  bool Touches(const GangRow& gang) const {
    Stand stand{.name_space = objects::SplitKey(gang.name).name_space, .queue = gang.queue};
    if (const GangFacts* facts = gang.facts(); facts != nullptr) {
      stand.class_name = facts->priority_class;
      stand.named = gang.NamedQueue();
      if (gang.NamesLocalQueue()) stand.local_queue = stand.named;
      if (Touches(stand)) return true;
    }
    bool touches = false;
    gang.ForEachJob([&](const JobFacts& job) {
      stand.class_name = job.priority_class;
      stand.named = job.queue.empty() ? job.template_queue : job.queue;
      stand.local_queue = job.local_queue ? std::string_view(job.queue) : std::string_view();
      touches |= Touches(stand);
    });
    return touches;
  }

  bool Touches(const Family& family) const {
    const PodTraits traits = UnpackTraits(family.name);
    const QueueNamed named = QueueOfPods(tables_, family, traits);
    return Touches(Stand{.name_space = traits.name_space,
                         .class_name = traits.priority_class,
                         .named = named.queue,
                         .local_queue = named.local ? named.queue : std::string_view(),
                         .queue = family.join.queue});
  }

 private:
  bool IsAtOrBelow(std::string_view queue, const Scope::Keys& some) const {
    if (some.empty()) return false;
    const auto is_one = [&](std::string_view at) { return some.contains(at); };
    return !queues_.FirstUpwards(queue, is_one).empty();
  }

  const Scope& scope_;
  const Tables& tables_;
  const Quotas& quotas_;
  const QueueTree& queues_;
};

}  // namespace

void SpreadScope(const Scope& scope, const Tables& tables, const Quotas& quotas,
                 const QueueTree& queues, Marks& marks) {
  if (!scope.any()) return;
  const Spread spread(scope, tables, quotas, queues);
  tables.gangs.ForEach([&](GangId id, const GangRow& gang) {
    if (spread.Touches(gang)) marks.Mark(id);
  });
  tables.families.ForEach([&](FamilyId id, const Family& family) {
    if (!spread.Touches(family)) return;
    marks.Mark(id);
    // It may say what the group's object does not.
    if (family.group != objects::GroupApi::kNone) marks.Mark(family.gang);
  });
}

}  // namespace fairlead::intake
