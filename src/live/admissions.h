#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "effects/writes.h"
#include "jobs/admission_note.h"
#include "kube/loop.h"
#include "live/object_cache.h"
#include "live/own_timers.h"
#include "live/writer.h"
#include "objects/objects.h"

namespace fairlead::live {

// The status of Workloads, and what it lets jobs do (semantics.md §8). A job is let go in three
// steps, each begun when the one before is done, so that a crash leaves something that tells what
// was under way:
//
//   admit:  the Workload with the counts that the job asks ─► its status.admission ─► the job runs
//   stop:   the condition Evicted ─► the job is suspended, its counts restored ─► no admission
//
// Recover finishes what another process began. What the server refuses is tried again until
// something else is decided.
//
// A job whose Workload was deleted is stopped, and waits again; so is one that was let run and
// whose Workload admits nothing: it is another one than it was let run by. What it asked is known
// from the former Workload, or, where nobody saw it go, from the note on the job
// (jobs/admission_note.h). Before a job is stopped the server is asked whether the admission is
// really gone: a list that lacks the Workload may be that of a server which does not know the kind
// yet.
//
// Thread safety: the loop's thread only.
class Admissions {
 public:
  Admissions(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
             std::function<void(const std::string&)> on_problem);

  void Admit(const effects::AdmitWorkload& admit);
  void Stop(const effects::StopWorkload& stop);
  void SetProtection(const effects::SetProtection& set);
  // What is known with the time of now: starts, broken, moved, on loan.
  template <typename Set>
  void NoteNow(const Set& set);
  // Of one that may wait to be admitted. `says_anything`: there is more to be read than before.
  template <typename Set>
  void NoteBeforeAdmission(const Set& set, bool says_anything);
  void Finish(const effects::FinishWorkload& finish);

  // Whether the workload is a job that is suspended when it stops: its pods then go by themselves.
  bool StopsByJob(std::string_view workload) const;

  // Where a Workload is admitted and its job still suspended, or running by an earlier admission,
  // or is about to stop; and as StopOrphans. REQUIRES: everything was listed after the last write
  // of whoever wrote before.
  void Recover();
  // Jobs that run and that no Workload admits: to be called when all Workloads were listed, and of
  // a job when it is shown. Its Workload may have come and gone unseen, between two lists.
  void StopOrphans();
  void StopIfOrphan(const std::string& job);

  // The Workload of that uid is gone, or another has its name: to be called while it is held yet.
  // What was under way with its job goes on; a job that runs by it is stopped.
  void Forget(const std::string& workload, const std::string& uid);
  // The job of that uid is gone: to be called while it is held yet. What was under way with it is
  // nothing to another one of its name.
  void ForgetJob(const std::string& job, const std::string& uid);

 private:
  // kDoubting: it is asked whether the admission of a job that runs is gone.
  enum class Step : std::uint8_t { kNone, kReserving, kAdmitting, kStopping, kDoubting };
  struct Row {
    objects::Workload status;                      // its alone: as it is to be written
    std::vector<objects::PodSetAssignment> asked;  // by the job, before it was admitted
    // Of a job that no Workload admits: what it was let run with. It is never written to one.
    std::optional<jobs::AdmissionNote> lost;
    std::string made;  // uid of the Workload that was written for a job; it need not be seen yet
    std::string job;   // uid of the job that is being admitted
    Step step = Step::kNone;
    std::uint64_t turn = 0;  // of Admit and Stop: what an earlier one began ends there
    bool writing = false;    // a status is under way …
    bool dirty = false;      // … and is not what is wanted any more
    std::vector<std::function<void()>> when_written;
  };
  // A job's version that a patch of ours replaced, or found replaced: as long as the job is shown
  // so, nothing of it can be believed. The server is asked where no other one comes to be shown.
  struct Passed {
    std::string version;
    int waits = 0;     // for another one
    int patience = 0;  // so many of them until the server is asked; 0: the first time
  };
  Row& RowOf(const std::string& workload);
  Row* RowOfWorkload(const std::string& workload);
  Row* RowToTell(const std::string& workload);
  // `note` changes the status, and says whether it did: then it is written.
  template <typename Note>
  void NoteInStatus(const std::string& workload, Note note);

  bool WasForAnother(const std::string& workload, const CachedObject& job);
  void MakeWorkload(const std::string& workload);
  void WriteStatus(const std::string& workload, std::function<void()> then = nullptr);
  void StatusWritten(const std::string& workload, const WriteResult& result,
                     std::vector<std::function<void()>> on_written);
  void PatchJob(const std::string& workload);
  void SendPatch(const std::string& workload, const kube::Resource& resource,
                 const kube::ObjectRef& ref, boost::json::value patch);
  void JobPatched(const std::string& workload, Step step, const WriteResult& result);
  void NoteJobVersion(const std::string& workload, const std::string& version,
                      const WriteResult& result);
  bool WaitsForJob(const std::string& workload, const CachedObject& job);
  void AskForJob(const std::string& workload);
  bool HasAdmission(const std::string& workload) const;
  void Doubt(const std::string& workload);
  void AskForWorkload(const std::string& workload);
  void StopDoubting(const std::string& workload);
  void JobIsSo(const std::string& workload);
  void Rest(const std::string& workload);
  void EndStop(const std::string& workload);
  bool IsAt(const std::string& workload, Step step, std::uint64_t turn) const;
  void Again(const std::string& workload, Duration delay,
             void (Admissions::*step)(const std::string&));
  void Say(const std::string& message);
  void Report(std::string_view what, const std::string& workload, const kube::Status& status);

  kube::Loop& loop_;
  Writer& writer_;
  const ObjectCache& cache_;
  std::function<void(const std::string&)> on_problem_;
  std::map<std::string, Row, std::less<>> rows_;
  std::map<std::string, Passed, std::less<>> passed_;  // by job, longer than its Workload is there
  OwnTimers timers_;
};

}  // namespace fairlead::live
