#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/wide_int.h"
#include "intake/quota/min_sums.h"
#include "intake/quota/resource_quotas.h"
#include "intake/tables/marks.h"
#include "intake/tables/node_pool.h"
#include "intake/tables/tables.h"
#include "state/change.h"

namespace fairlead::intake {

// The queue under which namespaces with an ElasticQuota have theirs.
inline constexpr std::string_view kElasticQuotas = "elastic-quotas";

// An ElasticQuota.
struct QuotaRow {
  std::string name;  // without its namespace
  objects::ResourceList min, max;
  Time created;
  std::string source;
};

// The ElasticQuotas of a namespace, by creation, then name. The first counts.
struct QuotaSpace {
  std::vector<QuotaRow> quotas;
  std::string queue;  // that of the namespace
};

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
class Quotas {
 public:
  Quotas(const Tables& tables, Marks& marks, const NodePool& pool)
      : tables_(tables), marks_(marks), pool_(pool) {}

  void Upsert(const objects::ElasticQuota& quota, Time now);
  bool Remove(std::string_view name_space, std::string_view name);
  void Upsert(const objects::ResourceQuota& quota);
  bool RemoveHard(std::string_view key);  // a ResourceQuota, "namespace/name"
  // A queue of that name came or went, which a namespace with quotas may have. Cost: a look-up.
  void NameQueue(std::string_view name_space);
  // The namespace is labelled otherwise.
  void MarkSpace(std::string_view name_space) { changed_.emplace(name_space); }

  bool any() const { return !spaces_.empty(); }  // then there is a queue kElasticQuotas
  const Tables::ByName<QuotaSpace>& spaces() const { return spaces_; }  // by namespace
  // Their queues, each with the namespace that it is for.
  const Tables::ByName<std::string>& owners() const { return owners_; }
  const QuotaSpace* SpaceOf(std::string_view name_space) const;  // null: it has no quota
  const std::string* OwnerOf(std::string_view queue) const;      // null: it is no quota's

  // The queue that stands for a quota; none: no quota has one of the name.
  std::optional<state::QueueChange> QueueNamed(std::string_view name) const;
  state::QueueChange Parent() const;  // of all of them

  // What its owner should know of a quota of `space`; sorted by code.
  std::vector<state::ObjectProblem> ProblemsOf(std::string_view name_space, const QuotaSpace& space,
                                               const QuotaRow& quota) const;
  // Resources of which all min are more than the pool has, and what they come to.
  std::vector<std::string> MinAboveCluster() const { return mins_.Above(pool_); }
  WideInt SumOfMin(const std::string& resource) const { return mins_.Of(resource); }

  // Appends what changed for the quotas' owners, by name; those that went are told to Marks.
  void Take(std::vector<state::Change>& out);

 private:
  void Recount(const std::string& name_space, const objects::ResourceList& min_before);
  void Unbind(const std::string& name_space, const std::string& queue);
  void NoteAbove();
  std::map<std::string, state::QuotaChange> ChangesOf(const std::string& name_space) const;

  const Tables& tables_;
  Marks& marks_;
  const NodePool& pool_;
  Tables::ByName<QuotaSpace> spaces_;
  Tables::ByName<std::string> owners_;
  MinSums mins_;
  ResourceQuotas hard_;
  std::set<std::string, std::less<>> changed_;  // namespaces of which to tell anew
  // What is told of the sums, as of these versions of theirs and the pool's.
  std::vector<std::string> above_;
  std::uint64_t told_mins_ = 0, told_pool_ = 0;
  Tables::ByName<state::QuotaChange> given_;  // what the engine has
};

}  // namespace fairlead::intake
