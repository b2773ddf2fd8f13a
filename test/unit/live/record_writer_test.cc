// What a live scheduler writes down, and that it decides the same again.

#include "live/record_writer.h"

#include <fstream>

#include <gtest/gtest.h>

#include "trace/record.h"
#include "unit/base/scratch_dir.h"
#include "unit/live/claims.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

class RecorderTest : public ::testing::Test {
 protected:
  // Pods, a job that gives way and comes back, a pod that goes, a node that comes.
  void Live() {
    LiveWorld world;
    auto recorder =
        RecordWriter::Make(directory_, [](const std::string& problem) { FAIL() << problem; });
    ASSERT_TRUE(recorder) << recorder.error().message;
    world.AddNode("n1", 3);
    world.AddQueue("default", 0);
    world.AddQueue("sure", 3);
    world.AddJob("j", 5, {{"fairlead.dev/min-parallelism", "2"}});
    LiveWorld::Process& process = world.Start(7, /*with_lease=*/false, recorder->get());
    world.Run(Duration::Seconds(8));
    for (int i = 0; i < 3; ++i) {
      world.AddPod("p" + std::to_string(i), 1, {{"labels", {{"fairlead.dev/queue", "sure"}}}});
    }
    world.Run(Duration::Seconds(10));
    world.api.Erase("pods", "team/p1");
    world.AddNode("n2", 2);
    world.Run(Duration::Seconds(10));
    ASSERT_GE(world.Bound(), 4);
    world.Kill(process);
  }

  const ScratchDir scratch_;
  const std::string directory_ = scratch_.path();
};

TEST_F(RecorderTest, DecidesTheSameAgain) {
  Live();
  const auto replay = trace::ReplayRecord(directory_, nullptr);
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_TRUE(replay->differences.empty());
  EXPECT_GT(replay->rounds, 10);
  EXPECT_GT(replay->decisions, 10);
  const auto again = trace::ReplayRecord(directory_, nullptr);
  EXPECT_EQ(again->digest, replay->digest);
}

// A binding to a node is tried while the node goes and comes again: it is nobody's before the
// outcome is seen, in the record as well.
TEST_F(RecorderTest, ANodeThatGoesAndReturnsIsRecordedWhereItCounts) {
  LiveWorld world;
  auto recorder =
      RecordWriter::Make(directory_, [](const std::string& problem) { FAIL() << problem; });
  ASSERT_TRUE(recorder) << recorder.error().message;
  world.AddNode("n1", 4);
  world.AddQueue("default", 0);
  LiveWorld::Process& process = world.Start(7, /*with_lease=*/false, recorder->get());
  world.Run(Duration::Seconds(5));
  // Tried again after 0.1 s, doubled each time.
  process.loop->script.push_back({"/binding", kube::StatusAnswer(500, "InternalError", "no"), 6});
  world.AddPod("p", 1);
  world.Run(Duration{.us = 300'000});
  world.RemoveNode("n1");
  world.Run(Duration{.us = 300'000});
  world.AddNode("n1", 4);
  world.AddPod("q", 3);
  world.Run(Duration{.us = 300'000});
  ASSERT_GT(process.loop->script.front().times, 0) << "the binding has its outcome too early";
  world.Run(Duration::Seconds(30));
  ASSERT_EQ(world.NodeOf("team/p"), "n1");
  ASSERT_EQ(world.NodeOf("team/q"), "n1");
  world.Kill(process);
  const auto replay = trace::ReplayRecord(directory_, nullptr);
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_TRUE(replay->differences.empty());
  EXPECT_GE(replay->decisions, 2);
}

// Nothing but the record says that it was refused.
TEST_F(RecorderTest, WhereNoVolumeCouldBeMadeIsRecorded) {
  LiveWorld world;
  auto recorder =
      RecordWriter::Make(directory_, [](const std::string& problem) { FAIL() << problem; });
  ASSERT_TRUE(recorder) << recorder.error().message;
  world.AddNode("n1", 4);
  world.AddQueue("default", 0);
  AddStorageClass(world.api, "fast", "csi.example.com");
  world.api.Put("persistentvolumeclaims", {{"metadata", {{"name", "data"}, {"namespace", "team"}}},
                                           {"spec", {{"storageClassName", "fast"}}},
                                           {"status", {{"phase", "Pending"}}}});
  world.AddPod("p", 1, {}, "team", "data");
  LiveWorld::Process& process = world.Start(7, /*with_lease=*/false, recorder->get());
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(NodeSelectedFor(world.api, "data"), "n1");
  RefuseClaim(world.api, "data");
  world.Run(Duration::Seconds(1));
  world.AddNode("n2", 1);
  world.Run(Duration::Seconds(10));
  ASSERT_EQ(NodeSelectedFor(world.api, "data"), "n2");
  world.Kill(process);
  const auto replay = trace::ReplayRecord(directory_, nullptr);
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_TRUE(replay->differences.empty());
  EXPECT_GE(replay->decisions, 2);
}

TEST_F(RecorderTest, ALineThatIsMissingIsNoticed) {
  Live();
  const std::string path = directory_ + "/record.jsonl";
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::ofstream out(path);
  for (const std::string& line : lines) {
    if (line.find("\"n1\"") == std::string::npos || line.find("\"Node\"") == std::string::npos) {
      out << line << '\n';
    }
  }
  out.close();
  const auto replay = trace::ReplayRecord(directory_, nullptr);
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_FALSE(replay->differences.empty());
}

TEST_F(RecorderTest, ATornLastLineIsLeftOutAndAnyOtherIsAFault) {
  Live();
  const auto whole = trace::ReplayRecord(directory_, nullptr);
  std::ofstream(directory_ + "/record.jsonl", std::ios::app) << "{\"round\":\"2026-";
  const auto torn = trace::ReplayRecord(directory_, nullptr);
  ASSERT_TRUE(torn) << torn.error().message;
  EXPECT_EQ(torn->digest, whole->digest);
  std::ofstream(directory_ + "/record.jsonl", std::ios::app) << "\n{}\n";
  const auto broken = trace::ReplayRecord(directory_, nullptr);
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("record.jsonl:"), std::string::npos);
}

// What is started again records on, beside what is there; each can be decided again.
TEST_F(RecorderTest, AProcessThatIsStartedAgainHasARecordOfItsOwn) {
  Live();
  const auto first = trace::ReplayRecord(directory_, nullptr);
  Live();
  Live();
  for (const char* next : {"/2", "/3"}) {
    const auto replay = trace::ReplayRecord(directory_ + next, nullptr);
    ASSERT_TRUE(replay) << replay.error().message;
    EXPECT_TRUE(replay->differences.empty());
    EXPECT_EQ(replay->digest, first->digest);
  }
  EXPECT_EQ(trace::ReplayRecord(directory_, nullptr)->digest, first->digest);
}

// It has the whole text of every pod, with its environment.
TEST_F(RecorderTest, IsForItsOwnerOnly) {
  const auto recorder = RecordWriter::Make(directory_, nullptr);
  ASSERT_TRUE(recorder) << recorder.error().message;
  EXPECT_EQ(std::filesystem::status((*recorder)->path()).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace fairlead::live
