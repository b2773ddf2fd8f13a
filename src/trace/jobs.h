#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "objects/keys.h"
#include "objects/objects.h"
#include "objects/read/reader.h"
#include "virtual/coming.h"

// Traces that know jobs, not pods: how their rows become objects.

namespace fairlead::trace {

// By which annotation a job's limit is said, on its pod or its Workload.
inline constexpr std::string_view kTraceLimitKey = objects::kMaxRunTimeKey;

// The cluster on which such a trace runs: equal nodes, counted in one resource.
struct Machine {
  std::int64_t nodes = 0;
  std::int64_t per_node = 0;  // whole GPUs, or cores
  std::string resource = "nvidia.com/gpu";
  std::optional<Duration> checkpoint_every;  // that jobs make on it

  std::int64_t total() const { return nodes * per_node; }
};

// One row of a trace.
struct TraceJob {
  std::int64_t number = 0;  // in its name
  Duration arrives;         // after the start
  Duration runs;
  std::optional<Duration> limit;  // how long it may run at most, as its owner said; ≥ runs
  std::int64_t amount = 1;        // of the machine's resource, in whole units; at least 1
  std::uint32_t queue = 0;        // into JobList::queues
  std::uint32_t line = 0;         // of the file
};

struct JobList;

// A walk over the jobs of a trace, in the order in which they arrive.
class JobRows {
 public:
  virtual ~JobRows() = default;
  // The next one, valid until the next call; null: there is none.
  virtual const TraceJob* Next() = 0;
  // Why that was not all of them: a file that another program wrote to meanwhile. Null: it was.
  virtual const objects::Fault* fault() const { return nullptr; }
};

// Jobs that stay in their file, which was read once and makes sense: a year of a cluster is
// millions.
class JobFile {
 public:
  virtual ~JobFile() = default;
  // Reads it once more. The list must outlive that. May be called by several threads at once.
  virtual std::unique_ptr<JobRows> Read(const JobList& list) const = 0;
  virtual std::int64_t job_count() const = 0;
  virtual std::int64_t pod_count(const JobList& list) const = 0;
};

// The jobs of a trace, in the order in which they arrive: by time, then as the virtual cluster
// takes objects of one moment (virtual/submission.h), gangs first, by name.
struct JobList {
  Machine machine;
  std::string name_space, file;
  int digits = 1;                   // of numbers in names, at least: 6: job-000007
  std::vector<std::string> queues;  // the first is "": the configured default
  std::vector<TraceJob> jobs;       // … or, where that is set, none, and all are in:
  std::shared_ptr<const JobFile> in_file = nullptr;

  std::unique_ptr<JobRows> Rows() const;  // valid as long as this does not change
  std::int64_t JobCount() const;
  std::int64_t PodCount() const;
  // By its name; added where it is new.
  std::uint32_t QueueOf(std::string_view name);
  std::string NameOf(const TraceJob& job) const;
  bool IsGang(const TraceJob& job) const { return job.amount > machine.per_node; }
  std::int64_t PodsOf(const TraceJob& job) const;
  bool ComesBefore(const TraceJob& a, const TraceJob& b) const;
  void Sort();
};

// node-0001 …, with the machine's resource and room for 110 pods, created at `start`.
void AppendNodes(const Machine& machine, Time start, std::vector<objects::Object>& into);

// What is evicted comes back. A job that fits on one node is a batch/v1 Job of one pod, which makes
// those of a queue that ask the same one kind of work to the engine; a larger one is a Workload: a
// gang of pods of whole nodes, and one pod for the rest. When it arrives is not said.
objects::Object ObjectOf(const TraceJob& job, const JobList& list);

// All of them, in their order, each with when it arrives; or a fault (JobRows::fault).
void AppendJobs(const JobList& list, objects::Manifest& into);

// They are made one by one, as they come.
class ComingJobs : public virtual_cluster::Coming {
 public:
  explicit ComingJobs(std::shared_ptr<const JobList> list);
  std::optional<Duration> After() const override;
  objects::Object Take() override;
  // As of its rows (JobRows::fault).
  const objects::Fault* fault() const { return rows_->fault(); }

 private:
  std::shared_ptr<const JobList> list_;
  std::unique_ptr<JobRows> rows_;
  const TraceJob* next_ = nullptr;
};

}  // namespace fairlead::trace
