#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "base/name_map.h"
#include "base/sorted_set.h"
#include "objects/selector.h"

// Who is selected, and by whom, without asking each selector about each pod: both are listed under
// a value of a label that the selector asks for, so that a selector that comes or goes looks at the
// labels that it may select, and labels that come at the selectors that may select them.

namespace fairlead::intake {

// A label's value in a namespace, as a number: two of them may have one, so that whoever is found
// by it is asked whether he really is of it.
using LabelListId = std::size_t;

// Whatever the label's value is. An empty namespace: all of them. An empty label: whatever labels
// there are.
LabelListId LabelListOf(std::string_view name_space, std::string_view label);
LabelListId LabelListOf(std::string_view name_space, std::string_view label,
                        std::string_view value);

// Under which labels selectors are listed, or once were: jobs of one kind come and go.
class AskedLabels {
 public:
  // Where who is selected in one of the namespaces says one of these: each value of the requirement
  // that takes the fewest; else a label that there must be; else all that there are.
  std::vector<LabelListId> ListsOf(const objects::LabelSelector& selector,
                                   std::span<const std::string> name_spaces);
  // The same in all namespaces.
  std::vector<LabelListId> ListsInAll(const objects::LabelSelector& selector);

  // Whether there are lists, since it was asked last, for which nobody has been looked at.
  bool TakeGrown() { return std::exchange(grown_, false); }
  // Calls visit(LabelListId) for each list that may have selectors of who has these labels.
  template <typename Visit>
  void ForEachList(std::string_view name_space, const objects::Labels& labels, Visit visit) const {
    if (labels_.empty()) return;
    for (const std::string_view in : {name_space, std::string_view()}) {
      if (in.empty() && !in_all_) continue;
      if (labels_.contains(std::string_view())) visit(LabelListOf(in, ""));
      for (const auto& [label, value] : labels) {
        const auto asked = labels_.find(label);
        if (asked == labels_.end()) continue;
        if (asked->second.any_value) visit(LabelListOf(in, label));
        if (asked->second.values) visit(LabelListOf(in, label, value));
      }
    }
  }

 private:
  struct Asked {
    bool values = false, any_value = false;
  };
  NameMap<Asked> labels_;
  bool in_all_ = false;
  bool grown_ = false;
};

// Selectors by the lists that they stand in. Who may be selected by one is not selected for sure.
template <typename Selector>
class SelectorLists {
 public:
  void Enter(const Selector& selector, const std::vector<LabelListId>& lists) {
    for (const LabelListId list : lists) lists_[list].push_back(&selector);
    changed_.insert(changed_.end(), lists.begin(), lists.end());
  }
  // REQUIRES: it has entered these.
  void Leave(const Selector& selector, const std::vector<LabelListId>& lists) {
    for (const LabelListId list : lists) {
      const auto at = lists_.find(list);
      std::erase(at->second, &selector);
      if (at->second.empty()) lists_.erase(at);
    }
    changed_.insert(changed_.end(), lists.begin(), lists.end());
  }
  // Those that some came into or left since it was asked last.
  std::vector<LabelListId> TakeChanged() { return std::exchange(changed_, {}); }

  // How they are listed.
  AskedLabels& asked() { return asked_; }
  const AskedLabels& asked() const { return asked_; }
  // Calls visit(const Selector&) for each that may select who has these labels, perhaps twice.
  template <typename Visit>
  void ForEachOf(std::string_view name_space, const objects::Labels& labels, Visit visit) const {
    asked_.ForEachList(name_space, labels, [&](LabelListId list) {
      const auto at = lists_.find(list);
      if (at == lists_.end()) return;
      for (const Selector* selector : at->second) visit(*selector);
    });
  }

 private:
  AskedLabels asked_;
  boost::unordered_flat_map<LabelListId, std::vector<const Selector*>> lists_;
  std::vector<LabelListId> changed_;
};

// Who says which value of a label. Who stands in a list may have left since, or say something else,
// and may stand there twice.
// Cost: a look-up, and 4 bytes for each that is added until all are added anew.
template <typename RowId>
class LabelLists {
 public:
  void Add(LabelListId list, RowId id) {
    lists_[list].push_back(id);
    ++added_;
  }
  // Who stands in any of these, by number, each once.
  std::vector<RowId> In(std::vector<LabelListId> lists) const {
    std::vector<RowId> ids;
    MakeSet(lists);
    for (const LabelListId list : lists) {
      const auto found = lists_.find(list);
      if (found != lists_.end()) ids.insert(ids.end(), found->second.begin(), found->second.end());
    }
    MakeSet(ids);
    return ids;
  }

  // Whether it is time to Clear, and to add all who are there: most may be there no longer.
  bool IsStale() const { return added_ > 2 * fresh_ + kFew; }
  void Clear() {
    lists_.clear();
    added_ = fresh_ = 0;
  }
  // All who are there have been added.
  void Added() { fresh_ = added_; }

 private:
  static constexpr std::size_t kFew = 1'000;

  boost::unordered_flat_map<LabelListId, boost::container::small_vector<RowId, 2>> lists_;
  std::size_t added_ = 0, fresh_ = 0;
};

}  // namespace fairlead::intake
