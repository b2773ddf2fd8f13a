#include "live/admissions.h"

#include <algorithm>
#include <span>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "effects/workload_status.h"
#include "jobs/job_kind.h"
#include "jobs/queued_job.h"
#include "live/refusals.h"
#include "live/requests.h"
#include "live/resources.h"
#include "objects/job_rows.h"
#include "objects/key.h"
#include "objects/read/json_fields.h"
#include "objects/write/writer.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::ParseJson;
using objects::TextAt;

namespace json = boost::json;

// An edit of the job that we have yet to see.
constexpr Duration kSoon{.us = 200'000};
// Of kSoon, for another version of a job to be shown, until the server is asked for it: 2 s at
// first, twice as long each time that it knows of no other one either, 30 s at most.
constexpr int kFirstPatience = 10, kMostPatience = 150;

std::string Line(const std::string& workload) { return "Workload " + workload; }

std::string MetaTextIn(const std::string& body, std::string_view key) {
  const json::value object = ParseJson(body);
  const json::value* meta = At(object, "metadata");
  return meta == nullptr ? std::string() : TextAt(*meta, key);
}

// `workload` as the server has it.
bool Admits(const std::string& workload) {
  const json::value object = ParseJson(workload);
  const json::value* status = At(object, "status");
  return status != nullptr && At(*status, "admission") != nullptr;
}

bool HasEnded(const objects::Object& job) {
  return jobs::KindOf(job)->IsComplete(job) || objects::MetaOf(job).deletion_time.has_value();
}

// Whoever admitted the job anew could not let it know any more.
bool RunsByAnother(const objects::Object& job, const objects::Workload& workload) {
  const std::optional<jobs::AdmissionNote> note = jobs::NoteOf(job);
  return note && std::ranges::any_of(workload.admission, [&](const auto& set) {
           return jobs::CountOf(note->admitted, set.name) != set.count;
         });
}

// To the API an absent `suspend` is false. But KubeRay goes on only where it is told so.
void SayFalse(json::value& patch, std::span<const std::string> path) {
  json::value* at = patch.is_object() ? patch.get_object().if_contains(path.front()) : nullptr;
  if (at == nullptr) return;
  if (path.size() > 1) {
    SayFalse(*at, path.subspan(1));
  } else if (at->is_null()) {
    *at = false;
  }
}

}  // namespace

Admissions::Admissions(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
                       std::function<void(const std::string&)> on_problem)
    : loop_(loop),
      writer_(writer),
      cache_(cache),
      on_problem_(std::move(on_problem)),
      timers_(loop) {}

void Admissions::Report(std::string_view what, const std::string& workload,
                        const kube::Status& status) {
  Say(fmt::format("{} {}: {}", what, workload, status.ToString()));
}

void Admissions::Say(const std::string& message) {
  if (on_problem_) on_problem_(message);
}

Admissions::Row& Admissions::RowOf(const std::string& workload) {
  const auto [at, is_new] = rows_.try_emplace(workload);
  Row& row = at->second;
  const objects::Workload* shown = cache_.Workload(workload);
  if (!is_new || shown == nullptr) return row;
  objects::Workload copy = *shown;
  effects::MoveStatus(copy, row.status);
  std::erase_if(row.status.conditions, Refusals::IsOurs);  // written apart
  row.asked = jobs::AskedOf(*shown);
  return row;
}

// Null where there is no Workload whose status could be written.
Admissions::Row* Admissions::RowOfWorkload(const std::string& workload) {
  if (cache_.Workload(workload) != nullptr) return &RowOf(workload);
  const auto at = rows_.find(workload);
  return at != rows_.end() && !at->second.made.empty() ? &at->second : nullptr;
}

// Also where its Workload is yet to be made: the first status of that one says what it is told.
Admissions::Row* Admissions::RowToTell(const std::string& workload) {
  if (Row* row = RowOfWorkload(workload)) return row;
  const auto at = rows_.find(workload);
  return at == rows_.end() ? nullptr : &at->second;
}

bool Admissions::IsAt(const std::string& workload, Step step, std::uint64_t turn) const {
  const auto at = rows_.find(workload);
  return at != rows_.end() && at->second.step == step && at->second.turn == turn;
}

// Unless something else was decided meanwhile.
void Admissions::Again(const std::string& workload, Duration delay,
                       void (Admissions::*step)(const std::string&)) {
  const Row& row = rows_.at(workload);
  timers_.After(delay, [this, workload, at = row.step, turn = row.turn, step] {
    if (IsAt(workload, at, turn)) (this->*step)(workload);
  });
}

// Admission ---------------------------------------------------------------------------------------

void Admissions::Admit(const effects::AdmitWorkload& admit) {
  // Of a dialect, perhaps: its own controller says it.
  if (!StopsByJob(admit.workload) && RowOfWorkload(admit.workload) == nullptr) return;
  Row& row = RowOf(admit.workload);
  const objects::Workload* shown = cache_.Workload(admit.workload);
  const CachedObject* job = cache_.JobOf(admit.workload);
  std::string queue = row.status.admission_queue;
  if (job != nullptr) {
    queue = jobs::QueueNamedBy(objects::MetaOf(job->object).labels);
  } else if (shown != nullptr) {
    queue = shown->queue_name;
  }
  effects::Note(admit, queue, loop_.WallNow(), row.status);
  ++row.turn;
  row.step = Step::kAdmitting;
  row.lost.reset();
  if (job != nullptr) {
    row.job = job->ref.uid;
    MakeWorkload(admit.workload);
  } else {
    WriteStatus(admit.workload);
    row.step = Step::kNone;
  }
}

// What is under way may have been decided for another job, which had the name: where this one is of
// another kind, it is shown before that one is seen to go. Whether it was: it is given up then.
bool Admissions::WasForAnother(const std::string& workload, const CachedObject& job) {
  const Row& row = rows_.at(workload);
  if (row.step != Step::kAdmitting || row.job == job.ref.uid) return false;
  rows_.erase(workload);
  return true;
}

// The Workload that stands for a job, as the job is now.
void Admissions::MakeWorkload(const std::string& workload) {
  const CachedObject* job = cache_.JobOf(workload);
  if (job == nullptr) return;  // it is gone, and its Workload with it
  if (WasForAnother(workload, *job)) return;
  const jobs::JobKind& kind = *jobs::KindOf(job->object);
  const jobs::FindJob of_its_name = cache_.JobsNamed(workload);
  objects::Workload fresh = jobs::WorkloadFor(job->object, kind, of_its_name);
  // What runs has the counts of its admission: the Workload, or the note, has what it asks.
  const bool runs = !kind.IsSuspended(job->object);
  if (const objects::Workload* shown = cache_.Workload(workload)) {
    fresh.active = shown->active;
    if (runs) fresh.pod_sets = shown->pod_sets;
  } else if (const auto note = jobs::NoteOf(job->object); runs && note) {
    objects::Object before = job->object;
    kind.Restore(before, note->admitted, note->asked);
    fresh = jobs::WorkloadFor(before, kind, of_its_name);
  }
  Row& row = rows_.at(workload);
  row.asked = jobs::AskedOf(fresh);
  json::object object = objects::ToJson(objects::Object(std::move(fresh))).as_object();
  object.erase("status");
  object["spec"].as_object().erase("priority");  // a number is for files only: the CRD has none
  writer_.Send(Line(workload), Apply(resources::Workloads(), workload, std::move(object), {}),
               [this, workload, step = row.step, turn = row.turn](const WriteResult& result) {
                 if (const auto at = rows_.find(workload); at != rows_.end() && result.done) {
                   at->second.made = MetaTextIn(result.body, "uid");
                 }
                 if (!IsAt(workload, step, turn)) return;
                 if (!result.done) {
                   Report("cannot write Workload", workload, result.status);
                   Again(workload, kube::kAfterRefusal, &Admissions::MakeWorkload);
                   return;
                 }
                 if (step == Step::kReserving) rows_.at(workload).step = Step::kNone;
                 WriteStatus(workload, [this, workload, turn] {
                   if (IsAt(workload, Step::kAdmitting, turn)) PatchJob(workload);
                 });
               });
}

void Admissions::PatchJob(const std::string& workload) {
  const CachedObject* job = cache_.JobOf(workload);
  if (job == nullptr) return Rest(workload);
  if (WasForAnother(workload, *job)) return;
  if (WaitsForJob(workload, *job)) return;
  Row& row = rows_.at(workload);
  const jobs::JobKind& kind = *jobs::KindOf(job->object);
  objects::Object after = job->object;
  if (row.step == Step::kStopping) {
    if (!row.lost && row.status.admission.empty()) row.lost = jobs::NoteOf(after);
    const jobs::AdmissionNote from = row.lost.value_or(
        jobs::AdmissionNote{.admitted = row.status.admission, .asked = row.asked});
    kind.Restore(after, from.admitted, from.asked);
    jobs::ClearNote(after);
  } else if (!kind.IsComplete(after)) {
    // What runs has the counts that it was let run with before.
    const auto note = jobs::NoteOf(after);
    if (note && !kind.IsSuspended(after)) kind.Restore(after, note->admitted, note->asked);
    kind.RunWith(after, row.status.admission);
    jobs::WriteNote(after, {.admitted = row.status.admission, .asked = row.asked});
  }
  json::value known = objects::ToJson(job->object);
  json::value wanted = objects::ToJson(after);
  json::value patch = MergePatch(known, wanted);
  if (patch.is_null()) return JobIsSo(workload);
  const kube::Resource resource = resources::OfJob(job->object);
  if (!ReplacesList(patch)) return SendPatch(workload, resource, job->ref, std::move(patch));
  // We know of a list's elements what decides something: the rest is the server's to tell.
  writer_.Send(Line(workload), Get(resource, workload),
               [this, workload, resource, turn = row.turn, step = row.step, ref = job->ref,
                known = std::move(known), wanted = std::move(wanted)](const WriteResult& result) {
                 if (!IsAt(workload, step, turn)) return;
                 if (!result.done) return JobPatched(workload, step, result);
                 const json::value whole = ParseJson(result.body);
                 json::value changed = whole;
                 if (MetaTextIn(result.body, "resourceVersion") != ref.version ||
                     !CarryOver(known, wanted, changed)) {
                   return Again(workload, kSoon, &Admissions::PatchJob);
                 }
                 SendPatch(workload, resource, ref, MergePatch(whole, changed));
               });
}

void Admissions::SendPatch(const std::string& workload, const kube::Resource& resource,
                           const kube::ObjectRef& ref, json::value patch) {
  const Row& row = rows_.at(workload);
  SayFalse(patch, objects::FindJobRow(resource.kind)->suspend.names());
  writer_.Send(Line(workload), Patch(resource, ref, std::move(patch)),
               [this, workload, turn = row.turn, step = row.step,
                version = ref.version](const WriteResult& result) {
                 NoteJobVersion(workload, version, result);
                 if (IsAt(workload, step, turn)) JobPatched(workload, step, result);
               });
}

void Admissions::JobPatched(const std::string& workload, Step step, const WriteResult& result) {
  if (result.done || kube::IsNotFound(result.status)) {
    JobIsSo(workload);
  } else if (kube::IsConflict(result.status)) {
    Again(workload, kSoon, &Admissions::PatchJob);
  } else {
    Report(step == Step::kStopping ? "cannot suspend" : "cannot start", workload, result.status);
    Again(workload, kube::kAfterRefusal, &Admissions::PatchJob);
  }
}

// The patch of that version of the job has an outcome.
void Admissions::NoteJobVersion(const std::string& workload, const std::string& version,
                                const WriteResult& result) {
  if (version.empty()) return;
  bool replaced = kube::IsConflict(result.status);
  if (result.done) {
    replaced = MetaTextIn(result.body, "resourceVersion") != version;
  }
  if (!replaced) return;
  Passed& passed = passed_[workload];
  passed.version = version;
  passed.waits = 0;
  if (result.done) passed.patience = 0;
}

// While the job is still shown in a version that is not the newest.
bool Admissions::WaitsForJob(const std::string& workload, const CachedObject& job) {
  const auto passed = passed_.find(workload);
  if (passed == passed_.end()) return false;
  Passed& shown = passed->second;
  if (shown.version.empty()) return false;  // it is not passed: tried again
  if (shown.version != job.ref.version) {
    passed_.erase(passed);
    return false;
  }
  shown.patience = std::max(shown.patience, kFirstPatience);
  if (++shown.waits < shown.patience) {
    Again(workload, kSoon, &Admissions::PatchJob);
  } else {
    AskForJob(workload);
  }
  return true;
}

// A conflict need not be one of versions: a webhook, or a proxy, may answer so as well. Where the
// server has the job as it is shown, the same patch is sent again. Else the watch will show it.
void Admissions::AskForJob(const std::string& workload) {
  const CachedObject* job = cache_.JobOf(workload);
  const Row& row = rows_.at(workload);
  writer_.Send(
      Line(workload), Get(resources::OfJob(job->object), workload),
      [this, workload, step = row.step, turn = row.turn](const WriteResult& result) {
        if (!IsAt(workload, step, turn)) return;
        const auto passed = passed_.find(workload);
        if (passed != passed_.end()) {
          passed->second.waits = 0;
          if (result.done && MetaTextIn(result.body, "resourceVersion") == passed->second.version) {
            passed->second.version.clear();
            passed->second.patience = std::min(passed->second.patience * 2, kMostPatience);
            Say(workload + ": its job's change was refused (409), though the job is as it was");
          }
        }
        Again(workload, {}, &Admissions::PatchJob);
      });
}

// The job runs, or is suspended, as was wanted; or it is gone.
void Admissions::JobIsSo(const std::string& workload) {
  if (rows_.at(workload).step == Step::kStopping) return EndStop(workload);
  Rest(workload);
  // It may have been shown so before this was known, and its Workload be gone by now.
  StopIfOrphan(workload);
}

void Admissions::Rest(const std::string& workload) {
  rows_.at(workload).step = Step::kNone;
  if (RowOfWorkload(workload) == nullptr) rows_.erase(workload);
}

// The end of it ----------------------------------------------------------------------------------

bool Admissions::StopsByJob(std::string_view workload) const {
  return cache_.JobOf(workload) != nullptr;
}

void Admissions::Stop(const effects::StopWorkload& stop) {
  Row& row = RowOf(stop.workload);
  effects::NoteStopping(stop, loop_.WallNow(), row.status);
  ++row.turn;
  row.step = Step::kStopping;
  if (!StopsByJob(stop.workload)) {
    EndStop(stop.workload);
    return;
  }
  WriteStatus(stop.workload, [this, workload = stop.workload, turn = row.turn] {
    if (IsAt(workload, Step::kStopping, turn)) PatchJob(workload);
  });
}

void Admissions::EndStop(const std::string& workload) {
  Row& row = rows_.at(workload);
  row.lost.reset();
  effects::NoteStopped(loop_.WallNow(), row.status);
  row.step = Step::kNone;
  if (RowOfWorkload(workload) == nullptr) {
    rows_.erase(workload);
    return;
  }
  WriteStatus(workload);
}

void Admissions::Forget(const std::string& workload, const std::string& uid) {
  const auto at = rows_.find(workload);
  if (at != rows_.end() && !at->second.made.empty() && !uid.empty() && at->second.made != uid) {
    return;
  }
  if (!StopsByJob(workload)) {
    if (at != rows_.end()) rows_.erase(at);
    return;
  }
  Row& row = RowOf(workload);
  ++row.turn;
  if (row.step != Step::kAdmitting && row.step != Step::kStopping) {
    if (!row.status.admission.empty())
      row.lost = {.admitted = row.status.admission, .asked = row.asked};
    row = {.lost = std::move(row.lost), .turn = row.turn};
    return Doubt(workload);
  }
  row.made.clear();
  row.writing = row.dirty = false;
  row.when_written.clear();
  // Not before its going is known to all.
  Again(workload, {},
        row.step == Step::kAdmitting ? &Admissions::MakeWorkload : &Admissions::PatchJob);
}

void Admissions::ForgetJob(const std::string& job, const std::string& uid) {
  const CachedObject* held = cache_.JobOf(job);
  if (held != nullptr && held->ref.uid != uid) return;  // of another kind
  passed_.erase(job);
  const auto at = rows_.find(job);
  if (held == nullptr || at == rows_.end() || at->second.step == Step::kNone) return;
  ++at->second.turn;
  at->second.made.clear();  // it goes with its owner
  Rest(job);
}

// A job that runs has no admission left to run by: its Workload is gone, or admits nothing.
void Admissions::Doubt(const std::string& workload) {
  const CachedObject* job = cache_.JobOf(workload);
  if (job == nullptr) {
    rows_.erase(workload);
    return;
  }
  const jobs::JobKind& kind = *jobs::KindOf(job->object);
  const auto passed = passed_.find(workload);
  const bool runs = !kind.IsSuspended(job->object) ||
                    (passed != passed_.end() && passed->second.version == job->ref.version);
  Row& row = rows_.at(workload);
  if (!row.lost) row.lost = jobs::NoteOf(job->object);
  if (!runs || HasEnded(job->object) || !row.lost) {
    rows_.erase(workload);
    return;
  }
  row.step = Step::kDoubting;
  Again(workload, {}, &Admissions::AskForWorkload);
}

void Admissions::AskForWorkload(const std::string& workload) {
  if (HasAdmission(workload) || cache_.JobOf(workload) == nullptr) return StopDoubting(workload);
  writer_.Send(Line(workload), Get(resources::Workloads(), workload),
               [this, workload, turn = rows_.at(workload).turn](const WriteResult& result) {
                 if (!IsAt(workload, Step::kDoubting, turn)) return;
                 const bool gone = !result.done && kube::IsNotFound(result.status);
                 if (gone || (result.done && !Admits(result.body))) {
                   Say(fmt::format("{}: its Workload {}: the job is stopped", workload,
                                   gone ? "was deleted" : "admits nothing"));
                   Row& row = rows_.at(workload);
                   if (gone) row.made.clear();
                   row.step = Step::kStopping;
                   PatchJob(workload);
                 } else if (result.done || result.status.code == 404) {
                   StopDoubting(workload);  // once the kind is served the next list will say it
                 } else {
                   Again(workload, kube::kAfterRefusal, &Admissions::AskForWorkload);
                 }
               });
}

// What we know of the Workload that went is not true of another one.
void Admissions::StopDoubting(const std::string& workload) {
  Row& row = rows_.at(workload);
  row.step = Step::kNone;
  row.lost.reset();
  if (row.made.empty()) rows_.erase(workload);
}

// A Workload is shown that admits its job, or will be: we wrote it.
bool Admissions::HasAdmission(const std::string& workload) const {
  const objects::Workload* shown = cache_.Workload(workload);
  if (shown == nullptr) return false;
  if (!shown->admission.empty()) return true;
  const auto at = rows_.find(workload);
  return at != rows_.end() && !at->second.status.admission.empty() &&
         at->second.made == shown->meta.uid;
}

void Admissions::StopOrphans() {
  for (const jobs::JobKind* kind : jobs::AllKinds()) {
    cache_.ForEach(kind->kind(), [&](const std::string& name, const CachedObject& job) {
      if (cache_.JobOf(name) == &job) StopIfOrphan(name);
    });
  }
}

void Admissions::StopIfOrphan(const std::string& job) {
  if (HasAdmission(job)) return;
  const CachedObject* held = cache_.JobOf(job);
  if (held == nullptr || HasEnded(held->object)) return;
  // Who made it wrote what was on itself, and it is stopped with that one.
  if (jobs::IsPartOfJob(objects::MetaOf(held->object))) return;
  if (jobs::KindOf(held->object)->IsSuspended(held->object) || !jobs::NoteOf(held->object)) return;
  const auto at = rows_.find(job);
  if (at != rows_.end() && at->second.step != Step::kNone) return;
  RowOf(job);
  Doubt(job);
}

void Admissions::Recover() {
  for (const jobs::JobKind* kind : jobs::AllKinds()) {
    cache_.ForEach(kind->kind(), [&](const std::string& name, const CachedObject& job) {
      const objects::Workload* shown = cache_.Workload(name);
      if (shown == nullptr || shown->admission.empty()) return;
      if (kind->IsComplete(job.object) || cache_.JobOf(name) != &job) return;
      Row& row = RowOf(name);
      const bool stopping = effects::IsStopping(row.status);
      if (!stopping && !kind->IsSuspended(job.object) && !RunsByAnother(job.object, *shown)) return;
      ++row.turn;
      row.step = stopping ? Step::kStopping : Step::kAdmitting;
      row.job = job.ref.uid;
      PatchJob(name);
    });
  }
  StopOrphans();
}

// The status --------------------------------------------------------------------------------------

template <typename Note>
void Admissions::NoteInStatus(const std::string& workload, Note note) {
  Row* row = RowToTell(workload);
  if (row == nullptr || !note(row->status)) return;
  if (RowOfWorkload(workload) != nullptr) WriteStatus(workload);
}

void Admissions::SetProtection(const effects::SetProtection& set) {
  NoteInStatus(set.workload, [&](objects::Workload& status) { return effects::Note(set, status); });
}

template <typename Set>
void Admissions::NoteNow(const Set& set) {
  NoteInStatus(set.workload, [&](objects::Workload& status) {
    return effects::Note(set, loop_.WallNow(), status);
  });
}

template void Admissions::NoteNow(const effects::SetStartTime& set);
template void Admissions::NoteNow(const effects::SetBroken& set);
template void Admissions::NoteNow(const effects::SetInactive& set);
template void Admissions::NoteNow(const effects::SetMoved& set);
template void Admissions::NoteNow(const effects::SetLoan& set);

// Of a job that was never admitted the Workload is made for it: whoever starts anew reads it there.
template <typename Set>
void Admissions::NoteBeforeAdmission(const Set& set, bool says_anything) {
  const CachedObject* job = cache_.JobOf(set.workload);
  const bool makes = says_anything && job != nullptr && StopsByJob(set.workload) &&
                     RowOfWorkload(set.workload) == nullptr;
  if (makes) RowOf(set.workload);
  NoteInStatus(set.workload, [&](objects::Workload& status) { return effects::Note(set, status); });
  if (!makes) return;
  Row& row = rows_.at(set.workload);
  if (row.step != Step::kNone) return;  // it is being made
  ++row.turn;
  row.step = Step::kReserving;
  row.job = job->ref.uid;
  MakeWorkload(set.workload);
}

template void Admissions::NoteBeforeAdmission(const effects::SetReservation& set, bool);
template void Admissions::NoteBeforeAdmission(const effects::SetLandings& set, bool);

void Admissions::Finish(const effects::FinishWorkload& finish) {
  Row* row = RowOfWorkload(finish.workload);
  if (row == nullptr || !effects::Note(finish, loop_.WallNow(), row->status)) return;
  WriteStatus(finish.workload);
}

// `then` is called once what stands in the row now is written, or the Workload is gone.
void Admissions::WriteStatus(const std::string& workload, std::function<void()> then) {
  Row& row = rows_.at(workload);
  if (then) row.when_written.push_back(std::move(then));
  if (row.writing) {
    row.dirty = true;
    return;
  }
  row.writing = true;
  row.dirty = false;
  objects::Workload status = row.status;
  const auto [name_space, name] = objects::SplitKey(workload);
  status.meta.name_space = name_space;
  status.meta.name = name;
  writer_.Send(Line(workload), ApplyStatus(resources::Workloads(), std::move(status)),
               [this, workload, on_written = std::exchange(row.when_written, {})](
                   const WriteResult& result) { StatusWritten(workload, result, on_written); });
}

void Admissions::StatusWritten(const std::string& workload, const WriteResult& result,
                               std::vector<std::function<void()>> on_written) {
  const auto at = rows_.find(workload);
  if (at == rows_.end()) return;
  Row& row = at->second;
  row.writing = false;
  if (!result.done && !kube::IsNotFound(result.status)) {
    Report("cannot write the status of Workload", workload, result.status);
    row.when_written.insert(row.when_written.begin(), on_written.begin(), on_written.end());
    // Rights, or a CRD that is not there now. What is decided until then is written with it.
    row.writing = true;
    timers_.After(kube::kAfterRefusal, [this, workload] {
      const auto later = rows_.find(workload);
      if (later == rows_.end()) return;
      later->second.writing = false;
      WriteStatus(workload);
    });
    return;
  }
  if (!result.done && row.step == Step::kAdmitting) {
    // Somebody deleted the Workload; the job is not let go without one.
    Again(workload, kSoon, &Admissions::MakeWorkload);
    return;
  }
  if (row.dirty) WriteStatus(workload);
  for (const std::function<void()>& each : on_written) each();
}

}  // namespace fairlead::live
