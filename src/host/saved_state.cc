#include "host/saved_state.h"

#include <utility>

#include <boost/json.hpp>

#include "objects/write/writer.h"
#include "server/kinds.h"
#include "show/document_text.h"

namespace fairlead::host {

namespace json = boost::json;

std::vector<objects::Object> CopyOf(const virtual_cluster::VirtualCluster& cluster) {
  std::vector<objects::Object> copy;
  for (const server::Kind& kind : server::AllKinds()) {
    for (const objects::Object* object : cluster.List(kind.kind)) copy.push_back(*object);
  }
  return copy;
}

std::string SavedState(const virtual_cluster::VirtualCluster& cluster) {
  json::array items;
  for (const objects::Object& object : CopyOf(cluster)) items.push_back(objects::ToJson(object));
  return show::YamlText(
      json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}});
}

}  // namespace fairlead::host
