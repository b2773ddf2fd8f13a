#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drive/observer.h"
#include "live/live_scheduler.h"
#include "objects/job_rows.h"
#include "unit/kube/fake_api.h"
#include "unit/kube/fake_loop.h"
#include "unit/kube/virtual_clock.h"
#include "unit/live/job_controllers.h"

namespace fairlead::live {

// Of a pod as the server has it.
std::string NodeIn(const boost::json::object& pod);  // empty: none
bool IsOver(const boost::json::object& pod);
bool IsRunning(const boost::json::object& pod);
bool IsMarked(const boost::json::object& object);         // it is being deleted
std::string OwnerUid(const boost::json::object& object);  // empty: nobody
// Of an object with conditions.
bool Holds(const boost::json::object& object, std::string_view condition);

// All that a cluster serves where nothing is installed but Fairlead.
void ServeKinds(kube::FakeApi& api);

// A cluster in memory: an API server, kubelets, controllers, and live schedulers that reach the
// server over a network of their own. Kubelets and controllers look once a second and never
// fail; what fails is between a scheduler and the server. At every change it is checked that no
// node is over what it has.
class LiveWorld {
 public:
  LiveWorld();

  // A scheduler's process. Another may be started while it runs, or after it was killed.
  struct Process {
    std::unique_ptr<drive::Observer> teller;
    std::unique_ptr<kube::FakeLoop> loop;
    std::unique_ptr<LiveScheduler> scheduler;
    std::vector<std::string> problems;
    bool lost = false;
  };
  // `observer` is told first of all; not owned.
  Process& Start(std::uint64_t seed, bool with_lease = false, drive::Observer* observer = nullptr);
  // As kill -9: nothing is said to anybody. What is on its way to the server still arrives.
  void Kill(Process& process);

  void AddNode(const std::string& name, int cpus);
  // Its pods go with it, within a second.
  void RemoveNode(const std::string& name) { api.Erase("nodes", name); }
  // `cpus` of a pod that names our scheduler; more fields of its metadata as they come; a claim
  // that it names.
  void AddPod(const std::string& name, int cpus, boost::json::object metadata = {},
              const std::string& name_space = "team", const std::string& claim = "");
  // A suspended Job of `parallelism` pods of a CPU in the queue `default`.
  void AddJob(const std::string& name, int parallelism, boost::json::object annotations = {});
  // From now on the server has that kind, and what its controller makes. REQUIRES: it has a row.
  void ServeJobs(const objects::JobRow& row);
  void AddQueue(const std::string& name, int guaranteed_cpus, int limit_cpus = 0);
  // A Workload in `default` with one pod set, `worker`, of pods of a CPU.
  struct Gang {
    int count = 1, min_count = 1;
    bool has_template = false;
  };
  void AddWorkload(const std::string& name, Gang gang);
  // As a user deletes it: gracefully, where there are grace periods.
  void Delete(const std::string& plural, const std::string& key) {
    api.Delete(plural, key, WallNow());
  }
  // Pods with the label `app` of that value may not be evicted below `min_available`.
  void AddBudget(const std::string& app, int min_available);
  // Every eviction is refused as if by a budget: one that the scheduler does not see yet.
  void RefuseEvictions(bool refuse);
  // A second to this long from marked to gone.
  void SetGrace(Duration grace);

  void Run(Duration duration) { clock.RunFor(duration); }
  // By the server's clock.
  Time WallNow() const { return kube::FakeLoop::WallAt(clock.now()) + api.clock_ahead; }

  const boost::json::object* Pod(const std::string& key) const { return api.Find("pods", key); }
  std::string NodeOf(const std::string& key) const;  // empty: not bound, or not there
  int Bound() const;
  int Pending() const;
  // Pods that neither ended nor are going, by the uid of what controls them.
  std::map<std::string, int> LivePodsByOwner() const;

  kube::VirtualClock clock;
  kube::FakeApi api;
  // In objects that are added: whole seconds.
  std::string Stamp() const { return FormatTime({WallNow().us / 1'000'000 * 1'000'000}); }
  // Of what is started.
  // A gang that broke is stopped before a story ends.
  objects::SchedulerConfiguration configuration = {.pods_timeout = Duration::Seconds(60),
                                                   .stale_gang_grace = Duration::Seconds(90)};
  bool loud = false;  // of what is started: what it sees and decides, on standard error

 private:
  void Tick();
  void CheckCapacity() const;
  void SyncBudgets();
  void RunPods();
  void CollectGarbage();

  bool refuses_evictions_ = false;
  Duration grace_;
  std::uint64_t ticked_ = 0;             // the newest version that the controllers saw
  std::map<std::string, Time> goes_at_;  // of pods that are marked
  JobControllers controllers_{*this};
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace fairlead::live
