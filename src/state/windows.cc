#include "state/windows.h"

#include <algorithm>

namespace fairlead::state {
namespace {

std::string_view NameOfWindow(const objects::Window& window) { return window.meta.name; }

}  // namespace

bool WindowTable::Update(const objects::Window& window) {
  objects::Window known = window;
  known.meta = {};
  known.meta.name = window.meta.name;
  const auto at = std::ranges::lower_bound(windows_, window.meta.name, {}, NameOfWindow);
  if (at == windows_.end() || at->meta.name != window.meta.name) {
    windows_.insert(at, std::move(known));
    return true;
  }
  if (*at == known) return false;
  *at = std::move(known);
  return true;
}

bool WindowTable::Remove(std::string_view name) {
  return std::erase_if(windows_, [&](const auto& each) { return each.meta.name == name; }) > 0;
}

}  // namespace fairlead::state
