#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intake/kueue/model.h"
#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// Kueue's objects about quota, and the queues that stand for them. The queues are made in model.h;
// here they are compared with those of before, and whom a difference concerns is marked: the work
// of a LocalQueue that leads elsewhere, or of a queue whose flavor or namespaces are others. A
// quota that changes joins nothing.
//
// - What is said of queues is as of the last Remake.
//
// Cost: Remake costs all of these objects where one of them changed, else nothing.
class KueueQueues {
 public:
  KueueQueues(const Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  void Upsert(const objects::ClusterQueue& queue, Time now);
  void Upsert(const objects::Cohort& cohort, Time now);
  void Upsert(const objects::LocalQueue& queue, Time now);
  void Upsert(const objects::ResourceFlavor& flavor, Time now);
  bool Remove(std::string_view kind, std::string_view name_space, std::string_view name);

  // `is_taken`: what has its name by itself: a Queue, or the queue of a namespace's ElasticQuotas.
  void Remake(const std::function<bool(std::string_view)>& is_taken);

  // Appends what owners are to be told since it was taken last, by kind and name.
  void TakeProblems(std::vector<state::Change>& out);

  const KueueModel& model() const { return model_; }
  bool has_cluster_queues() const { return !objects_.cluster_queues.empty(); }
  // Null: it is not there.
  const KueueLocal* FindLocal(std::string_view name_space, std::string_view name) const;
  const KueueLeaf* FindLeaf(std::string_view queue) const;

  // What a namespace may not do with a queue that stands for a ClusterQueue; none: it may, or the
  // queue does not.
  std::optional<state::Reason> Hold(std::string_view queue, std::string_view name_space) const;
  // What work in the queue demands of nodes by its flavors; null: nothing.
  std::shared_ptr<const FlavorDemands> DemandsOf(std::string_view queue) const;
  // The needs with what the demands ask beside. `node`: that the pod runs on, if any.
  // Cost: for needs that were asked for before ≈ 0.1 µs.
  state::NeedsPtr Demanded(const state::NeedsPtr& needs,
                           const std::shared_ptr<const FlavorDemands>& demands,
                           NameId node = Names::kEmpty) const;

 private:
  void MarkNodes();
  void NoteProblems();

  const Tables& tables_;
  Marks& marks_;
  KueueObjects objects_;
  KueueModel model_;  // made of them
  bool changed_ = false;
  using KindAndName = std::pair<std::string, std::string>;
  std::map<KindAndName, state::KueueChange> given_;  // those with problems, as told last
  std::vector<state::KueueChange> untold_;
  // Needs with what a queue's flavors demand beside: found again, not kept for ever.
  mutable std::map<std::pair<state::NeedsPtr, std::shared_ptr<const FlavorDemands>>,
                   state::NeedsPtr>
      demanded_;
};

// Kueue's objects that make queues.
template <typename Object>
concept OfKueueQueues =
    requires(KueueQueues& queues, const Object& object, Time now) { queues.Upsert(object, now); };

}  // namespace fairlead::intake
