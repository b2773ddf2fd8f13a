#include "host/live_cluster.h"

#include <string>
#include <thread>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace fairlead::host {
namespace {

namespace json = boost::json;

constexpr const char* kCluster = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110", nvidia.com/gpu: "2"}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: lab}
)";

std::string Pod(const std::string& name, const std::string& cpu) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         ", namespace: lab, labels: {fairlead.dev/queue: lab}}\n"
         "spec:\n  schedulerName: fairlead\n  containers:\n"
         "  - {name: main, resources: {requests: {cpu: \"" +
         cpu + "\"}}}\n";
}

class LiveClusterTest : public ::testing::Test {
 protected:
  LiveClusterTest() : live_({.start = Time{} + Duration::Seconds(1'000'000'000)}) {}

  server::Answer Submit(const std::string& text) {
    return live_.Submit({{.name = "test.yaml", .text = text}});
  }
  json::value Get(const char* kind, const std::string& name = "", bool as_table = false) {
    const auto answer = live_.Get({.kind = server::FindKind(kind),
                                   .name_space = name.empty() ? "" : "lab",
                                   .name = name,
                                   .as_table = as_table});
    if (!answer) return json::object{{"refused", answer.error().message}};
    return json::parse(*answer);
  }

  LiveCluster live_;
};

TEST_F(LiveClusterTest, WhatWasSubmittedIsThereAndDecided) {
  ASSERT_TRUE(Submit(kCluster));
  ASSERT_TRUE(Submit(Pod("p", "2")));
  const json::value pod = Get("pod", "p");
  EXPECT_EQ(pod.at("spec").at("nodeName"), "n1");
  const json::value table = Get("pods", "", true);
  ASSERT_EQ(table.at("rows").as_array().size(), 1U);
  EXPECT_EQ(table.at("rows").at(0).at(0), "lab");
  EXPECT_EQ(table.at("rows").at(0).at(3), "n1");
  EXPECT_EQ(Get("nodes", "", true).at("rows").at(0).at(2), "2/4");
}

// As kubectl says it; and what runs is not disturbed.
TEST_F(LiveClusterTest, WhatSaysTheSameIsUnchanged) {
  const auto results = [&](const std::string& text) {
    std::string all;
    const json::value answer = json::parse(Submit(text).value());
    for (const json::value& row : answer.at("objects").as_array()) {
      all += (all.empty() ? "" : " ") + json::value_to<std::string>(row.at("result"));
    }
    return all;
  };
  EXPECT_EQ(results(std::string(kCluster) + "---\n" + Pod("p", "2")), "created created created");
  EXPECT_EQ(results(std::string(kCluster) + "---\n" + Pod("p", "2") + "---\n" + Pod("q", "1")),
            "unchanged unchanged unchanged created");
  EXPECT_EQ(results("apiVersion: fairlead.dev/v1alpha1\nkind: Queue\nmetadata: {name: lab}\n"
                    "spec: {limit: {cpu: 1}}\n"),
            "configured");
  EXPECT_EQ(Get("pod", "p").at("spec").at("nodeName"), "n1");
}

TEST_F(LiveClusterTest, OfAGatedPodKueueIsNamedWhereTheGateIsItsOwn) {
  ASSERT_TRUE(Submit(kCluster));
  ASSERT_TRUE(Submit(Pod("own", "2") + "  schedulingGates: [{name: quality}]\n---\n" +
                     Pod("theirs", "2") +
                     "  schedulingGates: [{name: quality}, {name: kueue.x-k8s.io/admission}]\n"));
  const json::value table = Get("pods", "", true);
  ASSERT_EQ(table.at("rows").as_array().size(), 2U);
  EXPECT_EQ(table.at("rows").at(0).at(2), "Gated");
  EXPECT_EQ(table.at("rows").at(1).at(2), "GatedByKueue");
}

TEST_F(LiveClusterTest, TheViewShowsWhatWasChanged) {
  const auto workloads = [&] {
    const auto answer = live_.View({.about = view::Question::About::kWorkloads});
    return json::parse(answer.value()).at("rows").as_array();
  };
  EXPECT_TRUE(workloads().empty());
  ASSERT_TRUE(Submit(kCluster));
  ASSERT_TRUE(Submit(Pod("p", "2") + "---\n" + Pod("q", "3")));
  const json::array rows = workloads();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(0).at("workload"), "lab/p");
  EXPECT_EQ(rows.at(0).at("state"), "Running");
  EXPECT_EQ(rows.at(1).at("reason").at("code"), "NoNodeFits");
  ASSERT_TRUE(live_.Delete(*server::FindKind("pod"), "lab", "p"));
  ASSERT_EQ(workloads().size(), 1U);
  EXPECT_EQ(workloads().at(0).at("state"), "Running");
  const auto missing = live_.View({.about = view::Question::About::kWorkload, .name = "lab/p"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().status, 404);
  live_.Stop();
  EXPECT_EQ(workloads().size(), 1U);
}

TEST_F(LiveClusterTest, WhoCouldUseANodeAndWhatStandsInTheWay) {
  ASSERT_TRUE(Submit(kCluster));
  ASSERT_TRUE(
      Submit("apiVersion: fairlead.dev/v1alpha1\nkind: Queue\nmetadata: {name: lab}\n"
             "spec: {limit: {cpu: 3}}\n"));
  ASSERT_TRUE(Submit(Pod("runs", "2")));
  ASSERT_TRUE(Submit(Pod("barred", "1500m") + "---\n" + Pod("like-it", "1500m") + "---\n" +
                     Pod("more", "3") + "---\n" + Pod("giant", "9")));
  const json::value answer = json::parse(live_.Askers("n1").value());
  EXPECT_EQ(answer.at("waiting"), 4);
  const json::array& askers = answer.at("askers").as_array();
  ASSERT_EQ(askers.size(), 3U);
  EXPECT_EQ(askers.at(0).at("workload"), "lab/barred");
  EXPECT_EQ(askers.at(0).at("verdict"), "HasRoom");
  EXPECT_EQ(askers.at(0).at("alike"), 2);
  EXPECT_EQ(askers.at(0).at("reason").at("code"), "QueueLimit");
  EXPECT_EQ(askers.at(1).at("workload"), "lab/more");
  EXPECT_EQ(askers.at(1).at("verdict"), "Lacks");
  EXPECT_EQ(askers.at(1).at("lacks"), "too few free cores (2 of 3)");
  EXPECT_EQ(askers.at(2).at("workload"), "lab/giant");
  EXPECT_EQ(askers.at(2).at("verdict"), "Unfit");
  EXPECT_EQ(askers.at(2).at("lacks"), "too few cores (4 of 9)");
  const auto missing = live_.Askers("n2");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().status, 404);
  EXPECT_EQ(missing.error().message, "there is no node n2; did you mean n1?");
}

TEST_F(LiveClusterTest, EveryTableHasACellAColumn) {
  ASSERT_TRUE(Submit(kCluster));
  ASSERT_TRUE(Submit(Pod("p", "2")));
  ASSERT_TRUE(Submit("apiVersion: v1\nkind: Namespace\nmetadata: {name: lab}\n"));
  for (const server::Kind& kind : server::AllKinds()) {
    const json::value table = Get(std::string(kind.plural).c_str(), "", true);
    for (const json::value& row : table.at("rows").as_array()) {
      EXPECT_EQ(row.as_array().size(), table.at("columns").as_array().size()) << kind.plural;
    }
  }
}

TEST_F(LiveClusterTest, TablesSayWhenWhatWaitsStarts) {
  ASSERT_TRUE(Submit(kCluster));
  std::string runs = Pod("runs", "3");
  runs.replace(runs.find("labels:"), 0, "annotations: {fairlead.dev/run-duration: 2h}, ");
  ASSERT_TRUE(Submit(runs + "---\n" + Pod("waits", "2") + "---\n" + Pod("giant", "9")));
  const auto expected = [&] {
    std::string all;
    const json::value table = Get("pods", "", true);
    for (const json::value& row : table.at("rows").as_array()) {
      all += json::value_to<std::string>(row.at(1)) + " " + json::value_to<std::string>(row.at(6)) +
             "\n";
    }
    return all;
  };
  EXPECT_EQ(expected().substr(0, expected().find("waits")), "giant never\nruns \n");
  EXPECT_NE(expected().find("waits in "), std::string::npos) << expected();
  const json::value waits = Get("pod", "waits").at("status").at("expectedStart");
  EXPECT_EQ(waits.at("basis"), "Expected");
  EXPECT_FALSE(Get("pod", "giant").at("status").as_object().contains("expectedStart"));
  const json::value giant = json::parse(live_.Explain("lab/giant", false).value());
  EXPECT_EQ(giant.at("hopeless"), true);
  EXPECT_FALSE(giant.as_object().contains("expectedStart"));
  EXPECT_EQ(Get("queues", "", true).at("rows").at(0).at(6), "1");
}

TEST_F(LiveClusterTest, FaultsChangeNothing) {
  const auto answer = Submit(std::string(kCluster) + "spec: {limit: {cpu: lots}}\n");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().status, 400);
  ASSERT_EQ(answer.error().faults.size(), 1U);
  EXPECT_NE(answer.error().faults[0].find("test.yaml:10: Queue lab: spec.limit.cpu"),
            std::string::npos)
      << answer.error().faults[0];
  EXPECT_TRUE(Get("nodes").at("items").as_array().empty());
}

TEST_F(LiveClusterTest, DeleteMakesRoom) {
  ASSERT_TRUE(Submit(kCluster));
  ASSERT_TRUE(Submit(Pod("first", "3")));
  ASSERT_TRUE(Submit(Pod("second", "3")));
  const auto why = live_.Explain("lab/second", true);
  ASSERT_TRUE(why);
  EXPECT_EQ(json::parse(*why).at("state"), "Pending");
  EXPECT_EQ(json::parse(*why).at("candidates").at("pod"), "lab/second");
  EXPECT_TRUE(json::parse(*why).at("candidates").at("nodes").as_array().empty());
  ASSERT_TRUE(live_.Delete(*server::FindKind("pod"), "lab", "first"));
  EXPECT_EQ(json::parse(*live_.Explain("lab/second", false)).at("state"), "Running");
  EXPECT_EQ(live_.Delete(*server::FindKind("pod"), "lab", "first").error().status, 404);
}

TEST_F(LiveClusterTest, WhatIsNotThereYetIsExplainedAndStaysAway) {
  ASSERT_TRUE(Submit(kCluster));
  ASSERT_TRUE(Submit(Pod("first", "3")));
  const auto asked = [this](const std::string& text) {
    return live_.ExplainIfSubmitted({{"job.yaml", text}});
  };
  const auto small = asked(Pod("small", "1"));
  ASSERT_TRUE(small);
  EXPECT_EQ(json::parse(*small).at("items").at(0).at("state"), "Starting");
  const auto two = asked(Pod("large", "3") + "---\n" + Pod("small", "1"));
  ASSERT_TRUE(two);
  EXPECT_EQ(json::parse(*two).at("items").at(0).at("workload"), "lab/large");
  EXPECT_EQ(json::parse(*two).at("items").at(0).at("state"), "Pending");
  EXPECT_EQ(json::parse(*two).at("items").at(1).at("workload"), "lab/small");
  EXPECT_EQ(Get("pods").at("items").as_array().size(), 1U) << "nothing was submitted";

  EXPECT_EQ(asked(Pod("first", "1")).error().message,
            "Pod lab/first is there already; `fairlead explain` says how it stands");
  EXPECT_EQ(asked("apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n").error().message,
            "there is no work in it that would be scheduled");
  EXPECT_EQ(asked("apiVersion: v1\nkind: Pod\nmetadata: {}\n").error().faults.size(), 1U);
}

TEST_F(LiveClusterTest, NearNamesAreOffered) {
  ASSERT_TRUE(Submit(kCluster));
  ASSERT_TRUE(Submit(Pod("trainer", "1")));
  EXPECT_EQ(Get("pod", "trianer").at("refused"),
            "there is no Pod trianer in namespace lab; did you mean trainer?");
  EXPECT_EQ(live_.Explain("lab/trianer", false).error().message,
            "there is no workload or pod lab/trianer; did you mean lab/trainer?");
}

TEST_F(LiveClusterTest, ManyAskAtOnce) {
  ASSERT_TRUE(Submit(kCluster));
  std::vector<std::thread> threads;
  std::vector<int> seen(4, 0);
  for (std::size_t t = 0; t < seen.size(); ++t) {
    threads.emplace_back([this, t, &seen] {
      for (int i = 0; i < 20; ++i) {
        const std::string name = "p-" + std::to_string(t) + "-" + std::to_string(i);
        if (!Submit(Pod(name, "10m"))) continue;
        const auto answer = live_.Get({.kind = server::FindKind("pod"),
                                       .name_space = "lab",
                                       .name = name,
                                       .as_table = false});
        seen[t] += answer ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, std::vector<int>(4, 20));
  live_.Stop();
  EXPECT_EQ(live_.Look()->tables->totals.pods_running, 80);
  EXPECT_EQ(live_.QueueShares().error().status, 503);
}

}  // namespace
}  // namespace fairlead::host
