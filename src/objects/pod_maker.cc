#include "objects/pod_maker.h"

namespace fairlead::objects {

const OwnerReference* PodMakerOf(const Meta& pod) {
  const OwnerReference* manager = pod.Manager();
  const bool makes_pods = manager != nullptr && manager->kind != "Node" && manager->kind != "Pod";
  return makes_pods ? manager : nullptr;
}

}  // namespace fairlead::objects
