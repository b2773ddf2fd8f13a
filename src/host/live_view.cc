#include "host/live_view.h"

#include <map>
#include <variant>

#include <fmt/format.h>

#include "effects/queue_status.h"
#include "engine/explain/report.h"
#include "engine/explain/report_json.h"
#include "host/table_rows.h"
#include "intake/intake.h"
#include "jobs/job_kind.h"
#include "objects/write/write_parts.h"
#include "objects/write/writer.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;
using engine::QueueReport;
using objects::Object;
using server::Query;
using server::Refusal;

constexpr std::string_view kOurApi = "fairlead.dev/v1alpha1";

json::object Condition(std::string_view type, bool holds, std::string_view reason,
                       std::string_view message) {
  return objects::ConditionToJson({.type = std::string(type),
                                   .holds = holds,
                                   .reason = std::string(reason),
                                   .message = std::string(message),
                                   .since = {}});
}

// Of the document of an object; made where there are none.
json::array& ConditionsIn(json::object& document) {
  json::value& status = document["status"];
  if (!status.is_object()) status = json::object();
  json::value& conditions = status.get_object()["conditions"];
  if (!conditions.is_array()) conditions = json::array();
  return conditions.get_array();
}

// A queue that stands in no document: the default one, and those that a dialect makes.
json::object WithoutDocument(const QueueReport& report) {
  json::object spec;
  if (!report.parent.empty()) spec["parent"] = report.parent;
  if (!report.derived_from.empty()) {
    const json::value all = engine::ToJson(report);
    for (const std::string_view key : {"guaranteed", "limit"}) spec[key] = all.at(key);
    if (report.derived_from.starts_with("ElasticQuota")) spec["weight"] = 0;
  }
  return {{"apiVersion", kOurApi},
          {"kind", "Queue"},
          {"metadata", json::object{{"name", report.name}}},
          {"spec", std::move(spec)},
          {"status", effects::QueueStatusOf(report)}};
}

json::array QueuesOf(const LiveSource& source, const Query& query) {
  json::array items;
  for (const QueueReport& report : engine::ReportQueues(source.cluster.scheduler())) {
    if (!query.name.empty() && report.name != query.name) continue;
    // A list can be read back, and what its queues are made of makes them again.
    if (query.name.empty() && !report.derived_from.empty()) continue;
    const Object* object = source.cluster.Find("Queue", "", report.name);
    if (object == nullptr) {
      items.push_back(WithoutDocument(report));
      continue;
    }
    json::value item = objects::ToJson(*object);
    item.get_object()["status"] = effects::QueueStatusOf(report);
    items.push_back(std::move(item));
  }
  return items;
}

// Where it is not admitted, why not: what is asked for is answered as of now.
void AddWhyPending(const LiveSource& source, const objects::Workload& workload,
                   json::object& into) {
  if (!workload.admission.empty()) return;
  const auto why =
      engine::Explain(source.cluster.scheduler(), workload.meta.Key(), source.cluster.Now());
  const bool waits = why && !why->reasons.empty();
  const std::string code(waits ? state::ToString(why->reasons[0].code) : "");
  json::array& conditions = ConditionsIn(into);
  json::array all{Condition("Admitted", false, code, waits ? why->reasons[0].message : "")};
  for (json::value& other : conditions) {
    if (other.at("type") != "Admitted") all.push_back(std::move(other));
  }
  conditions = std::move(all);
}

// One of Kueue's: whether it works, what of it is not followed, and a ClusterQueue's or Cohort's
// figures.
void AddKueueStatus(const LiveSource& source, const Object& object, json::object& into) {
  const std::string_view kind = objects::KindOf(object);
  const std::string key = objects::MetaOf(object).Key();
  if (kind != "ClusterQueue" && kind != "Cohort" && kind != "LocalQueue" &&
      kind != "ResourceFlavor") {
    return;
  }
  json::object status;
  const std::string derived = fmt::format("{} {}", kind, key);
  for (const QueueReport& report : engine::ReportQueues(source.cluster.scheduler())) {
    if (report.derived_from == derived) status = effects::QueueStatusOf(report);
  }
  json::object ready = Condition("Ready", true, "", "");
  json::array others;
  for (const intake::KueueProblem& problem : source.cluster.intake().kueue_problems()) {
    if (problem.kind != kind || problem.key != key) continue;
    const bool first = ready["status"] == "True";
    if (problem.stops && first) {
      ready = Condition("Ready", false, problem.code, problem.message);
    } else {
      others.push_back(Condition(problem.code, true, problem.code, problem.message));
    }
  }
  others.insert(others.begin(), std::move(ready));
  status["conditions"] = std::move(others);
  into["status"] = std::move(status);
}

json::array EventsOf(const LiveSource& source, const Query& query) {
  json::array items;
  for (const EventLog::Entry& row : source.log.entries()) {
    if (!query.name_space.empty() && !row.object.starts_with(query.name_space + "/")) continue;
    items.push_back(row.json);
  }
  return items;
}

// What the owners of jobs should mend, by the job's name; a Workload that stands for it shows it
// too. Looked up once for all: a walk over all objects.
using JobProblems = std::map<std::string, std::vector<const intake::Finding*>, std::less<>>;

bool IsOfJobs(std::string_view kind) {
  return kind == "Workload" || jobs::FindKind(kind) != nullptr;
}

JobProblems ProblemsOf(const std::vector<intake::Finding>& findings) {
  JobProblems problems;
  for (const intake::Finding& finding : findings) {
    const std::size_t space = finding.object.find(' ');
    const bool told = finding.code == "MinimumInvalid" || finding.code == "JobEdited" ||
                      finding.code == intake::kNameTaken;
    if (!told || jobs::FindKind(finding.object.substr(0, space)) == nullptr) continue;
    problems[finding.object.substr(space + 1)].push_back(&finding);
  }
  return problems;
}

// Of one kind of job where several have the name: its own.
void AddProblems(const JobProblems& problems, const Object& object, json::object& into) {
  const auto found = problems.find(objects::MetaOf(object).Key());
  if (found == problems.end()) return;
  const bool is_workload = std::holds_alternative<objects::Workload>(object);
  for (const intake::Finding* finding : found->second) {
    const std::string own = fmt::format("{} {}", objects::KindOf(object), found->first);
    if (!is_workload && finding->object != own) continue;
    if (is_workload && finding->code == intake::kNameTaken) continue;
    ConditionsIn(into).push_back(Condition(finding->code, true, finding->code, finding->message));
  }
}

json::array StoredOf(const LiveSource& source, const Query& query) {
  std::vector<intake::Finding> findings;
  if (IsOfJobs(query.kind->kind)) findings = source.cluster.intake().Findings();
  const JobProblems problems = ProblemsOf(findings);
  const PendingRows pending(source.view);
  json::array items;
  for (const Object* object : source.cluster.List(query.kind->kind)) {
    if (!query.Wants(objects::MetaOf(*object))) continue;
    json::value item = objects::ToJson(*object);
    if (const auto* workload = std::get_if<objects::Workload>(object)) {
      AddWhyPending(source, *workload, item.get_object());
    }
    pending.AddStart(objects::MetaOf(*object).Key(), item.get_object());
    AddKueueStatus(source, *object, item.get_object());
    AddProblems(problems, *object, item.get_object());
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace

Refusal NotThere(const LiveSource& source, const Query& query) {
  std::vector<std::string> names;
  for (const Object* object : source.cluster.List(query.kind->kind)) {
    const objects::Meta& meta = objects::MetaOf(*object);
    if (meta.name_space == query.name_space) names.push_back(meta.name);
  }
  return NoSuch(query, names);
}

namespace {

json::array UsersOf(const LiveSource& source, const Query& query) {
  json::array items;
  for (const engine::UserReport& user : engine::ReportUsers(source.cluster.scheduler())) {
    if (!query.name.empty() && user.name != query.name) continue;
    items.push_back(engine::ToJson(user));
  }
  return items;
}

}  // namespace

JsonOrRefusal ObjectsOf(const LiveSource& source, const Query& query) {
  json::array items;
  if (query.kind->kind == "Queue") {
    items = QueuesOf(source, query);
  } else if (query.kind->kind == "User") {
    items = UsersOf(source, query);
  } else if (query.kind->kind == "Event") {
    items = EventsOf(source, query);
  } else {
    items = StoredOf(source, query);
  }
  if (query.name.empty()) {
    return json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
  }
  if (items.empty()) return tl::unexpected(NotThere(source, query));
  return std::move(items[0]);
}

}  // namespace fairlead::host
