#pragma once

#include <string>

namespace fairlead::intake {

// `who` names `now` instead of `before`, in a map of sets of who names what. Empty: names nothing.
template <typename Users>
void Name(Users& users, const std::string& before, const std::string& now, const std::string& who) {
  if (before == now) return;
  if (const auto old = users.find(before); old != users.end()) {
    old->second.erase(who);
    if (old->second.empty()) users.erase(old);
  }
  if (!now.empty()) users[now].insert(who);
}

}  // namespace fairlead::intake
