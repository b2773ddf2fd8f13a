#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "objects/objects.h"

namespace fairlead::intake {

// ResourceQuotas, for what the owner of an ElasticQuota should know of them. One with scopes says
// nothing of the other pods and is none here.
class ResourceQuotas {
 public:
  // Return whether what the namespace is allowed may have changed.
  bool Upsert(const objects::ResourceQuota& quota);
  bool Remove(std::string_view key);  // "namespace/name"

  // What all of a namespace allow together, by resource the least; none: there is none.
  struct Allowed {
    objects::ResourceList hard;
    std::string names;  // "a/x, a/y"
  };
  std::optional<Allowed> AllowedIn(std::string_view name_space) const;

 private:
  std::map<std::string, objects::ResourceList, std::less<>> hard_;  // by "namespace/name"
};

}  // namespace fairlead::intake
