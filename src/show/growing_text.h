#pragma once

#include <span>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "show/document_text.h"

namespace fairlead::show {

// What the writers of documents share: a text that is handed on before it gets long, and lists
// whose items come from elsewhere.
class GrowingText {
 public:
  GrowingText(std::span<const LongList> lists, const TextSink& sink) : lists_(lists), sink_(sink) {}

  std::string text;  // not handed on yet

  void HandOn() {
    sink_(text);
    text.clear();
  }

  // Visits the items of a list, be they values of it or not. visit returns false: enough.
  template <typename Visit>
  void ForEachItem(const boost::json::value& list, Visit visit) {
    if (const LongList* long_list = Find(list)) {
      return long_list->for_each([&](const boost::json::value& item) { return visit(item); });
    }
    for (const boost::json::value& item : list.get_array()) {
      if (!visit(item)) return;
    }
  }
  // The same, where all items are written.
  template <typename Write>
  void WriteEachItem(const boost::json::value& list, Write write) {
    constexpr std::size_t kHandOnAt = std::size_t{1} << 20;
    ForEachItem(list, [&](const boost::json::value& item) {
      write(item);
      if (text.size() >= kHandOnAt) HandOn();
      return true;
    });
  }
  bool HasNoItem(const boost::json::value& list) {
    bool any = false;
    ForEachItem(list, [&any](const boost::json::value& /*item*/) {
      any = true;
      return false;
    });
    return !any;
  }

 private:
  const LongList* Find(const boost::json::value& list) const {
    for (const LongList& each : lists_) {
      if (each.in_place_of == &list) return &each;
    }
    return nullptr;
  }

  std::span<const LongList> lists_;
  const TextSink& sink_;
};

// All that write(sink) hands on, as one text.
template <typename Write>
std::string Gathered(Write write) {
  std::string text;
  write([&text](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace fairlead::show
