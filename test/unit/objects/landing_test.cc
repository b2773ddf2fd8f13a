#include "objects/landing.h"

#include <gtest/gtest.h>

namespace fairlead::objects {
namespace {

Time At(std::string_view text) { return *ParseTime(text); }

Landing OfReplicaSet() {
  return {.owner = "ReplicaSet/team/a",
          .pod_set = "",
          .index = -1,
          .pod = "a-x7",
          .node = "n1",
          .since = At("2026-03-01T12:00:00Z"),
          .until = At("2026-03-01T12:05:00Z"),
          .queue = "vision",
          .requests = {{"cpu", 1000}, {"nvidia.com/gpu", 4000}}};
}

TEST(Landings, AreReadAsTheyAreWritten) {
  Landing of_gang = OfReplicaSet();
  of_gang.owner = "Workload/team/w";
  of_gang.pod_set = "worker";
  of_gang.requests.clear();
  const Landings landings = {OfReplicaSet(), of_gang};
  const std::string text = TextOf(landings);
  EXPECT_EQ(text,
            "ReplicaSet/team/a (a-x7) on n1 since 2026-03-01T12:00:00Z until 2026-03-01T12:05:00Z "
            "in vision for cpu=1000,nvidia.com/gpu=4000; Workload/team/w:worker (a-x7) on n1 since "
            "2026-03-01T12:00:00Z until 2026-03-01T12:05:00Z in vision for ");
  EXPECT_EQ(ParseLandings(text), landings);
}

TEST(Landings, WhatCannotBeReadIsLeftOut) {
  const std::string good = TextOf({OfReplicaSet()});
  for (const std::string bad :
       {"", "; ", "ReplicaSet/team/a", "ReplicaSet/team/a a-x7 on n1",
        "ReplicaSet/team/a (a-x7) at n1", "ReplicaSet/team/a (a-x7) on n1 since noon",
        "ReplicaSet/team/a (a-x7) on n1 since 2026-03-01T12:00:00Z until 2026-03-01T12:05:00Z in q "
        "for cpu=-1",
        "ReplicaSet/team/a (a-x7) on n1 since 2026-03-01T12:00:00Z until 2026-03-01T12:05:00Z in q "
        "for cpu"}) {
    EXPECT_EQ(ParseLandings(bad), Landings()) << bad;
    EXPECT_EQ(ParseLandings(bad + "; " + good), Landings({OfReplicaSet()})) << bad;
  }
}

}  // namespace
}  // namespace fairlead::objects
