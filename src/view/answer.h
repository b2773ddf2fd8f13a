#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "view/view.h"

// The view as JSON texts, as the page asks for them (docs/page.md, "REST").

namespace fairlead::view {

struct Question {
  enum class About : std::uint8_t {
    kSummary,
    kQueues,
    kNodes,
    kNode,
    kWorkloads,
    kWorkload,
    kDomains,
    kUsers,
    kFacets,
    kAhead,
    kLabels,
    kTop,
  };
  About about = About::kSummary;
  std::string name = {};  // kNode; kWorkload: "namespace/name"
  // kWorkloads (view/workload_list.h), kDomains (view/answer_domains.h), kNodes
  // (view/answer_nodes.h), kTop (view/answer_top.h)
  std::map<std::string, std::string> parameters = {};
};

struct Refused {
  bool not_there = false;  // else: the question is at fault
  std::string message;
};

// A JSON text with a line end. Thread safety: as the view's. Cost: O(rows of the tables asked for).
tl::expected<std::string, Refused> Answer(const View& view, const Question& question);

// How many workloads wait and run in each queue and those below it, by row of Tables::queues.
struct QueueLoad {
  std::int64_t pending = 0, running = 0;
};
std::vector<QueueLoad> LoadsOf(const Tables& tables);

}  // namespace fairlead::view
