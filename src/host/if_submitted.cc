#include "host/if_submitted.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "host/explanation.h"
#include "host/offline_cluster.h"

namespace fairlead::host {
namespace {

using Key = std::pair<std::string_view, std::string>;
Key KeyOf(const objects::Object& object) {
  return {objects::QualifiedKindOf(object), objects::MetaOf(object).Key()};
}

Result<bool> AllNew(const std::vector<objects::Object>& there,
                    const std::vector<objects::Object>& submitted) {
  std::set<Key> known;
  for (const objects::Object& object : there) known.insert(KeyOf(object));
  for (const objects::Object& object : submitted) {
    if (!known.contains(KeyOf(object))) continue;
    return Fail(fmt::format("{} {} is there already; `fairlead explain` says how it stands",
                            objects::KindOf(object), objects::MetaOf(object).Key()));
  }
  return true;
}

}  // namespace

Result<boost::json::array> ExplainIfSubmitted(std::vector<objects::Object> there,
                                              std::vector<objects::Object> submitted,
                                              const virtual_cluster::Options& options,
                                              const PastDurations& past) {
  if (const auto all_new = AllNew(there, submitted); !all_new) {
    return tl::unexpected(all_new.error());
  }
  OfflineCluster before(there, options.start);
  before.Settled();
  const std::vector<std::string> old = before.index().Names();
  for (objects::Object& object : submitted) {
    objects::Meta& meta = objects::MetaOf(object);
    if (!meta.creation_time) meta.creation_time = options.start;
  }
  std::ranges::move(submitted, std::back_inserter(there));
  OfflineCluster offline(there, options.start);
  const engine::PlanReport& plan = offline.Plan();
  std::map<std::string, boost::json::value> by_workload;
  for (const std::string& name : offline.index().Names()) {
    if (std::ranges::binary_search(old, name)) continue;
    auto said = Explain({.scheduler = offline.scheduler(),
                         .intake = offline.intake(),
                         .index = offline.index(),
                         .now = offline.now(),
                         .plan = &plan},
                        name);
    if (!said) continue;
    const boost::json::value* workload = said->get_object().if_contains("workload");
    by_workload.emplace(workload == nullptr ? name : std::string(workload->get_string()),
                        *std::move(said));
  }
  if (by_workload.empty()) return Fail("there is no work in it that would be scheduled");
  boost::json::array all;
  for (auto& [name, said] : by_workload) {
    AddExpectedStart(there, options, past, said);
    all.push_back(std::move(said));
  }
  return all;
}

}  // namespace fairlead::host
