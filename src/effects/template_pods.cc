#include "effects/template_pods.h"

#include <tuple>

#include <fmt/format.h>

#include "objects/keys.h"

namespace fairlead::effects {

std::string TemplatePodStem(std::string_view workload, std::string_view pod_set) {
  return fmt::format("{}-{}", workload, pod_set);
}

objects::Labels TemplatePodLabels(std::string_view workload, std::string_view pod_set) {
  return {{std::string(objects::kPodSetLabel), std::string(pod_set)},
          {std::string(objects::kWorkloadLabel), std::string(workload)}};
}

bool LeavesBefore(const SurplusPod& a, const SurplusPod& b) {
  const auto staying = [](const SurplusPod& pod) {
    return std::tuple(!pod.bound, pod.scheduled, pod.created, pod.index, pod.name);
  };
  return staying(a) > staying(b);
}

}  // namespace fairlead::effects
