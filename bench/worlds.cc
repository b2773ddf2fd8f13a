#include "bench/worlds.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "objects/shape_key.h"
#include "trace/openb.h"
#include "virtual/world.h"

namespace fairlead::bench {
namespace {

struct NodeKind {
  std::int64_t count;  // in openb
  std::int64_t cpu, memory_gib, gpus;
};
// The most frequent of openb's node kinds: they are 93 % of its nodes.
constexpr std::array<NodeKind, 7> kKinds = {{{549, 96, 768, 8},
                                             {387, 96, 384, 2},
                                             {310, 96, 512, 0},
                                             {131, 64, 512, 2},
                                             {39, 128, 768, 8},
                                             {32, 96, 512, 8},
                                             {20, 64, 256, 4}}};

state::NodeChange Node(std::int64_t i, std::int64_t cpu, std::int64_t memory_gib,
                       std::int64_t gpus) {
  state::NodeChange node;
  node.name = fmt::format("node-{:06}", i);
  node.allocatable = {{"cpu", cpu * 1000}, {"memory", memory_gib << 30}};
  if (gpus > 0) node.allocatable.Edit().emplace_back("nvidia.com/gpu", gpus * 1000);
  node.allocatable.Edit().emplace_back("pods", 110);
  return node;
}

}  // namespace

std::string DataFolder() {
  if (const char* set = std::getenv("FAIRLEAD_DATA")) return set;
  for (std::filesystem::path at = std::filesystem::current_path();; at = at.parent_path()) {
    if (std::filesystem::exists(at / "shared/data/openb")) return (at / "shared/data").string();
    if (at == at.root_path()) return {};
  }
}

std::vector<MixEntry> OpenbMix() {
  if (DataFolder().empty()) return {};
  const std::filesystem::path folder = std::filesystem::path(DataFolder()) / "openb";
  objects::Manifest manifest;
  trace::ReadOpenbFiles((folder / "openb_node_list_all_node.csv").string(),
                        (folder / "openb_pod_list_default.csv").string(), manifest);
  std::map<std::string, MixEntry> mix;
  for (const objects::Object& object : manifest.objects) {
    const auto* pod = std::get_if<objects::Pod>(&object);
    if (pod == nullptr) continue;
    MixEntry& entry = mix[objects::CanonicalKey(pod->spec.needs)];
    if (!entry.needs) entry.needs = std::make_shared<objects::PodNeeds>(pod->spec.needs);
    ++entry.pods;
  }
  std::vector<MixEntry> entries;
  for (auto& [key, entry] : mix) entries.push_back(std::move(entry));
  return entries;
}

std::vector<state::Change> OpenbNodes(std::int64_t nodes) {
  std::int64_t all = 0;
  for (const NodeKind& kind : kKinds) all += kind.count;
  std::vector<state::Change> changes;
  std::mt19937_64 random(7);
  for (std::int64_t i = 0; i < nodes; ++i) {
    auto pick = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(all));
    std::size_t k = 0;
    while (pick >= kKinds[k].count) pick -= kKinds[k++].count;
    changes.emplace_back(Node(i, kKinds[k].cpu, kKinds[k].memory_gib, kKinds[k].gpus));
  }
  return changes;
}

std::vector<state::Change> EqualNodes(std::int64_t count, std::int64_t gpus) {
  std::vector<state::Change> changes;
  for (std::int64_t i = 0; i < count; ++i) changes.emplace_back(Node(i, 64, 512, gpus));
  return changes;
}

state::NeedsPtr Needs(std::int64_t cpu_milli, std::int64_t memory_bytes, std::int64_t gpus,
                      std::int32_t gpu_milli) {
  auto needs = std::make_shared<objects::PodNeeds>();
  needs->request = {{"cpu", cpu_milli}, {"memory", memory_bytes}};
  if (gpus > 0) needs->request.emplace_back("nvidia.com/gpu", gpus * 1000);
  needs->gpu_milli = gpu_milli;
  return needs;
}

state::PodChange WaitingPod(std::int64_t i, const state::NeedsPtr& needs,
                            const std::string& queue) {
  state::PodChange pod;
  pod.name = fmt::format("team/pod-{:08}", i);
  pod.uid = Uid(fmt::format("{:08x}-0000-4000-8000-{:012x}", i, i));
  pod.needs = needs;
  pod.solo = state::WorkloadTraits{.queue = queue};
  return pod;
}

state::PodChange RunningPod(std::int64_t i, const state::NeedsPtr& needs, const std::string& queue,
                            std::int64_t node) {
  state::PodChange pod = WaitingPod(i, needs, queue);
  pod.state = state::PodState::kBound;
  pod.node = fmt::format("node-{:06}", node);
  // Started over the last day, in no order.
  pod.created = kNow + Duration::Seconds(-24 * 3600 + (i * 7919) % (23 * 3600));
  pod.scheduled_time = pod.created;
  return pod;
}

state::QueueChange Queue(const std::string& name, const std::string& parent) {
  state::QueueChange queue;
  queue.name = name;
  queue.parent = parent;
  return queue;
}

std::vector<state::Change> PodsOfMix(const std::vector<MixEntry>& mix, std::int64_t count) {
  std::vector<std::size_t> draw;
  for (std::size_t i = 0; i < mix.size(); ++i) {
    draw.insert(draw.end(), static_cast<std::size_t>(mix[i].pods), i);
  }
  std::mt19937_64 random(11);
  std::vector<state::Change> pods;
  for (std::int64_t i = 0; i < count; ++i) {
    pods.emplace_back(WaitingPod(i, mix[draw[random() % draw.size()]].needs, "default"));
  }
  return pods;
}

void ForgetRun(objects::Object& object) {
  constexpr std::string_view kRun = virtual_cluster::kRunDuration;
  virtual_cluster::DropLabel(objects::MetaOf(object).annotations, kRun);
  if (auto* job = std::get_if<objects::Job>(&object)) {
    virtual_cluster::DropLabel(job->pod_template.annotations, kRun);
  }
  if (auto* workload = std::get_if<objects::Workload>(&object)) {
    for (objects::PodSet& set : workload->pod_sets) {
      if (set.pod_template) virtual_cluster::DropLabel(set.pod_template->annotations, kRun);
    }
  }
}

}  // namespace fairlead::bench
