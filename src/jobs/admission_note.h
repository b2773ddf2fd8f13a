#pragma once

#include <optional>
#include <string_view>

#include "jobs/job_kind.h"
#include "objects/objects.h"

// What admission made of a job, noted on the job itself: in a live cluster a Workload holds the
// original counts, and a Workload can be deleted while nobody looks.
//
//   fairlead.dev/admitted: launcher=1/1,worker=4/8      by pod set: admitted / asked
//
// It is written by the patch that lets the job run, and taken away by the one that suspends it. It
// counts only where no Workload admits a running job, and then all that it can do is to suspend
// that job and to give it these counts: no more than whoever may write it can do anyway.

namespace fairlead::jobs {

inline constexpr std::string_view kAdmittedAnnotation = "fairlead.dev/admitted";

struct AdmissionNote {
  Assignments admitted, asked;
  bool operator==(const AdmissionNote&) const = default;
};

void WriteNote(objects::Object& job, const AdmissionNote& note);
void ClearNote(objects::Object& job);

// Absent: it has none. A note that is not as we write them still says that the job was admitted;
// it has no counts then.
std::optional<AdmissionNote> NoteOf(const objects::Object& job);

}  // namespace fairlead::jobs
