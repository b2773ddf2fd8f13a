#include "unit/live/misreads.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/explain/report.h"
#include "objects/read/json_fields.h"

namespace fairlead::live {
namespace {

using objects::TextAt;

namespace json = boost::json;

json::object& RequestsIn(json::object& pod) {
  json::value& container = pod.at("spec").at("containers").at(0);
  return container.at("resources").at("requests").as_object();
}

std::string CpuIn(const json::object& pod) {
  return TextAt(RequestsIn(const_cast<json::object&>(pod)), "cpu");
}

bool IsUnreadable(const json::object& pod) { return CpuIn(pod).ends_with('?'); }

}  // namespace

// What one process has seen, and that it decides nothing for nodes that are closed by it.
class Misreads::Watcher : public drive::Observer {
 public:
  explicit Watcher(const LiveWorld& world) : world_(world) {}

  void OnObject(const drive::ObjectNews& news) override {
    if (news.kind != "Pod") return;
    const std::string key = fmt::format("{}/{}", news.name_space, news.name);
    closed_.erase(key);
    if (news.object == nullptr || news.json.find('?') == std::string_view::npos) return;
    const json::object pod = json::parse(news.json).as_object();
    if (IsUnreadable(pod) && !IsOver(pod) && !NodeIn(pod).empty()) {
      closed_[key] = {.node = NodeIn(pod),
                      .uid = TextAt(pod.at("metadata"), "uid"),
                      .since = world_.clock.now()};
    }
  }

  void OnDecisions(Time /*now*/, const engine::DecisionReports& decisions) override {
    for (const engine::DecisionReport& decision : decisions) {
      if (decision.type == engine::DecisionType::kEvict) continue;
      for (const auto& [key, closed] : closed_) {
        if (decision.node != closed.node) continue;
        ADD_FAILURE() << ToString(decision.type) << " " << decision.pod << " to " << decision.node
                      << ", where " << key << " cannot be read";
      }
    }
  }

  // Since when it knows that this pod closes a node.
  std::optional<Time> KnowsSince(const std::string& key, const std::string& uid) const {
    const auto found = closed_.find(key);
    if (found == closed_.end() || found->second.uid != uid) return std::nullopt;
    return found->second.since;
  }

  // Whether it may know of pods, and write.
  bool IsAwake() const {
    return process != nullptr && process->scheduler != nullptr && !process->lost &&
           process->scheduler->state() != LiveScheduler::State::kStandby;
  }

  const LiveWorld::Process* process = nullptr;

 private:
  struct Closed {
    std::string node, uid;
    Time since;
  };
  const LiveWorld& world_;
  std::map<std::string, Closed> closed_;  // by pod
};

Misreads::Misreads(LiveWorld& world, Random& random, Duration slowest)
    : world_(world), random_(random), slowest_(slowest) {}
Misreads::~Misreads() = default;

LiveWorld::Process& Misreads::Start(std::uint64_t seed, bool with_lease) {
  watchers_.push_back(std::make_unique<Watcher>(world_));
  LiveWorld::Process& process = world_.Start(seed, with_lease, watchers_.back().get());
  watchers_.back()->process = &process;
  return process;
}

void Misreads::Change() {
  if (random_.Below(2) == 0) return ResizeOurs();
  ChangeOthers("others/x" + std::to_string(random_.Below(2)));
}

// One that cannot be read says again what it said; where there is none, one says it so that nobody
// can read it.
void Misreads::ResizeOurs() {
  std::vector<std::string> keys, unreadable;
  for (const auto& [key, pod] : world_.api.All("pods")) {
    if (NodeIn(pod).empty() || IsOver(pod) || key.starts_with("others/")) continue;
    (IsUnreadable(pod) ? unreadable : keys).push_back(key);
  }
  const bool mends = !unreadable.empty() && random_.Below(4) != 0;
  const std::vector<std::string>& among = mends ? unreadable : keys;
  if (among.empty()) return;
  json::object pod = *world_.Pod(among[random_.Below(among.size())]);
  std::string cpu = CpuIn(pod);
  if (mends) {
    cpu.pop_back();
  } else {
    cpu += '?';
    ++closed_;
  }
  RequestsIn(pod)["cpu"] = cpu;
  world_.api.Put("pods", std::move(pod));
}

// It comes with nothing in use and closes its node. Once all know of it, it can be read, and takes
// all that was free there or a part; or it contradicts itself, and then takes the same. One time in
// three it goes.
void Misreads::ChangeOthers(const std::string& key) {
  const json::object* shown = world_.Pod(key);
  if (shown == nullptr) {
    std::vector<std::string> nodes;
    for (const auto& [name, node] : world_.api.All("nodes")) nodes.push_back(name);
    const std::string_view name = std::string_view(key).substr(key.find('/') + 1);
    ++closed_;
    return world_.api.Put(
        "pods",
        {{"metadata",
          {{"name", name}, {"namespace", "others"}, {"creationTimestamp", world_.Stamp()}}},
         {"spec",
          {{"schedulerName", random_.Below(2) == 0 ? "fairlead" : "other"},
           {"nodeName", nodes[random_.Below(nodes.size())]},
           {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "0?"}}}}}}}}}},
         {"status", {{"phase", "Running"}}}});
  }
  if (random_.Below(3) == 0) return world_.Delete("pods", key);
  json::object pod = *shown;
  json::object& requests = RequestsIn(pod);
  if (!IsUnreadable(pod)) {
    const std::string cpu = CpuIn(pod);
    requests.clear();
    requests["cpu"] = cpu + "?";
    ++closed_;
  } else {
    if (CpuIn(pod) == "0?" && !IsKnownToAll(key)) return;
    const int in_use = std::stoi(CpuIn(pod));
    const auto more = static_cast<std::uint64_t>(FreeOn(NodeIn(pod)));
    const std::uint64_t taken = in_use > 0 ? 0 : random_.Below(more + 1);
    requests["cpu"] = std::to_string(in_use + static_cast<int>(taken));
    if (random_.Below(2) == 0) {
      requests["nvidia.com/gpu"] = "1";
      requests["fairlead.dev/gpu-milli"] = "1";
    }
    ++read_;
  }
  world_.api.Put("pods", std::move(pod));
}

// By every process that may decide or has decided: so long that nothing can be on its way which was
// decided before.
bool Misreads::IsKnownToAll(const std::string& key) const {
  const std::string uid = TextAt(world_.Pod(key)->at("metadata"), "uid");
  for (const auto& watcher : watchers_) {
    if (!watcher->IsAwake()) continue;
    const std::optional<Time> since = watcher->KnowsSince(key, uid);
    if (!since.has_value() || world_.clock.now() - *since <= slowest_) return false;
  }
  return true;
}

int Misreads::FreeOn(const std::string& node) const {
  const json::object* found = world_.api.Find("nodes", node);
  if (found == nullptr) return 0;
  int free = std::stoi(TextAt(found->at("status").at("allocatable"), "cpu"));
  for (const auto& [key, pod] : world_.api.All("pods")) {
    if (NodeIn(pod) == node && !IsOver(pod)) free -= std::stoi(CpuIn(pod));
  }
  return free;
}

}  // namespace fairlead::live
