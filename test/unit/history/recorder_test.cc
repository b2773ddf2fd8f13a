#include "history/recorder.h"

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "unit/history/history_fixture.h"

namespace fairlead::history {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// What was said, from any thread.
class Said {
 public:
  std::function<void(const std::string&)> Sink() {
    return [this](const std::string& message) {
      const std::lock_guard lock(mutex_);
      messages_.push_back(message);
    };
  }
  std::vector<std::string> messages() const {
    const std::lock_guard lock(mutex_);
    return messages_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
};

Recorder::Options OptionsFor(const std::string& directory, Said& said) {
  return {.directory = directory, .start = kNow, .on_problem = said.Sink()};
}

TEST(Recorder, WritesWhatIsPushed) {
  for (const bool in_file : {false, true}) {
    const HistoryDir scratch;
    Said said;
    const auto recorder = Recorder::Start(OptionsFor(in_file ? scratch.path() : "", said));
    recorder->Push(Binds(0, 1'000));
    recorder->Flush();
    const Recorder::Counts counts = recorder->counts();
    EXPECT_EQ(counts.committed, 1'000U);
    EXPECT_EQ(counts.waiting, 0U);
    EXPECT_EQ(counts.in_memory, !in_file);
    const auto reader = recorder->OpenReader();
    ASSERT_TRUE(reader) << reader.error().message;
    const auto page = (*reader)->Decisions({.limit = 5'000});
    EXPECT_THAT(PodsOf(*page), SizeIs(1'000));
    EXPECT_EQ(page->rows[0].seq, counts.committed_seq);
    EXPECT_THAT(said.messages(), IsEmpty());
  }
}

// Packed while it waits, where nothing but decisions came at once.
TEST(Recorder, WritesAllOfADecision) {
  Decision whole = Eviction(At(1));
  whole.reason = std::string(300, 'x');
  Said said;
  const auto recorder = Recorder::Start(OptionsFor("", said));
  recorder->Push({whole, Decision{.time = {.us = -1}, .type = "Bind"}});
  recorder->Push({whole, Ended{.workload = "a/w", .outcome = "Succeeded"}});
  recorder->Flush();
  const auto page = (*recorder->OpenReader())->Decisions({.type = "Evict", .limit = 10});
  ASSERT_THAT(page->rows, SizeIs(2));
  for (const DecisionRow& row : page->rows) ExpectSame(row.decision, whole);
  const auto bound = (*recorder->OpenReader())->Decisions({.type = "Bind", .limit = 10});
  ASSERT_THAT(bound->rows, SizeIs(1));
  EXPECT_EQ(bound->rows[0].decision.time, Time{.us = -1});
}

// A round of many decisions comes in portions: no transaction for each.
TEST(Recorder, PortionsAreWrittenTogetherAndInTheirOrder) {
  const HistoryDir scratch;
  Said said;
  const auto recorder = Recorder::Start(OptionsFor(scratch.path(), said));
  const auto other = Connection::Open({.path = scratch.file()}, Connection::Access::kWrite);
  ASSERT_TRUE((*other)->Do("BEGIN IMMEDIATE"));
  for (int i = 0; i < 100; ++i) recorder->Push(Binds(i * 250, (i + 1) * 250));
  ASSERT_TRUE((*other)->Do("COMMIT"));
  recorder->Flush();
  const Recorder::Counts counts = recorder->counts();
  EXPECT_EQ(counts.committed, 25'000U);
  // Two thousand each. What was taken before the last Push, and the rest: of each a last
  // transaction is not full.
  EXPECT_LE(counts.commits, 15U);
  const auto reader = recorder->OpenReader();
  ASSERT_TRUE(reader) << reader.error().message;
  const auto page = (*reader)->Decisions({.limit = 5'000});
  EXPECT_EQ(page->rows[0].seq, counts.committed_seq);
  std::vector<std::string> newest_first;
  for (int i = 24'999; i >= 20'000; --i) newest_first.push_back("a/p-" + std::to_string(i));
  EXPECT_EQ(PodsOf(*page), newest_first);
}

TEST(Recorder, WhatIsTooMuchIsDroppedAndTold) {
  const HistoryDir scratch;
  Said said;
  Recorder::Options options = OptionsFor(scratch.path(), said);
  options.most_waiting = 100;
  const auto recorder = Recorder::Start(std::move(options));
  // The file is locked: nothing can be written until it is let go.
  const auto other = Connection::Open({.path = scratch.file()}, Connection::Access::kWrite);
  ASSERT_TRUE((*other)->Do("BEGIN IMMEDIATE"));
  recorder->Push(Binds(0, 10'000));
  EXPECT_GE(recorder->counts().dropped, 9'000U);
  ASSERT_TRUE((*other)->Do("COMMIT"));
  recorder->Flush();
  recorder->Push(Binds(10'000, 10'001));
  recorder->Flush();
  const auto page = (*recorder->OpenReader())->Decisions({.type = "Gap"});
  ASSERT_FALSE(page->rows.empty());
  EXPECT_THAT(page->rows[0].decision.reason, HasSubstr("were lost before"));
  ASSERT_FALSE(said.messages().empty());
  EXPECT_THAT(said.messages()[0], HasSubstr("faster than they could be written"));
  const Recorder::Counts counts = recorder->counts();
  EXPECT_EQ(counts.dropped + counts.committed, 10'001U);
}

TEST(Recorder, GoesOnInMemoryWhereTheFileIsNotToBeHad) {
  const HistoryDir scratch;
  const auto holder = OpenStore(scratch.path());
  Said said;
  const auto recorder = Recorder::Start(OptionsFor(scratch.path(), said));
  ASSERT_THAT(said.messages(), SizeIs(1));
  EXPECT_THAT(said.messages()[0],
              testing::AllOf(HasSubstr(scratch.file()), HasSubstr("in memory only")));
  recorder->Push(Binds(0, 3));
  recorder->Flush();
  EXPECT_TRUE(recorder->counts().in_memory);
  EXPECT_THAT(PodsOf(*(*recorder->OpenReader())->Decisions({})), SizeIs(3));
}

TEST(Recorder, SaysOnceThatItCannotWriteAndGoesOn) {
  const HistoryDir scratch;
  Said said;
  const auto recorder = Recorder::Start(OptionsFor(scratch.path(), said));
  const auto other = Connection::Open({.path = scratch.file()}, Connection::Access::kWrite);
  ASSERT_TRUE((*other)->Do("ALTER TABLE decisions RENAME TO hidden"));
  for (int i = 0; i < 3; ++i) {
    recorder->Push(Binds(i, i + 1));
    recorder->Flush();
  }
  EXPECT_EQ(recorder->counts().dropped, 3U);
  EXPECT_GE(recorder->counts().failures, 3U);
  EXPECT_THAT(said.messages(), SizeIs(1));
  ASSERT_TRUE((*other)->Do("ALTER TABLE hidden RENAME TO decisions"));
  recorder->Push(Binds(3, 4));
  recorder->Flush();
  const auto reader = recorder->OpenReader();
  EXPECT_THAT(PodsOf(*(*reader)->Decisions({})), testing::ElementsAre("a/p-3"));
  EXPECT_THAT((*reader)->Decisions({.type = "Gap"})->rows, SizeIs(1));
}

TEST(Recorder, KeepsItsBoundsWhileItWrites) {
  const HistoryDir scratch;
  Said said;
  Recorder::Options options = OptionsFor(scratch.path(), said);
  options.bounds.bytes = 1 << 20;
  const auto recorder = Recorder::Start(std::move(options));
  for (int i = 0; i < 30; ++i) {
    recorder->Push(Binds(i * 1000, (i + 1) * 1000));
    recorder->Flush();
  }
  // Small steps, between the batches.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (recorder->counts().bytes > 1 << 20 && std::chrono::steady_clock::now() < deadline) {
    recorder->Flush();
  }
  EXPECT_LE(recorder->counts().bytes, 1 << 20);
}

TEST(Recorder, ADirectoryWithoutAHistoryIsToldSo) {
  const HistoryDir scratch;
  const auto reader = Directory(scratch.path()).OpenReader();
  ASSERT_FALSE(reader);
  EXPECT_THAT(reader.error().message, HasSubstr("nothing has been recorded"));
}

}  // namespace
}  // namespace fairlead::history
