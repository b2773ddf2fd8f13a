#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "history/reader.h"
#include "history/recorder.h"
#include "history/store.h"
#include "unit/base/scratch_dir.h"

namespace fairlead::history {

inline constexpr Time kNow{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z

inline Time At(std::int64_t seconds) { return kNow + Duration::Seconds(seconds); }

struct HistoryDir : ScratchDir {
  std::string file() const { return FileIn(path()); }
};

inline Decision Bind(int i, const std::string& queue = "vision", const std::string& user = "") {
  return {.time = At(i),
          .type = "Bind",
          .pod = "a/p-" + std::to_string(i),
          .node = "n1",
          .workload = "a/p-" + std::to_string(i),
          .queue = queue,
          .user = user};
}

// With something in each of its fields.
inline Decision Eviction(Time time) {
  return {.time = time,
          .type = "Evict",
          .pod = "a/p",
          .node = "n1",
          .workload = "a/w",
          .queue = "vision",
          .user = "ada",
          .action = "Reclaim",
          .beneficiary = "b/x",
          .reason = "it's \"due\"",
          .pod_sets = {{.name = "ps", .count = 1}, {.name = "worker", .count = 15}}};
}

inline void ExpectSame(const Decision& got, const Decision& given) {
  EXPECT_EQ(got.time, given.time);
  EXPECT_EQ(got.type, given.type);
  EXPECT_EQ(got.pod, given.pod);
  EXPECT_EQ(got.node, given.node);
  EXPECT_EQ(got.workload, given.workload);
  EXPECT_EQ(got.queue, given.queue);
  EXPECT_EQ(got.user, given.user);
  EXPECT_EQ(got.action, given.action);
  EXPECT_EQ(got.beneficiary, given.beneficiary);
  EXPECT_EQ(got.reason, given.reason);
  EXPECT_EQ(got.pod_sets, given.pod_sets);
}

inline std::vector<Record> Binds(int from, int to) {
  std::vector<Record> records;
  for (int i = from; i < to; ++i) records.emplace_back(Bind(i));
  return records;
}

inline std::shared_ptr<const Resources> CpuAndGpu() {
  return std::make_shared<const Resources>(
      Resources{{.name = "cpu", .scale = 1000}, {.name = "nvidia.com/gpu", .scale = 1000}});
}

inline std::unique_ptr<Store> OpenStore(const std::string& directory, Mode mode = Mode::kReal,
                                        Bounds bounds = {}) {
  auto store = Store::Open(directory, bounds);
  if (!store || !(*store)->Begin(mode, kNow, kNow)) return nullptr;
  return std::move(*store);
}

// Names of pods, as they come.
inline std::vector<std::string> PodsOf(const Page<DecisionRow>& page) {
  std::vector<std::string> pods;
  for (const DecisionRow& row : page.rows) {
    if (!row.decision.pod.empty()) pods.push_back(row.decision.pod);
  }
  return pods;
}

}  // namespace fairlead::history
