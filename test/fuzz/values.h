#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "objects/read/document_sink.h"
#include "objects/read/json_scan.h"

// What the parsers hand out, as text: for tests that compare what two of them made of one input.

namespace fairlead::objects {

inline void AppendString(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
}

// As JSON. A number that JSON cannot write (.inf) becomes a string.
inline void AppendValue(const Value& value, std::string& out) {
  const char* separator = "";
  switch (value.kind()) {
    case Value::Kind::kNull:
      out += "null";
      return;
    case Value::Kind::kBool:
      out += value.as_bool() ? "true" : "false";
      return;
    case Value::Kind::kNumber:
      if (IsJsonNumber(value.text())) {
        out += value.text();
        return;
      }
      [[fallthrough]];
    case Value::Kind::kString:
      return AppendString(value.text(), out);
    case Value::Kind::kSequence:
      out += '[';
      for (const Value* item : value.items()) {
        out += std::exchange(separator, ",");
        AppendValue(*item, out);
      }
      out += ']';
      return;
    case Value::Kind::kMapping:
      out += '{';
      for (const Value::Member& member : value.members()) {
        out += std::exchange(separator, ",");
        AppendString(member.key, out);
        out += ':';
        AppendValue(*member.value, out);
      }
      out += '}';
      return;
  }
}

inline std::string PrintValue(const Value& value) {
  std::string text;
  AppendValue(value, text);
  return text;
}

// Keeps what a parser hands out: roots and the elements of their `items`, in the order they came.
class PrintingSink : public DocumentSink {
 public:
  std::vector<std::string> values;
  std::vector<std::string> lists;  // the kinds that were known when an element came
  std::string fault;               // "LINE: message"

  void BeginDocument() override {}
  bool Item(const Value& item, std::string_view api_version, std::string_view kind) override {
    values.push_back(PrintValue(item));
    lists.push_back(std::string(api_version) + " " + std::string(kind));
    return true;
  }
  void EndDocument(const Value& root) override { values.push_back(PrintValue(root)); }
  void SyntaxFault(std::uint32_t line, std::string message) override {
    fault = std::to_string(line) + ": " + message;
  }
};

}  // namespace fairlead::objects
