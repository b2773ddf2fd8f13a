#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intake/tables/tables.h"
#include "state/change.h"

namespace fairlead::intake {

// What happened that can change joins without an object of theirs changing.
struct Scope {
  using Keys = std::set<std::string, std::less<>>;
  bool all = false;
  bool default_class = false;  // who names no class
  bool queue_tree = false;     // who names a queue and may be bound to one
  Keys name_spaces, classes;
  Keys quota_queues;     // who names one of these or one below
  Keys bounding_queues;  // whose work, or that of one below, runs for another time at most
  Keys queues;           // whose work is to be joined anew
  Keys local_queues;     // who names them, "namespace/name"

  bool any() const {
    return all || default_class || queue_tree || !name_spaces.empty() || !classes.empty() ||
           !quota_queues.empty() || !bounding_queues.empty() || !queues.empty() ||
           !local_queues.empty();
  }
};

// Which rows are to be joined anew or given to the engine anew, and what is to be taken from it:
// the one thing by which parts of intake that know nothing of each other work together.
//
// - A row is in its list once at most, which its own `dirty` tells; marking it again costs a look.
// - A row that was erased since it was marked is passed over.
//
// Cost: ≈ 1 ns a mark, and what the rows come to when they are taken, sorted by name.
class Marks {
 public:
  explicit Marks(Tables& tables) : tables_(tables) {}

  void Mark(PodId id) { Note(tables_.pods[id], id, pods_); }
  void Mark(FamilyId id) { Note(tables_.families[id], id, families_); }
  void Mark(GangId id) { Note(tables_.gangs[id], id, gangs_); }
  void Mark(NodeId id) { Note(tables_.nodes[id], id, nodes_); }
  // Those that have not finished.
  void MarkPodsOf(const LabelsRow& labels);
  void MarkQueue(std::string_view name) { queues_.emplace(name); }
  Scope& scope() { return scope_; }
  // Some queue that is not Kueue's came or went: a name that one of Kueue's may have.
  void MarkQueueNames() { queue_names_ = true; }
  // A node came, has other labels, or is counted otherwise: what it has of each flavor is another.
  void MarkFlavors() { flavors_ = true; }
  // What the engine has is no more.
  void Removed(state::RowKind kind, std::string_view name) {
    removals_.push_back({.kind = kind, .name = std::string(name)});
  }

  // Calls visit(GangId) for each that is marked, those among them that are marked meanwhile; they
  // stay marked.
  template <typename Visit>
  void ForEachGang(Visit visit) {
    for (std::size_t i = 0; i < gangs_.size(); ++i) {
      if (IsMarked(tables_.gangs, gangs_[i])) visit(gangs_[i]);
    }
  }
  // Calls visit(FamilyId) for each, those among them that are marked meanwhile; afterwards none is.
  template <typename Visit>
  void TakeEachFamily(Visit visit) {
    for (std::size_t i = 0; i < families_.size(); ++i) {
      const FamilyId id = families_[i];
      if (!IsMarked(tables_.families, id)) continue;
      tables_.families[id].dirty = false;
      visit(id);
    }
    families_.clear();
  }

  bool any_node() const { return !nodes_.empty(); }
  bool any_queue() const { return !queues_.empty(); }
  // What is marked, by name; afterwards nothing is. Pointers hold until a row is erased.
  // Of pods there may be as many as there are: those that are marked are added to `into`, the last
  // ones by name first.
  void TakePods(std::vector<PodId>& into);
  std::vector<GangId> TakeGangs();
  std::vector<NodeRow*> TakeNodes();
  std::set<std::string, std::less<>> TakeQueues() { return std::exchange(queues_, {}); }
  Scope TakeScope() { return std::exchange(scope_, Scope()); }
  bool TakeQueueNames() { return std::exchange(queue_names_, false); }
  bool TakeFlavors() { return std::exchange(flavors_, false); }
  std::vector<state::Removal> TakeRemovals();  // by kind, then name

 private:
  template <typename Row, typename RowId>
  static void Note(Row& row, RowId id, std::vector<RowId>& list) {
    if (row.dirty) return;
    row.dirty = true;
    list.push_back(id);
  }
  template <typename Row, typename RowId>
  static bool IsMarked(const Table<Row, RowId>& table, RowId id) {
    return table.InUse(id) && table[id].dirty;
  }
  template <typename Row, typename RowId>
  static std::vector<Row*> Take(Table<Row, RowId>& table, std::vector<RowId>& list);

  Tables& tables_;
  std::vector<PodId> pods_;
  std::vector<FamilyId> families_;
  std::vector<GangId> gangs_;
  std::vector<NodeId> nodes_;
  std::set<std::string, std::less<>> queues_;
  Scope scope_;
  bool queue_names_ = false, flavors_ = false;
  std::vector<state::Removal> removals_;
};

}  // namespace fairlead::intake
