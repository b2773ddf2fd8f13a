#include "host/if_submitted.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/result.h"
#include "host/explanation.h"
#include "host/offline_cluster.h"

namespace fairlead::host {
namespace {

using Key = std::pair<std::string_view, std::string>;
Key KeyOf(const objects::Object& object) {
  return {objects::QualifiedKindOf(object), objects::MetaOf(object).Key()};
}

Result<void> AllNew(const std::vector<objects::Object>& there,
                    const std::vector<objects::Object>& submitted) {
  std::set<Key> known;
  for (const objects::Object& object : there) known.insert(KeyOf(object));
  for (const objects::Object& object : submitted) {
    if (!known.contains(KeyOf(object))) continue;
    return Fail(fmt::format("{} {} is there already; `fairlead explain` says how it stands",
                            objects::KindOf(object), objects::MetaOf(object).Key()));
  }
  return {};
}

// Of all but the known.
std::set<std::string> NewWorkloads(const StateIndex& index, const std::vector<std::string>& known) {
  std::set<std::string> workloads;
  for (const std::string& name : index.Names()) {
    if (std::ranges::binary_search(known, name)) continue;
    const std::optional<StateIndex::Pod> pod = index.FindPod(name);
    const bool is_part = pod && !pod->foreign;
    workloads.emplace(is_part ? StateIndex::WorkloadOf(name, *pod) : std::string_view(name));
  }
  return workloads;
}

}  // namespace

server::Answer ExplainIfSubmitted(std::vector<objects::Object> there,
                                  const std::vector<std::string>& known,
                                  std::vector<objects::Object> submitted,
                                  const virtual_cluster::Options& options,
                                  const PastDurations& past) {
  const auto refused = [](std::string message) {
    return tl::unexpected(server::Refusal{.status = 400, .message = std::move(message)});
  };
  if (const auto all_new = AllNew(there, submitted); !all_new) {
    return refused(all_new.error().message);
  }
  for (objects::Object& object : submitted) {
    objects::Meta& meta = objects::MetaOf(object);
    if (!meta.creation_time) meta.creation_time = options.start;
  }
  std::ranges::move(submitted, std::back_inserter(there));
  OfflineCluster offline(there, options.start);
  const engine::PlanReport& plan = offline.Plan();
  boost::json::array all;
  for (const std::string& workload : NewWorkloads(offline.index(), known)) {
    auto said = Explain({.scheduler = offline.scheduler(),
                         .intake = offline.intake(),
                         .now = offline.now(),
                         .plan = &plan},
                        workload);
    if (said) all.push_back(*std::move(said));
  }
  if (all.empty()) return refused("there is no work in it that would be scheduled");
  AddExpectedStarts(there, options, {.from = past}, {all.data(), all.size()});
  return boost::json::serialize(boost::json::object{{"items", std::move(all)}}) + "\n";
}

}  // namespace fairlead::host
