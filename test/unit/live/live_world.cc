#include "unit/live/live_world.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/explain/report.h"
#include "objects/job_rows.h"
#include "objects/read/json_fields.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;

namespace json = boost::json;

std::string TextIn(const json::object& object, std::string_view part, std::string_view key) {
  const json::value* found = object.if_contains(part);
  return found == nullptr ? std::string() : TextAt(*found, key);
}

std::string PhaseOf(const json::object& pod) { return TextIn(pod, "status", "phase"); }

int CpusOf(const json::object& pod) {
  const json::value* requests =
      pod.at("spec").at("containers").at(0).as_object().if_contains("resources");
  return requests == nullptr ? 0 : std::stoi(TextAt(requests->at("requests"), "cpu"));
}

json::object SpecOf(int cpus) {
  return {{"schedulerName", "fairlead"},
          {"containers",
           {{{"name", "c"}, {"resources", {{"requests", {{"cpu", std::to_string(cpus)}}}}}}}}};
}

// What a scheduler sees and decides, a line each.
class SchedulerTeller : public drive::Observer {
 public:
  explicit SchedulerTeller(std::string name) : name_(std::move(name)) {}

  void OnObject(const drive::ObjectNews& news) override {
    fmt::print(stderr, "  {} {} {} {}/{}\n", name_, news.object == nullptr ? "-" : "+", news.kind,
               news.name_space, news.name);
  }
  void OnDecisions(Time now, const engine::DecisionReports& decisions) override {
    for (const engine::DecisionReport& decision : decisions) {
      fmt::print(stderr, "{} {} {} {}{} {} {} {}\n", name_, FormatTime(now),
                 ToString(decision.type), decision.pod,
                 decision.pod.empty() ? decision.workload : "", decision.node, decision.beneficiary,
                 decision.reason);
    }
  }

 private:
  const std::string name_;
};

}  // namespace

std::string NodeIn(const json::object& pod) { return TextIn(pod, "spec", "nodeName"); }

bool IsOver(const json::object& pod) {
  return PhaseOf(pod) == "Succeeded" || PhaseOf(pod) == "Failed";
}

bool IsRunning(const json::object& pod) { return PhaseOf(pod) == "Running" && !IsMarked(pod); }

bool IsMarked(const json::object& object) {
  return !TextIn(object, "metadata", "deletionTimestamp").empty();
}

std::string OwnerUid(const json::object& object) {
  const json::value* owners = At(object.at("metadata"), "ownerReferences");
  return owners == nullptr ? std::string() : TextAt(owners->at(0), "uid");
}

bool Holds(const json::object& object, std::string_view condition) {
  const json::value* status = object.if_contains("status");
  const json::value* conditions = status == nullptr ? nullptr : At(*status, "conditions");
  if (conditions == nullptr) return false;
  return std::ranges::any_of(conditions->as_array(), [&](const json::value& each) {
    return TextAt(each, "type") == condition && TextAt(each, "status") == "True";
  });
}

void ServeKinds(kube::FakeApi& api) {
  for (const char* plural : {"nodes", "pods", "namespaces", "resourcequotas", "persistentvolumes",
                             "persistentvolumeclaims"}) {
    const std::map<std::string, std::string> kinds = {
        {"nodes", "Node"},
        {"pods", "Pod"},
        {"namespaces", "Namespace"},
        {"resourcequotas", "ResourceQuota"},
        {"persistentvolumes", "PersistentVolume"},
        {"persistentvolumeclaims", "PersistentVolumeClaim"}};
    const std::string name = plural;
    api.Serve({"v1", kinds.at(name), name,
               name != "nodes" && name != "namespaces" && name != "persistentvolumes"});
  }
  api.Serve({"v1", "Event", "events"});
  api.Serve({"scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", false});
  api.Serve({"storage.k8s.io/v1", "StorageClass", "storageclasses", false});
  api.Serve({"storage.k8s.io/v1", "CSINode", "csinodes", false});
  api.Serve({"storage.k8s.io/v1", "CSIDriver", "csidrivers", false});
  api.Serve({"storage.k8s.io/v1", "CSIStorageCapacity", "csistoragecapacities"});
  api.Serve({"storage.k8s.io/v1", "VolumeAttachment", "volumeattachments", false});
  api.Serve({"batch/v1", "Job", "jobs"});
  api.Serve({"apps/v1", "DaemonSet", "daemonsets"});
  api.Serve({"policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"});
  api.Serve({"fairlead.dev/v1alpha1", "Queue", "queues", false});
  api.Serve({"fairlead.dev/v1alpha1", "Workload", "workloads"});
  api.Serve({"scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "elasticquotas"});
  api.Serve({"coordination.k8s.io/v1", "Lease", "leases"});
}

LiveWorld::LiveWorld() {
  ServeKinds(api);
  api.OnChange([this] {
    CheckCapacity();
    SyncBudgets();
  });
  clock.After(Duration::Seconds(1), [this] { Tick(); });
}

LiveWorld::Process& LiveWorld::Start(std::uint64_t seed, bool with_lease,
                                     drive::Observer* observer) {
  processes_.push_back(std::make_unique<Process>());
  Process& process = *processes_.back();
  process.loop = std::make_unique<kube::FakeLoop>(clock, api, seed);
  LiveScheduler::Options options;
  options.identity = fmt::format("replica-{}", processes_.size());
  options.seed = seed;
  options.configuration = configuration;
  if (with_lease) {
    options.lease = kube::LeaseOptions{.name_space = "kube-system",
                                       .name = "fairlead",
                                       .identity = options.identity,
                                       .seed = seed};
  }
  process.scheduler = std::make_unique<LiveScheduler>(
      *process.loop, options,
      LiveScheduler::Callbacks{
          .on_problem =
              [&process](const std::string& message) { process.problems.push_back(message); },
          .on_news = nullptr,
          .on_lost = [&process] { process.lost = true; }});
  if (loud) {
    process.teller = std::make_unique<SchedulerTeller>(options.identity);
    process.loop->tell = [name = options.identity](const kube::Request& request,
                                                   const kube::FakeApi::Answer& answer) {
      if (request.method == kube::Method::kGet || request.lane == kube::Lane::kEvents) return;
      fmt::print(stderr, "    {} {} {} {} → {}\n", name, kube::NameOf(request.method), request.path,
                 request.body, answer.status);
    };
    process.scheduler->AddObserver(process.teller.get());
  }
  if (observer != nullptr) process.scheduler->AddObserver(observer);
  process.scheduler->Start();
  return process;
}

void LiveWorld::Kill(Process& process) {
  process.loop->killed = true;
  process.scheduler.reset();
}

void LiveWorld::AddNode(const std::string& name, int cpus) {
  api.Put("nodes", {{"metadata", {{"name", name}, {"labels", {{"kubernetes.io/hostname", name}}}}},
                    {"status",
                     {{"allocatable", {{"cpu", std::to_string(cpus)}, {"pods", "110"}}},
                      {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}});
}

void LiveWorld::AddPod(const std::string& name, int cpus, json::object metadata,
                       const std::string& name_space, const std::string& claim) {
  metadata["name"] = name;
  metadata["namespace"] = name_space;
  metadata["creationTimestamp"] = Stamp();
  json::object spec = SpecOf(cpus);
  if (!claim.empty()) {
    spec["volumes"] =
        json::array{json::object{{"name", "v"}, {"persistentVolumeClaim", {{"claimName", claim}}}}};
  }
  api.Put("pods", {{"metadata", std::move(metadata)}, {"spec", std::move(spec)}});
}

void LiveWorld::AddWorkload(const std::string& name, Gang gang) {
  json::object set{{"name", "worker"}, {"count", gang.count}, {"minCount", gang.min_count}};
  if (gang.has_template) set["template"] = json::object{{"spec", SpecOf(1)}};
  api.Put("workloads",
          {{"metadata", {{"name", name}, {"namespace", "team"}, {"creationTimestamp", Stamp()}}},
           {"spec", {{"queueName", "default"}, {"podSets", json::array{std::move(set)}}}}});
}

void LiveWorld::AddBudget(const std::string& app, int min_available) {
  api.Put("poddisruptionbudgets",
          {{"metadata", {{"name", app}, {"namespace", "team"}}},
           {"spec",
            {{"minAvailable", min_available}, {"selector", {{"matchLabels", {{"app", app}}}}}}}});
}

void LiveWorld::RefuseEvictions(bool refuse) {
  refuses_evictions_ = refuse;
  SyncBudgets();
}

void LiveWorld::SetGrace(Duration grace) {
  grace_ = grace;
  api.graceful = true;
}

void LiveWorld::AddJob(const std::string& name, int parallelism, json::object annotations) {
  api.Put("jobs", {{"metadata",
                    {{"name", name},
                     {"namespace", "team"},
                     {"creationTimestamp", Stamp()},
                     {"labels", {{"fairlead.dev/queue", "default"}}},
                     {"annotations", std::move(annotations)}}},
                   {"spec",
                    {{"suspend", true},
                     {"parallelism", parallelism},
                     {"completions", parallelism},
                     {"completionMode", "Indexed"},
                     {"template", {{"spec", SpecOf(1)}}}}}});
}

void LiveWorld::ServeJobs(const objects::JobRow& row) {
  api.Serve({row.api_versions.front(), row.kind, row.plural});
  for (const objects::JobRow::Made& made : row.makes) {
    const objects::JobRow& of = *objects::FindJobRow(made.kind);
    if (!of.always_served) ServeJobs(of);
  }
}

void LiveWorld::AddQueue(const std::string& name, int guaranteed_cpus, int limit_cpus) {
  json::object spec{{"guaranteed", {{"cpu", std::to_string(guaranteed_cpus)}}}};
  if (limit_cpus > 0) spec["limit"] = json::object{{"cpu", std::to_string(limit_cpus)}};
  api.Put("queues", {{"metadata", {{"name", name}}}, {"spec", std::move(spec)}});
}

std::string LiveWorld::NodeOf(const std::string& key) const {
  const json::object* pod = Pod(key);
  return pod == nullptr ? std::string() : NodeIn(*pod);
}

int LiveWorld::Bound() const {
  int bound = 0;
  for (const auto& [key, pod] : const_cast<kube::FakeApi&>(api).All("pods")) {
    bound += NodeIn(pod).empty() || IsOver(pod) ? 0 : 1;
  }
  return bound;
}

int LiveWorld::Pending() const {
  int pending = 0;
  for (const auto& [key, pod] : const_cast<kube::FakeApi&>(api).All("pods")) {
    pending += NodeIn(pod).empty() ? 1 : 0;
  }
  return pending;
}

void LiveWorld::CheckCapacity() const {
  std::map<std::string, int> used;
  for (const auto& [key, pod] : const_cast<kube::FakeApi&>(api).All("pods")) {
    if (!NodeIn(pod).empty() && !IsOver(pod)) used[NodeIn(pod)] += CpusOf(pod);
  }
  for (const auto& [name, cpus] : used) {
    const json::object* node = api.Find("nodes", name);
    if (node == nullptr) continue;  // deleted, and its pods about to be
    ASSERT_LE(cpus, std::stoi(TextAt(node->at("status").at("allocatable"), "cpu"))) << name;
  }
}

// As the API server judges an eviction: by the pods as they are.
void LiveWorld::SyncBudgets() {
  api.budgets.clear();
  if (refuses_evictions_) {
    for (const auto& [key, pod] : api.All("pods")) api.budgets.insert(key);
  }
  for (const auto& [name, budget] : api.All("poddisruptionbudgets")) {
    const json::value& spec = budget.at("spec");
    const std::string app = TextAt(spec.at("selector").at("matchLabels"), "app");
    std::vector<std::string> healthy;
    for (const auto& [key, pod] : api.All("pods")) {
      const json::value* labels = At(pod.at("metadata"), "labels");
      if (labels == nullptr || TextAt(*labels, "app") != app) continue;
      if (!NodeIn(pod).empty() && !IsOver(pod) && !IsMarked(pod)) healthy.push_back(key);
    }
    if (static_cast<std::int64_t>(healthy.size()) > spec.at("minAvailable").as_int64()) continue;
    api.budgets.insert(healthy.begin(), healthy.end());
  }
}

std::map<std::string, int> LiveWorld::LivePodsByOwner() const {
  std::map<std::string, int> live;
  for (const auto& [key, pod] : const_cast<kube::FakeApi&>(api).All("pods")) {
    if (!IsOver(pod) && !IsMarked(pod)) ++live[OwnerUid(pod)];
  }
  return live;
}

void LiveWorld::Tick() {
  clock.After(Duration::Seconds(1), [this] { Tick(); });
  if (ticked_ == api.version() && goes_at_.empty()) return;
  ticked_ = api.version();  // what this look changes itself is for the next one
  RunPods();
  CollectGarbage();
  controllers_.Sync();
}

// Kubelets: what is bound runs, and what is marked goes. The pods of a node that is gone go too.
void LiveWorld::RunPods() {
  std::vector<std::string> starting, going;
  for (const auto& [key, pod] : api.All("pods")) {
    if (NodeIn(pod).empty()) continue;
    if (IsMarked(pod) && !goes_at_.contains(key)) goes_at_[key] = clock.now() + grace_;
    const bool over = IsMarked(pod) && goes_at_.at(key) <= clock.now();
    if (over || api.Find("nodes", NodeIn(pod)) == nullptr) {
      going.push_back(key);
    } else if (!IsOver(pod) && PhaseOf(pod) != "Running") {
      starting.push_back(key);
    }
  }
  for (const std::string& key : starting) {
    json::object running = *Pod(key);
    running["status"].as_object()["phase"] = "Running";
    api.Put("pods", std::move(running));
  }
  for (const std::string& key : going) {
    api.Erase("pods", key);
    goes_at_.erase(key);
  }
}

// What is controlled by something that is gone goes too.
void LiveWorld::CollectGarbage() {
  std::set<std::string> uids;
  std::vector<std::string> owners = {"workloads", "daemonsets"};
  for (const objects::JobRow& row : objects::JobRows()) owners.push_back(row.plural);
  for (const std::string& plural : owners) {
    for (const auto& [key, object] : api.All(plural)) {
      uids.insert(TextIn(object, "metadata", "uid"));
    }
  }
  owners.push_back("pods");
  // A job whose owner is of a kind that the server does not have is left alone.
  const auto is_known = [this](const json::object& object) {
    const json::value& owner = object.at("metadata").at("ownerReferences").at(0);
    const objects::JobRow* row = objects::FindJobRow(TextAt(owner, "kind"));
    if (row == nullptr || objects::FindJobRow(TextAt(object, "kind")) == nullptr) return true;
    return api.Parse("/apis/" + TextAt(owner, "apiVersion") + "/" + row->plural).kind != nullptr;
  };
  for (const std::string& plural : owners) {
    std::vector<std::string> orphans;
    for (const auto& [key, object] : api.All(plural)) {
      const std::string owner = OwnerUid(object);
      if (!owner.empty() && !uids.contains(owner) && is_known(object)) orphans.push_back(key);
    }
    for (const std::string& key : orphans) Delete(plural, key);
  }
}

}  // namespace fairlead::live
