#include "host/queue_medians.h"

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "history/records.h"
#include "unit/history/history_fixture.h"

namespace fairlead::host {
namespace {

class MediansSource : public history::Source {
 public:
  explicit MediansSource(std::string file) : file_(std::move(file)) {}
  Result<std::unique_ptr<history::Reader>> OpenReader() const override {
    return history::Reader::Open({.path = file_});
  }

 private:
  std::string file_;
};

// At once, and again after a while, with what ended since.
TEST(QueueMedians, AreToldNowAndThen) {
  const history::HistoryDir scratch;
  const auto store = history::OpenStore(scratch.path());
  ASSERT_NE(store, nullptr);
  const auto ended = [](int i, int ran) {
    return history::Ended{.workload = "a/b-" + std::to_string(i),
                          .queue = "lab",
                          .created = history::At(i),
                          .finished = history::At(i + ran),
                          .started = history::At(i),
                          .outcome = "Succeeded"};
  };
  std::vector<history::Record> records;
  for (int i = 0; i < 5; ++i) records.emplace_back(ended(i, 10 * (i + 1)));
  ASSERT_TRUE(store->Write(records, history::At(100)));

  const MediansSource source(scratch.file());
  std::promise<QueueMedians::Medians> first, later;
  int told = 0;
  bool ended_since = false;
  QueueMedians medians(
      source,
      [&](QueueMedians::Medians now) {
        if (++told == 1) return first.set_value(std::move(now));
        if (ended_since || now["lab"] == Duration::Seconds(30)) return;
        ended_since = true;
        later.set_value(std::move(now));
      },
      std::chrono::milliseconds(1));
  EXPECT_EQ(first.get_future().get().at("lab"), Duration::Seconds(30));
  records.clear();
  for (int i = 5; i < 8; ++i) records.emplace_back(ended(i, 100));
  ASSERT_TRUE(store->Write(records, history::At(200)));
  EXPECT_EQ(later.get_future().get().at("lab"), Duration::Seconds(50));
}

}  // namespace
}  // namespace fairlead::host
