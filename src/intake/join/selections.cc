#include "intake/join/selections.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/sorted_set.h"
#include "objects/key_writer.h"

namespace fairlead::intake {

using objects::DemandRow;
using objects::DemandRowPtr;
using objects::KeyWriter;
using objects::LabelSelector;
using objects::Operator;
using objects::Requirement;

namespace {

bool Before(const Requirement& a, const Requirement& b) {
  return std::tie(a.key, a.op, a.values) < std::tie(b.key, b.op, b.values);
}

// Requirements say the same in whatever order, and however often.
LabelSelector Sorted(LabelSelector selector) {
  auto& all = selector.requirements;
  MakeSet(all, Before);
  return selector;
}

std::string ColumnText(std::string_view topology_key, const DemandRow::Scope* scope) {
  KeyWriter key;
  key.Add(topology_key);
  if (scope == nullptr) return key.Take();
  key.Add(scope->keys);
  key.Add(scope->node_selector);
  key.Add(scope->has_required_terms ? 1 : 0);
  key.Add(scope->required_terms);
  key.Add(scope->honors_taints ? 1 : 0);
  key.Add(scope->tolerations);
  return key.Take();
}

// As kubectl writes a selector.
std::string TextOf(const Requirement& requirement) {
  const std::string values = fmt::format("{}", fmt::join(requirement.values, ", "));
  switch (requirement.op) {
    case Operator::kIn:
      return requirement.values.size() == 1 ? fmt::format("{}={}", requirement.key, values)
                                            : fmt::format("{} in ({})", requirement.key, values);
    case Operator::kNotIn:
      return fmt::format("{} notin ({})", requirement.key, values);
    case Operator::kDoesNotExist:
      return "!" + requirement.key;
    case Operator::kExists:
    case Operator::kGt:
    case Operator::kLt:
      break;
  }
  return requirement.key;
}

std::string TextOf(const objects::PodTerm& term) {
  if (term.selects_nothing) return "no labels at all";
  std::string text;
  for (const Requirement& requirement : term.selector.requirements) {
    text += (text.empty() ? "" : ",") + TextOf(requirement);
  }
  if (text.empty()) text = "any labels";
  if (!term.name_spaces.empty()) {
    text += fmt::format(" in {}", fmt::join(term.name_spaces, ", "));
  }
  return text;
}

}  // namespace

Selections::Term Selections::Resolved(const objects::PodTerm& term, std::string_view name_space) {
  Term out{.name_spaces = term.name_spaces,
           .name_space_selector = std::nullopt,
           .selector = Sorted(term.selector),
           .selects_nothing = term.selects_nothing};
  if (term.name_space_selector) out.name_space_selector = Sorted(*term.name_space_selector);
  if (out.name_spaces.empty() && !out.name_space_selector) out.name_spaces.emplace_back(name_space);
  MakeSet(out.name_spaces);
  return out;
}

DemandRowPtr Selections::Take(DemandRow::Kind kind, const std::vector<objects::PodTerm>& terms,
                              std::string_view name_space, std::string_view topology_key,
                              std::shared_ptr<const DemandRow::Scope> scope) {
  Row fresh;
  std::vector<std::string> parts, texts;
  for (const objects::PodTerm& each : terms) {
    const Term& term = fresh.terms.emplace_back(Resolved(each, name_space));
    KeyWriter key;
    key.Add(term.name_spaces);
    key.Add(term.name_space_selector ? 1 : 0);
    if (term.name_space_selector) key.Add(term.name_space_selector->requirements);
    key.Add(term.selector.requirements);
    key.Add(term.selects_nothing ? 1 : 0);
    parts.push_back(key.Take());
    texts.push_back(TextOf(each));
  }
  MakeSet(parts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::string column = ColumnText(topology_key, scope.get());
  KeyWriter all;
  all.Add(static_cast<std::int64_t>(kind));
  all.Add(column);
  all.Add(parts);
  const auto [at, added] = rows_.try_emplace(all.Take(), std::move(fresh));
  Row& row = at->second;
  ++row.carriers;
  if (!added) return row.row;
  Digest number;
  number.Add(at->first);
  row.row = std::make_shared<const DemandRow>(
      DemandRow{.kind = kind,
                .number = number.value(),
                .topology_key = std::string(topology_key),
                .selects = fmt::format("{}", fmt::join(texts, " and ")),
                .column = std::move(column),
                .scope = std::move(scope)});
  by_row_.emplace(row.row.get(), at);
  for (const Term& term : row.terms) wide_ += term.name_space_selector ? 1 : 0;
  lists_.Enter(row, ListsOf(row));
  return row.row;
}

void Selections::Drop(const DemandRowPtr& dropped) {
  const auto found = by_row_.find(dropped.get());
  DCHECK(found != by_row_.end());
  Row& row = found->second->second;
  if (--row.carriers > 0) return;
  lists_.Leave(row, ListsOf(row));
  for (const Term& term : row.terms) wide_ -= term.name_space_selector ? 1 : 0;
  rows_.erase(found->second);
  by_row_.erase(found);
}

// By its first term.
std::vector<LabelListId> Selections::ListsOf(const Row& row) {
  const bool nothing = std::any_of(row.terms.begin(), row.terms.end(),
                                   [](const Term& term) { return term.selects_nothing; });
  if (nothing) return {};
  const Term& term = row.terms.front();
  return term.name_space_selector ? asked().ListsInAll(term.selector)
                                  : asked().ListsOf(term.selector, term.name_spaces);
}

bool Selections::Selects(const Row& row, std::string_view name_space,
                         const objects::Labels& labels) const {
  return std::all_of(row.terms.begin(), row.terms.end(), [&](const Term& term) {
    const bool named =
        std::binary_search(term.name_spaces.begin(), term.name_spaces.end(), name_space);
    if (!named &&
        !(term.name_space_selector &&
          objects::Matches(*term.name_space_selector, LabelsOfNameSpace(tables_, name_space)))) {
      return false;
    }
    return objects::Matches(term.selector, labels);
  });
}

std::vector<DemandRowPtr> Selections::Matching(std::string_view name_space,
                                               const objects::Labels& labels) const {
  std::vector<DemandRowPtr> matching;
  lists_.ForEachOf(name_space, labels, [&](const Row& row) {
    if (Selects(row, name_space, labels)) matching.push_back(row.row);
  });
  const auto number = [](const DemandRowPtr& row) { return row->number; };
  std::ranges::sort(matching, {}, number);
  const auto rest = std::ranges::unique(matching, {}, number);
  matching.erase(rest.begin(), rest.end());
  return matching;
}

}  // namespace fairlead::intake
