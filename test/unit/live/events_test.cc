#include "live/events.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "objects/objects.h"
#include "objects/read/json_fields.h"
#include "unit/kube/fake_api.h"
#include "unit/kube/fake_loop.h"
#include "unit/kube/virtual_clock.h"

namespace fairlead::live {
namespace {

using objects::NumberAt;
using objects::TextAt;

namespace json = boost::json;

struct EventsWorld {
  EventsWorld()
      : loop(clock, api, 1),
        writer(loop, [] { return true; }, {}),
        events(loop, writer, held, "fairlead", "replica-1", 0xab) {
    api.Serve({"v1", "Event", "events"});
  }

  static effects::EventText Warning(const std::string& object, const std::string& note) {
    return {.kind = "Pod",
            .object = object,
            .type = "Warning",
            .reason = "Late",
            .action = "Scheduling",
            .note = note};
  }
  const json::object& Only() { return api.All("events").begin()->second; }

  kube::VirtualClock clock;
  kube::FakeApi api;
  kube::FakeLoop loop;
  Writer writer;
  intake::Intake intake;
  ObjectCache held{intake};
  Events events;
};

TEST(Events, TheSameAgainRaisesTheCount) {
  EventsWorld world;
  for (int i = 0; i < 3; ++i) {
    world.events.Add(EventsWorld::Warning("a/p", "it is late"));
    world.clock.RunFor(Duration::Seconds(300));
  }
  ASSERT_EQ(world.api.All("events").size(), 1u);
  EXPECT_EQ(NumberAt(world.Only(), "count"), 3);
  EXPECT_EQ(world.loop.sent().size(), 3u);
  // What is not there any more is made anew, with the next one.
  world.api.Erase("events", "a/" + TextAt(world.Only().at("metadata"), "name"));
  world.events.Add(EventsWorld::Warning("a/p", "it is late"));
  world.clock.RunFor(Duration::Seconds(1));
  EXPECT_EQ(world.api.All("events").size(), 0u);
  world.events.Add(EventsWorld::Warning("a/p", "it is late"));
  world.clock.RunFor(Duration::Seconds(1));
  ASSERT_EQ(world.api.All("events").size(), 1u);
  EXPECT_EQ(NumberAt(world.Only(), "count"), 1);
}

// While 16 others are under way, what is said a thousand times waits as one.
TEST(Events, ABurstOfTheSameIsOneRequest) {
  EventsWorld world;
  for (std::size_t i = 0; i < Events::kMostUnderWay; ++i) {
    world.events.Add(EventsWorld::Warning(fmt::format("a/p{}", i), "it is late"));
  }
  for (int i = 0; i < 1000; ++i) world.events.Add(EventsWorld::Warning("b/p", "it is late"));
  EXPECT_EQ(world.events.waiting(), 1u);
  world.clock.RunFor(Duration::Seconds(1));
  EXPECT_EQ(world.loop.sent().size(), Events::kMostUnderWay + 1);
  const json::object& last = world.api.All("events").rbegin()->second;
  EXPECT_EQ(TextAt(last.at("metadata"), "namespace"), "b");
  EXPECT_EQ(NumberAt(last, "count"), 1000);
}

TEST(Events, WhatWaitsIsBounded) {
  EventsWorld world;
  world.loop.cut_off = true;
  const std::size_t all = Events::kMostWaiting + 1000;
  for (std::size_t i = 0; i < all; ++i) {
    world.events.Add(EventsWorld::Warning(fmt::format("a/p{}", i), "it is late"));
  }
  EXPECT_EQ(world.events.waiting(), Events::kMostWaiting);
  EXPECT_EQ(world.events.dropped(), 1000 - Events::kMostUnderWay);
}

// kubectl describe asks for the uid too.
TEST(Events, WhatIsSaidBeforeAWorkloadIsThereIsSaidOfItsJob) {
  EventsWorld world;
  objects::Job job;
  job.meta.name_space = "a";
  job.meta.name = "j";
  job.meta.labels = {{"fairlead.dev/queue", "q"}};
  job.suspend = true;
  world.held.Upsert(job, {.name_space = "a", .name = "j", .uid = "uid-7", .version = "1"},
                    "batch/v1");
  world.events.Add({.kind = "Workload",
                    .object = "a/j",
                    .type = "Normal",
                    .reason = "Admitted",
                    .action = "Admit",
                    .note = "admitted main: 2"});
  // The Workload may come yet; it does not.
  world.clock.RunFor(Duration::Seconds(60));
  ASSERT_EQ(world.api.All("events").size(), 1u);
  const json::value& regards = world.Only().at("involvedObject");
  EXPECT_EQ(TextAt(regards, "kind"), "Job");
  EXPECT_EQ(TextAt(regards, "apiVersion"), "batch/v1");
  EXPECT_EQ(TextAt(regards, "uid"), "uid-7");
}

}  // namespace
}  // namespace fairlead::live
