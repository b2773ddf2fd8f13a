#include "kube/reflector.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/kube/reflector_world.h"

namespace fairlead::kube {
namespace {

using Strings = std::vector<std::string>;

FakeApi::Answer Refused(int code, const char* reason) { return StatusAnswer(code, reason, "no"); }

// What a watch says of the pod ns/a.
std::string Event(const std::string& type, const std::string& uid, const std::string& version) {
  return R"({"type":")" + type +
         R"(","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"ns","name":"a",)"
         R"("uid":")" +
         uid + R"(","resourceVersion":")" + version +
         R"("},"spec":{"containers":[{"name":"c"}]}}})" + "\n";
}

void ExpectTwoListed(ReflectorWorld& world) {
  world.Put("a");
  world.Put("b");
  world.Settle();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/a=1", "+ns/b=1", "synced"}));
  EXPECT_EQ(world.sink.last_count, 2u);
  EXPECT_EQ(world.reflector.state(), ReflectorState::kWatching);
}

TEST(Reflector, ListsThenFollows) {
  ReflectorWorld world;
  ExpectTwoListed(world);
  world.Put("a", "2");
  world.Erase("b");
  world.Put("c");
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/a=2", "-ns/b", "+ns/c=1"}));
  EXPECT_EQ(world.sink.held, world.Truth());
  EXPECT_EQ(world.sink.reached, std::to_string(world.api.version()));
  EXPECT_EQ(world.loop.sent()[0], "GET /api/v1/pods?resourceVersion=0");
  EXPECT_NE(world.loop.sent()[1].find("watch=true&allowWatchBookmarks=true&resourceVersion=1002"),
            std::string::npos);
}

struct StreamingWorld : ReflectorWorld {
  StreamingWorld()
      : ReflectorWorld(1, {.plural = "pods", .kind = "Pod"}, /*newest_first=*/false,
                       /*streams_lists=*/true) {}
};

TEST(Reflector, AListThatIsStreamedIsTheWatchBehindIt) {
  StreamingWorld world;
  ExpectTwoListed(world);
  EXPECT_EQ(world.sink.reached, "1002");
  world.Put("a", "2");
  world.Erase("b");
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/a=2", "-ns/b"}));
  EXPECT_EQ(world.sink.held, world.Truth());
  EXPECT_EQ(world.loop.sent().size(), 1u);
  EXPECT_NE(world.loop.sent()[0].find("watch=true&allowWatchBookmarks=true&sendInitialEvents=true"
                                      "&resourceVersionMatch=NotOlderThan&resourceVersion=0"),
            std::string::npos)
      << world.loop.sent()[0];
  // What a watch that expired has missed is found by the next one.
  world.loop.BreakWatches('e');
  world.Put("c");
  world.api.Compact();
  world.Erase("a");
  world.Wait(Duration::Seconds(60));
  EXPECT_EQ(world.sink.held, world.Truth());
  EXPECT_EQ(world.Sent("sendInitialEvents"), 2);
}

TEST(Reflector, AServerThatDoesNotStreamListsIsAskedForThemAsBefore) {
  StreamingWorld world;
  world.api.streams_lists = false;
  world.Put("a");
  world.Settle();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/a=1", "synced"}));
  EXPECT_EQ(world.loop.sent()[1], "GET /api/v1/pods?resourceVersion=0");
  EXPECT_EQ(world.Sent("sendInitialEvents"), 1);
  EXPECT_TRUE(world.sink.problems.empty());
  world.Put("b");
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/b=1"}));
}

// Until its end is said, nothing is gone that it did not have.
TEST(Reflector, AStreamedListThatIsCutOffProvesNothing) {
  StreamingWorld world;
  world.Put("a");
  world.Put("b");
  world.Settle();
  world.sink.TakeLog();
  world.api.Compact();
  world.Erase("b");
  world.api.Compact();
  world.loop.faults.cut = 1000;
  world.loop.BreakWatches('c');
  world.Wait(Duration::Seconds(30));
  EXPECT_FALSE(world.sink.held.empty());
  world.loop.faults = {};
  world.Wait(Duration::Seconds(120));
  EXPECT_EQ(world.sink.held, world.Truth());
}

// A server that knows nothing of it and takes it for a watch like any other.
TEST(Reflector, AStreamedListWithoutAnEndIsAskedForOtherwise) {
  StreamingWorld world;
  world.Put("a");
  FakeApi::Answer endless;
  endless.body = Event("ADDED", "u", "1001");
  world.loop.script.push_back({.part = "sendInitialEvents", .answer = endless, .times = 2});
  world.Settle();
  world.Wait(Duration::Seconds(60));
  EXPECT_EQ(world.sink.held, world.Truth());
  EXPECT_EQ(world.Sent("sendInitialEvents"), 2);
  EXPECT_EQ(world.Sent("GET /api/v1/pods?resourceVersion=0"), 1);
}

TEST(Reflector, AsksForItsPart) {
  ReflectorWorld world(1, {.plural = "pods",
                           .kind = "Pod",
                           .name_space = "ns",
                           .field_selector = "spec.schedulerName=fairlead"});
  world.Put("a");
  boost::json::object other = ReflectorWorld::Pod("b");
  other["spec"].as_object()["schedulerName"] = "other";
  world.api.Put("pods", other);
  world.Settle();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/a=1", "synced"}));
  EXPECT_EQ(world.loop.sent()[0],
            "GET /api/v1/namespaces/ns/pods?fieldSelector=spec.schedulerName%3Dfairlead"
            "&resourceVersion=0");
  EXPECT_EQ(world.Sent("watch=true"), 1);
  EXPECT_EQ(world.Sent("fieldSelector"), 2);
}

// A cache that is behind: a list that it may answer comes to know the rest by its watch, a list of
// the newest knows it at once.
TEST(Reflector, TheFirstListIsTheNewestWhereThatIsAskedFor) {
  for (const bool newest_first : {false, true}) {
    ReflectorWorld world(1, {.plural = "pods", .kind = "Pod"}, newest_first);
    world.Put("a");
    world.api.HoldCache();
    world.Put("b");
    world.Erase("a");
    world.Settle();
    EXPECT_EQ(world.sink.TakeLog(), newest_first
                                        ? (Strings{"+ns/b=1", "synced"})
                                        : (Strings{"+ns/a=1", "synced", "+ns/b=1", "-ns/a"}));
    EXPECT_EQ(world.sink.held, world.Truth());
  }
}

// What the server's cache shows after the history is gone may be older than what is known.
TEST(Reflector, ARelistAfterExpiryIsNoOlderThanWhatIsKnown) {
  ReflectorWorld world;
  world.Put("a");
  world.Settle();
  world.api.HoldCache();
  world.Put("a", "2");
  world.Wait();
  world.loop.BreakWatches('h');
  world.Put("b");
  world.api.Compact();
  world.sink.TakeLog();
  world.Wait(Duration::Seconds(200));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/b=1", "synced"}));
  EXPECT_EQ(world.sink.held, world.Truth());
}

// Each of the three ends of a watch: none of them lists again, nothing is missed.
TEST(Reflector, GoesOnWhereAWatchEnded) {
  for (const char how : {'c', 'e', 'h'}) {
    ReflectorWorld world;
    world.Put("a");
    world.Settle();
    world.sink.TakeLog();
    world.loop.BreakWatches(how);
    world.Put("b");
    world.Erase("a");
    world.Wait(Duration::Seconds(200));  // silence is noticed after 150 s
    EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/b=1", "-ns/a"})) << how;
    EXPECT_EQ(world.reflector.counts().lists, 1u) << how;
    EXPECT_GE(world.reflector.counts().watches, 2u) << how;
    EXPECT_EQ(world.sink.held, world.Truth()) << how;
  }
}

TEST(Reflector, AWatchLastsFiveToTenMinutes) {
  ReflectorWorld world;
  world.Settle();
  world.Wait(Duration::Seconds(3600));
  const int watches = world.Sent("watch=true");
  EXPECT_GE(watches, 6);
  EXPECT_LE(watches, 13);
  EXPECT_EQ(world.reflector.counts().failures, 0u);
  EXPECT_EQ(world.reflector.counts().lists, 1u);
  for (const std::string& line : world.loop.sent()) {
    const std::size_t at = line.find("timeoutSeconds=");
    if (at == std::string::npos) continue;
    const int seconds = std::stoi(line.substr(at + 15));
    EXPECT_GE(seconds, 300);
    EXPECT_LE(seconds, 600);
  }
}

// Other resources change; only bookmarks tell. Then history is compacted, and no list is needed.
TEST(Reflector, BookmarksKeepTheVersionFresh) {
  ReflectorWorld world;
  world.api.Serve({"v1", "Node", "nodes", false});
  world.Settle();
  for (int i = 0; i < 50; ++i) {
    world.api.Put("nodes", {{"metadata", {{"name", "n" + std::to_string(i)}}}});
  }
  world.Wait(Duration::Seconds(70));
  EXPECT_EQ(world.sink.reached, std::to_string(world.api.version()));
  world.api.Compact();
  world.loop.BreakWatches('e');
  world.Wait(Duration::Seconds(10));
  EXPECT_EQ(world.reflector.counts().lists, 1u);
  EXPECT_GE(world.reflector.counts().bookmarks, 1u);
}

TEST(Reflector, HttpGoneListsTheNewestAndFindsWhatIsGone) {
  ReflectorWorld world;
  world.Put("a");
  world.Put("b");
  world.Settle();
  world.sink.TakeLog();
  world.loop.BreakWatches('h');
  world.Erase("a");
  world.Put("b", "2");
  world.Put("c");
  world.api.Compact();
  world.Wait(Duration::Seconds(200));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/b=2", "+ns/c=1", "-ns/a", "synced"}));
  EXPECT_EQ(world.sink.held, world.Truth());
  EXPECT_EQ(world.Sent("/pods?limit=500"), 1);  // without a version: the newest, in pages
}

TEST(Reflector, GoneInTheStreamIsTheSame) {
  ReflectorWorld world;
  world.Put("a");
  world.Settle();
  world.loop.Inject(
      R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",)"
      R"("message":"too old resource version: 1","reason":"Expired","code":410
}
})"
      "\n");
  world.Put("b");
  world.Wait(Duration::Seconds(10));
  EXPECT_EQ(world.reflector.counts().lists, 2u);
  EXPECT_EQ(world.sink.held, world.Truth());
}

// Deleted and made again under its name while nobody looked: two objects, not a change of one.
TEST(Reflector, KnowsAnObjectByItsUid) {
  ReflectorWorld world;
  world.Put("a");
  world.Settle();
  world.sink.TakeLog();
  world.loop.BreakWatches('h');
  world.Erase("a");
  world.Put("a", "again");
  world.api.Compact();
  world.Wait(Duration::Seconds(200));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"-ns/a", "+ns/a=again", "synced"}));
  // And by events alone, the deletion lost.
  const RecordingSink::Held held = world.sink.held.at("ns/a");
  const std::string newer = std::to_string(std::stoll(held.version) + 5);
  world.loop.Inject(Event("MODIFIED", "other", newer));
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"-ns/a", "+ns/a"}));
  // A late deletion of the first one is not one of the second.
  world.loop.Inject(Event("DELETED", held.uid, newer));
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), Strings());
}

TEST(Reflector, DropsWhatIsOldOrTwice) {
  ReflectorWorld world;
  world.Put("a");  // 1001
  world.Settle();
  world.Put("a", "2");  // 1002
  world.Wait();
  world.sink.TakeLog();
  const std::string uid = world.sink.held.at("ns/a").uid;
  world.loop.Inject(Event("MODIFIED", uid, "1002") + Event("MODIFIED", uid, "999") +
                    Event("ADDED", uid, "1001"));
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), Strings());
  EXPECT_EQ(world.reflector.counts().stale, 3u);
  // 10 000 is newer than 1 002 though it sorts before it as text.
  world.loop.Inject(Event("MODIFIED", uid, "10000"));
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/a"}));
  // Versions that are no numbers say nothing about order: the event counts.
  world.loop.Inject(Event("MODIFIED", uid, "x1"));
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/a"}));
}

TEST(Reflector, AnObjectThatCannotBeReadStaysAsItWas) {
  ReflectorWorld world;
  world.PutUnreadable("new");
  world.Put("known");
  world.Settle();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/known=1", "!ns/new", "synced"}));
  EXPECT_EQ(world.sink.refusals[0], "Pod ns/new: spec.containers: found \"none\", expected a list");
  world.PutUnreadable("known");
  world.Put("other");
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"!ns/known", "+ns/other=1"}));
  EXPECT_EQ(world.sink.held.at("ns/known").revision, "1");
  // A list does not say it again.
  world.loop.BreakWatches('h');
  world.api.Compact();
  world.Erase("new");  // never told of: nothing to delete
  world.api.Compact();
  world.Wait(Duration::Seconds(200));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"synced"}));
  world.Put("known", "3");
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/known=3"}));
  // Made again under its name, and unreadable: the old one is gone for certain.
  world.Erase("known");
  world.PutUnreadable("known");
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"-ns/known", "!ns/known"}));
  EXPECT_EQ(world.reflector.counts().refused, 3u);
}

TEST(Reflector, AListOfManyPagesIsOneMoment) {
  ReflectorWorld world;
  for (int i = 0; i < 1234; ++i) world.Put("p" + std::to_string(i));
  world.loop.script.push_back({"resourceVersion=0", Refused(410, "Expired")});
  world.Settle();
  EXPECT_EQ(world.Sent("limit=500"), 3);
  EXPECT_EQ(world.Sent("continue="), 2);
  EXPECT_EQ(world.sink.last_count, 1234u);
  EXPECT_EQ(world.sink.syncs, 1);
}

TEST(Reflector, PagesThatAreGoneAreReadInOne) {
  ReflectorWorld world;
  for (int i = 0; i < 600; ++i) world.Put("p" + std::to_string(i));
  world.loop.script.push_back({"resourceVersion=0", Refused(410, "Expired")});
  world.loop.script.push_back({"continue=", Refused(410, "Expired")});
  world.Settle();
  EXPECT_EQ(world.sink.held, world.Truth());
  EXPECT_EQ(world.loop.sent()[3], "GET /api/v1/pods");
}

TEST(Reflector, ThrottledItWaitsAndDoesNotList) {
  ReflectorWorld world;
  world.Settle();
  FakeApi::Answer answer = Refused(429, "TooManyRequests");
  answer.retry_after = Duration::Seconds(40);
  world.loop.script.push_back({"watch=true", answer});
  world.loop.BreakWatches('e');
  world.Wait(Duration::Seconds(39));
  EXPECT_EQ(world.Sent("watch=true"), 2);
  EXPECT_EQ(world.reflector.state(), ReflectorState::kWaiting);
  world.Wait(Duration::Seconds(5));
  EXPECT_EQ(world.Sent("watch=true"), 3);
  EXPECT_EQ(world.reflector.counts().lists, 1u);
}

TEST(Reflector, AListWaitsAsLongAsItIsTold) {
  ReflectorWorld world;
  FakeApi::Answer answer = Refused(503, "ServiceUnavailable");
  answer.retry_after = Duration::Seconds(20);
  world.loop.script.push_back({"/pods", answer});
  world.Settle();
  world.Wait(Duration::Seconds(18));
  EXPECT_EQ(world.loop.sent().size(), 1u);
  world.Wait(Duration::Seconds(5));
  EXPECT_EQ(world.sink.syncs, 1);
}

TEST(Reflector, RefusedConnectionsKeepTheVersion) {
  ReflectorWorld world;
  world.Put("a");
  world.Settle();
  world.loop.faults.refuse = 1000;
  world.loop.BreakWatches('c');
  world.Wait(Duration::Seconds(120));
  const int tries = static_cast<int>(world.loop.sent().size());
  EXPECT_GE(tries, 6);  // 0.8 s doubling to 30 s, each from 0 up to that
  EXPECT_LE(tries, 40);
  world.Put("b");
  world.loop.faults.refuse = 0;
  world.Wait(Duration::Seconds(31));
  EXPECT_EQ(world.reflector.counts().lists, 1u);
  EXPECT_EQ(world.sink.held, world.Truth());
}

// The watch asks a server that is behind the one that we listed from.
TEST(Reflector, AServerThatIsBehindIsWaitedFor) {
  ReflectorWorld world;
  const FakeApi::Answer behind = StatusAnswer(
      504, "Timeout", "Too large resource version",
      {{"causes", {{{"reason", "ResourceVersionTooLarge"}}}}, {"retryAfterSeconds", 1}});
  world.Settle();
  world.loop.script.push_back({"watch=true", behind, 3});
  world.loop.BreakWatches('e');
  world.Put("b");
  world.Wait(Duration::Seconds(20));
  EXPECT_EQ(world.reflector.counts().lists, 1u);
  EXPECT_EQ(world.sink.held, world.Truth());
}

// etcd restored from a backup: our version is in the future, for ever. What there is counts.
TEST(Reflector, VersionsThatGoBackwardsAreFollowed) {
  ReflectorWorld world;
  world.Put("a");
  world.Put("b");
  world.Settle();
  world.Erase("a");
  world.api.TurnBack(50);
  world.loop.BreakWatches('e');
  world.Wait(Duration::Seconds(600));
  EXPECT_EQ(world.sink.held, world.Truth());
  EXPECT_EQ(world.reflector.version(), "50");
  world.Put("c");
  world.Wait();
  EXPECT_EQ(world.sink.held, world.Truth());
}

TEST(Reflector, AListThatIsCutOffIsNone) {
  ReflectorWorld world;
  world.Put("a");
  world.Put("b");
  world.Settle();
  world.sink.TakeLog();
  world.loop.BreakWatches('h');
  world.api.Compact();
  world.Put("c");
  world.api.Compact();
  // A proxy ends the body early and says that all is well.
  world.loop.script.push_back({"limit=500",
                               {.status = 200,
                                .body = R"({"kind":"PodList","metadata":{"resourceVersion":"9)"
                                        R"(999"},"items":[)"}});
  world.Wait(Duration::Seconds(200));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/c=1", "synced"}));  // a and b were never deleted
  EXPECT_EQ(world.sink.held, world.Truth());
}

TEST(Reflector, LinesThatAreNoEventsMakeItList) {
  for (const char* line :
       {"{\"type\":\"ADDED\"}\n", "nonsense\n", "{\"type\":\"NEW\",\"object\":{}}\n",
        "{\"type\":\"ADDED\",\"object\":{\"kind\":}}\n"}) {
    ReflectorWorld world;
    world.Put("a");
    world.Settle();
    world.loop.Inject(line);
    world.Wait(Duration::Seconds(5));
    EXPECT_EQ(world.reflector.counts().lists, 2u) << line;
    EXPECT_EQ(world.sink.problems.size(), 1u) << line;
    world.Put("b");
    world.Wait();
    EXPECT_EQ(world.sink.held, world.Truth()) << line;
  }
}

Resource Queues() {
  return {.group = "fairlead.dev", .version = "v1alpha1", .plural = "queues", .kind = "Queue"};
}

// From now on, with a queue q.
void ServeQueues(ReflectorWorld& world) {
  world.api.Serve({"fairlead.dev/v1alpha1", "Queue", "queues", false});
  world.api.Put("queues", {{"metadata", {{"name", "q"}}}, {"spec", boost::json::object()}});
}

TEST(Reflector, AResourceThatIsNotServedIsAbsentUntilItIs) {
  ReflectorWorld world(1, Queues());
  world.Settle();
  EXPECT_EQ(world.reflector.state(), ReflectorState::kAbsent);
  EXPECT_TRUE(world.reflector.synced());
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"synced"}));
  world.Wait(Duration::Seconds(300));
  EXPECT_EQ(world.Sent("/queues"), 1);  // only discovery asks on
  ServeQueues(world);
  world.Wait(Duration::Seconds(40));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+q", "synced"}));
}

TEST(Reflector, AsksAtOnceWhereItIsToldTo) {
  ReflectorWorld world(1, Queues());
  world.Settle();
  ServeQueues(world);
  world.reflector.Rediscover();
  world.Wait();
  EXPECT_EQ(world.reflector.state(), ReflectorState::kWatching);
}

TEST(Reflector, AResourceThatVanishesTakesItsObjectsAlong) {
  ReflectorWorld world(1, Queues());
  ServeQueues(world);
  world.Settle();
  world.sink.TakeLog();
  world.api.Withdraw("queues");
  world.Wait(Duration::Seconds(4));
  EXPECT_EQ(world.sink.TakeLog(), Strings());  // one word is not enough
  world.Wait(Duration::Seconds(20));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"-q", "synced"}));
  EXPECT_EQ(world.reflector.state(), ReflectorState::kAbsent);
}

// A server that starts knows its CRDs a moment later.
TEST(Reflector, AShortAbsenceDeletesNothing) {
  ReflectorWorld world(1, Queues());
  ServeQueues(world);
  world.Settle();
  world.sink.TakeLog();
  const FakeApi::Answer not_found{.status = 404, .body = "404 page not found\n"};
  world.loop.script.push_back({"/queues", not_found, 2});    // the watch, the list
  world.loop.script.push_back({"/v1alpha1", not_found, 1});  // discovery, once
  world.loop.BreakWatches('e');
  world.Wait(Duration::Seconds(30));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"synced"}));
  EXPECT_EQ(world.reflector.state(), ReflectorState::kWatching);
}

TEST(Reflector, DeniedItTriesOn) {
  ReflectorWorld world;
  world.Put("a");
  world.loop.script.push_back({"/pods", Refused(403, "Forbidden"), 3});
  world.Settle();
  EXPECT_NE(world.sink.problems.at(0).find("403 Forbidden"), std::string::npos);
  world.Wait(Duration::Seconds(20));
  EXPECT_EQ(world.sink.held, world.Truth());
}

TEST(Reflector, StoppedItTellsNothingAndGoesOnLater) {
  ReflectorWorld world;
  world.Put("a");
  world.Settle();
  world.sink.TakeLog();
  world.reflector.Stop();
  EXPECT_EQ(world.loop.open_calls(), 0u);
  world.Put("b");
  world.Wait(Duration::Seconds(700));
  EXPECT_EQ(world.sink.TakeLog(), Strings());
  world.reflector.Start();
  world.Wait();
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/b=1"}));
  EXPECT_EQ(world.reflector.counts().lists, 1u);
}

// Objects that are known as they are need neither decoding nor telling.
TEST(Reflector, AListTellsOnlyWhatChanged) {
  ReflectorWorld world;
  for (int i = 0; i < 100; ++i) world.Put("p" + std::to_string(i));
  world.Settle();
  world.sink.TakeLog();
  world.loop.BreakWatches('h');
  world.Put("p7", "2");
  world.api.Compact();
  world.Wait(Duration::Seconds(200));
  EXPECT_EQ(world.sink.TakeLog(), (Strings{"+ns/p7=2", "synced"}));
}

}  // namespace
}  // namespace fairlead::kube
