#include "objects/read/doubts.h"

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "objects/read/reader.h"

namespace fairlead::objects {
namespace {

// "spec.shedulerName", one a line, of what was hardly meant so.
std::string DoubtsIn(const std::string& text) {
  Manifest manifest;
  ReadText(text, "in.yaml", CoreDecoders(), manifest);
  EXPECT_TRUE(manifest.faults.empty()) << manifest.faults.front().ToString();
  std::string doubts;
  for (const Doubt& doubt : manifest.doubts) {
    doubts += doubt.fault.field + " (" + doubt.fault.message + ")\n";
  }
  return doubts;
}

std::string DoubtfulPod(const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  " + spec + "\n";
}

TEST(Doubts, FieldsThatAreNearlyOthers) {
  const std::string none = "there is no such field, and it does nothing; did you mean ";
  EXPECT_EQ(DoubtsIn(DoubtfulPod("shedulerName: fairlead")),
            "spec.shedulerName (" + none + "schedulerName?)\n");
  EXPECT_EQ(DoubtsIn(DoubtfulPod("nodeselector: {a: b}")),
            "spec.nodeselector (" + none + "nodeSelector?)\n");
  EXPECT_EQ(DoubtsIn(DoubtfulPod("containers: [{name: a, resources: {request: {cpu: 1}}}]")),
            "spec.containers[0].resources.request (" + none + "requests?)\n");
  EXPECT_EQ(DoubtsIn(DoubtfulPod("containers: [{name: a, resource: {}}]")),
            "spec.containers[0].resource (" + none + "resources?)\n");
}

// Kubernetes gets new fields every year.
TEST(Doubts, NewFieldsAreLeftAlone) {
  EXPECT_EQ(DoubtsIn(DoubtfulPod("someNewField: true")), "");
  EXPECT_EQ(DoubtsIn(DoubtfulPod("hostUsers: false\n  hostname: a\n  hostIPC: false")), "");
}

TEST(Doubts, OurKeysAreKnown) {
  const auto with = [](const std::string& key) {
    return "apiVersion: v1\nkind: Namespace\nmetadata: {name: n, annotations: {" + key + ": a}}\n";
  };
  EXPECT_EQ(
      DoubtsIn(with("fairlead.dev/gnag")),
      "metadata.annotations.fairlead.dev/gnag (Fairlead has no such key, and it does nothing; "
      "did you mean fairlead.dev/gang?)\n");
  EXPECT_EQ(DoubtsIn(with("fairlead.dev/gang")), "");
  EXPECT_EQ(DoubtsIn(with("example.com/gnag")), "");
}

// Whoever adds a key adds it to the list of those that are known.
TEST(Doubts, EveryKeyOfOursIsKnown) {
  std::ifstream file("src/objects/keys.h");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::regex key("\"(fairlead\\.dev/[a-z-]+)\"");
  int keys = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), key), end; at != end; ++at, ++keys) {
    EXPECT_EQ(DoubtsIn("apiVersion: v1\nkind: Namespace\nmetadata: {name: n, annotations: {" +
                       (*at)[1].str() + ": a}}\n"),
              "");
  }
  EXPECT_GT(keys, 20);
}

TEST(Doubts, TemplatesAreLookedThrough) {
  EXPECT_EQ(DoubtsIn("apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n"
                     "  template:\n    metadata: {labels: {fairlead.dev/que: a}}\n"
                     "    spec: {tolerationss: [], containers: [{name: a}]}\n"),
            "spec.template.metadata.labels.fairlead.dev/que (Fairlead has no such key, and it does "
            "nothing; did you mean fairlead.dev/queue?)\n"
            "spec.template.spec.tolerationss (there is no such field, and it does nothing; did you "
            "mean tolerations?)\n");
}

}  // namespace
}  // namespace fairlead::objects
