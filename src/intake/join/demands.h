#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "intake/join/label_lists.h"
#include "intake/join/selections.h"
#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// What pods want of what else is placed (pod affinity and anti-affinity, spread: what they demand
// and what they prefer), as rows of counts; and which of all pods each of these counts. The needs
// that the engine gets say both (JoinedDemands). Pods of others count as ours do, and so do those
// on nodes outside the pool.
//
// - A pod carries its demands until it ends or goes; pods that are yet to be made carry those of
//   their template.
// - What labels and gangs say of themselves (`counted_by`) is right after Join, which marks the
//   rows where it changed.
//
// Cost: in a cluster without such pods, a look at each pod. With them, a pod that comes costs its
// labels' look-ups, and a demand that is new, or of which the last carrier goes, those of the
// labels that it may select; the first that asks for a label ever, a look at all.
class Demands {
 public:
  Demands(Tables& tables, Marks& marks) : tables_(tables), marks_(marks), selections_(tables) {}

  // The pod came or changed: what it carries is what its needs say. REQUIRES: its row says all
  // else.
  void Count(PodId id);
  void Drop(PodId id);
  // What its labels are counted by, to be compared: another pointer where they are counted
  // otherwise.
  DemandRowsPtr CountedBy(LabelsId id);
  void NoteNameSpaces() { selections_.NoteNameSpaces(); }

  // REQUIRES: gangs are joined.
  void Join();

  // Whether anybody demands anything: only then nodes outside the pool matter.
  bool any() const { return !selections_.empty(); }
  // Whether the pod makes a difference to what others demand, or may.
  bool IsCounted(const PodRow& row) const {
    return row.demands.valid() || tables_.labels[row.labels].counted_by != nullptr;
  }

  // The needs as the engine is to have them.
  state::NeedsPtr Joined(const state::NeedsPtr& needs, DemandsId own,
                         const DemandRowsPtr& counted_by);

 private:
  // What the demands of pods of one namespace with the same needs come to.
  struct Own {
    state::NeedsPtr needs;
    std::string name_space;
    objects::JoinedDemands joined;  // without what they are counted by themselves
    std::uint32_t carriers = 0;
  };
  DemandsId TakeOwn(const state::NeedsPtr& needs, std::string_view name_space);
  void DropOwn(DemandsId id);
  objects::JoinedDemands RowsOf(const objects::PodNeeds& needs, std::string_view name_space);
  DemandRowsPtr Matching(std::string_view name_space, const objects::Labels& labels);
  void CountGang(GangRow& gang);
  std::vector<DemandRowsPtr> CountedBy(const GangRow& gang);
  void List(LabelsId id);
  void List(GangId id);
  void ListAll();
  void SelectAnew(const Selections::News& news);
  void SelectAnew(LabelsId id);
  void SelectAnew(GangId id);
  void TellOutside();

  Tables& tables_;
  Marks& marks_;
  Selections selections_;
  std::vector<Own> own_;
  std::vector<DemandsId> unused_;
  std::map<std::pair<const objects::PodNeeds*, std::string>, DemandsId> by_needs_;
  // Whom demands may select, by what is asked for.
  LabelLists<LabelsId> labels_in_;
  LabelLists<GangId> gangs_in_;
  bool told_outside_ = false;
  // Each set of rows once, as long as somebody has it.
  std::map<std::vector<const objects::DemandRow*>, std::weak_ptr<const objects::DemandRows>> sets_;
  std::size_t sets_swept_ = 0;  // so many of them somebody had when it was looked
  struct Known {
    state::NeedsPtr needs, joined;
    DemandRowsPtr counted_by;
  };
  std::map<std::tuple<const objects::PodNeeds*, DemandsId, const objects::DemandRows*>, Known>
      known_;
};

}  // namespace fairlead::intake
