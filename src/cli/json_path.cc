// A path is walked step by step, with all values that its beginning leads to: a step makes of each
// value those behind it.
//
//   .items[*].metadata.name     of {"items": [{"metadata": {"name": "a"}}, …]}
//   .items                      the list
//   [*]                         its members
//   .metadata  .name            of each of them: "a", …

#include "cli/json_path.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/integer.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;
using Values = std::vector<const json::value*>;

void AddMembers(const json::value& value, Values& into) {
  if (const json::array* items = value.if_array()) {
    for (const json::value& item : *items) into.push_back(&item);
  } else if (const json::object* fields = value.if_object()) {
    for (const auto& field : *fields) into.push_back(&field.value());
  }
}

void AddField(const json::value& value, std::string_view name, Values& into) {
  const json::object* fields = value.if_object();
  const json::value* found = fields == nullptr ? nullptr : fields->if_contains(name);
  if (found != nullptr) into.push_back(found);
}

void AddAnywhere(const json::value& value, std::string_view name, Values& into) {
  AddField(value, name, into);
  Values members;
  AddMembers(value, members);
  for (const json::value* member : members) AddAnywhere(*member, name, into);
}

constexpr std::string_view kBlank = " ";

// 'text' or "text" without its quotes; null: it has none.
std::optional<std::string> Unquoted(std::string_view text) {
  if (text.size() < 2 || (text[0] != '\'' && text[0] != '"') || text.back() != text[0]) {
    return std::nullopt;
  }
  std::string plain;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 2 < text.size()) {
      c = text[++i];
      if (c == 'n') c = '\n';
      if (c == 't') c = '\t';
    }
    plain += c;
  }
  return plain;
}

class PathWalk {
 public:
  explicit PathWalk(std::string_view path) : whole_(path), rest_(path) {}

  Result<Values> From(const json::value& document) {
    Values values = {&document};
    if (rest_.starts_with('$') || rest_.starts_with('@'))
      rest_.remove_prefix(1);
    else if (!rest_.empty() && rest_[0] != '.' && rest_[0] != '[')
      AddNamed(values, Name());
    while (!rest_.empty()) {
      if (const auto stepped = Step(values); !stepped) return tl::unexpected(stepped.error());
    }
    return values;
  }

 private:
  Result<void> Step(Values& values) {
    if (rest_.starts_with("..")) {
      rest_.remove_prefix(2);
      return Each(values, Name(), AddAnywhere);
    }
    if (rest_.starts_with('.')) {
      rest_.remove_prefix(1);
      if (rest_.empty()) return {};  // "." and "{.}": the document itself
      if (rest_.starts_with('[')) return {};
      if (rest_.starts_with('*')) {
        rest_.remove_prefix(1);
        AddAllMembers(values);
        return {};
      }
      return Each(values, Name(), AddField);
    }
    if (rest_.starts_with('[')) return Bracket(values);
    return Fault("expected . or [");
  }

  // Up to the next step; "\." is a dot of the name.
  std::string Name() {
    std::string name;
    while (!rest_.empty() && rest_[0] != '.' && rest_[0] != '[') {
      if (rest_[0] == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      name += rest_[0];
      rest_.remove_prefix(1);
    }
    return name;
  }

  Result<void> Each(Values& values, const std::string& name,
                    void (*add)(const json::value&, std::string_view, Values&)) {
    if (name.empty()) return Fault("expected a field's name");
    Values next;
    for (const json::value* value : values) add(*value, name, next);
    values = std::move(next);
    return {};
  }
  static void AddNamed(Values& values, const std::string& name) {
    Values next;
    for (const json::value* value : values) AddField(*value, name, next);
    values = std::move(next);
  }
  static void AddAllMembers(Values& values) {
    Values next;
    for (const json::value* value : values) AddMembers(*value, next);
    values = std::move(next);
  }

  // Behind the "[", up to its "]", which a text in quotes may hold as well.
  std::optional<std::string_view> Inside() {
    char quote = 0;
    int depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '[') {
        ++depth;
      } else if (c == ']' && --depth == 0) {
        const std::string_view inside = rest_.substr(1, i - 1);
        rest_.remove_prefix(i + 1);
        return Trimmed(inside, kBlank);
      }
    }
    return std::nullopt;
  }

  Result<void> Bracket(Values& values) {
    const std::optional<std::string_view> inside = Inside();
    if (!inside) return Fault("expected a ] for it");
    if (*inside == "*") {
      AddAllMembers(values);
      return {};
    }
    if (const auto name = Unquoted(*inside)) return Each(values, *name, AddField);
    if (inside->starts_with("?(") && inside->ends_with(")")) {
      return Filter(values, Trimmed(inside->substr(2, inside->size() - 3), kBlank));
    }
    return Slice(values, *inside);
  }

  // "0", "-1", "1:3", ":2", "1:".
  Result<void> Slice(Values& values, std::string_view text) {
    const std::size_t colon = text.find(':');
    const bool one = colon == std::string_view::npos;
    const std::string_view from = text.substr(0, colon), to = one ? "" : text.substr(colon + 1);
    const auto first =
        from.empty() ? std::optional<std::int64_t>(0) : ParseInteger<std::int64_t>(from);
    const auto last = to.empty() ? std::optional<std::int64_t>() : ParseInteger<std::int64_t>(to);
    if (!first || (one && from.empty()) || (!to.empty() && !last)) {
      return Fault("expected a number, 1:3, *, a name in quotes or ?(…)", text);
    }
    Values next;
    for (const json::value* value : values) {
      const json::array* items = value->if_array();
      if (items == nullptr) continue;
      const auto size = static_cast<std::int64_t>(items->size());
      const auto place = [&](std::int64_t i) {
        return std::clamp(i < 0 ? i + size : i, std::int64_t{0}, size);
      };
      const std::int64_t begin = *first < -size ? size : place(*first);
      const std::int64_t end = one ? std::min(begin + 1, size) : last ? place(*last) : size;
      for (std::int64_t i = begin; i < end; ++i) {
        next.push_back(&(*items)[static_cast<std::size_t>(i)]);
      }
    }
    values = std::move(next);
    return {};
  }

  // `@.status.phase=="Running"`, or `@.spec.nodeName`: there is one.
  Result<void> Filter(Values& values, std::string_view text) {
    static constexpr std::string_view kSigns[] = {"==", "!=", "<=", ">=", "<", ">"};
    std::size_t at = std::string_view::npos;
    std::string_view sign;
    for (const std::string_view each : kSigns) {
      const std::size_t found = text.find(each);
      if (found < at) {
        at = found;
        sign = each;
      }
    }
    const std::string_view path = Trimmed(text.substr(0, at), kBlank);
    std::string wanted;
    if (!sign.empty()) {
      const std::string_view value = Trimmed(text.substr(at + sign.size()), kBlank);
      wanted = Unquoted(value).value_or(std::string(value));
    }
    Values members, next;
    for (const json::value* value : values) AddMembers(*value, members);
    for (const json::value* member : members) {
      const auto found = PathWalk(path).From(*member);
      if (!found) return tl::unexpected(found.error());
      const bool holds = sign.empty() ? !found->empty() : Holds(*found, sign, wanted);
      if (holds) next.push_back(member);
    }
    values = std::move(next);
    return {};
  }

  static bool Holds(const Values& found, std::string_view sign, const std::string& wanted) {
    if (found.empty()) return sign == "!=";
    const std::string text = PlainText(*found.front());
    const auto number = ParseInteger<std::int64_t>(text), than = ParseInteger<std::int64_t>(wanted);
    const int order =
        number && than ? (*number < *than ? -1 : *number > *than) : text.compare(wanted);
    if (sign == "==") return order == 0;
    if (sign == "!=") return order != 0;
    if (sign == "<") return order < 0;
    if (sign == "<=") return order <= 0;
    return sign == ">" ? order > 0 : order >= 0;
  }

  tl::unexpected<Error> Fault(std::string_view expected, std::string_view found = {}) const {
    const std::string_view at = found.empty() ? rest_ : found;
    return Fail(fmt::format("path {}: found {}, {}", whole_,
                            at.empty() ? "its end" : fmt::format("\"{}\"", at), expected));
  }

  std::string_view whole_, rest_;
};

// What stands in one pair of braces, and what is behind it. A "}" in quotes is none.
std::optional<std::string_view> BracesAt(std::string_view& rest) {
  char quote = 0;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const char c = rest[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '}') {
      const std::string_view inside = rest.substr(1, i - 1);
      rest.remove_prefix(i + 1);
      return Trimmed(inside, kBlank);
    }
  }
  return std::nullopt;
}

constexpr std::string_view kRange = "range ";

// Of `rest`, up to its end or the {end} of the range that it stands in, which it leaves behind.
Result<std::string> Filled(const json::value& document, std::string_view& rest, bool in_range) {
  std::string text;
  while (!rest.empty()) {
    const std::size_t brace = rest.find('{');
    text += rest.substr(0, brace);
    if (brace == std::string_view::npos) break;
    rest.remove_prefix(brace);
    const std::string_view from_here = rest;
    const std::optional<std::string_view> inside = BracesAt(rest);
    if (!inside) return Fail(fmt::format("template: {} has no closing brace", from_here));
    if (*inside == "end") {
      if (in_range) return text;
      return Fail("template: an {end} without its {range}");
    }
    if (const auto literal = Unquoted(*inside)) {
      text += *literal;
      continue;
    }
    const bool is_range = inside->starts_with(kRange);
    const auto values = ValuesAt(document, is_range ? inside->substr(kRange.size()) : *inside);
    if (!values) return tl::unexpected(values.error());
    if (!is_range) {
      for (std::size_t i = 0; i < values->size(); ++i) {
        text += (i == 0 ? "" : " ") + PlainText(*(*values)[i]);
      }
      continue;
    }
    const std::string_view body = rest;
    // Once over nothing, where there is nothing: what is behind the {end} has to be found.
    static const json::value kNothing;
    const bool none = values->empty();
    for (const json::value* value : none ? Values{&kNothing} : *values) {
      rest = body;
      const Result<std::string> once = Filled(*value, rest, /*in_range=*/true);
      if (!once) return once;
      if (!none) text += *once;
    }
  }
  if (in_range) return Fail("template: a {range} without its {end}");
  return text;
}

}  // namespace

Result<Values> ValuesAt(const json::value& document, std::string_view path) {
  std::string_view bare = Trimmed(path, kBlank);
  if (bare.starts_with('{') && bare.ends_with('}')) {
    bare = Trimmed(bare.substr(1, bare.size() - 2), kBlank);
  }
  return PathWalk(bare).From(document);
}

std::string PlainText(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  return value.is_null() ? std::string() : json::serialize(value);
}

Result<std::string> FillTemplate(const json::value& document, std::string_view text) {
  return Filled(document, text, /*in_range=*/false);
}

}  // namespace fairlead::cli
