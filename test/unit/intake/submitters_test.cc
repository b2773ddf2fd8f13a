#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/world.h"

// Who asked for work: what its outermost owner says, else whose its namespace is (time.md §7).

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "a/p ada vision,speech" of what is told.
class WhoAsked : public testing::Test {
 protected:
  std::vector<std::string> Tell(std::string_view yaml) {
    for (const objects::Object& object : Read(yaml)) intake_.Upsert(object, Time{});
    return Take();
  }
  std::vector<std::string> Take() {
    std::vector<std::string> lines;
    for (const state::Change& change : intake_.TakeChanges()) {
      if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
        lines.push_back(Line(workload->name, workload->traits));
      } else if (const auto* pod = std::get_if<state::PodChange>(&change); pod && pod->solo) {
        lines.push_back(Line(std::string(pod->name), *pod->solo));
      }
    }
    return lines;
  }
  intake::Intake intake_;

 private:
  static std::string Line(const std::string& name, const state::WorkloadTraits& traits) {
    std::string line = name + " " + (traits.submitter ? traits.submitter->user : "nobody");
    if (!traits.submitter) return line;
    for (std::size_t i = 0; i < traits.submitter->groups.size(); ++i) {
      line += (i == 0 ? " " : ",") + traits.submitter->groups[i];
    }
    return line;
  }
};

std::string PodOf(std::string_view name, std::string_view annotations,
                  std::string_view owner = "") {
  std::string yaml = "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: ";
  yaml.append(name).append(", annotations: {").append(annotations).append("}");
  if (!owner.empty()) yaml.append(", ownerReferences: [").append(owner).append("]");
  return yaml.append(
      "}, spec: {schedulerName: fairlead, containers: [{resources: {requests: {cpu: 1}}}]}}\n");
}

std::string JobOf(std::string_view annotations) {
  return "{apiVersion: batch/v1, kind: Job, metadata: {namespace: a, name: j, uid: u, annotations: "
         "{" +
         std::string(annotations) +
         "}}, spec: {parallelism: 1, completions: 1, template: {spec: {schedulerName: fairlead, "
         "containers: [{resources: {requests: {cpu: 1}}}]}}}}\n";
}

constexpr std::string_view kOfJob =
    "{apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}";
constexpr std::string_view kUnknown =
    "{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: r, controller: true}";

TEST_F(WhoAsked, APodByItself) {
  EXPECT_THAT(
      Tell(PodOf("p", "fairlead.dev/user: ada, fairlead.dev/groups: 'vision, speech,,vision'")),
      ElementsAre("a/p ada speech,vision"));
  EXPECT_THAT(Tell(PodOf("q", "fairlead.dev/groups: vision")), ElementsAre("a/q a"));
  EXPECT_THAT(Tell(PodOf("q", "fairlead.dev/user: eve")), ElementsAre("a/q eve"));
  EXPECT_THAT(Tell(PodOf("r", "fairlead.dev/user: bob", kUnknown)), ElementsAre("a/r bob"));
}

TEST_F(WhoAsked, TheJobOfAPodWhateverThePodSays) {
  Tell(PodOf("p", "fairlead.dev/user: eve", kOfJob));
  EXPECT_THAT(Tell(JobOf("fairlead.dev/user: ada")), ElementsAre("a/p ada"));
  EXPECT_THAT(Tell(JobOf("fairlead.dev/user: ada")), IsEmpty());
  EXPECT_THAT(Tell(JobOf("fairlead.dev/user: ada, fairlead.dev/groups: vision")),
              ElementsAre("a/p ada vision"));
  EXPECT_THAT(Tell(JobOf("x: y")), ElementsAre("a/p a"));
}

TEST_F(WhoAsked, TheNamespaceWhereNobodyIsNamed) {
  EXPECT_THAT(Tell(PodOf("p", "")), ElementsAre("a/p a"));
  const auto space = [](std::string_view annotations) {
    return "{apiVersion: v1, kind: Namespace, metadata: {name: a, annotations: {" +
           std::string(annotations) + "}}}\n";
  };
  EXPECT_THAT(Tell(space("fairlead.dev/owner: ada")), ElementsAre("a/p ada"));
  EXPECT_THAT(Tell(space("fairlead.dev/owner: bob")), ElementsAre("a/p bob"));
  EXPECT_THAT(Tell(space("other: bob")), ElementsAre("a/p a"));
  Tell(space("fairlead.dev/owner: bob"));
  intake_.Remove("Namespace", "", "a");
  EXPECT_THAT(Take(), ElementsAre("a/p a"));
}

TEST_F(WhoAsked, AWorkloadWhateverItsPodsSay) {
  const auto workload = [](std::string_view annotations) {
    return "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, name: w, "
           "annotations: {" +
           std::string(annotations) + "}}, spec: {podSets: [{count: 1}]}}\n";
  };
  Tell(
      "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: p, labels: "
      "{fairlead.dev/workload: w}, annotations: {fairlead.dev/user: eve}}, spec: {schedulerName: "
      "fairlead, containers: [{resources: {requests: {cpu: 1}}}]}}\n");
  EXPECT_THAT(Tell(workload("fairlead.dev/user: ada")), ElementsAre("a/w ada"));
  EXPECT_THAT(Tell(workload("")), ElementsAre("a/w a"));
}

}  // namespace
}  // namespace fairlead::intake
