#include "server/history_api.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "history/recorder.h"

namespace fairlead::server {
namespace {

using history::Decision;
using history::Record;
using history::Recorder;
using testing::HasSubstr;
using Parameters = std::map<std::string, std::string>;

constexpr Time kStart{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z

class HistoryApi : public testing::Test {
 protected:
  HistoryApi() {
    std::vector<Record> records;
    records.emplace_back(Decision{.time = kStart,
                                  .type = "Admit",
                                  .workload = "a/w",
                                  .queue = "vision",
                                  .pod_sets = {{.name = "main", .count = 3}}});
    history::Sample sample{.time = kStart};
    sample.resources = std::make_shared<const history::Resources>(
        history::Resources{{.name = "cpu", .scale = 1000}});
    sample.queues = {
        {.allocatable = {4000}, .allocated = {1000}, .requested = {2000}, .running = 1}};
    records.emplace_back(sample);
    records.emplace_back(history::Ended{.workload = "a/w",
                                        .queue = "vision",
                                        .created = kStart,
                                        .finished = kStart + Duration::Seconds(9),
                                        .outcome = "Succeeded",
                                        .used = {{"cpu", 4.5}, {"memory", 1024.0}}});
    recorder_->Push(std::move(records));
    recorder_->Flush();
  }
  std::string Ask(std::string_view what, const Parameters& parameters = {}) {
    const Answer answer = HistoryAnswer(recorder_.get(), what, parameters);
    return answer ? *answer : fmt::format("{} {}", answer.error().status, answer.error().message);
  }

  std::unique_ptr<Recorder> recorder_ = Recorder::Start({.start = kStart});
};

TEST_F(HistoryApi, AnswersAsTheContractSays) {
  EXPECT_EQ(Ask("decisions", {{"queue", "vision"}}),
            R"({"rows":[{"seq":3,"time":"2026-01-01T00:00:00Z","type":"Admit","workload":"a/w",)"
            R"("queue":"vision","podSets":[{"name":"main","count":3}]}],"more":false})"
            "\n");
  EXPECT_EQ(Ask("usage"),
            R"({"queue":"","resources":[{"name":"cpu","scale":1000}],"stepSeconds":60,"points":[)"
            R"({"time":"2026-01-01T00:00:00Z","allocatable":[4000],"allocated":[1000],)"
            R"("requested":[2000],"fairShare":null,"running":1,"pending":0,)"
            R"("waitingMaxSeconds":0}]})"
            "\n");
  EXPECT_THAT(Ask("workloads"),
              HasSubstr(R"("pods":0,"evictions":0,"outcome":"Succeeded","used":{"cpu":4.5E0,)"
                        R"("memory":1024}}],"more":false})"));
  EXPECT_THAT(Ask("sessions"), HasSubstr(R"("session":1,"mode":"virtual")"));
  EXPECT_EQ(Ask("decisions", {{"queue", "nobody"}}), "{\"rows\":[],\"more\":false}\n");
}

TEST_F(HistoryApi, OfOneNamespace) {
  std::vector<Record> records;
  records.emplace_back(history::Estimate{.said = kStart,
                                         .workload = "a/w",
                                         .queue = "vision",
                                         .created = kStart,
                                         .at = kStart + Duration::Seconds(60),
                                         .basis = "Limits"});
  recorder_->Push(std::move(records));
  recorder_->Flush();
  for (const char* what : {"decisions", "workloads", "estimates"}) {
    EXPECT_THAT(Ask(what, {{"namespace", "a"}}), HasSubstr(R"("queue":"vision")")) << what;
    for (const char* other : {"a/", "aa", "A", "a/w"}) {
      EXPECT_THAT(Ask(what, {{"namespace", other}}), HasSubstr(R"("rows":[])")) << what << other;
    }
  }
  EXPECT_THAT(Ask("usage", {{"namespace", "a"}}), HasSubstr("there is no parameter \"namespace\""));
}

TEST_F(HistoryApi, SaysWhatIsWrong) {
  EXPECT_THAT(Ask("decisions", {{"limit", "many"}}),
              HasSubstr("400 limit: found \"many\", expected a number from 1 to 5000"));
  EXPECT_THAT(Ask("decisions", {{"from", "monday"}}), HasSubstr("400 from: "));
  EXPECT_THAT(Ask("workloads", {{"type", "Bind"}}), HasSubstr("there is no parameter \"type\""));
  EXPECT_THAT(Ask("usage", {{"points", "0"}}), HasSubstr("400 points: "));
  EXPECT_THAT(Ask("usage", {{"session", "all"}}), HasSubstr("400 session: "));
  EXPECT_THAT(Ask("pods"), HasSubstr("404 there is no history of \"pods\""));
  EXPECT_EQ(HistoryAnswer(nullptr, "usage", {}).error().status, 404);
}

}  // namespace
}  // namespace fairlead::server
