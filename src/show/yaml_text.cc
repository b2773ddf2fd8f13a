// Block YAML. Only JSON's kinds occur, so the one hard question is when a string may stand plain:
// whenever neither YAML 1.1 (kubectl) nor 1.2 would read it as anything but that string. In doubt
// it is quoted, as a JSON string, which is valid YAML.

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "base/ascii.h"
#include "show/document_text.h"
#include "show/growing_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

bool IsWord(std::string_view text) {
  static constexpr std::array<std::string_view, 11> kWords = {
      "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf"};
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const std::string_view word : kWords) {
    if (lower == word) return true;
  }
  return false;
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "500m", "1.5Gi", "30s": digits, perhaps a fraction, then letters to the end. No number ends so,
// hexadecimal ones aside.
bool IsAmount(std::string_view text) {
  if (text.empty() || !IsDigit(text[0]) || text.starts_with("0x") || text.starts_with("0X")) {
    return false;
  }
  std::size_t i = 0;
  while (i < text.size() && IsDigit(text[i])) ++i;
  if (i + 1 < text.size() && text[i] == '.' && IsDigit(text[i + 1])) {
    for (++i; i < text.size() && IsDigit(text[i]);) ++i;
  }
  const std::size_t letters = i;
  while (i < text.size() && IsLetter(text[i])) ++i;
  return letters < i && i == text.size();
}

// Text that starts with a letter, '/' or '_' is no number, date or indicator; what follows must not
// end the scalar (": ", " #", a colon at the end) or leave the printable ASCII characters.
bool MayStandPlain(std::string_view text) {
  if (text.empty() || text.size() > 200 || IsWord(text)) return false;
  if (IsAmount(text)) return true;
  if (!IsLetter(text[0]) && text[0] != '/' && text[0] != '_') return false;
  if (text.back() == ' ' || text.back() == ':') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c < ' ' || c > '~') return false;
    const bool at_space = i + 1 < text.size() && text[i + 1] == ' ';
    if (c == ':' && at_space) return false;
    if (c == '#' && text[i - 1] == ' ') return false;  // i > 0: it starts with none of these
  }
  return true;
}

std::string Scalar(std::string_view text) {
  return MayStandPlain(text) ? std::string(text) : json::serialize(json::string(text));
}

class YamlWriter {
 public:
  YamlWriter(std::span<const LongList> lists, const TextSink& sink) : out_(lists, sink) {}

  void Write(const json::value& value) {
    Append(value, 0);
    out_.HandOn();
  }

 private:
  bool IsEmptyContainer(const json::value& value) {
    const json::object* object = value.if_object();
    return (object != nullptr && object->empty()) || (value.is_array() && out_.HasNoItem(value));
  }

  void AppendMember(const json::key_value_pair& member, std::size_t indent) {
    out_.text.append(Scalar(member.key())).append(":");
    const json::value& value = member.value();
    if (!value.is_structured() || IsEmptyContainer(value)) {
      out_.text += ' ';
      Append(value, indent);
      return;
    }
    // kubectl's form: the items of a list stand below the first letter of its key.
    const std::size_t inner = value.is_object() ? indent + 2 : indent;
    out_.text.append("\n").append(inner, ' ');
    Append(value, inner);
  }

  // The first line of `value` is written where the text ends; later ones start at `indent`.
  void Append(const json::value& value, std::size_t indent) {
    if (IsEmptyContainer(value)) {
      out_.text += value.is_object() ? "{}\n" : "[]\n";
    } else if (const json::object* object = value.if_object()) {
      bool first = true;
      for (const json::key_value_pair& member : *object) {
        if (!std::exchange(first, false)) out_.text.append(indent, ' ');
        AppendMember(member, indent);
      }
    } else if (value.is_array()) {
      bool first = true;
      out_.WriteEachItem(value, [&](const json::value& item) {
        if (!std::exchange(first, false)) out_.text.append(indent, ' ');
        out_.text += "- ";
        Append(item, indent + 2);
      });
    } else if (const json::string* string = value.if_string()) {
      out_.text.append(Scalar(*string)).append("\n");
    } else {
      out_.text.append(ScalarText(value)).append("\n");
    }
  }

  GrowingText out_;
};

}  // namespace

void WriteYaml(const json::value& value, std::span<const LongList> lists, const TextSink& sink) {
  YamlWriter(lists, sink).Write(value);
}

std::string YamlText(const json::value& value) {
  return Gathered([&](const TextSink& sink) { WriteYaml(value, {}, sink); });
}

}  // namespace fairlead::show
