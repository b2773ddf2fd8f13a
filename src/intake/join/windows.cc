#include "intake/join/windows.h"

#include <utility>

namespace fairlead::intake {

void Windows::Upsert(const objects::Window& window) {
  windows_.insert_or_assign(window.meta.name, window);
  changed_.insert(window.meta.name);
}

bool Windows::Remove(std::string_view name) {
  const auto found = windows_.find(name);
  if (found == windows_.end()) return false;
  windows_.erase(found);
  changed_.insert(std::string(name));
  return true;
}

void Windows::Take(std::vector<state::Change>& out) {
  for (const std::string& name : std::exchange(changed_, {})) {
    const auto found = windows_.find(name);
    if (found == windows_.end()) {
      marks_.Removed(state::RowKind::kWindow, name);
    } else {
      out.emplace_back(state::WindowChange{.window = found->second});
    }
  }
}

}  // namespace fairlead::intake
