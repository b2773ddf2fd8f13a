#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/id.h"
#include "base/name_map.h"

namespace fairlead {

// A name of a node, a queue or a file as a small number. Id 0 is the empty name.
using NameId = Id<struct NameTag>;

// Names, each kept once and for ever: there are as many as the cluster ever had nodes and queues,
// not as it has pods. Numbers are given out in order.
class Names {
 public:
  Names() = default;
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  static constexpr NameId kEmpty = NameId(std::uint32_t{0});

  NameId Intern(std::string_view name) {
    if (name.empty()) return kEmpty;
    if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
    const auto id = NameId(static_cast<std::uint32_t>(names_.size()));
    ids_.emplace(names_.emplace_back(name), id);
    return id;
  }
  // The same, quickly where it is the name that was last given here.
  NameId InternAgain(std::string_view name) {
    if ((*this)[last_] != name) last_ = Intern(name);
    return last_;
  }
  // Invalid for a name that was never interned.
  NameId Find(std::string_view name) const {
    if (name.empty()) return kEmpty;
    const auto found = ids_.find(name);
    return found == ids_.end() ? NameId() : found->second;
  }
  const std::string& operator[](NameId id) const { return names_[id.value()]; }

 private:
  std::deque<std::string> names_{1};  // a name stays where it is: `ids_` looks at it
  boost::unordered_flat_map<std::string_view, NameId, NameHash, std::equal_to<>> ids_;
  NameId last_ = kEmpty;
};

}  // namespace fairlead
