#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "intake/facts/table.h"

namespace fairlead::intake {

// A name of a node, a queue or a file as a small number. Id 0 is the empty name.
using NameId = Id<struct NameTag>;

// Names, each kept once and for ever: there are as many as the cluster ever had nodes and queues,
// not as it has pods.
class Names {
 public:
  NameId Intern(std::string_view name) {
    return name.empty() ? kEmpty : NameId(rows_.Add(name).value() + 1);
  }
  // The same, quickly where it is the name that was last given here.
  NameId InternAgain(std::string_view name) {
    if ((*this)[last_] != name) last_ = Intern(name);
    return last_;
  }
  // Invalid for a name that was never interned.
  NameId Find(std::string_view name) const {
    if (name.empty()) return kEmpty;
    NameId found = rows_.Find(name);
    return found.valid() ? NameId(found.value() + 1) : NameId();
  }
  const std::string& operator[](NameId id) const {
    return id == kEmpty ? empty_ : rows_[NameId(id.value() - 1)].name;
  }

  static constexpr NameId kEmpty = NameId(std::uint32_t{0});

 private:
  struct Row {
    std::string name;
  };
  Table<Row, NameId> rows_;
  std::string empty_;
  NameId last_ = kEmpty;
};

// Where an object was read ("FILE:LINE"), in eight bytes.
struct Source {
  NameId file = Names::kEmpty;
  std::uint32_t line = 0;
};
Source InternSource(std::string_view text, Names& names);
std::string ToString(Source source, const Names& names);

}  // namespace fairlead::intake
