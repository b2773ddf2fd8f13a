#include "kube/lease.h"

#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "kube/json.h"
#include "kube/micro_time.h"
#include "unit/kube/fake_api.h"
#include "unit/kube/fake_loop.h"
#include "unit/kube/virtual_clock.h"

namespace fairlead::kube {
namespace {

using Strings = std::vector<std::string>;

// One process that wants to lead.
struct Replica {
  Replica(VirtualClock& clock, FakeApi& api, const std::string& identity, std::uint64_t seed,
          Strings& log)
      : loop(clock, api, seed),
        election(loop,
                 {.name_space = "sys", .name = "fairlead", .identity = identity, .seed = seed},
                 {.on_elected = [&log, identity] { log.push_back(identity + " leads"); },
                  .on_lost = [&log, identity] { log.push_back(identity + " lost"); },
                  .on_leader = [this](const std::string& leader) { leaders.push_back(leader); },
                  .on_problem = [this](const std::string& m) { problems.push_back(m); }}) {}

  FakeLoop loop;
  Strings leaders, problems;
  LeaderElection election;
};

struct Replicas {
  Replicas() { api.Serve({"coordination.k8s.io/v1", "Lease", "leases"}); }

  Replica& Add(const std::string& identity) {
    replicas.push_back(std::make_unique<Replica>(clock, api, identity, ++seed, log));
    replicas.back()->election.Start();
    return *replicas.back();
  }
  std::string Spec(const char* key) {
    return TextAt(api.Find("leases", "sys/fairlead")->at("spec"), key);
  }
  std::int64_t Transitions() {
    return *NumberAt(api.Find("leases", "sys/fairlead")->at("spec"), "leaseTransitions");
  }

  VirtualClock clock;
  FakeApi api;
  std::uint64_t seed = 0;
  Strings log;
  std::vector<std::unique_ptr<Replica>> replicas;
};

TEST(MicroTime, HasSixDigits) {
  EXPECT_EQ(MicroTimeText({.us = 0}), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(MicroTimeText({.us = 1'700'000'000'000'600}), "2023-11-14T22:13:20.000600Z");
  EXPECT_EQ(MicroTimeText({.us = 1'700'000'000'120'000}), "2023-11-14T22:13:20.120000Z");
}

TEST(Lease, TheFirstMakesItAndKeepsIt) {
  Replicas world;
  Replica& a = world.Add("a");
  world.clock.RunFor(Duration::Seconds(1));
  Replica& b = world.Add("b");
  world.clock.RunFor(Duration::Seconds(299));
  EXPECT_EQ(world.log, (Strings{"a leads"}));
  EXPECT_TRUE(a.election.LeadsAt(world.clock.now()));
  EXPECT_FALSE(b.election.leads());
  EXPECT_EQ(b.leaders, (Strings{"a"}));
  EXPECT_EQ(world.Transitions(), 0);
  // A renewal is one request: no GET while nothing goes wrong.
  int gets = 0, puts = 0;
  for (const std::string& line : a.loop.sent()) (line.starts_with("GET") ? gets : puts) += 1;
  EXPECT_LE(gets, 1);
  EXPECT_NEAR(puts, 150, 5);
  const std::string renewed = world.Spec("renewTime");
  EXPECT_EQ(renewed.size(), std::string("2023-11-14T22:13:20.000600Z").size());
}

TEST(Lease, ReleasedItIsTakenAtOnce) {
  Replicas world;
  Replica& a = world.Add("a");
  world.clock.RunFor(Duration::Seconds(10));
  world.Add("b");
  world.clock.RunFor(Duration::Seconds(10));
  bool done = false;
  a.election.Stop([&] { done = true; });
  EXPECT_EQ(world.log, (Strings{"a leads", "a lost"}));
  ASSERT_TRUE(world.clock.RunUntil([&] { return done; }, Duration::Seconds(1)));
  EXPECT_EQ(world.Spec("holderIdentity"), "");
  world.clock.RunFor(Duration::Seconds(5));  // 2.2 periods of 2 s
  EXPECT_EQ(world.log, (Strings{"a leads", "a lost", "b leads"}));
  EXPECT_EQ(world.Transitions(), 1);
}

// The server has given it, and the answer is still on its way.
TEST(Lease, StoppingWhileItIsTakenGivesItBack) {
  Replicas world;
  Replica& a = world.Add("a");
  const auto given = [&] { return world.api.Find("leases", "sys/fairlead") != nullptr; };
  ASSERT_TRUE(world.clock.RunUntil(given, Duration::Seconds(1)));
  ASSERT_FALSE(a.election.leads());
  ASSERT_EQ(world.Spec("holderIdentity"), "a");
  bool done = false;
  a.election.Stop([&] { done = true; });
  ASSERT_TRUE(world.clock.RunUntil([&] { return done; }, Duration::Seconds(1)));
  EXPECT_EQ(world.Spec("holderIdentity"), "");
  EXPECT_EQ(world.log, Strings());
}

TEST(Lease, StoppingWithoutTheServerEnds) {
  Replicas world;
  Replica& a = world.Add("a");
  world.clock.RunFor(Duration::Seconds(3));
  a.loop.cut_off = true;
  bool done = false;
  a.election.Stop([&] { done = true; });
  world.clock.RunFor(Duration::Seconds(3));
  EXPECT_TRUE(done);
}

// a falls silent: it stops before b may start, whatever either's wall clock says.
TEST(Lease, AnotherTakesItAfterTheLeaderStopped) {
  for (const int wrong : {0, -3600, 3600}) {
    Replicas world;
    Replica& a = world.Add("a");
    world.clock.RunFor(Duration::Seconds(30));
    Replica& b = world.Add("b");
    b.loop.wall_ahead = Duration::Seconds(wrong);
    world.clock.RunFor(Duration::Seconds(10));
    a.loop.cut_off = true;
    const Time cut = world.clock.now();
    ASSERT_TRUE(world.clock.RunUntil([&] { return !a.election.leads(); }, Duration::Seconds(60)));
    EXPECT_LE(world.clock.now() - cut, Duration::Seconds(11)) << wrong;
    EXPECT_FALSE(b.election.leads());
    ASSERT_TRUE(world.clock.RunUntil([&] { return b.election.leads(); }, Duration::Seconds(60)));
    EXPECT_GE(world.clock.now() - cut, Duration::Seconds(12)) << wrong;
    EXPECT_LE(world.clock.now() - cut, Duration::Seconds(21)) << wrong;
    EXPECT_EQ(world.log, (Strings{"a leads", "a lost", "b leads"}));
  }
}

// Carried out, and nobody said so: the next attempt finds itself the holder.
TEST(Lease, AnUnknownOutcomeIsReadAgain) {
  Replicas world;
  Replica& a = world.Add("a");
  world.clock.RunFor(Duration::Seconds(5));
  a.loop.faults.lose_answer = 1000;
  world.clock.RunFor(Duration::Seconds(4));  // a renewal is carried out meanwhile
  a.loop.faults.lose_answer = 0;
  world.clock.RunFor(Duration::Seconds(60));
  EXPECT_EQ(world.log, (Strings{"a leads"}));
  EXPECT_FALSE(a.problems.empty());
}

TEST(Lease, AConflictWhileLeadingIsReadAgain) {
  Replicas world;
  world.Add("a");
  world.clock.RunFor(Duration::Seconds(5));
  boost::json::object lease = *world.api.Find("leases", "sys/fairlead");
  lease["metadata"].as_object()["labels"] = {{"by", "somebody"}};
  world.api.Put("leases", lease);
  world.clock.RunFor(Duration::Seconds(30));
  EXPECT_EQ(world.log, (Strings{"a leads"}));
  // What we do not know is kept.
  const auto& metadata = world.api.Find("leases", "sys/fairlead")->at("metadata");
  EXPECT_NE(At(metadata, "labels"), nullptr);
}

TEST(Lease, TakenByAnotherItIsLostAtOnce) {
  Replicas world;
  Replica& a = world.Add("a");
  world.clock.RunFor(Duration::Seconds(5));
  boost::json::object lease = *world.api.Find("leases", "sys/fairlead");
  lease["spec"].as_object()["holderIdentity"] = "thief";
  world.api.Put("leases", lease);
  world.clock.RunFor(Duration::Seconds(3));
  EXPECT_EQ(world.log, (Strings{"a leads", "a lost"}));
  EXPECT_EQ(a.election.leader(), "thief");
  // Who never renews it has it for 15 s from when that was seen.
  world.clock.RunFor(Duration::Seconds(20));
  EXPECT_EQ(world.log.back(), "a leads");
  EXPECT_EQ(world.Transitions(), 1);
}

// A process that was stopped (SIGSTOP) beyond its lease knows before its timers have run.
TEST(Lease, WokenTooLateItKnows) {
  Replicas world;
  Replica& a = world.Add("a");
  world.clock.RunFor(Duration::Seconds(5));
  EXPECT_TRUE(a.election.LeadsAt(world.clock.now()));
  world.clock.Skip(Duration::Seconds(20));
  EXPECT_TRUE(a.election.leads());
  EXPECT_FALSE(a.election.LeadsAt(world.clock.now()));
}

TEST(Lease, TheServerGoneItIsLostAndComesBack) {
  Replicas world;
  Replica& a = world.Add("a");
  world.clock.RunFor(Duration::Seconds(5));
  a.loop.faults.refuse = 1000;
  world.clock.RunFor(Duration::Seconds(12));
  EXPECT_EQ(world.log, (Strings{"a leads", "a lost"}));
  a.loop.faults.refuse = 0;
  world.clock.RunFor(Duration::Seconds(6));
  EXPECT_EQ(world.log, (Strings{"a leads", "a lost", "a leads"}));
  EXPECT_EQ(world.Transitions(), 0);  // it never was another's
}

// Three replicas under faults: never two at once, and in the end one.
TEST(Lease, NeverTwoAtOnce) {
  int changes = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Replicas world;
    world.seed = seed * 100;
    Random random(seed);
    for (const char* identity : {"a", "b", "c"}) {
      world.Add(identity).loop.faults = Faults::Some(random, 300);
    }
    for (int step = 0; step < 300; ++step) {
      world.clock.RunFor(Duration::Seconds(1));
      if (random.Below(30) == 0) {
        FakeLoop& loop = world.replicas[random.Below(3)]->loop;
        loop.cut_off = !loop.cut_off;
      }
      int leaders = 0;
      for (const auto& replica : world.replicas) {
        leaders += replica->election.LeadsAt(world.clock.now()) ? 1 : 0;
      }
      ASSERT_LE(leaders, 1) << "seed " << seed;
    }
    for (const auto& replica : world.replicas) {
      replica->loop.faults = {};
      replica->loop.cut_off = false;
    }
    world.clock.RunFor(Duration::Seconds(60));
    int leaders = 0;
    for (const auto& replica : world.replicas) leaders += replica->election.leads() ? 1 : 0;
    ASSERT_EQ(leaders, 1) << "seed " << seed;
    changes += static_cast<int>(world.log.size());
  }
  EXPECT_GT(changes, 600);
}

}  // namespace
}  // namespace fairlead::kube
