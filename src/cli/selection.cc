#include "cli/selection.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "cli/json_path.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;
using objects::Operator;
using objects::Requirement;

std::string WithoutBlanks(std::string_view text) { return std::string(Trimmed(text)); }

// At commas, but for those in parentheses.
std::vector<std::string> SelectorTerms(std::string_view text) {
  std::vector<std::string> terms(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0) {
      terms.emplace_back();
    } else {
      terms.back() += c;
    }
  }
  for (std::string& term : terms) term = WithoutBlanks(term);
  return terms;
}

// "env in (dev,test)", "env notin (dev)". Absent: it is none.
std::optional<Requirement> SetTerm(const std::string& term) {
  const std::size_t open = term.find('(');
  if (open == std::string::npos || !term.ends_with(')')) return std::nullopt;
  const std::string head = WithoutBlanks(std::string_view(term).substr(0, open));
  const std::size_t blank = head.find_last_of(" \t");
  if (blank == std::string::npos) return std::nullopt;
  const std::string word = head.substr(blank + 1);
  if (word != "in" && word != "notin") return std::nullopt;
  return Requirement{
      .key = WithoutBlanks(head.substr(0, blank)),
      .op = word == "in" ? Operator::kIn : Operator::kNotIn,
      .values = SelectorTerms(std::string_view(term).substr(open + 1, term.size() - open - 2))};
}

struct Equation {
  std::string left, right;
  bool equal = true;
};
// "a=b", "a==b", "a!=b".
std::optional<Equation> EquationOf(std::string_view term) {
  const std::size_t sign = term.find('=');
  if (sign == std::string_view::npos) return std::nullopt;
  const bool unequal = sign > 0 && term[sign - 1] == '!';
  const std::size_t behind = sign + (term.substr(sign).starts_with("==") ? 2 : 1);
  return Equation{.left = WithoutBlanks(term.substr(0, unequal ? sign - 1 : sign)),
                  .right = WithoutBlanks(term.substr(behind)),
                  .equal = !unequal};
}

std::optional<Requirement> LabelTerm(const std::string& term) {
  if (auto set = SetTerm(term)) return set;
  if (auto equation = EquationOf(term)) {
    return Requirement{.key = equation->left,
                       .op = equation->equal ? Operator::kIn : Operator::kNotIn,
                       .values = {equation->right}};
  }
  const bool absent = term.starts_with('!');
  return Requirement{.key = WithoutBlanks(std::string_view(term).substr(absent ? 1 : 0)),
                     .op = absent ? Operator::kDoesNotExist : Operator::kExists,
                     .values = {}};
}

// Of "2h5m" and "17": seconds, or the number itself.
std::optional<double> NumberIn(std::string_view text) {
  double sum = 0;
  while (!text.empty()) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return sum + number;
    static constexpr std::pair<char, double> kUnits[] = {
        {'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
    const auto unit = std::ranges::find(kUnits, text[0], &std::pair<char, double>::first);
    if (unit == std::end(kUnits)) return std::nullopt;
    sum += number * unit->second;
    text.remove_prefix(1);
  }
  return sum;
}

}  // namespace

Result<Selection> Selection::Parse(std::string_view labels, std::string_view fields) {
  Selection selection;
  for (const std::string& term : SelectorTerms(labels)) {
    if (term.empty()) continue;
    std::optional<Requirement> read = LabelTerm(term);
    if (read->key.empty() || read->key.find_first_of(" ()=!") != std::string::npos) {
      return Fail(fmt::format(
          "--selector: found {}, expected key=value, key!=value, key in (a,b), key or !key", term));
    }
    selection.labels_.requirements.push_back(std::move(*read));
  }
  for (const std::string& term : SelectorTerms(fields)) {
    if (term.empty()) continue;
    std::optional<Equation> read = EquationOf(term);
    if (!read || read->left.empty()) {
      return Fail(
          fmt::format("--field-selector: found {}, expected such as status.phase=Running", term));
    }
    if (const auto path = ValuesAt(json::object(), read->left); !path) {
      return tl::unexpected(path.error());
    }
    selection.fields_.push_back({read->left, read->right, read->equal});
  }
  return selection;
}

bool Selection::Wants(const json::value& document) const {
  const json::value& labels = show::At(show::At(document, "metadata"), "labels");
  for (const Requirement& requirement : labels_.requirements) {
    const std::string value(show::TextAt(labels, requirement.key));
    const bool there = show::At(labels, requirement.key).is_string();
    if (!Matches(requirement, there ? &value : nullptr)) return false;
  }
  for (const Field& field : fields_) {
    const auto found = ValuesAt(document, field.path);
    const std::string text = found && !found->empty() ? PlainText(*found->front()) : "";
    if ((text == field.value) != field.equal) return false;
  }
  return true;
}

std::string_view Selection::FieldOfNone(const std::vector<json::value>& documents) const {
  for (const Field& field : fields_) {
    if (field.equal && !field.value.empty() && !AnyHas(field.path, documents)) return field.path;
  }
  return {};
}

bool AnyHas(std::string_view path, const std::vector<json::value>& documents) {
  return std::ranges::any_of(documents, [&](const json::value& document) {
    const auto found = ValuesAt(document, path);
    return found && !found->empty();
  });
}

Result<void> SortBy(std::string_view path, std::vector<json::value>& documents) {
  std::vector<std::pair<std::string, std::size_t>> keys;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto found = ValuesAt(documents[i], path);
    if (!found) return tl::unexpected(found.error());
    keys.emplace_back(found->empty() ? "" : PlainText(*found->front()), i);
  }
  std::ranges::stable_sort(
      keys, [](const auto& a, const auto& b) { return CellBefore(a.first, b.first); });
  std::vector<json::value> sorted;
  sorted.reserve(documents.size());
  for (const auto& [key, i] : keys) sorted.push_back(std::move(documents[i]));
  documents = std::move(sorted);
  return {};
}

bool CellBefore(std::string_view a, std::string_view b) {
  const std::optional<double> left = NumberIn(a), right = NumberIn(b);
  if (left && right && *left != *right) return *left < *right;
  return a < b;
}

}  // namespace fairlead::cli
