// What a live scheduler asks of the API server where a pod has to go: how long it may take, and
// what becomes of disruption budgets that do not bind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;

// One that runs in `default`, which is guaranteed nothing.
void AddVictim(LiveWorld& world, const std::string& name, std::int64_t grace_seconds) {
  world.api.Put(
      "pods",
      {{"metadata",
        {{"name", name},
         {"namespace", "team"},
         {"labels", {{"app", "victims"}}},
         {"creationTimestamp", "2026-01-01T00:00:00Z"}}},
       {"spec",
        {{"schedulerName", "fairlead"},
         {"terminationGracePeriodSeconds", grace_seconds},
         {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "1"}}}}}}}}}}});
}

// "POST …/victim/eviction 3600": what was asked to go, and the seconds that were named.
class Asked {
 public:
  explicit Asked(LiveWorld::Process& process) {
    process.loop->tell = [this](const kube::Request& request, const kube::FakeApi::Answer&) {
      Note(request);
    };
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void Note(const kube::Request& request) {
    const bool evicts = request.path.ends_with("/eviction");
    if (!evicts && request.method != kube::Method::kDelete) return;
    const json::value body = json::parse(request.body);
    const json::value* options = evicts ? &body.at("deleteOptions") : &body;
    const json::value* seconds = At(*options, "gracePeriodSeconds");
    const std::size_t name = request.path.find("/pods/") + std::string_view("/pods/").size();
    lines_.push_back(request.path.substr(name) + " " +
                     (seconds == nullptr ? "-" : std::to_string(seconds->as_int64())));
  }

  std::vector<std::string> lines_;
};

// Two that run are to go for two that are guaranteed their room.
void ClaimAll(LiveWorld& world) {
  for (const char* name : {"p0", "p1"}) {
    world.AddPod(name, 1, {{"labels", {{"fairlead.dev/queue", "sure"}}}});
  }
  world.Run(Duration::Seconds(10));
}

TEST(LiveEvictions, NobodyGetsLongerThanTheLongestGracePeriodNorThanHeAskedFor) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddQueue("default", 0);
  world.AddQueue("sure", 2);
  AddVictim(world, "decade", 315'360'000);
  AddVictim(world, "usual", 30);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(world.Bound(), 2);
  const Asked asked(process);
  ClaimAll(world);
  EXPECT_THAT(asked.lines(),
              testing::UnorderedElementsAre("decade/eviction 3600", "usual/eviction -"));
  EXPECT_EQ(world.NodeOf("team/p0"), "n1");
}

TEST(LiveEvictions, ABudgetBindsUnlessItIsToYield) {
  for (const bool yields : {false, true}) {
    LiveWorld world;
    world.configuration.budgets_on_borrowed_room =
        yields ? objects::OnBorrowedRoom::kYield : objects::OnBorrowedRoom::kBind;
    world.configuration.max_grace_period = Duration::Seconds(60);
    world.AddNode("n1", 2);
    world.AddQueue("default", 1);
    world.AddQueue("sure", 1);
    world.AddBudget("victims", 2);
    AddVictim(world, "a", 90);
    AddVictim(world, "b", 90);
    LiveWorld::Process& process = world.Start(1);
    world.Run(Duration::Seconds(5));
    ASSERT_EQ(world.Bound(), 2);
    const Asked asked(process);
    ClaimAll(world);
    // The one that is borrowed goes, by a deletion: the Eviction API would refuse it.
    if (yields) {
      EXPECT_THAT(asked.lines(), ElementsAre(testing::AnyOf("a 60", "b 60")));
      EXPECT_EQ(world.Bound(), 2);
    } else {
      EXPECT_THAT(asked.lines(), IsEmpty());
    }
  }
}

// time.md §5.3: its controller makes another pod, and the job remembers.
TEST(LiveEvictions, StopsOfAJobsPodsAreCountedOnTheJob) {
  LiveWorld world;
  world.configuration.repeat_protection = Duration::Seconds(60);
  world.AddNode("n1", 1);
  world.AddQueue("default", 0);
  world.AddQueue("sure", 1);
  world.AddJob("sweep", 1);
  json::object running = *world.api.Find("jobs", "team/sweep");
  running.at("spec").as_object()["suspend"] = false;
  world.api.Put("jobs", running);
  world.Start(1);
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(world.Bound(), 1);
  world.AddPod("p0", 1, {{"labels", {{"fairlead.dev/queue", "sure"}}}});
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.NodeOf("team/p0"), "n1");
  const json::object& meta = world.api.Find("jobs", "team/sweep")->at("metadata").as_object();
  const json::value* stops = At(meta.at("annotations").as_object(), "fairlead.dev/stops");
  ASSERT_NE(stops, nullptr);
  EXPECT_EQ(*stops, "1");
}

}  // namespace
}  // namespace fairlead::live
