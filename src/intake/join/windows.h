#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"
#include "state/change.h"

namespace fairlead::intake {

// Windows as their objects say: which nodes they mean the engine sees by itself.
class Windows {
 public:
  explicit Windows(Marks& marks) : marks_(marks) {}

  void Upsert(const objects::Window& window);
  bool Remove(std::string_view name);
  const Tables::ByName<objects::Window>& all() const { return windows_; }

  // Appends those that changed, by name; those that went are told to Marks.
  void Take(std::vector<state::Change>& out);

 private:
  Marks& marks_;
  Tables::ByName<objects::Window> windows_;
  std::set<std::string, std::less<>> changed_;
};

}  // namespace fairlead::intake
