#include "history/estimates.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "unit/history/history_fixture.h"

namespace fairlead::history {
namespace {

Estimate Expecting(const std::string& workload, std::int64_t at, std::int64_t from,
                   std::int64_t until, const std::string& queue = "vision") {
  return {.said = At(0),
          .workload = workload,
          .queue = queue,
          .created = At(0),
          .at = At(at),
          .from = At(from),
          .until = At(until),
          .basis = "History"};
}

EstimateEnd StartedAt(const std::string& workload, std::int64_t at) {
  return {.time = At(at), .workload = workload, .created = At(0), .started = true};
}

// "queue basis said/started within/judged median"
std::vector<std::string> ScoreTexts(const std::vector<EstimateScore>& scores) {
  std::vector<std::string> texts;
  for (const EstimateScore& score : scores) {
    texts.push_back(
        score.queue + " " + score.basis + " " + std::to_string(score.said) + "/" +
        std::to_string(score.started) + " " + std::to_string(score.within) + "/" +
        std::to_string(score.judged) + " " +
        (score.median_error ? std::to_string(score.median_error->WholeSeconds()) : "-"));
  }
  return texts;
}

// a within; b too late; c never, and its range is over; d never, and it is not; e went before.
TEST(Estimates, WhatCameTrueOfThem) {
  const HistoryDir scratch;
  const auto store = OpenStore(scratch.path());
  ASSERT_NE(store, nullptr);
  std::vector<Record> records{Expecting("a/a", 600, 500, 700),
                              Expecting("a/b", 600, 500, 700),
                              Expecting("a/c", 600, 500, 700, "nlp"),
                              Expecting("a/d", 6'000, 500, 7'000),
                              Expecting("a/e", 600, 500, 700),
                              StartedAt("a/a", 650),
                              StartedAt("a/b", 900)};
  records.emplace_back(EstimateEnd{.time = At(10), .workload = "a/e", .created = At(0)});
  // Another of that name, and what is said twice.
  records.emplace_back(Expecting("a/a", 100, 90, 110));
  records.emplace_back(StartedAt("a/a", 990));
  records.emplace_back(Bind(1'000));
  ASSERT_TRUE(store->Write(records, At(1'000)));
  const auto reader = Reader::Open({.path = scratch.file()});
  ASSERT_TRUE(reader);
  const auto scores = ScoresOf(**reader, {});
  ASSERT_TRUE(scores) << scores.error().message;
  EXPECT_THAT(ScoreTexts(*scores),
              testing::ElementsAre(" History 5/2 1/3 50", "nlp History 1/0 0/1 -",
                                   "vision History 4/2 1/2 50"));
  const auto one = ScoresOf(**reader, {.workload = "a/b"});
  EXPECT_THAT(ScoreTexts(*one),
              testing::ElementsAre(" History 1/1 0/1 300", "vision History 1/1 0/1 300"));
}

// One that started while nobody looked says so when it ends.
TEST(Estimates, AStartThatNobodySawIsToldByTheEnd) {
  const HistoryDir scratch;
  const auto store = OpenStore(scratch.path());
  ASSERT_NE(store, nullptr);
  std::vector<Record> records{Expecting("a/a", 600, 500, 700)};
  records.emplace_back(Ended{.workload = "a/a",
                             .queue = "vision",
                             .created = At(0),
                             .finished = At(900),
                             .started = At(510),
                             .outcome = "Succeeded"});
  ASSERT_TRUE(store->Write(records, At(900)));
  const auto reader = Reader::Open({.path = scratch.file()});
  ASSERT_TRUE(reader);
  EXPECT_THAT(ScoreTexts(*ScoresOf(**reader, {})),
              testing::ElementsAre(" History 1/1 1/1 90", "vision History 1/1 1/1 90"));
}

// Where no range was said: not later than a minute after.
TEST(Estimates, WithoutARangeNotLater) {
  EstimateScores scores;
  Estimate said{.said = At(0), .workload = "a/a", .created = At(0), .at = At(600)};
  said.basis = "Limits";
  for (const std::int64_t started : {10, 660, 661}) {
    scores.Add({.estimate = said, .started = At(started)}, At(1'000));
  }
  scores.Add({.estimate = said, .started = std::nullopt}, At(600));
  EXPECT_THAT(ScoreTexts(scores.Take()), testing::ElementsAre(" Limits 4/3 2/3 61"));
}

// A file of the schema before is read, and brought up by who writes.
TEST(Estimates, AnEarlierSchemaHasNone) {
  const HistoryDir scratch;
  ASSERT_NE(OpenStore(scratch.path()), nullptr);
  {
    const auto file = Connection::Open({.path = scratch.file()}, Connection::Access::kWrite);
    ASSERT_TRUE(file);
    ASSERT_TRUE(
        (*file)->Do("DROP TABLE estimates; ALTER TABLE ended DROP COLUMN made_by; "
                    "PRAGMA user_version=1;"));
  }
  EXPECT_THAT(*ScoresOf(**Reader::Open({.path = scratch.file()}), {}), testing::IsEmpty());
  EXPECT_TRUE((*Reader::Open({.path = scratch.file()}))->Workloads({}));
  const auto store = OpenStore(scratch.path());
  ASSERT_NE(store, nullptr);
  const std::vector<Record> records{Expecting("a/a", 600, 500, 700), StartedAt("a/a", 600)};
  ASSERT_TRUE(store->Write(records, At(900)));
  EXPECT_THAT(ScoreTexts(*ScoresOf(**Reader::Open({.path = scratch.file()}), {})),
              testing::SizeIs(2));
}

}  // namespace
}  // namespace fairlead::history
