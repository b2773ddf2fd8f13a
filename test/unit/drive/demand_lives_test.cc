// Clusters in which pods that demand something of other pods come and go, labels change and nodes
// come and go: after every round the counts are what the pods say (the audit counts from nothing),
// and one who has seen nothing before lets the same pods onto the same nodes. The node that the
// placer finds for each of them is the best of all that fit, looked at one by one.

#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/audit/audit.h"
#include "engine/explain/what_if.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "policy/dynamic_demand.h"
#include "policy/node_fit.h"
#include "policy/preference.h"
#include "unit/drive/demand_world.h"
#include "unit/engine/soak.h"

namespace fairlead::drive {
namespace {

class DemandLife {
 public:
  explicit DemandLife(std::uint64_t seed) : random_(seed) {
    objects::SchedulerConfiguration configuration;
    configuration.node_selector = {{"pool", "mine"}};
    if (Chance(4)) configuration.preferences = objects::PreferenceOrder::kTie;
    Put(configuration);
    Put(objects::Namespace{.meta = {.name = "a"}});
    Put(objects::Namespace{.meta = {.name = "b", .labels = {{"tier", "gold"}}}});
    for (int n = 0; n < 5; ++n) ChangeNode(n);
  }

  // Empty: all is well.
  std::string Live(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      for (std::uint64_t i = 1 + random_.Below(4); i > 0; --i) Happen();
      now_ = now_ + Duration::Seconds(10);
      scheduler_.Apply(intake_.TakeChanges());
      const engine::Plan plan = scheduler_.Round(now_);
      const std::vector<std::string> faults = engine::Audit(scheduler_, plan);
      if (!faults.empty()) return fmt::format("round {}: {}", round, faults.front());
      if (const std::string worse = NotTheBest(); !worse.empty()) {
        return fmt::format("round {}: {}", round, worse);
      }
      CarryOut(plan);
      if (const std::string differs = Differs(); !differs.empty()) {
        return fmt::format("round {}: {}", round, differs);
      }
    }
    return "";
  }
  int bound() const { return bound_; }
  int preferred() const { return preferred_; }
  int evicted() const { return evicted_; }

 private:
  static std::string KeyOf(const objects::Object& object) {
    return std::string(objects::KindOf(object)) + " " + objects::MetaOf(object).Key();
  }
  void Put(const objects::Object& object) {
    objects_[KeyOf(object)] = object;
    intake_.Upsert(object, now_);
  }
  // By value: the names may be of the very object that goes.
  void Delete(std::string kind, std::string name_space, std::string name) {
    objects_.erase(kind + " " + (name_space.empty() ? name : name_space + "/" + name));
    intake_.Remove(kind, name_space, name);
  }
  bool Chance(std::uint64_t of) { return random_.Below(of) == 0; }
  int Any(std::size_t of) { return static_cast<int>(random_.Below(of)); }

  void ChangeNode(int n) {
    DemandWorld::Node node = MakeNode(random_.Next(), n);
    node.cpu = 4;  // one that shrinks under what was just placed there is another story
    Put(ObjectOf(node));
  }

  // One of the pods that are there; null: there is none.
  objects::Pod* AnyPod() {
    std::vector<objects::Pod*> pods;
    for (auto& [key, object] : objects_) {
      if (auto* pod = std::get_if<objects::Pod>(&object)) pods.push_back(pod);
    }
    return pods.empty() ? nullptr : pods[random_.Below(pods.size())];
  }

  void Happen() {
    const std::uint64_t what = random_.Below(12);
    if (what == 0) return ChangeNode(Any(6));
    if (what == 1 && Chance(3)) return Delete("Node", "", fmt::format("n{}", Any(6)));
    if (what == 2 && Chance(3)) {
      const bool gold = Chance(2);
      return Put(objects::Namespace{
          .meta = {.name = "b",
                   .labels = gold ? objects::Labels{{"tier", "gold"}} : objects::Labels{}}});
    }
    if (what <= 7) return AddPod();
    objects::Pod* pod = AnyPod();
    if (pod == nullptr) return;
    objects::Pod changed = *pod;
    if (what == 8) {
      changed.meta.labels = {{"app", Chance(2) ? "x" : "y"}};
      return Put(changed);
    }
    if (what == 9) {
      changed.meta.deletion_time = now_;
      return Put(changed);
    }
    Delete("Pod", pod->meta.name_space, pod->meta.name);
  }

  void AddPod() {
    DemandWorld::Pod pod = MakePod(random_.Next());
    pod.name = fmt::format("p{}", next_++);
    auto object = std::get<objects::Pod>(ObjectOf(DemandWorld(), pod, false));
    if (!pod.ours) {  // its scheduler has placed it somewhere
      object.spec.node_name = fmt::format("n{}", Any(6));
      object.phase = objects::PodPhase::kRunning;
    }
    object.meta.creation_time = now_;
    Put(object);
  }

  void CarryOut(const engine::Plan& plan) {
    const state::Cluster& cluster = scheduler_.cluster();
    for (const engine::Decision& decision : plan.decisions) {
      const auto at = objects_.find(std::string("Pod ").append(cluster.pods().name(decision.pod)));
      if (at == objects_.end()) continue;
      auto pod = std::get<objects::Pod>(at->second);
      if (decision.type == engine::DecisionType::kBind) {
        ++bound_;
        if (Chance(6)) continue;  // it is shown later, or never
        pod.spec.node_name = cluster.nodes().name(decision.node);
        pod.phase = objects::PodPhase::kRunning;
        pod.nominated_node.clear();
      } else if (decision.type == engine::DecisionType::kNominate) {
        pod.nominated_node = decision.node.valid() ? cluster.nodes().name(decision.node) : "";
      } else if (decision.type == engine::DecisionType::kEvict) {
        ++evicted_;
        pod.meta.deletion_time = now_;
      } else {
        continue;
      }
      Put(pod);
    }
  }

  // Of every pod, running or not: where one more like it would go.
  std::string NotTheBest() {
    const engine::WhatIf what_if(scheduler_);
    const state::Cluster& cluster = what_if.cluster();
    for (std::uint32_t i = 0; i < cluster.pods().size(); ++i) {
      const state::Pod& pod = cluster.pods()[state::PodId(i)];
      if (!pod.in_use || pod.foreign || !cluster.shapes()[pod.shape].placeable) continue;
      for (const state::When when : {state::When::kNow, state::When::kLater}) {
        std::vector<state::NodeId> fitting;
        for (const state::NodeId n : cluster.nodes().by_name()) {
          if (what_if.placer().Fits(pod.shape, n, when)) fitting.push_back(n);
        }
        if (fitting.size() > 1 && policy::HasPreferences(cluster, cluster.shapes()[pod.shape])) {
          ++preferred_;
        }
        what_if.placer().SortByPlace(pod.shape, when, fitting);
        const state::NodeId best = fitting.empty() ? state::NodeId() : fitting.front();
        const state::NodeId found = what_if.placer().Best(pod.shape, when);
        if (found == best) continue;
        return fmt::format("one like {} goes to {}, the best is {}",
                           cluster.pods().name(state::PodId(i)),
                           found.valid() ? cluster.nodes().name(found) : "none",
                           best.valid() ? cluster.nodes().name(best) : "none");
      }
    }
    return "";
  }

  // By pod that waits: the nodes that others would let it onto now.
  static std::map<std::string, std::set<std::string>> Picture(engine::Scheduler& scheduler) {
    std::map<std::string, std::set<std::string>> picture;
    const state::Cluster& cluster = scheduler.cluster();
    for (std::uint32_t i = 0; i < cluster.pods().size(); ++i) {
      const state::Pod& pod = cluster.pods()[state::PodId(i)];
      if (!pod.in_use || pod.foreign) continue;
      const state::Shape& shape = cluster.shapes()[pod.shape];
      std::set<std::string>& nodes = picture[std::string(cluster.pods().name(state::PodId(i)))];
      for (std::uint32_t j = 0; j < cluster.nodes().size(); ++j) {
        const state::NodeId n(j);
        if (!cluster.nodes().exists(n)) continue;
        if (policy::OthersAllow(cluster, shape, n, state::When::kNow)) {
          nodes.insert(cluster.nodes().name(n));
        }
      }
    }
    return picture;
  }

  // From one who learns all of it at once. What was bound and is not shown he cannot know.
  std::string Differs() {
    intake::Intake intake;
    engine::Scheduler fresh;
    for (const auto& [key, object] : objects_) intake.Upsert(object, now_);
    fresh.Apply(intake.TakeChanges());
    fresh.Settle();
    scheduler_.Apply(intake_.TakeChanges());
    scheduler_.Settle();
    const state::Cluster& cluster = scheduler_.cluster();
    for (std::uint32_t i = 0; i < cluster.pods().size(); ++i) {
      const state::Pod& pod = cluster.pods()[state::PodId(i)];
      const bool unshown = pod.in_use && (pod.placement == state::Placement::kAssumed ||
                                          pod.placement == state::Placement::kClaimed);
      if (unshown) return "";
    }
    auto mine = Picture(scheduler_), its = Picture(fresh);
    for (const auto& [pod, nodes] : mine) {
      if (nodes != its[pod]) {
        return fmt::format("pod {} may onto {}, one who is new says {}", pod, fmt::join(nodes, " "),
                           fmt::join(its[pod], " "));
      }
    }
    return "";
  }

  Random random_;
  Time now_{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z
  std::map<std::string, objects::Object> objects_;
  intake::Intake intake_;
  engine::Scheduler scheduler_;
  int next_ = 0, bound_ = 0, evicted_ = 0, preferred_ = 0;
};

TEST(DemandLives, CountsAreWhatThePodsSay) {
  const auto [first, last] = engine::SeedsOf(150);
  int bound = 0, evicted = 0, preferred = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    DemandLife life(seed);
    const std::string fault = life.Live(60);
    ASSERT_EQ(fault, "") << "seed " << seed;
    bound += life.bound();
    evicted += life.evicted();
    preferred += life.preferred();
  }
  EXPECT_GT(bound, engine::Enough(1000));
  EXPECT_GT(evicted, engine::Enough(20));
  EXPECT_GT(preferred, engine::Enough(10'000));
}

}  // namespace
}  // namespace fairlead::drive
