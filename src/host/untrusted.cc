#include "host/untrusted.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include "objects/key.h"

namespace fairlead::host {

std::optional<boost::json::object> Untrusted(const state::Cluster& cluster, std::string_view name) {
  const auto& settings = cluster.configuration().daemon_set_preemption;
  const state::PodId p = cluster.pods().Find(name);
  if (!p.valid() || !settings.enabled) return std::nullopt;
  const state::Pod& pod = cluster.pods()[p];
  const auto& pinned_to = cluster.shapes()[pod.shape].only_nodes;
  if (pod.placed() || pinned_to.size() != 1) return std::nullopt;
  if (pod.daemon_set == state::OfDaemonSet::kMissing) {
    return boost::json::object{
        {"message", fmt::format("node {} is not cleared for it: the DaemonSet that it names as its "
                                "owner is not there",
                                pinned_to.front())},
        {"remedy", "none: a pod that only says so is one like any other"}};
  }
  if (pod.daemon_set != state::OfDaemonSet::kUntrusted) return std::nullopt;
  const std::string_view name_space = objects::SplitKey(name).name_space;
  const std::string by = settings.name_spaces
                             ? "a label that daemonSetPreemption.namespaceSelector selects"
                             : fmt::format(
                                   "kubectl label namespace {} "
                                   "fairlead.dev/infrastructure=true",
                                   name_space);
  return boost::json::object{
      {"message", fmt::format("node {} is not cleared for it: DaemonSets of namespace {} are not "
                              "trusted with that",
                              pinned_to.front(), name_space)},
      {"remedy", "an administrator who trusts all of them: " + by}};
}

}  // namespace fairlead::host
