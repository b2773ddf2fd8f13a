#pragma once

#include <istream>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::trace {

// What a recorded cluster (`fairlead run --record`) was asked to run, as a trace: its objects as
// the virtual cluster takes them. It begins with the record's first round, when all was listed.
//
// - What was there then is there from the start, in the state it had: pods on their nodes since
//   they started, jobs admitted as they were. What was finished is left out.
// - What came later has fairlead.dev/arrives-at, as it was when it was first seen, without what the
//   cluster has made of it since.
// - Pods that a job or a Workload's template has made are made again by it, so they are not among
//   the objects. Pods of other schedulers come to the node where they were seen, when they were.
// - Pods last (fairlead.dev/run-duration) as long as they were seen to run. A template lasts for
//   the mean of its pods that succeeded, else of those that failed; where all were cut off
//   (evicted, deleted, or running when the record ends), as long as the longest of them. What that
//   leaves open is guessed (record_durations.h), and warned of. Pods of ReplicaSets, StatefulSets,
//   DaemonSets and other schedulers that were never seen to end, never do.
// - Nodes come and change when they did. One that goes takes nothing new from then on.
// - Everything else (queues, classes, quotas, budgets, the configuration) is there from the start,
//   as it was when it was last seen.
// - A name that is used again gets a number: NAME-again-2.
struct RecordedWorkload {
  Time start, end;
  std::vector<objects::Object> objects;  // names are unique by kind
  std::vector<objects::Object> changes;  // of nodes among them: each arrives later
  std::vector<std::string> warnings;     // what had to be guessed or is missing
};

// From DIR/record.jsonl, or any text; `path` is for messages. Errors: as OpenRecord and ReadRecord
// (record_lines.h).
Result<RecordedWorkload> ReadRecordedWorkload(const std::string& directory);
Result<RecordedWorkload> ReadRecordedWorkload(std::istream& file, const std::string& path);

}  // namespace fairlead::trace
