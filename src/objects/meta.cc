#include "objects/meta.h"

#include <algorithm>

#include "base/same_key.h"
#include "objects/key.h"

namespace fairlead::objects {
namespace {

// The entry of a list that is sorted by its first halves, or null.
template <typename List>
auto* FindEntry(const List& list, std::string_view key) {
  constexpr std::size_t kFew = 8;  // and most keys are not in them
  if (list.size() <= kFew) {
    for (const auto& entry : list) {
      if (SameKey(entry.first, key)) return &entry.second;
    }
    return static_cast<decltype(&list.front().second)>(nullptr);
  }
  const auto found =
      std::lower_bound(list.begin(), list.end(), key,
                       [](const auto& entry, std::string_view k) { return entry.first < k; });
  return found != list.end() && found->first == key ? &found->second : nullptr;
}

}  // namespace

const std::string* FindLabel(const Labels& labels, std::string_view key) {
  return FindEntry(labels, key);
}

std::int64_t AmountOf(const ResourceList& list, std::string_view resource) {
  const std::int64_t* amount = FindEntry(list, resource);
  return amount == nullptr ? 0 : *amount;
}

std::string Meta::Key() const { return JoinKey(name_space, name); }

const OwnerReference* Meta::Controller() const {
  const auto found = std::find_if(owners.begin(), owners.end(),
                                  [](const OwnerReference& owner) { return owner.controller; });
  return found == owners.end() ? nullptr : &*found;
}

const OwnerReference* Meta::Manager() const {
  if (const OwnerReference* controller = Controller()) return controller;
  return owners.size() == 1 ? &owners.front() : nullptr;
}

}  // namespace fairlead::objects
