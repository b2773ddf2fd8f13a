#include "virtual/agenda.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

namespace fairlead::virtual_cluster {
namespace {

// A time and the number of the task that was put in with it: what is to come out in ascending
// order.
using Due = std::pair<std::int64_t, std::uint32_t>;

Due DueOf(const Task& task) { return {task.time.us, task.slot.value()}; }

TEST(Agenda, GivesByTimeAndThenAsItWasPutIn) {
  Agenda agenda;
  std::uint32_t number = 0;
  for (const std::int64_t us : {5, 7, 7, 3, 9, 7, 3}) {
    agenda.Push(Time{us}, TaskType::kRun, SlotId(number++), 0);
  }
  std::vector<Due> given;
  while (!agenda.empty()) given.push_back(DueOf(agenda.Pop()));
  EXPECT_THAT(given, testing::ElementsAre(Due(3, 3), Due(3, 6), Due(5, 0), Due(7, 1), Due(7, 2),
                                          Due(7, 5), Due(9, 4)));
}

// Arrivals put in by time, as a trace's, and what they lead to in between.
TEST(Agenda, OfManyTheFirstIsTheLeast) {
  std::mt19937 random(3);
  Agenda agenda;
  std::vector<Due> inside;
  std::uint32_t number = 0;
  const auto put = [&](std::int64_t us) {
    agenda.Push(Time{us}, TaskType::kArrive, SlotId(number), 0);
    inside.emplace_back(us, number++);
  };
  for (std::int64_t us = 0; us < 300; us += 1 + static_cast<std::int64_t>(random() % 2)) put(us);
  while (!inside.empty()) {
    ASSERT_FALSE(agenda.empty());
    const auto least = std::min_element(inside.begin(), inside.end());
    ASSERT_EQ(DueOf(agenda.top()), *least);
    ASSERT_EQ(DueOf(agenda.Pop()), *least);
    const std::int64_t now = least->first;
    inside.erase(least);
    if (number < 1000) put(now + static_cast<std::int64_t>(random() % 400));
  }
  EXPECT_TRUE(agenda.empty());
}

}  // namespace
}  // namespace fairlead::virtual_cluster
