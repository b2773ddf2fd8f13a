#include "history/past_durations.h"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/history/history_fixture.h"

namespace fairlead::history {
namespace {

PastDurations FiveOf(std::string_view queue, std::string_view stem) {
  PastDurations past;
  for (const int minutes : {50, 10, 40, 20, 30}) {
    past.Add(queue, std::string(stem) + std::to_string(minutes), Duration::Seconds(minutes * 60));
  }
  return past;
}

TEST(PastDurations, ANameButForItsNumbersIsAKind) {
  const PastDurations past = FiveOf("lab", "vision/train-");
  const std::vector<Duration>* known = past.Of("lab", "vision/train-7");
  ASSERT_NE(known, nullptr);
  EXPECT_THAT(*known, ::testing::ElementsAre(Duration::Seconds(600), Duration::Seconds(1200),
                                             Duration::Seconds(1800), Duration::Seconds(2400),
                                             Duration::Seconds(3000)));
  EXPECT_EQ(past.Of("lab", "vision/eval-7"), nullptr);
  EXPECT_EQ(past.Of("lab", "other/train-7"), nullptr);
  EXPECT_EQ(past.Of("other", "vision/train-7"), nullptr);
}

TEST(PastDurations, TheMedianOfAQueueIsOfAllKinds) {
  PastDurations past = FiveOf("lab", "vision/train-");
  for (int i = 0; i < 4; ++i) past.Add("few", "a/b", Duration::Seconds(9));
  for (int i = 0; i < 6; ++i) past.Add("lab", "vision/eval", Duration{7'500'000});
  const std::map<std::string, Duration> medians = past.MediansByQueue();
  EXPECT_EQ(medians, (std::map<std::string, Duration>{{"lab", Duration::Seconds(7)}}));
}

TEST(PastDurations, FourAreTooFew) {
  PastDurations past;
  for (int i = 0; i < 4; ++i) past.Add("lab", "a/b", Duration::Seconds(i));
  EXPECT_EQ(past.Of("lab", "a/b"), nullptr);
}

// The newest 200 count.
TEST(PastDurations, WhatIsLongAgoIsForgotten) {
  PastDurations past;
  for (int i = 0; i < 5; ++i) past.Add("lab", "a/b", Duration::Seconds(9'000));
  for (std::size_t i = 0; i < PastDurations::kMost - 1; ++i) {
    past.Add("lab", "a/b", Duration::Seconds(60));
  }
  ASSERT_NE(past.Of("lab", "a/b"), nullptr);
  EXPECT_EQ(past.Of("lab", "a/b")->size(), PastDurations::kMost);
  EXPECT_EQ(past.Of("lab", "a/b")->front(), Duration::Seconds(60));
  EXPECT_EQ(past.Of("lab", "a/b")->back(), Duration::Seconds(9'000));
  past.Add("lab", "a/b", Duration::Seconds(60));
  EXPECT_EQ(past.Of("lab", "a/b")->size(), PastDurations::kMost);
  EXPECT_EQ(past.Of("lab", "a/b")->back(), Duration::Seconds(60));
}

// What ended since is added; who was deleted did not run to its end.
TEST(PastDurations, AreReadOn) {
  const HistoryDir scratch;
  const auto store = OpenStore(scratch.path());
  ASSERT_NE(store, nullptr);
  const auto end = [&](int i, int ran, const char* outcome = "Succeeded") {
    const std::vector<Record> records{Ended{.workload = "a/b-" + std::to_string(i),
                                            .queue = "lab",
                                            .created = At(i),
                                            .finished = At(i + ran),
                                            .started = At(i),
                                            .outcome = outcome}};
    ASSERT_TRUE(store->Write(records, At(i + ran)));
  };
  for (int i = 0; i < 5; ++i) end(i, 10);
  const auto reader = Reader::Open({.path = scratch.file()});
  ASSERT_TRUE(reader);
  PastDurations past;
  ASSERT_TRUE(past.ReadOn(**reader));
  ASSERT_NE(past.Of("lab", "a/b-9"), nullptr);
  EXPECT_EQ(past.Of("lab", "a/b-9")->size(), 5U);
  end(5, 70);
  end(6, 80, "Deleted");
  ASSERT_TRUE(past.ReadOn(**reader));
  ASSERT_TRUE(past.ReadOn(**reader));
  EXPECT_EQ(past.Of("lab", "a/b-9")->size(), 6U);
  EXPECT_EQ(past.Of("lab", "a/b-9")->back(), Duration::Seconds(70));
}

}  // namespace
}  // namespace fairlead::history
