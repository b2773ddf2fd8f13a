#include <cstdlib>
#include <map>
#include <random>

#include <gmock/gmock.h>

#include "engine/audit/audit.h"
#include "unit/virtual/run.h"

// Random clusters that are disturbed at random moments. After every instant the cluster must be one
// that could be: no node over its allocatable, no more pods than a controller may have; and every
// plan must keep the engine's invariants. FAIRLEAD_STRESS_SEEDS runs more worlds than the usual 60.

namespace fairlead::virtual_cluster {
namespace {

// Holds every plan against the engine's invariants.
class Auditor : public drive::Observer {
 public:
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    EXPECT_THAT(engine::Audit(scheduler, plan), testing::IsEmpty());
  }
};

class Disturbed {
 public:
  explicit Disturbed(std::uint64_t seed)
      : random_(seed),
        run_("", {.start = Duration::Seconds(Below(3)), .grace = Duration::Seconds(Below(3))}) {
    run_.cluster.AddObserver(&auditor_);
    for (int i = 0; i < 3; ++i) SubmitNode(i);
    for (int i = 0; i < 3; ++i) SubmitWorkload(i);
    for (int i = 0; i < 2; ++i) SubmitJob(i);
    run_.Submit(Object("apps/v1", "DaemonSet", "ds", "namespace: a",
                       "selector: {}, template: " + Template("500m")));
  }

  std::vector<std::string> Run() {
    std::vector<std::string> events;
    for (int step = 0; step < 60; ++step) {
      Disturb();
      for (const std::string& line : run_.Until(now_ += Below(6))) events.push_back(line);
      Check();
    }
    return events;
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  std::string Seconds(int below) { return std::to_string(1 + Below(below)) + "s"; }

  void SubmitNode(int i) {
    run_.Submit(Node("n" + std::to_string(i), "cpu: " + std::to_string(2 + Below(5)), "",
                     Below(6) == 0 ? "unschedulable: true" : ""));
  }
  void SubmitWorkload(int i) {
    const std::string minimum = std::to_string(1 + Below(3));
    run_.Submit(Object(
        "fairlead.dev/v1alpha1", "Workload", "w" + std::to_string(i), "namespace: a",
        std::string("resize: ") + (Below(2) == 0 ? "Anytime" : "AtAdmission") +
            ", podSets: [{name: main, count: 3, minCount: " + minimum +
            ", template: " + Template("1", "fairlead.dev/run-duration: " + Seconds(40)) + "}]"));
  }
  void SubmitJob(int i) {
    run_.Submit(Object("batch/v1", "Job", "j" + std::to_string(i), "namespace: a",
                       std::string(Below(2) == 0 ? "completionMode: Indexed, " : "") +
                           "parallelism: " + std::to_string(1 + Below(3)) +
                           ", completions: " + std::to_string(1 + Below(5)) + ", template: " +
                           Template("1", "fairlead.dev/run-duration: " + Seconds(9))));
  }
  void DeleteSome(std::string_view kind) {
    const std::vector<const objects::Object*> objects = run_.cluster.List(kind);
    if (objects.empty()) return;
    const objects::Meta& meta = objects::MetaOf(
        *objects[static_cast<std::size_t>(Below(static_cast<int>(objects.size())))]);
    EXPECT_TRUE(run_.cluster.Delete(kind, std::string(meta.name_space), std::string(meta.name)));
  }

  void Disturb() {
    switch (Below(9)) {
      case 0:
        return SubmitNode(Below(4));
      case 1:
        return SubmitWorkload(Below(4));
      case 2:
        return SubmitJob(Below(3));
      case 3:
        return DeleteSome("Node");
      case 4:
        return DeleteSome(Below(2) == 0 ? "Workload" : "Job");
      case 5:
      case 6:
        return DeleteSome("Pod");
      default:
        return run_.Submit(Pod("p" + std::to_string(pods_++), "1",
                               "annotations: {fairlead.dev/run-duration: " + Seconds(20) + "}"));
    }
  }

  void Check() {
    std::map<std::string, std::int64_t> used;
    std::map<std::string, std::int32_t> owned;  // not on their way out, by owner and pod set
    for (const objects::Object* object : run_.cluster.List("Pod")) {
      const auto& pod = std::get<objects::Pod>(*object);
      if (pod.finished()) continue;
      if (!pod.spec.node_name.empty()) {
        used[pod.spec.node_name] += objects::AmountOf(pod.spec.needs.request, "cpu");
        EXPECT_NE(run_.cluster.Find("Node", "", pod.spec.node_name), nullptr) << pod.meta.name;
      }
      if (pod.meta.deletion_time) continue;
      if (const objects::OwnerReference* owner = pod.meta.Controller()) {
        ++owned[owner->kind + " " + owner->name];
        EXPECT_NE(run_.cluster.Find(owner->kind, "a", owner->name), nullptr) << pod.meta.name;
      }
    }
    for (const auto& [name, cpu_milli] : used) {
      const objects::Object* node = run_.cluster.Find("Node", "", name);
      if (node == nullptr) continue;
      const std::int64_t has = objects::AmountOf(std::get<objects::Node>(*node).allocatable, "cpu");
      // A node that was submitted again as a smaller one may be over; it must not get more.
      std::int64_t& most = most_used_[name];
      EXPECT_LE(cpu_milli, std::max(has, most)) << name;
      most = cpu_milli;
    }
    for (const objects::Object* object : run_.cluster.List("Workload")) {
      const auto& workload = std::get<objects::Workload>(*object);
      std::int32_t admitted = 0;
      for (const objects::PodSetAssignment& set : workload.admission) admitted += set.count;
      EXPECT_LE(owned["Workload " + workload.meta.name], admitted) << workload.meta.name;
    }
    for (const objects::Object* object : run_.cluster.List("Job")) {
      const auto& job = std::get<objects::Job>(*object);
      EXPECT_LE(owned["Job " + job.meta.name], job.complete ? 0 : job.parallelism);
    }
  }

  std::mt19937_64 random_;
  Auditor auditor_;
  Simulated run_;
  std::int64_t now_ = 0;
  int pods_ = 0;
  std::map<std::string, std::int64_t> most_used_;
};

class Stress : public testing::TestWithParam<int> {};

TEST_P(Stress, LeavesAClusterThatCanBe) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const std::vector<std::string> events = Disturbed(seed).Run();
  EXPECT_GT(events.size(), 20u);
  EXPECT_THAT(Disturbed(seed).Run(), testing::ElementsAreArray(events));
}

int Seeds() {
  const char* given = std::getenv("FAIRLEAD_STRESS_SEEDS");
  return given == nullptr ? 60 : std::atoi(given);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Stress, testing::Range(1, Seeds() + 1));

}  // namespace
}  // namespace fairlead::virtual_cluster
