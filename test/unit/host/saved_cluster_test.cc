#include "host/saved_cluster.h"

#include <string>
#include <utility>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "intake/intake.h"
#include "objects/read/reader.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;

constexpr const char* kSaved = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", pods: "9"}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: lab, name: runs, creationTimestamp: 2026-01-01T00:00:00Z,
           annotations: {fairlead.dev/max-run-time: 1h}}
spec: {schedulerName: fairlead, nodeName: n1,
       containers: [{name: main, resources: {requests: {cpu: "3"}}}]}
status: {phase: Running, startTime: 2026-01-01T00:00:00Z,
         conditions: [{type: PodScheduled, status: "True",
                       lastTransitionTime: 2026-01-01T00:00:00Z}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: lab, name: waits, creationTimestamp: 2026-01-01T00:10:00Z}
spec: {schedulerName: fairlead, containers: [{name: main, resources: {requests: {cpu: "2"}}}]}
)";

server::Answer Get(const char* kind, const std::string& name, bool as_table,
                   const PastDurations& past = nullptr) {
  objects::Manifest manifest;
  objects::ReadText(kSaved, "saved.yaml", intake::AllDecoders(), manifest);
  EXPECT_TRUE(manifest.faults.empty());
  SavedCluster saved(std::move(manifest.objects), std::nullopt, past);
  return saved.Get({.kind = server::FindKind(kind),
                    .name_space = name.empty() ? "" : "lab",
                    .name = name,
                    .as_table = as_table});
}

TEST(SavedCluster, IsShownAsItStands) {
  const json::value table = json::parse(Get("pods", "", true).value());
  EXPECT_EQ(json::serialize(table.at("rows")),
            R"([["lab","runs","Running","n1","","default","","10m"],)"
            R"(["lab","waits","Pending","","","default","in 50m","0s"]])");
  EXPECT_EQ(table.at("now"), "2026-01-01T00:10:00Z");
}

TEST(SavedCluster, ObjectsSayWhenTheyStart) {
  const json::value waits = json::parse(Get("pod", "waits", false).value());
  EXPECT_EQ(json::serialize(waits.at("status").at("expectedStart")),
            R"({"at":"2026-01-01T01:00:00Z","basis":"Limits"})");
  const json::value all = json::parse(Get("pods", "", false).value());
  EXPECT_EQ(all.at("items").as_array().size(), 2U);
}

TEST(SavedCluster, StartsAreWorkedOutForWhatMayWaitAlone) {
  int asked = 0;
  const PastDurations past = [&](std::string_view, std::string_view) {
    ++asked;
    return nullptr;
  };
  EXPECT_TRUE(Get("nodes", "", true, past));
  EXPECT_TRUE(Get("queues", "", false, past));
  EXPECT_EQ(asked, 0);
  EXPECT_TRUE(Get("pods", "", true, past));
  EXPECT_GT(asked, 0);
}

TEST(SavedCluster, WhatIsNotThereIsSaid) {
  EXPECT_EQ(Get("pod", "wait", false).error().message,
            "there is no Pod wait in namespace lab; did you mean waits?");
  EXPECT_EQ(Get("pod", "wait", true).error().message,
            "there is no Pod wait in namespace lab; did you mean waits?");
  EXPECT_EQ(Get("jobs", "", true).error().status, 501);
}

}  // namespace
}  // namespace fairlead::host
