#include "history/store.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "unit/history/history_fixture.h"

namespace fairlead::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::unique_ptr<Reader> ReaderOf(const Store& store) {
  auto reader = Reader::Open(store.location());
  EXPECT_TRUE(reader) << reader.error().message;
  return reader ? std::move(*reader) : nullptr;
}

// The same in a file and in memory: one code path.
class AnyStore : public testing::TestWithParam<bool> {
 protected:
  std::string directory() const { return GetParam() ? scratch_.path() : ""; }
  HistoryDir scratch_;
};
INSTANTIATE_TEST_SUITE_P(Store, AnyStore, testing::Bool());

TEST_P(AnyStore, GivesBackWhatItWasGiven) {
  const auto store = OpenStore(directory());
  ASSERT_NE(store, nullptr);
  const Decision evict = Eviction(At(5));
  const std::vector<Record> records{evict};
  ASSERT_TRUE(store->Write(records, At(5)));
  const auto page = ReaderOf(*store)->Decisions({.type = "Evict"});
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_THAT(page->rows, SizeIs(1));
  ExpectSame(page->rows[0].decision, evict);
  EXPECT_EQ(page->rows[0].seq, store->seq());
}

TEST_P(AnyStore, PagesBackwardsAndForwards) {
  const auto store = OpenStore(directory());
  ASSERT_TRUE(store->Write(Binds(0, 10), kNow));
  const auto reader = ReaderOf(*store);
  const auto newest = reader->Decisions({.limit = 2});
  ASSERT_TRUE(newest);
  EXPECT_THAT(PodsOf(*newest), ElementsAre("a/p-9", "a/p-8"));
  EXPECT_TRUE(newest->more);
  const auto before = reader->Decisions({.before = newest->rows[1].seq, .limit = 2});
  EXPECT_THAT(PodsOf(*before), ElementsAre("a/p-7", "a/p-6"));
  const auto after = reader->Decisions({.after = newest->rows[1].seq, .limit = 2});
  EXPECT_THAT(PodsOf(*after), ElementsAre("a/p-9"));
  EXPECT_FALSE(after->more);
  const auto upwards = reader->Decisions({.after = before->rows[1].seq, .limit = 2});
  EXPECT_THAT(PodsOf(*upwards), ElementsAre("a/p-7", "a/p-8"));
  EXPECT_TRUE(upwards->more);
}

TEST_P(AnyStore, FiltersByQueueUserWorkloadTextAndTime) {
  const auto store = OpenStore(directory());
  std::vector<Record> records{Bind(1, "vision", "ada"), Bind(2, "nlp", "bob"), Bind(3, "vision"),
                              Bind(4, "speech", "ada")};
  Sample tree{.time = At(4), .resources = CpuAndGpu()};
  tree.queues = {{.queue = "vision", .parent = "research"},
                 {.queue = "nlp", .parent = "research"},
                 {.queue = "research"}};
  records.emplace_back(tree);
  ASSERT_TRUE(store->Write(records, kNow));
  const auto reader = ReaderOf(*store);
  const auto pods = [&](const Filter& filter) {
    const auto page = reader->Decisions(filter);
    EXPECT_TRUE(page) << page.error().message;
    return page ? PodsOf(*page) : std::vector<std::string>();
  };
  EXPECT_THAT(pods({.queue = "vision"}), ElementsAre("a/p-3", "a/p-1"));
  EXPECT_THAT(pods({.queue = "research"}), ElementsAre("a/p-3", "a/p-2", "a/p-1"));
  EXPECT_THAT(pods({.queue = "research", .limit = 1}), ElementsAre("a/p-3"));
  EXPECT_THAT(pods({.queue = "nobody"}), IsEmpty());
  EXPECT_THAT(pods({.user = "ada"}), ElementsAre("a/p-4", "a/p-1"));
  EXPECT_THAT(pods({.queue = "vision", .user = "ada"}), ElementsAre("a/p-1"));
  EXPECT_THAT(pods({.user = "eve"}), IsEmpty());
  EXPECT_THAT(pods({.workload = "a/p-2"}), ElementsAre("a/p-2"));
  EXPECT_THAT(pods({.text = "SPEECH"}), ElementsAre("a/p-4"));
  EXPECT_THAT(pods({.queue = "research", .text = "p-2"}), ElementsAre("a/p-2"));
  EXPECT_THAT(pods({.from = At(2), .to = At(3)}), ElementsAre("a/p-3", "a/p-2"));
  EXPECT_THAT(pods({.type = "Start"}), IsEmpty());
}

TEST_P(AnyStore, FillsInWhatDidNotChange) {
  const auto store = OpenStore(directory());
  const auto resources = CpuAndGpu();
  const auto sample = [&](int minute, std::vector<QueueUsage> queues) {
    return Record(Sample{.time = At(std::int64_t{60} * minute),
                         .resources = resources,
                         .queues = std::move(queues)});
  };
  QueueUsage vision{.queue = "vision", .allocated = {1000, 0}, .requested = {2000, 0}};
  vision.fair_share = {4000, 8000};
  vision.pending = 1;
  vision.waiting_since = At(-30);
  QueueUsage more = vision;
  more.allocated = {3000, 1000};
  const QueueUsage whole{.allocatable = {9000, 9000}, .allocated = {1, 2}, .requested = {3, 4}};
  const std::vector<Record> records{sample(0, {vision, whole}), sample(1, {}), sample(2, {more}),
                                    sample(3, {}), sample(4, {{.queue = "vision", .gone = true}})};
  ASSERT_TRUE(store->Write(records, kNow));
  const auto reader = ReaderOf(*store);
  const auto usage = reader->Usage({.queue = "vision"});
  ASSERT_TRUE(usage) << usage.error().message;
  EXPECT_EQ(usage->resources, *resources);
  EXPECT_EQ(usage->step_seconds, 60);
  ASSERT_THAT(usage->points, SizeIs(4));
  EXPECT_EQ(usage->points[1].time, At(60));
  EXPECT_THAT(usage->points[1].mean.allocated, ElementsAre(1000, 0));
  EXPECT_THAT(usage->points[3].mean.allocated, ElementsAre(3000, 1000));
  EXPECT_THAT(usage->points[3].mean.allocatable, IsEmpty());
  EXPECT_THAT(usage->points[3].mean.fair_share, ElementsAre(4000, 8000));
  EXPECT_EQ(usage->points[3].waiting_max_seconds, 210);  // 3 min, and 30 s before
  // From the middle on: what stood before is looked up. Two minutes a point: means.
  const auto later = reader->Usage({.queue = "vision", .from = At(60), .to = At(180)});
  ASSERT_THAT(later->points, SizeIs(3));
  EXPECT_THAT(later->points[0].mean.allocated, ElementsAre(1000, 0));
  const auto coarse = reader->Usage({.queue = "vision", .points = 2});
  EXPECT_EQ(coarse->step_seconds, 240);
  ASSERT_THAT(coarse->points, SizeIs(1));
  EXPECT_THAT(coarse->points[0].mean.allocated, ElementsAre(2000, 500));
  const auto all = reader->Usage({});
  ASSERT_THAT(all->points, SizeIs(5));
  EXPECT_THAT(all->points[4].mean.allocatable, ElementsAre(9000, 9000));
  EXPECT_THAT(all->points[4].mean.fair_share, IsEmpty());
  EXPECT_THAT(reader->Usage({.queue = "nobody"})->points, IsEmpty());
}

TEST_P(AnyStore, KnowsAnEndOnce) {
  const auto store = OpenStore(directory());
  std::vector<Record> records{
      Decision{.time = At(10), .type = "Evict", .pod = "a/w-0", .workload = "a/w"}};
  records.emplace_back(Ended{.workload = "a/w",
                             .queue = "vision",
                             .created = At(1),
                             .finished = At(60),
                             .started = At(2),
                             .pods = 3,
                             .outcome = "Succeeded",
                             .used = {{"cpu", 12.5}},
                             .older_than_us = true});
  records.push_back(records.back());
  ASSERT_TRUE(store->Write(records, kNow));
  const auto page = ReaderOf(*store)->Workloads({.queue = "vision"});
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_THAT(page->rows, SizeIs(1));
  const Ended& ended = page->rows[0].ended;
  EXPECT_EQ(ended.evictions, 1);  // looked up
  EXPECT_EQ(ended.started, At(2));
  EXPECT_THAT(ended.used, ElementsAre(std::pair<std::string, double>("cpu", 12.5)));
}

TEST_P(AnyStore, ForgetsWhatIsOld) {
  const auto store = OpenStore(directory(), Mode::kReal, {.age = Duration::Seconds(600)});
  ASSERT_TRUE(store->Write(Binds(0, 10), kNow));
  ASSERT_TRUE(store->Write(Binds(10, 20), At(500)));
  EXPECT_FALSE(*store->Trim(At(550)));
  const auto reader = ReaderOf(*store);
  EXPECT_THAT(PodsOf(*reader->Decisions({})), SizeIs(20));
  EXPECT_FALSE(*store->Trim(At(700)));
  EXPECT_THAT(PodsOf(*ReaderOf(*store)->Decisions({})), SizeIs(10));
}

TEST_P(AnyStore, ForgetsTheOldestWhereThereIsTooMuch) {
  constexpr std::int64_t kBytes = 1 << 20;
  const auto store = OpenStore(directory(), Mode::kReal, {.bytes = kBytes});
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(store->Write(Binds(i * 1000, (i + 1) * 1000), At(i)));
  }
  EXPECT_GT(store->bytes(), kBytes);
  int steps = 1;
  while (*store->Trim(At(20))) ++steps;
  EXPECT_GT(steps, 1);  // small ones
  EXPECT_LE(store->bytes(), kBytes);
  const auto page = ReaderOf(*store)->Decisions({.limit = 100'000});
  EXPECT_EQ(PodsOf(*page).front(), "a/p-19999");
  EXPECT_GT(page->rows.size(), 2'000U);
  EXPECT_LT(page->rows.size(), 19'000U);
}

TEST(Store, GoesOnAfterARestart) {
  const HistoryDir scratch;
  std::int64_t seq = 0;
  for (int i = 0; i < 3; ++i) {
    const auto store = OpenStore(scratch.path());
    ASSERT_NE(store, nullptr);
    ASSERT_TRUE(store->Write(Binds(i * 10, i * 10 + 10), At(i)));
    EXPECT_GT(store->seq(), seq);
    EXPECT_EQ(store->session(), 1);  // one timeline
    seq = store->seq();
  }
  const auto reader = Reader::Open({.path = scratch.file()});
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_THAT(PodsOf(*(*reader)->Decisions({})), SizeIs(30));
  EXPECT_THAT((*reader)->Decisions({.type = "Start"})->rows, SizeIs(3));
}

TEST(Store, VirtualClocksAreSessions) {
  const HistoryDir scratch;
  for (int i = 0; i < 2; ++i) {
    const auto store = OpenStore(scratch.path(), Mode::kVirtual);
    EXPECT_EQ(store->session(), i + 1);
    Sample sample{.time = At(60), .resources = CpuAndGpu()};
    sample.queues = {{.allocatable = {i, i}, .allocated = {i, i}, .requested = {i, i}}};
    std::vector<Record> records = Binds(i * 10, i * 10 + 5);
    records.emplace_back(sample);
    ASSERT_TRUE(store->Write(records, At(i)));
  }
  const auto reader = Reader::Open({.path = scratch.file()});
  EXPECT_THAT(PodsOf(*(*reader)->Decisions({.limit = 1})), ElementsAre("a/p-14"));
  EXPECT_THAT(PodsOf(*(*reader)->Decisions({.sessions = {.only = 1}, .limit = 1})),
              ElementsAre("a/p-4"));
  EXPECT_THAT(PodsOf(*(*reader)->Decisions({.sessions = {.all = true}})), SizeIs(10));
  const auto usage = (*reader)->Usage({});
  ASSERT_THAT(usage->points, SizeIs(1));  // both clocks passed that minute
  EXPECT_THAT(usage->points[0].mean.allocated, ElementsAre(1, 1));
}

TEST(Store, ASecondWriterIsTold) {
  const HistoryDir scratch;
  const auto first = OpenStore(scratch.path());
  const auto second = Store::Open(scratch.path(), {});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message,
              testing::AllOf(HasSubstr(scratch.file()), HasSubstr("in use by another process")));
}

TEST(Store, FaultyFilesAreNamed) {
  const auto message_with = [](const std::function<void(const std::string&)>& spoil) {
    const HistoryDir scratch;
    {
      EXPECT_NE(OpenStore(scratch.path()), nullptr);
    }
    spoil(scratch.file());
    const auto opened = Store::Open(scratch.path(), {});
    if (opened) return std::string("no error");
    EXPECT_THAT(opened.error().message, HasSubstr(scratch.file()));
    return opened.error().message;
  };
  EXPECT_THAT(message_with([](const std::string& file) {
                std::ofstream(file) << "this is no database, but long enough to look at as one";
              }),
              HasSubstr("is no history"));
  const auto run = [](const char* sql) {
    return [sql](const std::string& file) {
      const auto connection = Connection::Open({.path = file}, Connection::Access::kWrite);
      ASSERT_TRUE(connection);
      ASSERT_TRUE((*connection)->Do(sql));
    };
  };
  EXPECT_THAT(message_with(run("PRAGMA user_version=7")),
              HasSubstr("found schema 7, expected at most 2"));
  EXPECT_THAT(message_with(run("PRAGMA application_id=7")), HasSubstr("no history of Fairlead's"));
  EXPECT_THAT(message_with([](const std::string& file) {
                std::filesystem::remove(file);
                std::filesystem::create_directory(file);
              }),
              HasSubstr("unable to open"));
  EXPECT_THAT(message_with(run("DROP TABLE usage")), HasSubstr("no such table"));
}

TEST(Store, ADamagedFileIsNamed) {
  const HistoryDir scratch;
  {
    ASSERT_TRUE(OpenStore(scratch.path())->Write(Binds(0, 5'000), kNow));
  }
  {
    std::fstream file(scratch.file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(200);
    for (int i = 0; i < 20'000; ++i) file << "damaged!";
  }
  auto opened = Store::Open(scratch.path(), {});
  std::string message = opened ? "" : opened.error().message;
  if (opened) {
    const auto written = (*opened)->Write(Binds(0, 10), kNow);
    ASSERT_FALSE(written);
    message = written.error().message;
  }
  EXPECT_THAT(message, HasSubstr(scratch.file()));
}

TEST(Store, AWriteThatFailsLeavesNothingBehind) {
  const HistoryDir scratch;
  const auto store = OpenStore(scratch.path());
  const auto other = Connection::Open(store->location(), Connection::Access::kWrite);
  ASSERT_TRUE((*other)->Do("ALTER TABLE ended RENAME TO gone"));
  std::vector<Record> records = Binds(0, 3);
  records.emplace_back(Ended{.workload = "a/w", .queue = "new", .outcome = "Succeeded"});
  const std::int64_t seq = store->seq();
  EXPECT_FALSE(store->Write(records, kNow));
  EXPECT_EQ(store->seq(), seq);
  ASSERT_TRUE((*other)->Do("ALTER TABLE gone RENAME TO ended"));
  ASSERT_TRUE(store->Write(records, kNow));
  EXPECT_THAT(ReaderOf(*store)->Workloads({.queue = "new"})->rows, SizeIs(1));
}

// Who used what is its owner's to read, also where an earlier version had made it for all.
TEST(StoreFiles, AreTheOwnersOnly) {
  const ScratchDir scratch;
  const auto readable_by_others = [&] {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(scratch.path())) {
      const auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
      if ((file.status().permissions() & others) != std::filesystem::perms::none) {
        names.push_back(file.path().filename().string());
      }
    }
    return names;
  };
  for (int round = 0; round < 2; ++round) {
    const auto store = OpenStore(scratch.path());
    ASSERT_NE(store, nullptr);
    const std::vector<Record> records{Decision{.time = At(5), .type = "Bind"}};
    ASSERT_TRUE(store->Write(records, At(5)));
    EXPECT_TRUE(std::filesystem::exists(scratch.path() + "/history.sqlite-wal"));
    EXPECT_THAT(readable_by_others(), IsEmpty());
    for (const auto& file : std::filesystem::directory_iterator(scratch.path())) {
      std::filesystem::permissions(file, std::filesystem::perms(0644));
    }
  }
}

}  // namespace
}  // namespace fairlead::history
