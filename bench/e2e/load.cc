// What the end-to-end measurements need beside a scheduler: pods to be scheduled, somebody who
// counts bindings, and a scheduler that decides nothing.
//
//   load make NAME COUNT       COUNT pods of half a CPU for the scheduler NAME
//   load count NAME COUNT      waits until COUNT of its pods are bound; says how long that took
//   load null NAME             binds its pods to nodes in turn, as fast as it can: lists once,
//                              then only posts
//   load delete                removes all pods

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "effects/writes.h"
#include "intake/intake.h"
#include "kube/curl_loop.h"
#include "kube/kubeconfig.h"
#include "kube/reflector.h"
#include "kube/status.h"
#include "live/requests.h"
#include "live/resources.h"

namespace fairlead::kube {
namespace {

namespace json = boost::json;
using live::Bind;
using live::Create;
using live::resources::Pods;

constexpr std::string_view kNameSpace = "default";

[[noreturn]] void Die(const std::string& why) {
  fmt::print(stderr, "load: {}\n", why);
  std::exit(2);
}

std::unique_ptr<CurlLoop> Connect() {
  Result<Connection> connection = FindConnection({});
  if (!connection) Die(connection.error().message);
  auto loop = CurlLoop::Make(std::move(*connection),
                             {.lane_limits = {2, 16, 32, 32, 4, 256}, .user_agent = "load"});
  if (!loop) Die(loop.error().message);
  return std::move(*loop);
}

json::value PodObject(std::int64_t i, const std::string& scheduler) {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", fmt::format("{}-{:06}", scheduler, i)}}},
          {"spec",
           {{"schedulerName", scheduler},
            {"terminationGracePeriodSeconds", 0},
            {"containers",
             {{{"name", "c"},
               {"image", "pause"},
               {"resources", {{"requests", {{"cpu", "500m"}, {"memory", "1Gi"}}}}}}}}}}};
}

void Make(const std::string& scheduler, std::int64_t count) {
  const auto loop = Connect();
  std::int64_t left = count;
  for (std::int64_t i = 0; i < count; ++i) {
    loop->Send(Create(Pods(), kNameSpace, PodObject(i, scheduler)), [&](const Response& response) {
      if (!response.ok()) Die(StatusOf(response).ToString());
      if (--left == 0) loop->Stop();
    });
  }
  loop->Run();
}

class Counter : public Sink {
 public:
  Counter(CurlLoop& loop, std::string scheduler, std::int64_t count)
      : loop_(loop), scheduler_(std::move(scheduler)), count_(count), begin_(loop.Now()) {}

  void Upsert(objects::Object object, const ObjectRef& ref) override {
    const auto& pod = std::get<objects::Pod>(object);
    if (pod.spec.scheduler_name != scheduler_ || pod.spec.node_name.empty()) return;
    if (!bound_.insert(ref.uid).second) return;
    if (bound_.size() == 1) first_ = loop_.Now();
    if (static_cast<std::int64_t>(bound_.size()) < count_) return;
    const double seconds = static_cast<double>((loop_.Now() - first_).us) / 1e6;
    fmt::print("{:.3f} s to the first, {:.3f} s from there to the last, {:.0f} a second\n",
               static_cast<double>((first_ - begin_).us) / 1e6, seconds,
               static_cast<double>(count_ - 1) / seconds);
    std::fflush(stdout);
    loop_.Stop();
  }
  void Delete(const ObjectRef& /*ref*/) override {}
  void Refuse(const ObjectRef& ref, const std::vector<objects::Fault>& /*faults*/) override {
    Die("cannot read pod " + ref.Key());
  }
  void Synced(std::size_t /*count*/) override {
    fmt::print("counting\n");
    std::fflush(stdout);
    begin_ = loop_.Now();
  }
  void Reached(std::string_view /*version*/) override {}

 private:
  CurlLoop& loop_;
  const std::string scheduler_;
  const std::int64_t count_;
  Time begin_, first_;
  std::set<std::string> bound_;
};

void Count(const std::string& scheduler, std::int64_t count) {
  const auto loop = Connect();
  Counter counter(*loop, scheduler, count);
  Reflector reflector(*loop, Pods(), intake::AllDecoders(), counter, {});
  reflector.Start();
  loop->Run();
}

// All of a resource, once.
json::array List(const std::string& path) {
  const auto connected = Connect();
  CurlLoop& loop = *connected;
  json::array items;
  loop.Send({.lane = Lane::kReads, .path = path}, [&](const Response& response) {
    if (!response.ok()) Die(StatusOf(response).ToString());
    items = std::move(json::parse(response.body).as_object().at("items").as_array());
    loop.Stop();
  });
  loop.Run();
  return items;
}

void Null(const std::string& scheduler) {
  std::vector<std::string> nodes;
  for (const json::value& node : List("/api/v1/nodes?resourceVersion=0")) {
    nodes.emplace_back(node.at("metadata").at("name").as_string());
  }
  std::vector<std::pair<std::string, std::string>> pods;
  for (const json::value& pod : List("/api/v1/pods?resourceVersion=0")) {
    if (pod.at("spec").at("schedulerName").as_string() != scheduler) continue;
    const json::value& meta = pod.at("metadata");
    pods.emplace_back(std::string(kNameSpace) + "/" + std::string(meta.at("name").as_string()),
                      std::string(meta.at("uid").as_string()));
  }
  const auto loop = Connect();
  std::size_t left = pods.size();
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const effects::BindPod bind{
        .pod = pods[i].first, .node = nodes[i % nodes.size()], .workload = {}};
    loop->Send(Bind(bind, pods[i].second), [&](const Response& response) {
      if (!response.ok()) Die(StatusOf(response).ToString());
      if (--left == 0) loop->Stop();
    });
  }
  loop->Run();
}

void DeleteAll() {
  const auto loop = Connect();
  loop->Send({.method = Method::kDelete,
              .lane = Lane::kWrites,
              .path = fmt::format("/api/v1/namespaces/{}/pods", kNameSpace),
              .content_type = {},
              .body = R"({"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0})",
              .timeout = Duration::Seconds(600)},
             [&](const Response& response) {
               if (!response.ok()) Die(StatusOf(response).ToString());
               loop->Stop();
             });
  loop->Run();
}

}  // namespace
}  // namespace fairlead::kube

int main(int argc, char** argv) {
  using namespace fairlead::kube;
  const std::string what = argc > 1 ? argv[1] : "";
  const std::string scheduler = argc > 2 ? argv[2] : "";
  const std::int64_t count = argc > 3 ? std::atoll(argv[3]) : 0;
  if (what == "make" && count > 0) {
    Make(scheduler, count);
  } else if (what == "count" && count > 0) {
    Count(scheduler, count);
  } else if (what == "null" && !scheduler.empty()) {
    Null(scheduler);
  } else if (what == "delete") {
    DeleteAll();
  } else {
    Die("expected make NAME COUNT, count NAME COUNT, null NAME or delete");
  }
  return 0;
}
