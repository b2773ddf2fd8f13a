#include "intake/join/label_lists.h"

#include <boost/container_hash/hash.hpp>

namespace fairlead::intake {

using objects::Operator;
using objects::Requirement;

LabelListId LabelListOf(std::string_view name_space, std::string_view label) {
  LabelListId list = NameHash()(name_space);
  boost::hash_combine(list, NameHash()(label));
  return list;
}

LabelListId LabelListOf(std::string_view name_space, std::string_view label,
                        std::string_view value) {
  LabelListId list = LabelListOf(name_space, label);
  boost::hash_combine(list, NameHash()(value));
  return list;
}

std::vector<LabelListId> AskedLabels::ListsOf(const objects::LabelSelector& selector,
                                              std::span<const std::string> name_spaces) {
  const Requirement* narrowest = nullptr;
  const Requirement* exists = nullptr;
  for (const Requirement& requirement : selector.requirements) {
    if (requirement.op == Operator::kExists) exists = &requirement;
    if (requirement.op != Operator::kIn) continue;
    if (narrowest == nullptr || requirement.values.size() < narrowest->values.size()) {
      narrowest = &requirement;
    }
  }
  const Requirement* by = narrowest != nullptr ? narrowest : exists;
  const std::string_view label = by == nullptr ? std::string_view() : by->key;
  if (!labels_.contains(label)) labels_.emplace(std::string(label), Asked());
  Asked& asked = labels_.find(label)->second;
  grown_ |= !std::exchange(narrowest == nullptr ? asked.any_value : asked.values, true);
  std::vector<LabelListId> lists;
  for (const std::string& name_space : name_spaces) {
    if (narrowest == nullptr) {
      lists.push_back(LabelListOf(name_space, label));
      continue;
    }
    for (const std::string& value : narrowest->values) {
      lists.push_back(LabelListOf(name_space, label, value));
    }
  }
  MakeSet(lists);
  return lists;
}

std::vector<LabelListId> AskedLabels::ListsInAll(const objects::LabelSelector& selector) {
  grown_ |= !std::exchange(in_all_, true);
  const std::string all;
  return ListsOf(selector, {&all, 1});
}

}  // namespace fairlead::intake
