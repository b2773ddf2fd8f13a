#include "effects/waiting_book.h"

#include <gtest/gtest.h>

#include "effects/workload_status.h"

namespace fairlead::effects {
namespace {

constexpr Time kLetIn{5'000'000};

TEST(WaitingBook, WritesWhatTheClusterDoesNotShow) {
  WaitingBook book;
  state::PodChange told{.name = "a/told"}, untold{.name = "a/untold"};
  told.ungated = kLetIn;
  untold.ungated = Time::Max();
  state::WorkloadChange left{.name = "a/left"}, again{.name = "a/again"}, other{.name = "a/other"};
  left.activity_untold = again.activity_untold = true;
  left.traits.active = other.traits.active = false;
  book.Apply(std::vector<state::Change>{told, state::PodChange{.name = "a/p"}, other});
  EXPECT_FALSE(book.HasNews());
  book.Apply(std::vector<state::Change>{untold, left, again});
  const std::vector<Write> writes = book.TakeWrites();
  ASSERT_EQ(writes.size(), 3U);
  EXPECT_EQ(std::get<SetUngated>(writes[0]).pod, "a/untold");
  EXPECT_EQ(std::get<SetInactive>(writes[1]).workload, "a/left");
  EXPECT_TRUE(std::get<SetInactive>(writes[1]).inactive);
  EXPECT_EQ(std::get<SetInactive>(writes[2]).workload, "a/again");
  EXPECT_FALSE(std::get<SetInactive>(writes[2]).inactive);
  EXPECT_FALSE(book.HasNews());
}

TEST(WaitingBook, TheStatusSaysSinceWhen) {
  objects::Workload status;
  EXPECT_FALSE(Note(SetInactive{.workload = "a/w", .inactive = false}, kLetIn, status))
      << "it never was";
  EXPECT_TRUE(Note(SetInactive{.workload = "a/w", .inactive = true}, kLetIn, status));
  EXPECT_TRUE(status.ShowsInactive());
  EXPECT_FALSE(status.WaitsAnewSince());
  const Time later = kLetIn + Duration::Seconds(60);
  EXPECT_TRUE(Note(SetInactive{.workload = "a/w", .inactive = false}, later, status));
  EXPECT_FALSE(status.ShowsInactive());
  EXPECT_EQ(status.WaitsAnewSince(), later);
  EXPECT_FALSE(Note(SetInactive{.workload = "a/w", .inactive = false}, later, status));
}

}  // namespace
}  // namespace fairlead::effects
