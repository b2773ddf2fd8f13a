#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "virtual/cluster.h"

namespace fairlead::virtual_cluster {

// The objects of a YAML text; fails the test on any fault.
std::vector<objects::Object> Read(std::string_view yaml);

// 2026-01-01T00:00:00Z, where the tests' clusters start.
Time Begin();

// What happened, one line an event: "5s Bind a/p n1", "5s Evict a/p n1 Preempt for a/q",
// "0s Admit a/w main=3". Runs and creations are left out where `brief`.
class EventLines : public drive::Observer {
 public:
  void OnEvent(const drive::Event& event) override;
  std::vector<std::string> Take();

 private:
  std::vector<std::string> lines_;
};

// A cluster and the lines of its events. Objects are YAML.
struct Simulated {
  explicit Simulated(std::string_view yaml, const Delays& delays = {});
  void Submit(std::string_view yaml);
  // Events up to `seconds` after the start, or to the end of all.
  std::vector<std::string> Until(std::int64_t seconds);
  std::vector<std::string> ToIdle();
  // "a/p Running n1"
  std::vector<std::string> Pods() const;
  // "a/w Running main 3/3"
  std::vector<std::string> Workloads() const;

  EventLines lines;
  VirtualCluster cluster;
};

// Short YAML. Namespaced objects are in namespace "a"; `more` stands in the flow mapping.
std::string Node(std::string_view name, std::string_view allocatable, std::string_view meta = "",
                 std::string_view spec = "");
std::string Pod(std::string_view name, std::string_view cpu, std::string_view meta = "",
                std::string_view spec = "");
// A pod template that asks `cpu`, with annotations in flow style ("fairlead.dev/run-duration: 5s").
std::string Template(std::string_view cpu, std::string_view annotations = "");
std::string Object(std::string_view api_version, std::string_view kind, std::string_view name,
                   std::string_view meta, std::string_view spec);
std::string Queue(std::string_view name, std::string_view spec);

// The first pod of work in `queue` has n1, and takes a quarter of an hour to run, which is longer
// than pods of an admitted job are waited for: until then a pod of two cores does not get the room
// of those that come after it.
void ExpectRoomIsHeldBehind(Simulated& run, const std::string& first, const std::string& queue);

}  // namespace fairlead::virtual_cluster
