#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/names.h"
#include "intake/facts/needs_pool.h"
#include "intake/facts/pod_traits.h"
#include "intake/facts/table.h"
#include "intake/tables/priority_classes.h"
#include "intake/tables/rows.h"
#include "intake/tables/submitters.h"

namespace fairlead::intake {

// What is known of the cluster, as rows: the objects that joins of several kinds read. What only
// one part of intake needs, it keeps itself.
//
// - Objects are taken down to rows as they come; rows are joined in TakeChanges, and only those
//   that are marked (marks.h). So the order in which objects come cannot matter, and ten changes of
//   one Workload cost one join.
// - Whoever changes a row marks whom that concerns, by Marks.
//
// Names, needs and submitters are pools of values that are kept once: who reads may add to them, as
// that is no change of what is known.
struct Tables {
  Tables() : configuration(std::make_shared<const objects::SchedulerConfiguration>()) {}
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  template <typename Row>
  using ByName = std::map<std::string, Row, std::less<>>;

  std::shared_ptr<const objects::SchedulerConfiguration> configuration;  // never null
  mutable Names names;
  mutable NeedsPool needs;
  mutable Submitters submitters;
  Table<PodRow, PodId> pods;
  Table<Family, FamilyId> families;
  Table<GangRow, GangId> gangs;
  Table<NodeRow, NodeId> nodes;
  Table<LabelsRow, LabelsId> labels;  // of pods
  ByName<QueueRow> queues;
  std::size_t bounding_queues = 0;            // of `queues`: those that say how long work runs
  ByName<objects::Labels> name_space_labels;  // of those with any
  ByName<std::string> name_space_owners;      // where the namespace says whose it is
  ByName<BoundNameSpace> bound_name_spaces;   // those with a queue label
  ByName<ForeignNameSpace> foreign_name_spaces;
  PriorityClasses classes;
  // Who tells of objects tells of all DaemonSets, of Jobs, and of every kind of job of which one
  // came: an owner that is not there has not come yet, or is gone.
  bool owners_are_told = false;
  std::set<std::string, std::less<>> job_kinds;  // of which one came
};

// Whether the family's pods are of the gang, as joined.
inline bool IsOf(const Tables& tables, const Family& family, const GangRow& gang) {
  return family.join.gang.valid() && &tables.gangs[family.join.gang] == &gang;
}

// A job as pods name it, by their labels or by who owns them, or as a job names the one that made
// it.
struct NamedJob {
  std::string_view kind, name;
  std::string_view uid;           // where known
  std::string_view pod_set = {};  // that its pods are in, whatever they say; empty: as they say
};
inline NamedJob JobOf(const PodTraits& traits) {
  return {.kind = traits.job_kind, .name = traits.job, .uid = traits.job_uid};
}
// The job of `row`'s name that is meant; null: it is not there.
const JobFacts* JobNamed(const GangRow& row, const NamedJob& named);
// The job that the family's pods count as: that which made the one that they name, where one did.
NamedJob OutermostJob(const Tables& tables, const Family& family, const PodTraits& traits);
// Whether it is to come before anything is decided for its pods.
bool IsAwaited(const Tables& tables, const NamedJob& named);
// The job that the pods of the family are of, be it one workload or not; null: none.
const JobFacts* JobOfPods(const Tables& tables, const Family& family, const PodTraits& traits);

// Who asked for work of the namespace whose object says so, packed; empty: it does not say.
objects::SubmitterPtr SubmitterOf(const Tables& tables, std::string_view name_space,
                                  std::string_view packed);

// The namespace's, with the one that every namespace has.
objects::Labels LabelsOfNameSpace(const Tables& tables, std::string_view name_space);

}  // namespace fairlead::intake
