#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "objects/meta.h"
#include "objects/selector.h"

namespace fairlead::objects {

// Writes fields into one text that is a key: equal texts come of equal fields only. A text is
// written with its length before it, so that no character is special and no two different lists of
// fields run together. Not for people.
class KeyWriter {
 public:
  void Add(std::string_view text) {
    Add(std::ssize(text));
    key_.append(text);
  }
  void Add(std::int64_t number) {
    key_.append(std::to_string(number));
    key_.push_back(':');
  }
  void Add(const Labels& labels) {
    Add(std::ssize(labels));
    for (const auto& [key, value] : labels) {
      Add(key);
      Add(value);
    }
  }
  void Add(const std::vector<std::string>& texts) {
    Add(std::ssize(texts));
    for (const std::string& text : texts) Add(text);
  }
  void Add(const std::vector<Requirement>& requirements) {
    Add(std::ssize(requirements));
    for (const Requirement& r : requirements) {
      Add(r.key);
      Add(static_cast<std::int64_t>(r.op));
      Add(r.values);
    }
  }
  void Add(const std::vector<NodeSelectorTerm>& terms) {
    Add(std::ssize(terms));
    for (const NodeSelectorTerm& term : terms) {
      Add(term.labels);
      Add(term.fields);
    }
  }
  void Add(const std::vector<Toleration>& tolerations) {
    Add(std::ssize(tolerations));
    for (const Toleration& t : tolerations) {
      Add(t.key);
      Add(t.exists ? 1 : 0);
      Add(t.value);
      Add(t.effect ? static_cast<std::int64_t>(*t.effect) : -1);
    }
  }
  std::string Take() { return std::move(key_); }

 private:
  std::string key_;
};

}  // namespace fairlead::objects
