// Pretty JSON. A container goes on one line where it fits, else its members take a line each. To
// know whether it fits, it is written flat into a scratch string that gives up at the width: every
// level costs at most one line, however large the document is.

#include <string_view>

#include <boost/json.hpp>
#include <fmt/core.h>

#include "show/document_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

constexpr std::size_t kWidth = 120;

class JsonWriter {
 public:
  std::string Write(const json::value& value) {
    WriteValue(value, 0, 0);
    text_ += '\n';
    return std::move(text_);
  }

 private:
  // `used` is what stands on the line before the value, `indent` where its members would start.
  void WriteValue(const json::value& value, std::size_t used, std::size_t indent) {
    if (!value.is_structured()) {
      text_ += ScalarText(value);
      return;
    }
    std::string flat;
    // One more for the comma that may follow.
    if (AppendFlat(value, kWidth - std::min(kWidth, used + 1), flat)) {
      text_ += flat;
      return;
    }
    if (const json::object* object = value.if_object()) {
      WriteMembers(*object, indent + 2);
    } else {
      WriteItems(value.get_array(), indent + 2);
    }
  }

  void WriteMembers(const json::object& object, std::size_t indent) {
    text_ += '{';
    std::string_view separator = "\n";
    for (const json::key_value_pair& member : object) {
      text_.append(separator).append(indent, ' ');
      const std::string key = json::serialize(json::string(member.key())) + ": ";
      text_ += key;
      WriteValue(member.value(), indent + key.size(), indent);
      separator = ",\n";
    }
    text_.append("\n").append(indent - 2, ' ').append("}");
  }

  void WriteItems(const json::array& array, std::size_t indent) {
    text_ += '[';
    std::string_view separator = "\n";
    for (const json::value& item : array) {
      text_.append(separator).append(indent, ' ');
      WriteValue(item, indent, indent);
      separator = ",\n";
    }
    text_.append("\n").append(indent - 2, ' ').append("]");
  }

  // Returns whether `value` took at most `room` bytes; `into` is of no use where it did not.
  static bool AppendFlat(const json::value& value, std::size_t room, std::string& into) {
    std::string_view separator;
    if (const json::object* object = value.if_object()) {
      into += '{';
      for (const json::key_value_pair& member : *object) {
        into.append(separator).append(json::serialize(json::string(member.key()))).append(": ");
        if (!AppendFlat(member.value(), room, into)) return false;
        separator = ", ";
      }
      into += '}';
    } else if (const json::array* array = value.if_array()) {
      into += '[';
      for (const json::value& item : *array) {
        into.append(separator);
        if (!AppendFlat(item, room, into)) return false;
        separator = ", ";
      }
      into += ']';
    } else {
      into += ScalarText(value);
    }
    return into.size() <= room;
  }

  std::string text_;
};

}  // namespace

std::string ScalarText(const json::value& value) {
  // Boost writes 0.5 as 5E-1.
  if (const double* number = value.if_double()) return fmt::format("{}", *number);
  return json::serialize(value);
}

std::string JsonText(const json::value& value) { return JsonWriter().Write(value); }

std::string JsonLine(const json::value& value) { return json::serialize(value) + "\n"; }

}  // namespace fairlead::show
