#include "unit/live/any_jobs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "jobs/admission_note.h"
#include "jobs/job_kind.h"
#include "objects/read/json_fields.h"
#include "objects/read/reader.h"
#include "objects/write/writer.h"
#include "unit/jobs/any_job.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::JobObject;
using objects::JobRow;
using objects::TextAt;

namespace json = boost::json;

constexpr int kMostPods = 7;

// A platform's own kind, as its administrator says it. Its pods name one pod set by a value of
// their own, and every other value is the other's.
constexpr std::string_view kOwnKind = R"(
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
jobKinds:
- group: faults.example.com
  versions: [v1]
  kind: Simulation
  plural: simulations
  suspend: spec.paused
  finished: {path: status.state, values: [Done, Broken], succeeded: [Done]}
  podLabels:
    job: faults.example.com/simulation
    podSet: faults.example.com/part
    values: {"0": control, "*": solver}
  minTotal: spec.minPods
  podSets:
  - {name: control, template: spec.control.template}
  - name: solver
    count: [spec.solver.groups, spec.solver.perGroup]
    min: spec.solver.minGroups
    countWritable: true
    template: spec.solver.template
)";

void AddOwnKind() {
  objects::Manifest manifest;
  objects::ReadText(kOwnKind, "own", objects::CoreDecoders(), manifest);
  for (const objects::Fault& fault : manifest.faults) ADD_FAILURE() << fault.ToString();
  objects::AddJobRows(
      std::get<objects::SchedulerConfiguration>(manifest.objects.front()).job_kinds);
}

objects::PodTemplate OfACpu() {
  objects::PodTemplate of;
  of.spec.scheduler_name = "fairlead";
  of.spec.needs.request = {{"cpu", 1000}};
  return of;
}

// Each element of a list has something that nobody here has heard of, and the job, too.
void AddStrangers(json::object& spec) {
  spec["strange"] = json::object{{"a", 1}, {"list", json::array{1, 2}}};
  for (auto& [key, value] : spec) {
    if (!value.is_array()) continue;
    for (json::value& element : value.get_array()) {
      if (element.is_object()) element.get_object()["strange"] = json::object{{"b", key}};
    }
  }
}

void EraseAt(json::value& object, std::span<const std::string> names) {
  if (object.is_array()) {  // of each, whichever the path means
    for (json::value& element : object.get_array()) EraseAt(element, names.subspan(1));
    return;
  }
  if (!object.is_object()) return;
  if (names.size() == 1) {
    object.get_object().erase(names.front());
  } else if (json::value* below = object.get_object().if_contains(names.front())) {
    EraseAt(*below, names.subspan(1));
  }
}

// What admission does not write.
json::value Untouched(const JobRow& row, const json::value& spec) {
  json::value job = json::object{{"spec", spec}};
  if (!row.is_generic()) {
    for (const char* field : {"suspend", "parallelism", "completions"}) {
      job.at("spec").as_object().erase(field);
    }
    return job;
  }
  EraseAt(job, row.suspend.names());
  for (const JobRow::PodSet& set : row.pod_sets) {
    if (!set.count_writable) continue;
    std::size_t next = 0;
    objects::ForEachField({set.count.front()}, [&](const objects::FieldPath& path) {
      if (next++ == objects::WrittenValue(set)) EraseAt(job, path.names());
    });
  }
  return job;
}

jobs::Assignments AssignedIn(const json::value& list) {
  jobs::Assignments assigned;
  for (const json::value& each : list.as_array()) {
    assigned.push_back({.name = TextAt(each, "name"),
                        .count = static_cast<std::int32_t>(each.at("count").as_int64())});
  }
  return assigned;
}

const json::value* AdmissionOf(const json::object& workload) {
  const json::value* status = workload.if_contains("status");
  return status == nullptr ? nullptr : At(*status, "admission");
}

void ExpectRunsWith(const objects::Object& job, const jobs::Assignments& admitted) {
  EXPECT_EQ(jobs::UnlikeItsAdmission(job, admitted), "")
      << objects::KindOf(job) << " " << objects::MetaOf(job).name;
}

}  // namespace

AnyJobs::AnyJobs(LiveWorld& world, Random& random, bool workloads_stay)
    : world_(world), random_(random), workloads_stay_(workloads_stay) {
  AddOwnKind();
  const std::vector<const JobRow*> all = jobs::DrawnRows();
  for (int i = 0; i < 2; ++i) {
    // Jobs are what most have.
    const JobRow* row = OneIn(5) ? objects::FindJobRow("Job") : all[random_.Below(all.size())];
    if (std::ranges::find(rows_, row) == rows_.end()) rows_.push_back(row);
  }
  ServeAll();
  world_.api.OnChange([this] { Watch(); });
}

void AnyJobs::ServeAll() {
  for (const JobRow* row : rows_) world_.ServeJobs(*row);
}

std::vector<std::string> AnyJobs::Plurals() const {
  std::set<std::string> plurals = {"jobs"};
  for (const JobRow* row : rows_) {
    plurals.insert(row->plural);
    for (const JobRow::Made& made : row->makes) {
      plurals.insert(objects::FindJobRow(made.kind)->plural);
    }
  }
  return {plurals.begin(), plurals.end()};
}

// What another job made may have its name.
const JobRow* AnyJobs::RowOf(const std::string& key) const {
  for (const JobRow* row : rows_) {
    const json::object* job = world_.api.Find(row->plural, key);
    if (job != nullptr && OwnerUid(*job).empty()) return row;
  }
  return nullptr;
}

const json::object* AnyJobs::Find(const std::string& key) const {
  const JobRow* row = RowOf(key);
  return row == nullptr ? nullptr : world_.api.Find(row->plural, key);
}

// What happens ------------------------------------------------------------------------------------

void AnyJobs::Add() {
  const std::string name = "j" + std::to_string(random_.Below(3));
  const JobRow& row = *rows_[random_.Below(rows_.size())];
  const std::string key = "team/" + name;
  if (Find(key) != nullptr || !world_.api.IsServed(row.plural)) return;
  objects::Object job = jobs::DrawJob(row, OfACpu(), kMostPods, random_);
  objects::Meta& meta = objects::MetaOf(job);
  meta.name = name;
  meta.name_space = "team";
  meta.labels = {{"fairlead.dev/queue", "default"}};
  json::object shown = objects::ToJson(job).as_object();
  shown["metadata"].as_object()["creationTimestamp"] = world_.Stamp();
  AddStrangers(shown["spec"].as_object());
  submitted_[key] = shown["spec"];
  world_.api.Put(row.plural, std::move(shown));
}

void AnyJobs::Change() {
  const std::string key = "team/j" + std::to_string(random_.Below(3));
  const JobRow* row = RowOf(key);
  if (row == nullptr) return;
  if (OneIn(3)) return world_.Delete(row->plural, key);
  json::object job = *world_.api.Find(row->plural, key);
  const JobRow::Finished& finished = row->finished;
  if (OneIn(3) && !finished.succeeded.empty()) {
    // As its controller says it, well or badly.
    ++totals_.ended;
    if (!finished.path.empty()) {
      job["status"] = json::object{{finished.path.last(), finished.values[random_.Below(2)]}};
    } else if (row->is_generic()) {
      job["status"] = json::object{
          {"conditions", {{{"type", finished.conditions[random_.Below(2)]}, {"status", "True"}}}}};
    } else {
      job["status"] = json::object{
          {"conditions", {{{"type", OneIn(2) ? "Complete" : "Failed"}, {"status", "True"}}}}};
    }
  } else {
    json::value& annotations = job["metadata"].as_object()["annotations"];
    if (!annotations.is_object()) annotations = json::object();
    annotations.as_object()["note"] = std::to_string(random_.Below(1000));
  }
  world_.api.Put(row->plural, std::move(job));
}

bool AnyJobs::DeleteWorkload() {
  std::vector<std::string> keys;
  for (const auto& [key, workload] : world_.api.All("workloads")) {
    if (Find(key) != nullptr) keys.push_back(key);
  }
  if (keys.empty()) return false;
  world_.Delete("workloads", keys[random_.Below(keys.size())]);
  return true;
}

bool AnyJobs::ToggleDefinition() {
  const JobRow& row = *rows_[random_.Below(rows_.size())];
  if (row.always_served) return false;
  ++totals_.withdrawn;
  if (world_.api.IsServed(row.plural)) {
    world_.api.Withdraw(row.plural);
  } else {
    world_.ServeJobs(row);
  }
  return true;
}

// At every change ---------------------------------------------------------------------------------

void AnyJobs::Watch() {
  for (const JobRow* row : rows_) {
    for (const auto& [key, job] : world_.api.All(row->plural)) {
      const json::value& meta = job.at("metadata");
      Known& known = known_[row->plural + " " + key];
      const std::string version = TextAt(meta, "resourceVersion");
      if (known.version == version || !OwnerUid(job).empty()) continue;
      if (known.uid != TextAt(meta, "uid")) known = {.uid = TextAt(meta, "uid"), .version = {}};
      known.version = version;
      JudgeChange(*row, key, job);
    }
  }
}

void AnyJobs::JudgeChange(const JobRow& row, const std::string& key, const json::object& job) {
  const json::value& spec = job.at("spec");
  const json::value& submitted = submitted_.at(key);
  if (row.is_let_go_by_pods()) {
    EXPECT_EQ(spec, submitted) << key << " is let go by its pods, and was changed";
    return;
  }
  const objects::Object now = ReadShown(job);
  const jobs::JobKind& kind = *jobs::FindKind(row.kind);
  Known& known = known_.at(row.plural + " " + key);
  const bool was_suspended = std::exchange(known.suspended, kind.IsSuspended(now));
  if (known.suspended) {
    EXPECT_EQ(spec, submitted) << row.kind << " " << key << " waits as another than it came";
    EXPECT_FALSE(jobs::NoteOf(now).has_value()) << row.kind << " " << key;
    totals_.stopped[row.kind] += was_suspended ? 0 : 1;
    return;
  }
  EXPECT_EQ(Untouched(row, spec), Untouched(row, submitted)) << row.kind << " " << key;
  if (!was_suspended) return;
  ++totals_.let_go[row.kind];
  JudgeLetGo(key, job);
}

// By the note on it, and where nobody takes Workloads away by its Workload.
void AnyJobs::JudgeLetGo(const std::string& key, const json::object& job) {
  const objects::Object now = ReadShown(job);
  const jobs::JobKind& kind = *jobs::KindOf(now);
  const std::optional<jobs::AdmissionNote> note = jobs::NoteOf(now);
  ASSERT_TRUE(note.has_value()) << kind.kind() << " " << key << " is let go without a note";
  ExpectRunsWith(now, note->admitted);
  if (!workloads_stay_) return;
  const json::object* workload = world_.api.Find("workloads", key);
  ASSERT_NE(workload, nullptr) << kind.kind() << " " << key << " is let go without a Workload";
  EXPECT_EQ(OwnerUid(*workload), TextAt(job.at("metadata"), "uid")) << key;
  const json::value* admission = AdmissionOf(*workload);
  ASSERT_NE(admission, nullptr) << kind.kind() << " " << key << " is let go and not admitted";
  ExpectRunsWith(now, AssignedIn(admission->at("podSetAssignments")));
}

// At rest -----------------------------------------------------------------------------------------

void AnyJobs::JudgeAtRest() {
  for (const std::string& plural : Plurals()) {
    for (const auto& [key, job] : world_.api.All(plural)) {
      const JobRow* row = objects::FindJobRow(TextAt(job, "kind"));
      if (OwnerUid(job).empty()) {
        JudgeJob(*row, key, job);
      } else {
        // What another job made is that one's, with all its pods.
        const json::object* workload = world_.api.Find("workloads", key);
        const std::string uid = TextAt(job.at("metadata"), "uid");
        EXPECT_FALSE(workload != nullptr && OwnerUid(*workload) == uid) << row->kind << " " << key;
        EXPECT_FALSE(jobs::NoteOf(ReadShown(job)).has_value()) << row->kind << " " << key;
      }
    }
  }
}

void AnyJobs::JudgeJob(const JobRow& row, const std::string& key, const json::object& shown) {
  const objects::Object job = ReadShown(shown);
  const jobs::JobKind& kind = *jobs::FindKind(row.kind);
  const json::object* workload = world_.api.Find("workloads", key);
  if (row.is_let_go_by_pods()) {
    EXPECT_EQ(workload, nullptr) << key << " is let go by its pods";
    return JudgeGroups(key, std::get<JobObject>(job));
  }
  if (kind.IsComplete(job)) {
    if (workload != nullptr && AdmissionOf(*workload) != nullptr) {
      EXPECT_TRUE(Holds(*workload, "Finished")) << row.kind << " " << key;
    }
    return;
  }
  const bool is_admitted = workload != nullptr && AdmissionOf(*workload) != nullptr;
  EXPECT_EQ(!kind.IsSuspended(job), is_admitted) << row.kind << " " << key;
  if (kind.IsSuspended(job)) {
    ++totals_.waiting[row.kind];
  } else if (is_admitted) {
    JudgeRunning(row, key, job);
  }
}

void AnyJobs::JudgeRunning(const JobRow& row, const std::string& key, const objects::Object& job) {
  const jobs::JobKind& kind = *jobs::FindKind(row.kind);
  const json::object& workload = *world_.api.Find("workloads", key);
  EXPECT_EQ(OwnerUid(workload), objects::MetaOf(job).uid) << row.kind << " " << key;
  const jobs::Assignments admitted = AssignedIn(AdmissionOf(workload)->at("podSetAssignments"));
  ExpectRunsWith(job, admitted);
  // It asks what it asked at first.
  objects::Object first = job;
  json::object shown = *Find(key);
  shown["spec"] = submitted_.at(key);
  first = ReadShown(shown);
  const jobs::Assignments asked = AssignedIn(workload.at("spec").at("podSets"));
  bool fewer = false;
  int most = 0;
  for (const jobs::PodSet& set : kind.PodSets(first)) {
    const std::int32_t count = jobs::CountOf(admitted, set.name).value_or(0);
    EXPECT_EQ(jobs::CountOf(asked, set.name), set.count) << row.kind << " " << key;
    EXPECT_GE(count, set.min_count) << row.kind << " " << key << " " << set.name;
    fewer |= count < set.count;
    most += count;
  }
  ++totals_.running[row.kind];
  totals_.fewer[row.kind] += fewer ? 1 : 0;
  const int bound = BoundByJob()[objects::MetaOf(job).uid];
  EXPECT_LE(bound, most) << row.kind << " " << key << " has more than it was admitted with";
}

// By the uid of the job; of what it made the pods are its own.
std::map<std::string, int> AnyJobs::BoundByJob() {
  std::map<std::string, std::string> makers;
  for (const std::string& plural : Plurals()) {
    for (const auto& [key, job] : world_.api.All(plural)) {
      if (!OwnerUid(job).empty()) makers[TextAt(job.at("metadata"), "uid")] = OwnerUid(job);
    }
  }
  std::map<std::string, int> bound;
  for (const auto& [key, pod] : world_.api.All("pods")) {
    if (NodeIn(pod).empty() || IsMarked(pod)) continue;
    const auto maker = makers.find(OwnerUid(pod));
    ++bound[maker == makers.end() ? OwnerUid(pod) : maker->second];
  }
  return bound;
}

// A group is placed as a whole, or not at all; in part where room was lost that was held for pods
// to come.
void AnyJobs::JudgeGroups(const std::string& key, const JobObject& job) {
  std::map<std::string, std::pair<int, int>> groups;  // pods, and those that are bound
  for (const auto& [name, pod] : world_.api.All("pods")) {
    if (OwnerUid(pod) != job.meta.uid) continue;
    auto& [pods, bound] =
        groups[TextAt(pod.at("metadata").at("labels"), job.row->pod_labels.group)];
    ++pods;
    bound += NodeIn(pod).empty() ? 0 : 1;
  }
  for (const auto& [group, count] : groups) {
    const auto& [pods, bound] = count;
    const bool in_part =
        job.is_in_order() &&
        held_rooms_.MayBeLost(group.empty() ? key : fmt::format("{}-{}", key, group));
    EXPECT_TRUE(bound == 0 || bound == pods || in_part)
        << key << " " << group << ": " << bound << " of " << pods;
    ++(bound > 0 ? totals_.running : totals_.waiting)[job.row->kind];
  }
}

}  // namespace fairlead::live
