// Pretty JSON. A container goes on one line where it fits, else its members take a line each. To
// know whether it fits, it is written flat into a scratch string that gives up at the width: every
// level costs at most one line, however large the document is.

#include <span>
#include <string_view>

#include <boost/json.hpp>
#include <fmt/core.h>

#include "show/document_text.h"
#include "show/growing_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

constexpr std::size_t kWidth = 120;

class JsonWriter {
 public:
  JsonWriter(std::span<const LongList> lists, const TextSink& sink) : out_(lists, sink) {}

  void Write(const json::value& value) {
    WriteValue(value, 0, 0);
    out_.text += '\n';
    out_.HandOn();
  }

 private:
  // `used` is what stands on the line before the value, `indent` where its members would start.
  void WriteValue(const json::value& value, std::size_t used, std::size_t indent) {
    if (!value.is_structured()) {
      out_.text += ScalarText(value);
      return;
    }
    std::string flat;
    // One more for the comma that may follow.
    if (AppendFlat(value, kWidth - std::min(kWidth, used + 1), flat)) {
      out_.text += flat;
      return;
    }
    if (const json::object* object = value.if_object()) {
      WriteMembers(*object, indent + 2);
    } else {
      WriteItems(value, indent + 2);
    }
  }

  void WriteMembers(const json::object& object, std::size_t indent) {
    out_.text += '{';
    std::string_view separator = "\n";
    for (const json::key_value_pair& member : object) {
      out_.text.append(separator).append(indent, ' ');
      const std::string key = json::serialize(json::string(member.key())) + ": ";
      out_.text += key;
      WriteValue(member.value(), indent + key.size(), indent);
      separator = ",\n";
    }
    out_.text.append("\n").append(indent - 2, ' ').append("}");
  }

  void WriteItems(const json::value& list, std::size_t indent) {
    out_.text += '[';
    std::string_view separator = "\n";
    out_.WriteEachItem(list, [&](const json::value& item) {
      out_.text.append(separator).append(indent, ' ');
      WriteValue(item, indent, indent);
      separator = ",\n";
    });
    out_.text.append("\n").append(indent - 2, ' ').append("]");
  }

  // Returns whether `value` took at most `room` bytes; `into` is of no use where it did not.
  bool AppendFlat(const json::value& value, std::size_t room, std::string& into) {
    std::string_view separator;
    if (const json::object* object = value.if_object()) {
      into += '{';
      for (const json::key_value_pair& member : *object) {
        into.append(separator).append(json::serialize(json::string(member.key()))).append(": ");
        if (!AppendFlat(member.value(), room, into)) return false;
        separator = ", ";
      }
      into += '}';
    } else if (value.is_array()) {
      into += '[';
      bool fits = true;
      out_.ForEachItem(value, [&](const json::value& item) {
        into.append(separator);
        fits = AppendFlat(item, room, into);
        separator = ", ";
        return fits;
      });
      if (!fits) return false;
      into += ']';
    } else {
      into += ScalarText(value);
    }
    return into.size() <= room;
  }

  GrowingText out_;
};

}  // namespace

std::string ScalarText(const json::value& value) {
  // Boost writes 0.5 as 5E-1.
  if (const double* number = value.if_double()) return fmt::format("{}", *number);
  return json::serialize(value);
}

void WriteJson(const json::value& value, std::span<const LongList> lists, const TextSink& sink) {
  JsonWriter(lists, sink).Write(value);
}

std::string JsonText(const json::value& value) {
  return Gathered([&](const TextSink& sink) { WriteJson(value, {}, sink); });
}

std::string JsonLine(const json::value& value) { return json::serialize(value) + "\n"; }

}  // namespace fairlead::show
