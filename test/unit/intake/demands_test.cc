#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "intake/intake.h"
#include "objects/shape_key.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Demands on other pods, and budgets, that come and go one by one leave each pod as if all had come
// at once.

namespace fairlead::intake {
namespace {

// What the engine has of each pod and workload, as far as it depends on what others demand.
class Needs {
 public:
  void Take(Intake& intake) {
    for (const state::Change& change : intake.TakeChanges(Intake::kAllPods)) {
      if (const auto* pod = std::get_if<state::PodChange>(&change)) {
        const bool finished = pod->state == state::PodState::kFinished;  // nobody counts it
        known_["pod " + std::string(pod->name)] =
            finished ? std::string() : objects::CanonicalKey(*pod->needs);
      } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
        std::string& key = known_["workload " + workload->name];
        key.clear();
        for (const state::PodSetChange& set : workload->pod_sets) {
          if (set.expected_needs) key += objects::CanonicalKey(*set.expected_needs) + "\n";
        }
      } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
        if (removal->kind == state::RowKind::kPod) known_.erase("pod " + removal->name);
        if (removal->kind == state::RowKind::kWorkload) known_.erase("workload " + removal->name);
      }
    }
  }
  const std::map<std::string, std::string>& known() const { return known_; }

 private:
  std::map<std::string, std::string> known_;
};

// By one value, by one of several, by a label alone, by nothing in particular.
std::string SelectorOf(Random& random) {
  const auto label = [&] { return fmt::format("l{}", random.Below(3)); };
  const auto value = [&] { return fmt::format("v{}", random.Below(4)); };
  std::string selector;
  switch (random.Below(5)) {
    case 0:
    case 1:
      selector = fmt::format("{{matchLabels: {{{}: {}}}}}", label(), value());
      break;
    case 2:
      selector = fmt::format(
          "{{matchExpressions: [{{key: {}, operator: In, values: [{}, {}]}}, {{key: {}, operator: "
          "NotIn, values: [{}]}}]}}",
          label(), value(), value(), label(), value());
      break;
    case 3:
      selector = fmt::format("{{matchExpressions: [{{key: {}, operator: Exists}}]}}", label());
      break;
    default:
      selector = "{}";
  }
  return selector;
}

// Here, in another namespace, or wherever the namespace says so.
std::string DemandOf(Random& random) {
  constexpr const char* kWhere[] = {"", "", "", ", namespaces: [a, b]",
                                    ", namespaceSelector: {matchLabels: {of: red}}"};
  constexpr const char* kKinds[] = {"podAntiAffinity", "podAffinity"};
  return fmt::format(
      "affinity: {{{}: {{requiredDuringSchedulingIgnoredDuringExecution: [{{topologyKey: zone, "
      "labelSelector: {}{}}}]}}}}",
      kKinds[random.Below(2)], SelectorOf(random), kWhere[random.Below(5)]);
}

std::string LabelsOf(Random& random) {
  return fmt::format("{{l0: v{}, l{}: v{}}}", random.Below(4), 1 + random.Below(2),
                     random.Below(4));
}

std::string PodSpec(Random& random) {
  return fmt::format("schedulerName: fairlead, containers: [{{name: c}}]{}",
                     random.Below(3) == 0 ? ", " + DemandOf(random) : std::string());
}

// A namespace, budget, pod, or gang with its template, by its name.
std::pair<std::string, std::string> ObjectOf(Random& random) {
  const std::string name_space = random.Below(3) == 0 ? "b" : "a";
  const std::uint64_t i = random.Below(12);
  if (random.Below(12) == 0) {
    return {"Namespace//" + name_space,
            fmt::format("{{apiVersion: v1, kind: Namespace, metadata: {{name: {}, labels: {{of: "
                        "{}}}}}}}\n---\n",
                        name_space, random.Below(2) == 0 ? "red" : "blue")};
  }
  if (random.Below(6) == 0) {
    return {fmt::format("PodDisruptionBudget/{}/b{}", name_space, i),
            fmt::format("{{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {{name: "
                        "b{}, namespace: {}}}, spec: {{maxUnavailable: 1, selector: {}}}}}\n---\n",
                        i, name_space, SelectorOf(random))};
  }
  if (random.Below(4) == 0) {
    return {fmt::format("Workload/{}/w{}", name_space, i),
            fmt::format("{{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {{name: "
                        "w{}, namespace: {}}}, spec: {{podSets: [{{name: main, count: 2, template: "
                        "{{metadata: {{labels: {}}}, spec: {{{}}}}}}}]}}}}\n---\n",
                        i, name_space, LabelsOf(random), PodSpec(random))};
  }
  constexpr const char* kPhases[] = {"Pending", "Pending", "Running", "Succeeded"};
  const char* phase = kPhases[random.Below(4)];
  return {
      fmt::format("Pod/{}/p{}", name_space, i),
      fmt::format("{{apiVersion: v1, kind: Pod, metadata: {{name: p{}, namespace: {}, "
                  "creationTimestamp: 2026-01-01T00:00:00Z, labels: {}}}, spec: {{{}{}}}, status: "
                  "{{phase: {}}}}}\n---\n",
                  i, name_space, LabelsOf(random), PodSpec(random),
                  std::string(phase) == "Pending" ? "" : ", nodeName: n1", phase)};
}

TEST(DemandsThatComeAndGoTest, AreAsIfAllHadComeAtOnce) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    World world;
    Needs needs;
    std::map<std::string, std::vector<objects::Object>> there;
    for (int step = 0; step < 150; ++step) {
      const auto [name, text] = ObjectOf(random);
      if (random.Below(3) == 0) {
        if (there.erase(name) > 0) {
          const auto first = name.find('/'), last = name.rfind('/');
          world.intake.Remove(name.substr(0, first), name.substr(first + 1, last - first - 1),
                              name.substr(last + 1));
        }
      } else {
        there[name] = Read(text);
        for (const objects::Object& object : there[name]) world.Upsert(object);
      }
      if (random.Below(3) == 0) continue;
      needs.Take(world.intake);
      World anew;
      for (const auto& [of, objects] : there) {
        for (const objects::Object& object : objects) anew.Upsert(object);
      }
      Needs expected;
      expected.Take(anew.intake);
      ASSERT_EQ(needs.known(), expected.known()) << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace fairlead::intake
