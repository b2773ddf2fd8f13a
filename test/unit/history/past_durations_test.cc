#include "history/past_durations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::history {
namespace {

PastDurations FiveOf(std::string_view queue, std::string_view stem) {
  PastDurations past;
  for (const int minutes : {50, 10, 40, 20, 30}) {
    past.Add(queue, std::string(stem) + std::to_string(minutes), Duration::Seconds(minutes * 60));
  }
  past.Sort();
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

TEST(PastDurations, FourAreTooFew) {
  PastDurations past;
  for (int i = 0; i < 4; ++i) past.Add("lab", "a/b", Duration::Seconds(i));
  past.Sort();
  EXPECT_EQ(past.Of("lab", "a/b"), nullptr);
}

}  // namespace
}  // namespace fairlead::history
