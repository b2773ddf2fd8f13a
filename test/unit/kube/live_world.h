#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kube/live_scheduler.h"
#include "unit/kube/fake_api.h"
#include "unit/kube/fake_loop.h"
#include "unit/kube/virtual_clock.h"

namespace fairlead::kube {

// A cluster in memory: an API server, kubelets, the Job controller, and live schedulers that reach
// the server over a network of their own. Kubelets and controllers look once a second and never
// fail; what fails is between a scheduler and the server.
class LiveWorld {
 public:
  LiveWorld();

  // A scheduler's process. Another may be started while it runs, or after it was killed.
  struct Process {
    std::unique_ptr<LiveObserver> teller;
    std::unique_ptr<FakeLoop> loop;
    std::unique_ptr<LiveScheduler> scheduler;
    std::vector<std::string> problems;
    bool lost = false;
  };
  Process& Start(std::uint64_t seed, bool with_lease = false);
  // As kill -9: nothing is said to anybody. What is on its way to the server still arrives.
  void Kill(Process& process);

  void AddNode(const std::string& name, int cpus);
  // `cpus` of a pod that names our scheduler; more fields of its metadata and spec as they come.
  void AddPod(const std::string& name, int cpus, boost::json::object metadata = {});
  // A suspended Job of `parallelism` pods of a CPU in the queue `default`.
  void AddJob(const std::string& name, int parallelism, boost::json::object annotations = {});
  void AddQueue(const std::string& name, int guaranteed_cpus, int limit_cpus = 0);

  void Run(Duration duration) { clock.RunFor(duration); }

  const boost::json::object* Pod(const std::string& key) const { return api.Find("pods", key); }
  std::string NodeOf(const std::string& key) const;  // empty: not bound, or not there
  int Bound() const;
  int Pending() const;

  // What must hold at every moment: no node over what it has.
  void CheckCapacity() const;

  VirtualClock clock;
  FakeApi api;
  bool loud = false;  // of what is started: what it sees and decides, on standard error

 private:
  void Tick();
  void SyncJob(const std::string& key);

  std::map<std::string, int> job_pods_;  // made so far
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace fairlead::kube
