#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::server {

// A kind by all the names that users know it by.
struct Kind {
  std::string_view kind;        // "Pod", as objects::KindOf says
  std::string_view plural;      // "pods", as in URLs
  std::string_view short_name;  // "po"; may be empty
  std::string_view api_version;
  bool namespaced = false;
  // Decisions, and what users have, are told and are no objects: nobody makes or deletes them.
  bool is_object() const { return kind != "Event" && kind != "User"; }
};

// In the order in which `get all` shows them.
std::span<const Kind> AllKinds();

// By kind, plural, singular or short name, in any case; null: there is none.
const Kind* FindKind(std::string_view name);

// Every name that FindKind knows in lower case, for completion and for "did you mean".
std::vector<std::string> KindNames();

}  // namespace fairlead::server
