#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "intake/join/label_lists.h"
#include "intake/tables/tables.h"
#include "objects/demand_row.h"

namespace fairlead::intake {

// Which pods the demands of others select: the rows of counts (objects/demand_row.h) that somebody
// carries, and for labels and a namespace the rows that select such pods.
//
// Cost: Matching looks up each of the labels that anybody asks for, and then at those rows alone
// that want one of them, or nothing in particular, in that namespace.
class Selections {
 public:
  explicit Selections(const Tables& tables) : tables_(tables) {}
  Selections(const Selections&) = delete;
  Selections& operator=(const Selections&) = delete;

  // The row's pods are those that all of `terms` select, in `name_space` where a term names none.
  // It stays until it is dropped as often as it was taken. REQUIRES: terms is not empty.
  objects::DemandRowPtr Take(objects::DemandRow::Kind kind,
                             const std::vector<objects::PodTerm>& terms,
                             std::string_view name_space, std::string_view topology_key,
                             std::shared_ptr<const objects::DemandRow::Scope> scope);
  void Drop(const objects::DemandRowPtr& row);

  bool empty() const { return rows_.empty(); }

  // What came or went since it was taken: whom rows may select otherwise than before.
  struct News {
    bool all = false;                // a namespace that rows look at is labelled otherwise
    std::vector<LabelListId> lists;  // else: who says one of these

    bool any() const { return all || !lists.empty(); }
  };
  News TakeNews() {
    return {.all = std::exchange(other_name_spaces_, false), .lists = lists_.TakeChanged()};
  }
  void NoteNameSpaces() { other_name_spaces_ |= wide_ > 0; }
  // How the rows are listed.
  AskedLabels& asked() { return lists_.asked(); }

  // By number, each once.
  std::vector<objects::DemandRowPtr> Matching(std::string_view name_space,
                                              const objects::Labels& labels) const;

 private:
  struct Term {
    std::vector<std::string> name_spaces;  // sorted
    std::optional<objects::LabelSelector> name_space_selector;
    objects::LabelSelector selector;
    bool selects_nothing = false;
  };
  struct Row {
    objects::DemandRowPtr row;
    std::vector<Term> terms;
    std::uint32_t carriers = 0;
  };
  using Rows = std::map<std::string, Row>;  // by all that they say

  static Term Resolved(const objects::PodTerm& term, std::string_view name_space);
  bool Selects(const Row& row, std::string_view name_space, const objects::Labels& labels) const;
  std::vector<LabelListId> ListsOf(const Row& row);

  const Tables& tables_;
  Rows rows_;
  boost::unordered_flat_map<const objects::DemandRow*, Rows::iterator> by_row_;
  SelectorLists<Row> lists_;
  bool other_name_spaces_ = false;
  std::uint32_t wide_ = 0;  // rows that look at the labels of namespaces
};

}  // namespace fairlead::intake
