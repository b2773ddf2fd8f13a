#include "kube/resource.h"

#include "kube/query.h"

namespace fairlead::kube {

std::string Resource::ApiVersion() const { return group.empty() ? version : group + "/" + version; }

std::string Resource::DiscoveryPath() const {
  return (group.empty() ? "/api/" : "/apis/") + ApiVersion();
}

std::string Resource::Path() const {
  std::string path = DiscoveryPath();
  if (!name_space.empty()) path += "/namespaces/" + Escaped(name_space);
  return path + "/" + plural;
}

std::string Resource::ToString() const { return group.empty() ? plural : plural + "." + group; }

}  // namespace fairlead::kube
