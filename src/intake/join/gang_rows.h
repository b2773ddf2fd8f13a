#pragma once

#include <concepts>
#include <string_view>

#include "intake/kueue/kueue_workloads.h"
#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// What is a workload of several pods by itself.
template <typename Object>
concept OfGang = std::same_as<Object, objects::Workload> || std::same_as<Object, objects::PodGroup>;

// Workloads, PodGroups and jobs as rows: one of a name, with whatever there is under it.
//
// - A row is there while an object or a family of pods has its name (GangRow::InUse).
class GangRows {
 public:
  GangRows(Tables& tables, Marks& marks) : tables_(tables), marks_(marks), kueue_(tables, marks) {}

  void Upsert(const objects::Workload& workload, Time now);
  void Upsert(const objects::PodGroup& group, Time now);
  void UpsertJob(const objects::Object& job, const jobs::JobKind& kind, Time now);
  // `kind` is the object's: a Workload and a Job of one name are two sources of one row. A
  // PodGroup's may be qualified (objects/pod_groups.h); else the first that counts is meant.
  bool Remove(std::string_view kind, std::string_view key);
  void DropIfUnused(GangId id);

 private:
  template <typename Visit>
  void ForEachRowOf(GangRow& gang, Visit visit);
  // What is known of the jobs of that name has changed: whose their pods are.
  void LinkMade(GangId id);
  void MarkGroupsOf(const GangRow& gang);

  Tables& tables_;
  Marks& marks_;
  KueueWorkloads kueue_;
};

}  // namespace fairlead::intake
