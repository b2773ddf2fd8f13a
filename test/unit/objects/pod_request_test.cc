#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/quantity.h"
#include "unit/objects/read.h"

namespace fairlead::objects {
namespace {

std::string PodOfSpec(const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n" + spec;
}

std::string Print(const PodNeeds& needs) {
  std::string text;
  for (const auto& [resource, amount] : needs.request) {
    text += (text.empty() ? "" : " ") + resource + "=" + FormatResource(resource, amount);
  }
  if (needs.gpu_milli != 0) text += " milli=" + std::to_string(needs.gpu_milli);
  return text;
}

TEST(PodRequest, FollowsKubernetesRule) {
  struct Case {
    std::string why, spec, request;
  };
  const Case cases[] = {
      {"nothing asked", "  containers: [{name: a}]\n", ""},
      {"no containers at all", "  nodeName: n\n", ""},
      {"containers are summed: 1 + 0.5",
       "  containers:\n"
       "  - {resources: {requests: {cpu: 1, memory: 1Gi}}}\n"
       "  - {resources: {requests: {cpu: 500m, example.com/x: 2}}}\n",
       "cpu=1500m example.com/x=2 memory=1Gi"},
      {"what has a limit alone asks for it",
       "  containers:\n"
       "  - {resources: {limits: {cpu: 2, nvidia.com/gpu: 1}, requests: {cpu: 1}}}\n",
       "cpu=1 nvidia.com/gpu=1"},
      {"the largest init container: max(1, 3)",
       "  containers: [{resources: {requests: {cpu: 1}}}]\n"
       "  initContainers:\n"
       "  - {resources: {requests: {cpu: 3, memory: 1Mi}}}\n"
       "  - {resources: {requests: {cpu: 2, memory: 2Mi}}}\n",
       "cpu=3 memory=2Mi"},
      {"sidecars: while starting max(4 + 1, 1 + 1 + 2) = 5, later 1 + 2 + 1 + 2 = 6",
       "  containers: [{resources: {requests: {cpu: 1}}}, {resources: {requests: {cpu: 2}}}]\n"
       "  initContainers:\n"
       "  - {restartPolicy: Always, resources: {requests: {cpu: 1}}}\n"
       "  - {resources: {requests: {cpu: 4}}}\n"
       "  - {restartPolicy: Always, resources: {requests: {cpu: 2}}}\n"
       "  - {resources: {requests: {cpu: 1}}}\n",
       "cpu=6"},
      {"sidecars: an init container behind one: 5 + 1 = 6, later 1 + 1 = 2",
       "  containers: [{resources: {requests: {cpu: 1}}}]\n"
       "  initContainers:\n"
       "  - {restartPolicy: Always, resources: {requests: {cpu: 1}}}\n"
       "  - {resources: {requests: {cpu: 5}}}\n",
       "cpu=6"},
      {"an init container before the sidecar: max(5, 1 + 1)",
       "  containers: [{resources: {requests: {cpu: 1}}}]\n"
       "  initContainers:\n"
       "  - {resources: {requests: {cpu: 5}}}\n"
       "  - {restartPolicy: Always, resources: {requests: {cpu: 1}}}\n",
       "cpu=5"},
      {"overhead comes on top: 1 + 0.25",
       "  containers: [{resources: {requests: {cpu: 1}}}]\n"
       "  overhead: {cpu: 250m, memory: 120Mi}\n",
       "cpu=1250m memory=120Mi"},
      {"the pod's own request counts instead, for what a pod can ask, and overhead still",
       "  resources: {requests: {cpu: 3, nvidia.com/gpu: 9}}\n"
       "  containers: [{resources: {requests: {cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}}}]\n"
       "  overhead: {cpu: 1}\n",
       "cpu=4 memory=1Gi nvidia.com/gpu=1"},
      {"the pod's own limit where no container asks",
       "  resources: {limits: {cpu: 3, memory: 2Gi}}\n"
       "  containers: [{resources: {requests: {memory: 1Gi}}}]\n",
       "cpu=3 memory=1Gi"},
      {"fractions of a unit are rounded up: 1.5 bytes, 0.5 millicores each",
       "  containers:\n"
       "  - {resources: {requests: {cpu: 0.5m, memory: 1500m}}}\n"
       "  - {resources: {requests: {cpu: 0.5m}}}\n",
       "cpu=2m memory=2"},
      {"zero is nothing", "  containers: [{resources: {requests: {cpu: 0, nvidia.com/gpu: 0}}}]\n",
       ""},
      {"a share of a device",
       "  containers: [{resources: {requests: {fairlead.dev/gpu-milli: \"250\"}}},\n"
       "               {resources: {limits: {fairlead.dev/gpu-milli: 500}}}]\n",
       " milli=750"},
      {"devices as large numbers",
       "  containers: [{resources: {requests: {nvidia.com/gpu: 1k}}}]\n", "nvidia.com/gpu=1k"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    EXPECT_EQ(Print(ReadOne<Pod>(PodOfSpec(c.spec)).spec.needs), c.request);
  }
}

TEST(PodRequest, ReportsWhatCannotBe) {
  const std::string pod = "in.yaml:5: Pod default/p: spec.containers[0].resources.requests.";
  struct Case {
    std::string requests, fault;
  };
  const Case cases[] = {
      {"cpu: -1", pod + "cpu: found number -1, expected a quantity that is not negative"},
      {"memory: 1Zi", pod + "memory: found \"1Zi\", expected a quantity such as 500m, 2 or 16Gi"},
      {"memory: 9Ei", pod + "memory: found \"9Ei\", expected a quantity below 2^63"},
      {"cpu: 10P", pod + "cpu: found \"10P\", expected a quantity below 2^63 thousandths"},
      {"cpu: true", pod + "cpu: found boolean true, expected a quantity such as 500m, 2 or 16Gi"},
      {"cpu: [1]", pod + "cpu: found a list, expected a quantity such as 500m, 2 or 16Gi"},
      {"nvidia.com/gpu: 500m",
       pod + "nvidia.com/gpu: found \"500m\", expected a whole number (for a part of a device: "
             "fairlead.dev/gpu-milli)"},
      {"fairlead.dev/gpu-milli: 0.5",
       pod + "fairlead.dev/gpu-milli: found number 0.5, expected a whole number of thousandths"},
      {"fairlead.dev/gpu-milli: 1001",
       "in.yaml:5: Pod default/p: spec: found 1001 thousandths of fairlead.dev/gpu-milli, expected "
       "1 to 1000"},
      {"fairlead.dev/gpu-milli: 0",
       "in.yaml:5: Pod default/p: spec: found 0 thousandths of fairlead.dev/gpu-milli, expected 1 "
       "to 1000"},
      {"fairlead.dev/gpu-milli: 1, nvidia.com/gpu: 1",
       "in.yaml:5: Pod default/p: spec: found both nvidia.com/gpu and fairlead.dev/gpu-milli, "
       "expected one of them"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.requests);
    EXPECT_EQ(
        FaultsOf(PodOfSpec("  containers: [{resources: {requests: {" + c.requests + "}}}]\n")),
        std::vector<std::string>{c.fault});
  }
  EXPECT_EQ(FaultsOf(PodOfSpec("  containers: [{resources: {requests: {memory: 5Ei}}},\n"
                               "               {resources: {requests: {memory: 5Ei}}}]\n")),
            std::vector<std::string>{"in.yaml:5: Pod default/p: spec: found requests that add up "
                                     "to 2^63 or more, expected less"});
}

// What runs takes room, whatever is wrong with it: the most that it says, and what nobody knows.
TEST(PodRequest, OfAPodThatHasANodeIsReadAsFarAsItCanBe) {
  struct Case {
    std::string requests, request;
    bool room_known;
  };
  const Case cases[] = {
      {"fairlead.dev/gpu-milli: 1, nvidia.com/gpu: 8", "nvidia.com/gpu=8", true},
      {"fairlead.dev/gpu-milli: 2500, nvidia.com/gpu: 1", "nvidia.com/gpu=3", true},
      {"fairlead.dev/gpu-milli: 1001, cpu: 1", "cpu=1 nvidia.com/gpu=2", true},
      {"fairlead.dev/gpu-milli: 0, cpu: 1", "cpu=1", true},
      {"memory: 9Ei, cpu: 1", "cpu=1", false},
      {"cpu: -1, memory: 1Gi", "memory=1Gi", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.requests);
    const Manifest manifest =
        Read(PodOfSpec("  nodeName: n1\n"
                       "  containers: [{resources: {requests: {" +
                       c.requests + "}}}]\n"));
    EXPECT_EQ(manifest.faults.size(), 1u);
    EXPECT_TRUE(manifest.objects.empty());
    ASSERT_EQ(manifest.misread_pods.size(), 1u);
    const Pod& pod = manifest.misread_pods[0];
    EXPECT_EQ(Print(pod.spec.needs), c.request);
    EXPECT_EQ(pod.spec.room_unknown, !c.room_known);
  }
  const Manifest two_large =
      Read(PodOfSpec("  nodeName: n1\n"
                     "  containers: [{resources: {requests: {memory: 5Ei}}},\n"
                     "               {resources: {requests: {memory: 5Ei}}}]\n"));
  ASSERT_EQ(two_large.misread_pods.size(), 1u);
  EXPECT_EQ(two_large.misread_pods[0].spec.needs.request[0].second,
            std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(two_large.misread_pods[0].spec.room_unknown);
  // Without a node it takes none: it is refused, and that is all.
  EXPECT_TRUE(Read(PodOfSpec("  containers: [{resources: {requests: {memory: 9Ei}}}]\n"))
                  .misread_pods.empty());
  // Nor without a name: nobody could say of whom it is told.
  EXPECT_TRUE(Read("apiVersion: v1\nkind: Pod\nspec:\n  nodeName: n1\n"
                   "  containers: [{name: c}]\n")
                  .misread_pods.empty());
}

// A port that cannot be read may be anybody's; a toleration takes nothing.
TEST(PodRequest, OfWhatRunsOnlyAmountsAndPortsCount) {
  const auto room_known = [](const std::string& spec) {
    const Manifest manifest = Read(PodOfSpec("  nodeName: n1\n" + spec));
    EXPECT_EQ(manifest.misread_pods.size(), 1u) << spec;
    return !manifest.misread_pods.empty() && !manifest.misread_pods[0].spec.room_unknown;
  };
  EXPECT_FALSE(room_known("  containers: [{ports: [{hostPort: 70000}]}]\n"));
  EXPECT_TRUE(room_known("  tolerations: [{key: a, operator: Like}]\n"));
  EXPECT_TRUE(room_known("  priority: high\n"));
}

}  // namespace
}  // namespace fairlead::objects
