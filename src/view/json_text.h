#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/time.h"

namespace fairlead::view {

// JSON as it is written: no tree, so that fifty thousand numbers cost as many appends.
//
//   JsonText json;
//   json.Open('{').Key("rows").Open('[').Value(1).Value("a").Close(']').Close('}');
class JsonText {
 public:
  JsonText& Open(char bracket) {
    Separate();
    text_ += bracket;
    return *this;
  }
  JsonText& Close(char bracket) {
    text_ += bracket;
    return *this;
  }
  JsonText& Key(std::string_view key) {
    Separate();
    Quote(key);
    text_ += ':';
    return *this;
  }
  JsonText& Value(std::string_view value) {
    Separate();
    Quote(value);
    return *this;
  }
  JsonText& Value(const char* value) { return Value(std::string_view(value)); }
  JsonText& Value(std::same_as<bool> auto value) { return Raw(value ? "true" : "false"); }
  JsonText& Value(std::integral auto value)
    requires(!std::same_as<decltype(value), bool>)
  {
    return Raw(fmt::format_int(value).c_str());
  }
  JsonText& Value(Time value) { return Value(FormatTime(value)); }
  template <typename T>
  JsonText& Value(const std::optional<T>& value) {
    return value ? Value(*value) : Null();
  }
  JsonText& Null() { return Raw("null"); }
  template <typename T>
  JsonText& Field(std::string_view key, const T& value) {
    return Key(key).Value(value);
  }

  std::string Take() { return std::move(text_); }

 private:
  void Separate() {
    if (text_.empty()) return;
    const char last = text_.back();
    if (last != '{' && last != '[' && last != ':') text_ += ',';
  }
  JsonText& Raw(std::string_view text) {
    Separate();
    text_ += text;
    return *this;
  }
  void Quote(std::string_view text) {
    text_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        text_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
};

}  // namespace fairlead::view
