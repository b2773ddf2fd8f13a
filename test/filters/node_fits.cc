// Onto which nodes a pod may go now, as Fairlead answers: reads a cluster a line, a List in JSON of
// which the last item is the pod, and prints the names of those nodes, a line for each. Asked by
// `cluster filters`, which compares them with kube-scheduler's.

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/scheduler.h"
#include "intake/intake.h"
#include "objects/read/reader.h"
#include "policy/node_fit.h"

namespace fairlead {
namespace {

constexpr Time kNow{1'767'225'700'000'000};

std::vector<std::string> NodesThatFit(const state::Cluster& cluster, const std::string& name) {
  std::vector<std::string> names;
  const state::PodId p = cluster.pods().Find(name);
  if (!p.valid() || cluster.workloads()[cluster.pods()[p].workload].held) return names;
  const state::Shape& shape = cluster.shapes()[cluster.pods()[p].shape];
  for (const state::NodeId n : cluster.nodes().by_name()) {
    const bool fits =
        cluster.nodes().exists(n) && state::Holds(cluster.nodes().free(n), shape.fit) &&
        std::ranges::all_of(policy::NodeDemands(),
                            [&](const auto& demand) { return demand.met(cluster, shape, n); });
    if (fits) names.push_back(cluster.nodes().name(n));
  }
  return names;
}

int Run() {
  std::string line;
  while (std::getline(std::cin, line)) {
    objects::Manifest manifest;
    objects::ReadText(line, "stdin", intake::AllDecoders(), manifest);
    if (!manifest.faults.empty() || manifest.objects.empty()) {
      fmt::print(stderr, "node_fits: {}\n",
                 manifest.faults.empty() ? "no objects" : manifest.faults[0].ToString());
      return 1;
    }
    intake::Intake intake;
    engine::Scheduler scheduler;
    for (const objects::Object& object : manifest.objects) intake.Upsert(object, kNow);
    scheduler.Apply(intake.TakeChanges());
    scheduler.Settle();
    const std::string pod = objects::MetaOf(manifest.objects.back()).Key();
    fmt::print("{}\n", fmt::join(NodesThatFit(scheduler.cluster(), pod), " "));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace fairlead

int main() { return fairlead::Run(); }
