#include "kube/loop.h"

#include "base/check.h"

namespace fairlead::kube {

std::string_view NameOf(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kPost:
      return "POST";
    case Method::kPut:
      return "PUT";
    case Method::kPatch:
      return "PATCH";
    case Method::kDelete:
      return "DELETE";
  }
  BUG("a method without a name");
  return "";
}

std::string_view NameOf(Lane lane) {
  switch (lane) {
    case Lane::kLease:
      return "lease";
    case Lane::kReads:
      return "reads";
    case Lane::kBindings:
      return "bindings";
    case Lane::kWrites:
      return "writes";
    case Lane::kEvents:
      return "events";
    case Lane::kWatches:
      return "watches";
  }
  BUG("a lane without a name");
  return "";
}

}  // namespace fairlead::kube
