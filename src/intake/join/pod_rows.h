#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "intake/join/budgets.h"
#include "intake/join/demands.h"
#include "intake/join/owners.h"
#include "intake/join/volumes.h"
#include "intake/tables/marks.h"
#include "intake/tables/queue_uses.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// Pods as rows, and families as the sets of pods of the same traits. This is the hot path: in a
// simulation each event of a pod passes through Upsert, and most change its phase only.
//
// - Each pod is in one family, in one row of labels, and counts where it is to in Owners, Demands
//   and its family's tally. A family is there while it has pods.
//
// Cost: ≈ 1 µs for a pod that is held already, and no allocation where it did not change.
class PodRows {
 public:
  // What else follows pods.
  struct Followers {
    QueueUses& uses;
    Owners& owners;
    Budgets& budgets;
    Demands& demands;
    Volumes& volumes;
  };
  PodRows(Tables& tables, Marks& marks, Followers followers)
      : tables_(tables),
        marks_(marks),
        uses_(followers.uses),
        owners_(followers.owners),
        budgets_(followers.budgets),
        demands_(followers.demands),
        volumes_(followers.volumes) {}

  void Upsert(const objects::Pod& pod, Time now, const Text& key);  // as Intake's
  void UpsertStatus(const objects::Pod& pod, Time now);             // as Intake's
  bool Remove(std::string_view key);                                // "namespace/name"

  // The first by name of the pods that run on the node and take nobody knows what; empty: there is
  // none, as nearly always.
  std::string_view MisreadOn(NameId node) const;

 private:
  PodId Find(const objects::Pod& pod);
  void TakeFacts(PodId id, const PodFacts& facts, bool same_family);
  void Erase(PodId id);
  FamilyId FamilyOf(std::string_view traits_key);
  void MoveToFamily(PodId id, FamilyId family_id);
  void LeaveFamily(PodId id);
  void Count(Family& family, const PodFacts& facts, std::int32_t by);
  void CountMisread(const PodRow& row, bool there);

  Tables& tables_;
  Marks& marks_;
  QueueUses& uses_;
  Owners& owners_;
  Budgets& budgets_;
  Demands& demands_;
  Volumes& volumes_;
  std::map<NameId, std::set<std::string, std::less<>>> misread_;  // by node
  std::string pod_key_, traits_key_;  // so that a look-up does not allocate
};

}  // namespace fairlead::intake
