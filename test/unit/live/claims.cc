#include "unit/live/claims.h"

#include <utility>

#include <boost/json.hpp>

#include "objects/keys.h"
#include "objects/read/json_fields.h"

namespace fairlead::live {
namespace {

constexpr const char* kClaims = "persistentvolumeclaims";

}  // namespace

void AddStorageClass(kube::FakeApi& api, const std::string& name, const std::string& provisioner) {
  api.Put("storageclasses", {{"metadata", {{"name", name}}},
                             {"provisioner", provisioner},
                             {"volumeBindingMode", "WaitForFirstConsumer"}});
}

std::string NodeSelectedFor(const kube::FakeApi& api, const std::string& claim) {
  const boost::json::object* object = api.Find(kClaims, "team/" + claim);
  if (object == nullptr) return "gone";
  const boost::json::value* annotations = objects::At(object->at("metadata"), "annotations");
  if (annotations == nullptr) return "";
  return objects::TextAt(*annotations, objects::kSelectedNodeAnnotation);
}

void RefuseClaim(kube::FakeApi& api, const std::string& claim) {
  boost::json::object object = *api.Find(kClaims, "team/" + claim);
  object["metadata"].as_object()["annotations"].as_object().erase(objects::kSelectedNodeAnnotation);
  api.Put(kClaims, std::move(object));
}

void BindClaim(kube::FakeApi& api, const std::string& claim, const std::string& volume) {
  boost::json::object object = *api.Find(kClaims, "team/" + claim);
  object["spec"].as_object()["volumeName"] = volume;
  object["status"] = boost::json::object{{"phase", "Bound"}};
  api.Put(kClaims, std::move(object));
}

}  // namespace fairlead::live
