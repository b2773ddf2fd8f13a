#include "view/answer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "engine/scheduler.h"
#include "view/view_builder.h"

namespace fairlead::view {
namespace {

namespace json = boost::json;
using About = Question::About;

constexpr Time kStart{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z

state::NeedsPtr Cpu(std::int64_t milli) {
  objects::PodNeeds needs;
  needs.request = {{"cpu", milli}};
  return std::make_shared<const objects::PodNeeds>(needs);
}

state::PodChange Pod(const std::string& name, const std::string& queue, int age_s,
                     std::int32_t priority, const state::NeedsPtr& needs) {
  state::PodChange pod{.name = name, .uid = Uid(name), .needs = needs, .priority = priority};
  pod.created = kStart + Duration::Seconds(-age_s);
  pod.solo = state::WorkloadTraits{.queue = queue, .priority = priority};
  pod.solo->created = pod.created;
  return pod;
}

// research > vision, nlp; ops. Two nodes of 4 CPUs, one of them not ready. vision/a runs, nlp/b is
// too large for what is free, nlp/c for any node, ops/d has ended, ops/e is another scheduler's,
// vision/gang waits for its second pod.
class AnswerTest : public ::testing::Test {
 protected:
  AnswerTest() {
    std::vector<state::Change> changes;
    for (const char* name : {"n1", "n2"}) {
      state::NodeChange node{.name = name, .labels = {{"zone", "a\"b"}}};
      node.allocatable = {{"cpu", 4'000}, {"pods", 10}};
      node.ready = name == std::string("n1");
      changes.emplace_back(node);
    }
    for (const auto& [name, parent] : std::map<std::string, std::string>{
             {"research", ""}, {"vision", "research"}, {"nlp", "research"}, {"ops", ""}}) {
      state::QueueChange queue{.name = name, .parent = parent};
      if (name == "research") queue.guaranteed = {{"cpu", 3'000}};
      if (name == "nlp") queue.limit = {{"cpu", 100'000}};
      changes.emplace_back(queue);
    }
    changes.emplace_back(Pod("vision/a", "vision", 600, 5, Cpu(2'000)));
    std::get<state::PodChange>(changes.back()).solo->submitter =
        std::make_shared<const objects::Submitter>(objects::Submitter{.user = "ann"});
    std::get<state::PodChange>(changes.back()).solo->run_time.Edit().limit =
        Duration::Seconds(3600);
    changes.back() = [&] {
      state::PodChange pod = std::get<state::PodChange>(changes.back());
      pod.state = state::PodState::kBound;
      pod.node = "n1";
      pod.scheduled_time = kStart + Duration::Seconds(-590);
      return pod;
    }();
    changes.emplace_back(Pod("nlp/b", "nlp", 300, 1, Cpu(3'000)));
    changes.emplace_back(Pod("nlp/c", "nlp", 400, 9, Cpu(9'000)));
    state::PodChange ended = Pod("ops/d", "ops", 900, 0, Cpu(1'000));
    ended.state = state::PodState::kFinished;
    ended.node = "n1";
    ended.scheduled_time = kStart + Duration::Seconds(-880);
    changes.emplace_back(ended);
    state::PodChange foreign{.name = "ops/e", .uid = Uid("e"), .needs = Cpu(500)};
    foreign.foreign = true;
    foreign.state = state::PodState::kBound;
    foreign.node = "n1";
    changes.emplace_back(foreign);
    state::WorkloadChange gang{.name = "vision/gang", .kind = "Job"};
    gang.traits = {.queue = "vision", .priority = 2};
    gang.traits.created = kStart + Duration::Seconds(-60);
    gang.pod_sets.push_back({.name = "worker", .count = 2, .min_count = 2});
    changes.emplace_back(gang);
    state::PodChange member{.name = "vision/gang-0", .uid = Uid("g"), .needs = Cpu(100)};
    member.workload = "vision/gang";
    changes.emplace_back(member);
    builder_.OnChanges(changes);
    scheduler_.Apply(changes);
    builder_.OnRound(scheduler_.Round(kStart));
    view_ = builder_.Publish(kStart, {.mode = "virtual",
                                      .state = "Deciding",
                                      .speed = 60,
                                      .can_submit = true,
                                      .scheduler = "fairlead",
                                      .build = "1"});
    View shown = *view_;
    shown.starts = std::make_shared<const ExpectedStarts>(
        ExpectedStarts{{"nlp/b", {.at = kStart + Duration::Seconds(60), .basis = "Limits"}}});
    view_ = std::make_shared<const View>(shown);
  }

  json::value Ask(const Question& question) {
    const auto answer = Answer(*view_, question);
    if (!answer) return json::object{{"refused", answer.error().message}};
    EXPECT_EQ(answer->back(), '\n');
    return json::parse(*answer);
  }
  std::string Names(const std::map<std::string, std::string>& parameters) {
    const json::value answer = Ask({.about = About::kWorkloads, .parameters = parameters});
    if (const auto* refused = answer.as_object().if_contains("refused")) {
      return std::string(refused->as_string());
    }
    std::string names;
    for (const json::value& row : answer.at("rows").as_array()) {
      names += (names.empty() ? "" : " ") + std::string(row.at("workload").as_string());
    }
    return names;
  }

  engine::Scheduler scheduler_;
  ViewBuilder builder_{scheduler_};
  std::shared_ptr<const View> view_;
};

TEST_F(AnswerTest, Summary) {
  const json::value summary = Ask({.about = About::kSummary});
  EXPECT_EQ(summary.at("kind"), "Summary");
  EXPECT_EQ(summary.at("now"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(summary.at("mode"), "virtual");
  EXPECT_EQ(summary.at("speed"), 60);
  EXPECT_EQ(summary.at("canSubmit"), true);
  // cpu and pods are known by the nodes, the others by the engine.
  const json::value& cpu = summary.at("resources").at(0);
  EXPECT_EQ(cpu, json::parse(R"({"name":"cpu","scale":1000,"allocatable":8000,"allocated":2500,
                                 "requested":5100})"));
  EXPECT_EQ(summary.at("nodes"), json::parse(R"({"count":2,"ready":1})"));
  EXPECT_EQ(summary.at("pods"),
            json::parse(R"({"running":1,"pending":3,"finished":1,"foreign":1})"));
  EXPECT_EQ(summary.at("workloads"),
            json::parse(R"({"pending":3,"admitted":0,"running":1,"finished":1,"hopeless":1})"));
  // nlp/c waits longer, and for nothing.
  EXPECT_EQ(summary.at("longestWaiting"), json::parse(R"({"workload":"nlp/b","seconds":300})"));
}

TEST_F(AnswerTest, Queues) {
  const json::value queues = Ask({.about = About::kQueues}).at("queues");
  ASSERT_EQ(queues.as_array().size(), 4U);
  const char* const expected[] = {"ops", "research", "nlp", "vision"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(queues.at(i).at("name"), expected[i]);
  const json::value& research = queues.at(1);
  EXPECT_EQ(research.at("guaranteed").at(0), 3'000);
  EXPECT_TRUE(research.at("limit").at(0).is_null());
  EXPECT_EQ(research.at("allocated").at(0), 2'000);
  EXPECT_EQ(research.at("pendingWorkloads"), 3);
  EXPECT_EQ(research.at("runningWorkloads"), 1);
  EXPECT_EQ(research.at("ready"), "");
  EXPECT_EQ(queues.at(2).at("parent"), "research");
  EXPECT_EQ(queues.at(2).at("limit").at(0), 100'000);
}

TEST_F(AnswerTest, Nodes) {
  const json::value nodes = Ask({.about = About::kNodes});
  EXPECT_EQ(nodes.at("names"), json::parse(R"(["n1","n2"])"));
  EXPECT_EQ(nodes.at("allocatable").at(0), json::parse("[4000,4000]"));
  EXPECT_EQ(nodes.at("allocated").at(0), json::parse("[2500,0]"));
  EXPECT_EQ(nodes.at("pods"), json::parse("[2,0]"));
  EXPECT_EQ(nodes.at("state"), json::parse(R"(["Ready","NotReady"])"));
  EXPECT_EQ(nodes.at("allocated").as_array().size(), nodes.at("resources").as_array().size());

  const json::value node = Ask({.about = About::kNode, .name = "n1"});
  EXPECT_EQ(node.at("labels").at("zone"), "a\"b");
  ASSERT_EQ(node.at("pods").as_array().size(), 2U);
  const json::value& foreign = node.at("pods").at(0);
  EXPECT_EQ(foreign.at("pod"), "ops/e");
  EXPECT_EQ(foreign.at("foreign"), true);
  EXPECT_EQ(foreign.at("workload"), "");
  const json::value& ours = node.at("pods").at(1);
  EXPECT_EQ(ours.at("workload"), "vision/a");
  EXPECT_EQ(ours.at("queue"), "vision");
  EXPECT_EQ(ours.at("request").at(0), 2'000);
  EXPECT_EQ(ours.at("state"), "Running");
  EXPECT_EQ(Ask({.about = About::kNode, .name = "n3"}).at("refused"),
            "there is no node n3; did you mean n1 or n2?");
}

TEST_F(AnswerTest, Rows) {
  const json::value rows =
      Ask({.about = About::kWorkloads, .parameters = {{"sort", "name"}}}).at("rows");
  ASSERT_EQ(rows.as_array().size(), 5U);
  const json::value& too_large_now = rows.at(0);
  EXPECT_EQ(too_large_now.at("workload"), "nlp/b");
  EXPECT_EQ(too_large_now.at("reason").at("code"), "NoNodeFits");
  EXPECT_EQ(too_large_now.at("waitingSeconds"), 300);
  EXPECT_TRUE(too_large_now.at("started").is_null());
  EXPECT_TRUE(std::string(rows.at(1).at("reason").at("message").as_string())
                  .starts_with("it fits no node, even an empty one"));
  const json::value& ended = rows.at(2);
  EXPECT_EQ(ended.at("state"), "Finished");
  EXPECT_EQ(ended.at("kind"), "Pod");
  EXPECT_EQ(ended.at("queue"), "ops");
  EXPECT_EQ(ended.at("waitingSeconds"), 20);
  EXPECT_TRUE(ended.at("reason").is_null());
  const json::value& runs = rows.at(3);
  EXPECT_EQ(runs.at("started"), "2025-12-31T23:50:10Z");
  EXPECT_EQ(runs.at("waitingSeconds"), 10);
  EXPECT_EQ(runs.at("running"), 1);
  const json::value& gang = rows.at(4);
  EXPECT_EQ(gang.at("kind"), "Job");
  EXPECT_EQ(gang.at("wanted"), 2);
  EXPECT_TRUE(gang.at("admitted").is_null());
  EXPECT_EQ(gang.at("reason").at("code"), "WaitingForPods");
}

TEST_F(AnswerTest, FiltersAndOrders) {
  struct Case {
    std::map<std::string, std::string> parameters;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {{}, "nlp/c nlp/b vision/gang ops/d vision/a"},
      {{{"sort", "-waiting"}}, "vision/a ops/d vision/gang nlp/b nlp/c"},
      {{{"sort", "name"}}, "nlp/b nlp/c ops/d vision/a vision/gang"},
      {{{"sort", "created"}}, "vision/gang nlp/b nlp/c vision/a ops/d"},
      {{{"sort", "priority"}}, "nlp/c vision/a vision/gang nlp/b ops/d"},
      {{{"sort", "queue"}}, "nlp/b nlp/c ops/d vision/a vision/gang"},
      {{{"state", "Pending"}}, "nlp/c nlp/b vision/gang"},
      {{{"state", "Finished"}}, "ops/d"},
      {{{"queue", "research"}}, "nlp/c nlp/b vision/gang vision/a"},
      {{{"queue", "nlp"}}, "nlp/c nlp/b"},
      {{{"queue", "nowhere"}}, ""},
      {{{"q", "GAN"}}, "vision/gang"},
      {{{"q", "vis"}, {"state", "Running"}}, "vision/a"},
      {{{"limit", "2"}}, "nlp/c nlp/b"},
      {{{"limit", "2"}, {"offset", "4"}}, "vision/a"},
      {{{"offset", "9"}}, ""},
      {{{"namespace", "vision"}}, "vision/gang vision/a"},
      {{{"namespace", "vis"}}, ""},
      {{{"user", "ann"}}, "vision/a"},
      {{{"reason", "NoNodeFits"}}, "nlp/c nlp/b"},
      {{{"waits", "never"}}, "nlp/c"},
      {{{"waits", "turn"}}, "nlp/b vision/gang"},
      {{{"sort", "asks"}, {"state", "Pending"}}, "nlp/c nlp/b vision/gang"},
      {{{"sort", "starts"}, {"state", "Pending"}}, "nlp/b nlp/c vision/gang"},
      {{{"state", ""}, {"sort", ""}, {"q", ""}, {"queue", ""}},
       "nlp/c nlp/b vision/gang ops/d vision/a"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(Names(each.parameters), each.expected) << testing::PrintToString(each.parameters);
  }
  const json::value page =
      Ask({.about = About::kWorkloads, .parameters = {{"queue", "nlp"}, {"limit", "1"}}});
  EXPECT_EQ(page.at("total"), 5);
  EXPECT_EQ(page.at("matching"), 2);
}

TEST_F(AnswerTest, Faults) {
  struct Case {
    std::string key, value, expected;
  };
  const std::vector<Case> cases = {
      {"state", "Sleeping",
       "state: found \"Sleeping\", expected Pending, Admitted, Running or Finished"},
      {"sort", "size",
       "sort: found \"size\", expected waiting, name, created, priority, queue, asks or starts, "
       "\"-\" before it for the other way round"},
      {"limit", "0", "limit: found \"0\", expected a number from 1 to 10000"},
      {"limit", "ten", "limit: found \"ten\", expected a number from 1 to 10000"},
      {"offset", "-1", "offset: found \"-1\", expected a number from 0 to 1000000000"},
      {"offset", "1x", "offset: found \"1x\", expected a number from 0 to 1000000000"},
      {"waits", "long", "waits: found \"long\", expected turn or never"},
      {"colour", "red",
       "found colour, expected state, queue, namespace, user, reason, waits, q, sort, offset or "
       "limit"},
  };
  for (const Case& each : cases) {
    const auto answer =
        Answer(*view_, {.about = About::kWorkloads, .parameters = {{each.key, each.value}}});
    ASSERT_FALSE(answer) << each.key;
    EXPECT_FALSE(answer.error().not_there);
    EXPECT_EQ(answer.error().message, each.expected);
  }
}

TEST_F(AnswerTest, WhenItStartsAndWhoIsBeforeIt) {
  const json::value rows =
      Ask({.about = About::kWorkloads, .parameters = {{"sort", "name"}}}).at("rows");
  const json::value& waits = rows.at(0);
  EXPECT_EQ(waits.at("position"), 1);  // nlp/c has the higher priority, and is in nobody's way
  EXPECT_EQ(waits.at("hopeless"), false);
  EXPECT_EQ(waits.at("expectedStart"),
            json::parse(R"({"at":"2026-01-01T00:01:00Z","from":null,"until":null,
                            "basis":"Limits"})"));
  EXPECT_EQ(waits.at("asks").at(0), 3'000);
  EXPECT_EQ(rows.at(1).at("hopeless"), true);
  EXPECT_TRUE(rows.at(1).at("position").is_null());
  EXPECT_TRUE(rows.at(1).at("expectedStart").is_null());
  const json::value& runs = rows.at(3);
  EXPECT_EQ(runs.at("user"), "ann");
  EXPECT_EQ(runs.at("runSeconds"), 3600);
  EXPECT_TRUE(runs.at("position").is_null());
}

TEST_F(AnswerTest, WhoHoldsWhatOfNodesAndHowTheyAreGrouped) {
  const json::value nodes =
      Ask({.about = About::kNodes,
           .parameters = {{"by", "queue"}, {"resource", "cpu"}, {"label", "zone"}}});
  const json::value& holders = nodes.at("holders");
  EXPECT_EQ(holders.at("resource"), "cpu");
  std::map<std::string, std::int64_t> held;
  const json::array& shares = holders.at("shares").at(0).as_array();
  for (std::size_t i = 0; i + 1 < shares.size(); i += 2) {
    const auto name = static_cast<std::size_t>(shares[i].as_int64());
    held[std::string(holders.at("names").at(name).as_string())] = shares[i + 1].as_int64();
  }
  EXPECT_EQ(held, (std::map<std::string, std::int64_t>{{"", 500}, {"vision", 2'000}}));
  EXPECT_TRUE(holders.at("shares").at(1).as_array().empty());
  EXPECT_EQ(nodes.at("groups"), json::parse(R"({"label":"zone","values":["a\"b"],"of":[0,0]})"));
  const json::value lacks = Ask({.about = About::kNodes, .parameters = {{"label", "rack"}}});
  EXPECT_EQ(lacks.at("groups").at("of"), json::parse("[-1,-1]"));
  EXPECT_EQ(Ask({.about = About::kNodes, .parameters = {{"by", "size"}}}).at("refused"),
            "by: found \"size\", expected one of queue, namespace, user, workload, pod");
  EXPECT_EQ(Ask({.about = About::kNodes, .parameters = {{"resource", "tape"}}}).at("refused"),
            "resource: nothing is known of \"tape\"");
  // All nodes have the one value: it parts nothing.
  EXPECT_TRUE(Ask({.about = About::kLabels}).at("labels").as_array().empty());
}

TEST_F(AnswerTest, WhoHoldsMost) {
  const auto rows = [&](const std::map<std::string, std::string>& parameters) {
    return Ask({.about = About::kTop, .parameters = parameters}).at("rows");
  };
  const auto names = [&](const std::map<std::string, std::string>& parameters) {
    std::string list;
    const json::value found = rows(parameters);
    for (const json::value& row : found.as_array()) {
      list += "[" + std::string(row.at("name").as_string()) + "]";
    }
    return list;
  };
  const json::value top = Ask({.about = About::kTop});
  EXPECT_EQ(top.at("by"), "workload");
  EXPECT_EQ(top.at("total"), 2);
  EXPECT_EQ(top.at("allocatable").at(0), 8'000);
  const json::value& most = top.at("rows").at(0);
  EXPECT_EQ(most.at("name"), "vision/a");
  EXPECT_EQ(most.at("queue"), "vision");
  EXPECT_EQ(most.at("user"), "ann");
  EXPECT_EQ(most.at("pods"), 1);
  EXPECT_EQ(most.at("allocated").at(0), 2'000);
  EXPECT_EQ(names({}), "[vision/a][]");  // of another scheduler: nobody's
  EXPECT_EQ(names({{"sort", "name"}}), "[][vision/a]");
  EXPECT_EQ(names({{"by", "pod"}, {"sort", "cpu"}}), "[vision/a][ops/e]");
  EXPECT_EQ(names({{"by", "pod"}, {"namespace", "ops"}}), "[ops/e]");
  EXPECT_EQ(names({{"namespace", "nlp"}}), "");  // what waits holds nothing
  EXPECT_EQ(names({{"by", "queue"}, {"limit", "1"}}), "[vision]");
  EXPECT_EQ(names({{"by", "user"}}), "[ann][]");
  const json::value nodes = rows({{"by", "node"}});
  EXPECT_EQ(nodes.at(0).at("name"), "n1");
  EXPECT_EQ(nodes.at(0).at("pods"), 2);
  EXPECT_EQ(nodes.at(0).at("allocated").at(0), 2'500);
  EXPECT_EQ(nodes.at(0).at("allocatable").at(0), 4'000);
  EXPECT_EQ(rows({{"by", "pod"}}).at(0).at("node"), "n1");
}

TEST_F(AnswerTest, FaultsOfWhoHoldsMost) {
  const auto refused = [&](const std::map<std::string, std::string>& parameters) {
    return Ask({.about = About::kTop, .parameters = parameters}).at("refused");
  };
  EXPECT_EQ(refused({{"by", "size"}}),
            "by: found \"size\", expected queue, namespace, user, workload, pod or node");
  EXPECT_EQ(refused({{"sort", "tape"}}),
            "sort: nothing is known of \"tape\", expected name or a resource");
  EXPECT_EQ(refused({{"limit", "0"}}), "limit: found \"0\", expected a number from 1 to 100000");
  EXPECT_EQ(refused({{"by", "node"}, {"namespace", "ops"}}), "namespace: nodes lie in none");
  EXPECT_EQ(refused({{"colour", "red"}}), "found colour, expected by, namespace, sort or limit");
}

TEST_F(AnswerTest, UsersAndWhatCanBeFilteredBy) {
  const json::value users = Ask({.about = About::kUsers}).at("users");
  ASSERT_EQ(users.as_array().size(), 2U);
  EXPECT_EQ(users.at(0).at("user"), "");
  EXPECT_EQ(users.at(0).at("pending"), 3);
  EXPECT_EQ(users.at(0).at("longestWaitingSeconds"), 300);
  EXPECT_EQ(users.at(0).at("waiting").at(0), 12'100);
  EXPECT_EQ(users.at(1).at("user"), "ann");
  EXPECT_EQ(users.at(1).at("running"), 1);
  EXPECT_EQ(users.at(1).at("allocated").at(0), 2'000);
  const json::value facets = Ask({.about = About::kFacets});
  EXPECT_EQ(facets.at("namespaces"), json::parse(R"([{"name":"nlp","count":2},
      {"name":"ops","count":1},{"name":"vision","count":2}])"));
  EXPECT_EQ(facets.at("queues"), json::parse(R"([{"name":"nlp","count":2},{"name":"ops","count":1},
      {"name":"research","count":0},{"name":"vision","count":2}])"));
  EXPECT_EQ(facets.at("users"), json::parse(R"([{"name":"ann","count":1}])"));
  EXPECT_EQ(facets.at("reasons"), json::parse(R"([{"name":"NoNodeFits","count":2},
      {"name":"WaitingForPods","count":1}])"));
}

TEST_F(AnswerTest, WhatIsPlanned) {
  View shown = *view_;
  objects::Window window;
  window.meta.name = "firmware";
  window.nodes = {"n2", "n7"};
  window.from = kStart + Duration::Seconds(3600);
  window.queues = {"nlp"};
  shown.windows =
      std::make_shared<const std::vector<objects::Window>>(std::vector<objects::Window>{window});
  KeptRoom kept;
  kept.workload = "vision/gang";
  kept.at = kStart + Duration::Seconds(600);
  kept.since = kStart;
  kept.nodes = {"n1"};
  shown.kept = std::make_shared<const std::vector<KeptRoom>>(std::vector<KeptRoom>{kept});
  view_ = std::make_shared<const View>(shown);
  const json::value ahead = Ask({.about = About::kAhead});
  EXPECT_EQ(ahead.at("windows"),
            json::parse(R"([{"name":"firmware","from":"2026-01-01T01:00:00Z","until":null,
                             "nodes":1,"queues":["nlp"]}])"));
  EXPECT_EQ(ahead.at("reservations"),
            json::parse(R"([{"workload":"vision/gang","at":"2026-01-01T00:10:00Z",
                             "since":"2026-01-01T00:00:00Z","nodes":["n1"]}])"));
  // Room that is kept is when it starts, where nobody worked out more.
  const json::value gang = Ask({.about = About::kWorkload, .name = "vision/gang"});
  EXPECT_EQ(gang.at("expectedStart").at("basis"), "Reserved");
  EXPECT_EQ(gang.at("expectedStart").at("at"), "2026-01-01T00:10:00Z");
}

TEST_F(AnswerTest, OneWorkload) {
  const json::value gang = Ask({.about = About::kWorkload, .name = "vision/gang"});
  EXPECT_EQ(gang.at("podSets"),
            json::parse(R"([{"name":"worker","count":2,"admitted":null,"running":0}])"));
  EXPECT_EQ(gang.at("pods"),
            json::parse(R"([{"pod":"vision/gang-0","node":"","state":"Pending"}])"));
  EXPECT_EQ(gang.at("podsTotal"), 1);
  const json::value ended = Ask({.about = About::kWorkload, .name = "ops/d"});
  EXPECT_EQ(ended.at("pods"), json::parse(R"([{"pod":"ops/d","node":"n1","state":"Finished"}])"));
  const auto missing = Answer(*view_, {.about = About::kWorkload, .name = "vision/gan"});
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().not_there);
  EXPECT_EQ(missing.error().message,
            "there is no workload vision/gan; did you mean vision/gang or vision/a?");
}

}  // namespace
}  // namespace fairlead::view
