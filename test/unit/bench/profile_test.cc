#include "bench/backfill/profile.h"

#include <gmock/gmock.h>

namespace fairlead::bench {
namespace {

// 4 processors, 3 of them taken until 10 and then all until 15.
Profile Taken() {
  Profile profile(0, 4);
  profile.Take(0, 10, 3);
  profile.Take(10, 15, 4);
  return profile;
}

TEST(Profile, HolesMustBeLongEnough) {
  const Profile profile = Taken();
  EXPECT_EQ(profile.Earliest(2, 8, 1), 2);
  EXPECT_EQ(profile.Earliest(2, 9, 1), 15);
  EXPECT_EQ(profile.Earliest(2, 1, 2), 15);
  EXPECT_EQ(profile.Earliest(40, 100, 4), 40);
}

TEST(Profile, WhatIsGivenBackCanBeHad) {
  Profile profile = Taken();
  profile.Give(5, 10, 3);
  EXPECT_EQ(profile.FreeAt(4), 1);
  EXPECT_EQ(profile.FreeAt(5), 4);
  EXPECT_EQ(profile.Earliest(2, 5, 4), 5);
  profile.Give(10, 15, 4);
  EXPECT_EQ(profile.Earliest(2, 50, 4), 5);
}

TEST(Profile, WhatIsOverIsForgotten) {
  Profile profile = Taken();
  profile.Forget(12);
  EXPECT_EQ(profile.FreeAt(12), 0);
  EXPECT_EQ(profile.Earliest(12, 1, 1), 15);
}

}  // namespace
}  // namespace fairlead::bench
