#include "kube/known_objects.h"

#include <algorithm>
#include <tuple>

#include "kube/version.h"
#include "objects/key.h"

namespace fairlead::kube {
namespace {

template <typename Entry>
ObjectRef RefOf(const std::string& key, const Entry& entry) {
  const auto [name_space, name] = objects::SplitKey(key);
  return {.name_space = std::string(name_space),
          .name = std::string(name),
          .uid = entry.uid,
          .version = entry.version};
}

void SortByKey(std::vector<ObjectRef>& refs) {
  std::sort(refs.begin(), refs.end(), [](const ObjectRef& a, const ObjectRef& b) {
    return std::tie(a.name_space, a.name) < std::tie(b.name_space, b.name);
  });
}

}  // namespace

KnownObjects::News KnownObjects::Judge(const ObjectRef& ref, std::string_view reached) const {
  const auto found = objects_.find(ref.Key());
  // What is not known and not new either was deleted since: the event is a replay.
  const auto against_all = CompareVersions(ref.version, reached);
  if (found == objects_.end() || found->second.uid != ref.uid) {
    if (against_all && *against_all <= 0) return News::kNone;
    return found == objects_.end() ? News::kChanged : News::kReplacement;
  }
  const Entry& known = found->second;
  if (ref.version == known.version && !ref.version.empty()) return News::kNone;
  return IsOlder(ref.version, known.version) ? News::kNone : News::kChanged;
}

KnownObjects::News KnownObjects::JudgeItem(const ObjectRef& ref) {
  const auto found = objects_.find(ref.Key());
  if (found == objects_.end()) return News::kChanged;
  Entry& known = found->second;
  known.list = list_;
  if (known.uid != ref.uid) return News::kReplacement;
  return known.version == ref.version && !ref.version.empty() ? News::kNone : News::kChanged;
}

std::vector<ObjectRef> KnownObjects::EndList() {
  std::vector<ObjectRef> gone;
  for (auto entry = objects_.begin(); entry != objects_.end();) {
    if (entry->second.list == list_) {
      ++entry;
      continue;
    }
    if (entry->second.told) gone.push_back(RefOf(entry->first, entry->second));
    objects_.erase(entry++);
  }
  SortByKey(gone);
  return gone;
}

void KnownObjects::Put(const ObjectRef& ref, As as) {
  Entry& entry = objects_[ref.Key()];
  entry.uid = ref.uid;
  entry.version = ref.version;
  entry.list = list_;
  entry.told = entry.told || as == As::kTold;
}

std::optional<ObjectRef> KnownObjects::Take(const ObjectRef& ref, std::string_view uid) {
  const auto found = objects_.find(ref.Key());
  if (found == objects_.end()) return std::nullopt;
  if (!uid.empty() && found->second.uid != uid) return std::nullopt;
  std::optional<ObjectRef> taken;
  if (found->second.told) taken = RefOf(found->first, found->second);
  objects_.erase(found);
  return taken;
}

std::vector<ObjectRef> KnownObjects::TakeAll() {
  BeginList();
  return EndList();
}

}  // namespace fairlead::kube
