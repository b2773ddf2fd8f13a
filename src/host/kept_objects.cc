#include "host/kept_objects.h"

#include "base/name_map.h"
#include "objects/key.h"

namespace fairlead::host {
namespace {

std::size_t MostOf(std::string_view kind) {
  if (kind == "Pod") return KeptObjects::kMostPods;
  return kind == "Node" ? KeptObjects::kMostNodes : KeptObjects::kMostOthers;
}

}  // namespace

void KeptObjects::OnObject(const drive::ObjectNews& news) {
  auto of_kind = kinds_.find(news.kind);
  if (of_kind == kinds_.end()) of_kind = kinds_.emplace(news.kind, OfKind()).first;
  auto& [kept, others] = of_kind->second;
  std::string key = objects::JoinKey(news.name_space, news.name);
  const auto known = kept.find(key);
  if (news.object == nullptr) {
    if (known != kept.end()) kept.erase(known);
    others.erase(NameHash()(key));
  } else if (known != kept.end()) {
    known->second = std::make_shared<const objects::Object>(*news.object);
  } else if (const std::size_t most = MostOf(news.kind);
             kept.size() < most && others.size() <= most) {
    others.erase(NameHash()(key));
    kept.emplace(std::move(key), std::make_shared<const objects::Object>(*news.object));
  } else {
    others.insert(NameHash()(key));
    if (others.size() == most) {
      for (const auto& [name, object] : kept) others.insert(NameHash()(name));
      kept.clear();
    }
  }
}

std::optional<std::vector<std::shared_ptr<const objects::Object>>> KeptObjects::All() const {
  std::vector<std::shared_ptr<const objects::Object>> all;
  for (const auto& [kind, of_kind] : kinds_) {
    if (!of_kind.others.empty()) return std::nullopt;
    for (const auto& [key, object] : of_kind.kept) all.push_back(object);
  }
  return all;
}

}  // namespace fairlead::host
