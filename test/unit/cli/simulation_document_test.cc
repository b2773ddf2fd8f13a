#include "cli/simulation_document.h"

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "show/output.h"
#include "trace/jobs.h"
#include "trace/run.h"

namespace fairlead::cli {
namespace {

// Jobs of one pod and gangs of several for two queues on four nodes of 8 GPUs, where they wait and
// take room from each other. The namespace is no UTF-8, as a trace's names need not be.
trace::JobList Jobs() {
  trace::JobList list;
  list.machine = {.nodes = 4, .per_node = 8, .resource = "nvidia.com/gpu"};
  list.name_space = "s\xff";
  list.file = "made";
  list.digits = 3;
  std::mt19937_64 random(3);
  for (std::int64_t i = 1; i <= 150; ++i) {
    list.jobs.push_back({.number = i,
                         .arrives = Duration::Seconds(i * 20),
                         .runs = Duration::Seconds(static_cast<std::int64_t>(random() % 400)),
                         .amount = static_cast<std::int64_t>(1 + random() % 24),
                         .queue = list.QueueOf(random() % 2 == 0 ? "a" : "b"),
                         .line = static_cast<std::uint32_t>(i)});
  }
  list.Sort();
  return list;
}

enum class Ended : std::uint8_t { kKept, kForgotten };

std::string DocumentOf(Ended ended, show::Format format) {
  const auto jobs = std::make_shared<const trace::JobList>(Jobs());
  std::vector<objects::Object> objects;
  trace::AppendNodes(jobs->machine, Time{}, objects);
  for (const char* name : {"a", "b"}) {
    objects::Queue queue;
    queue.meta.name = name;
    queue.guaranteed = {{"nvidia.com/gpu", 16'000}};
    objects.emplace_back(std::move(queue));
  }
  SimulationDocument document;
  trace::RunOptions run{.jobs = jobs,
                        .keep_cluster = true,
                        .forget_ended = ended == Ended::kForgotten,
                        .observers = {&document}};
  if (run.forget_ended) document.KeepForgotten(run);
  const auto result = trace::Run(std::move(objects), run);
  if (!result) return {};
  // Otherwise nothing of interest would be left out.
  EXPECT_GT(result->metrics.evictions, 0);
  EXPECT_EQ(result->cluster->List("Pod").size() < 30, run.forget_ended);
  show::Output output(format, /*colour=*/false, /*out=*/nullptr);
  document.Print(*result, Time{}, output);
  return output.text();
}

TEST(SimulationDocument, TellsOfWhatIsForgottenAsOfWhatIsKept) {
  for (const show::Format format : {show::Format::kJson, show::Format::kYaml}) {
    const std::string kept = DocumentOf(Ended::kKept, format);
    EXPECT_GT(kept.size(), 100'000U);
    EXPECT_EQ(DocumentOf(Ended::kForgotten, format), kept);
  }
}

}  // namespace
}  // namespace fairlead::cli
