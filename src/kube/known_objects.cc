#include "kube/known_objects.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "base/integer.h"
#include "kube/version.h"
#include "objects/key.h"

namespace fairlead::kube {
namespace {

void SortByKey(std::vector<ObjectRef>& refs) {
  std::sort(refs.begin(), refs.end(), [](const ObjectRef& a, const ObjectRef& b) {
    return std::tie(a.name_space, a.name) < std::tie(b.name_space, b.name);
  });
}

}  // namespace

KnownObjects::Version::Version(std::string_view text) {
  const auto number = ParseInteger<std::int64_t>(text);
  if (number && *number >= 0 && std::to_string(*number) == text) {
    value_ = *number;
  } else if (!text.empty()) {
    value_ = -2 - static_cast<std::int64_t>(std::hash<std::string_view>()(text) >> 2);
  }
}

std::string KnownObjects::Version::ToString() const {
  return value_ < 0 ? std::string() : std::to_string(value_);
}

ObjectRef KnownObjects::RefOf(std::string_view key, const Entry& entry) {
  const auto [name_space, name] = objects::SplitKey(key);
  return {.name_space = std::string(name_space),
          .name = std::string(name),
          .uid = entry.uid.ToString(),
          .version = entry.version.ToString()};
}

bool KnownObjects::IsSame(std::string_view version, const Version& known) {
  return !version.empty() && Version(version) == known;
}

std::string_view KnownObjects::KeyOf(const ObjectRef& ref) {
  if (ref.name_space.empty()) return ref.name;
  key_.assign(ref.name_space).append(1, '/').append(ref.name);
  return key_;
}

KnownObjects::News KnownObjects::Judge(const ObjectRef& ref, std::string_view reached) {
  const Entry* known = objects_.Find(KeyOf(ref));
  // What is not known and not new either was deleted since: the event is a replay.
  const auto against_all = CompareVersions(ref.version, reached);
  if (known == nullptr || !(known->uid == ref.uid)) {
    if (against_all && *against_all <= 0) return News::kNone;
    return known == nullptr ? News::kChanged : News::kReplacement;
  }
  if (IsSame(ref.version, known->version)) return News::kNone;
  return IsOlder(ref.version, known->version.ToString()) ? News::kNone : News::kChanged;
}

KnownObjects::News KnownObjects::JudgeItem(const ObjectRef& ref) {
  Entry* known = objects_.Find(KeyOf(ref));
  if (known == nullptr) return News::kChanged;
  known->list = list_ & kLists;
  if (!(known->uid == ref.uid)) return News::kReplacement;
  return IsSame(ref.version, known->version) ? News::kNone : News::kChanged;
}

std::vector<ObjectRef> KnownObjects::EndList() {
  std::vector<ObjectRef> gone;
  objects_.EraseIf([&](std::string_view key, const Entry& entry) {
    if (entry.list == list_) return false;
    if (entry.told) gone.push_back(RefOf(key, entry));
    return true;
  });
  SortByKey(gone);
  return gone;
}

const Text& KnownObjects::Put(const ObjectRef& ref, As as) {
  const auto named = objects_.AddNamed(KeyOf(ref)).first;
  Entry& entry = named->row;
  entry.uid = Uid(ref.uid);
  entry.version = Version(ref.version);
  entry.list = list_ & kLists;
  entry.told = entry.told || as == As::kTold;
  return named->name;
}

std::optional<ObjectRef> KnownObjects::Take(const ObjectRef& ref, std::string_view uid) {
  const std::string_view key = KeyOf(ref);
  const Entry* known = objects_.Find(key);
  if (known == nullptr) return std::nullopt;
  if (!uid.empty() && !(known->uid == uid)) return std::nullopt;
  std::optional<ObjectRef> taken;
  if (known->told) taken = RefOf(key, *known);
  objects_.Erase(key);
  return taken;
}

std::vector<ObjectRef> KnownObjects::TakeAll() {
  BeginList();
  return EndList();
}

}  // namespace fairlead::kube
