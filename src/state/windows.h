#pragma once

#include <string_view>
#include <vector>

#include "objects/window.h"

namespace fairlead::state {

// The windows that are known, by name; of their objects' metadata the name alone. They are few.
class WindowTable {
 public:
  // Of these two each returns whether something changed.
  bool Update(const objects::Window& window);
  bool Remove(std::string_view name);

  const std::vector<objects::Window>& all() const { return windows_; }

 private:
  std::vector<objects::Window> windows_;
};

}  // namespace fairlead::state
