#include "engine/audit/audit.h"

#include <cstdint>
#include <map>

#include "engine/audit/accounts_audit.h"
#include "engine/audit/auditor.h"
#include "engine/audit/sums_audit.h"

namespace fairlead::engine {
namespace {

using state::NodeId;
using state::PodId;
using state::ResourceId;

// That no node is given away twice.
class RoomAuditor : Auditor {
 public:
  RoomAuditor(const state::Cluster& cluster, std::vector<std::string>& faults)
      : Auditor(&faults), cluster_(cluster) {}

  void Look(NodeId n) {
    const state::NodeTable& nodes = cluster_.nodes();
    std::vector<std::int64_t> used(cluster_.resources().size(), 0);
    bool foreign = false;
    std::map<int, std::int64_t> devices;
    std::int64_t whole = 0;
    for (const PodId p : nodes.pods(n)) {
      const state::Pod& pod = cluster_.pods()[p];
      foreign |= pod.foreign || pod.placement == state::Placement::kBound;
      if (pod.claims()) continue;
      const state::Shape& shape = cluster_.shapes()[pod.shape];
      for (const state::Amount& a : shape.request) used[a.resource.value()] += a.amount;
      if (shape.gpu_milli > 0 && pod.gpu_device >= 0) devices[pod.gpu_device] += shape.gpu_milli;
      whole += shape.whole_gpus;
    }
    for (std::uint32_t r = 0; r < used.size(); ++r) {
      if (state::IsInternal(ResourceId(r)) || foreign || !nodes.exists(n)) continue;
      if (used[r] > nodes.allocatable(n)[r]) {
        Fault("node {} is over its allocatable {}", nodes.name(n),
              cluster_.resources().name(ResourceId(r)));
      }
    }
    for (const auto& [device, milli] : devices) {
      if (milli > 1000)
        Fault("node {}: device {} holds {} thousandths", nodes.name(n), device, milli);
    }
    const std::int64_t all = nodes.allocatable(n)[state::kGpu.value()] / 1000;
    if (!foreign && whole + std::ssize(devices) > all) {
      Fault("node {}: more GPU devices in use than it has", nodes.name(n));
    }
  }

 private:
  const state::Cluster& cluster_;
};

}  // namespace

std::vector<std::string> Audit(const state::Cluster& cluster) {
  std::vector<std::string> faults;
  SumsAudit(cluster).Walk(SumsAudit::kAll, faults);
  AuditAccounts(cluster, faults);
  RoomAuditor rooms(cluster, faults);
  for (std::uint32_t i = 0; i < cluster.nodes().size(); ++i) rooms.Look(NodeId(i));
  return faults;
}

}  // namespace fairlead::engine
