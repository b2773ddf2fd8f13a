#include "host/other_schedulers.h"

#include <algorithm>
#include <set>
#include <variant>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "objects/templates.h"
#include "show/human_text.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;
using intake::OtherScheduler;
using objects::Object;

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma > 0) parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

// Calls visit(name) for every schedulerName in the object.
template <typename Visit>
void ForEachScheduler(Object& object, Visit visit) {
  if (auto* pod = std::get_if<objects::Pod>(&object)) visit(pod->spec.scheduler_name);
  if (auto* set = std::get_if<objects::DaemonSet>(&object)) {
    visit(set->pod_template.spec.scheduler_name);
  }
  objects::ForEachTemplate(object, [&](const std::string& /*set*/, objects::PodTemplate& from) {
    visit(from.spec.scheduler_name);
  });
}

std::string ConfiguredName(const objects::Manifest& manifest) {
  for (const Object& object : manifest.objects) {
    const auto* configuration = std::get_if<objects::SchedulerConfiguration>(&object);
    if (configuration != nullptr) return configuration->scheduler_name;
  }
  return objects::SchedulerConfiguration().scheduler_name;
}

}  // namespace

std::vector<std::string> OtherSchedulersText(const intake::Intake& intake) {
  const std::vector<OtherScheduler> others = intake.OtherSchedulers();
  if (others.empty()) return {};
  std::int64_t pods = 0;
  std::string counts, names;
  for (const OtherScheduler& other : others) {
    pods += other.pending;
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", other.name, other.pending);
    names += (names.empty() ? "" : ",") + other.name;
  }
  return {
      fmt::format("{} not Fairlead's by schedulerName, and left alone: {}.",
                  show::Counted(pods, "pending pod is", "pending pods are"), counts),
      fmt::format("`schedulerName: {}` in a pod's template makes it Fairlead's; --as {} answers "
                  "as if it were.",
                  intake.configuration().scheduler_name, names)};
}

void AddOtherSchedulers(const intake::Intake& intake, json::object& into) {
  json::array rows;
  for (const OtherScheduler& other : intake.OtherSchedulers()) {
    rows.push_back(json::object{{"schedulerName", other.name}, {"pendingPods", other.pending}});
  }
  if (!rows.empty()) into["otherSchedulers"] = std::move(rows);
}

void TakeAsOurs(const std::string& names, objects::Manifest& manifest) {
  const std::vector<std::string> taken = SplitAtCommas(names);
  const std::string ours = ConfiguredName(manifest);
  std::set<std::string> there;
  for (Object& object : manifest.objects) {
    ForEachScheduler(object, [&](std::string& scheduler) {
      there.insert(scheduler);
      if (std::find(taken.begin(), taken.end(), scheduler) != taken.end()) scheduler = ours;
    });
  }
  for (const std::string& name : taken) {
    if (there.contains(name)) continue;
    manifest.warnings.push_back(
        fmt::format("--as {}: no pod names that scheduler{}", name,
                    DidYouMean(name, std::vector<std::string>(there.begin(), there.end()))));
  }
}

}  // namespace fairlead::host
