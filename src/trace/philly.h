#pragma once

#include <string>
#include <string_view>

#include "objects/read/reader.h"
#include "trace/jobs.h"

// Reads Microsoft's Philly trace of 2017 (Jeon et al., ATC'19) as jobs, in the form in which Pollux
// (OSDI'21) ships it: CSV with a header line.
//   jobs     timestamp (UTC), duration (seconds), num_gpus, cluster (the virtual cluster that the
//   job
//            ran in); rows come in any order
//   tenants  vc, node num: how many of the real nodes a virtual cluster was sure of
// Every virtual cluster becomes a queue. It is guaranteed its part of the simulated GPUs: what is
// lost by rounding down goes to the largest rests, then to the smaller names. Virtual clusters
// that only jobs name are guaranteed none. The start is the first job's timestamp.

namespace fairlead::trace {

// Appends nodes and queues to `into`, and jobs, in namespace `philly`, to `list`; or faults
// "FILE:LINE: …", at most 100. REQUIRES: a machine of GPUs with at least one.
void ReadPhilly(std::string_view jobs, const std::string& jobs_file, std::string_view tenants,
                const std::string& tenants_file, const Machine& machine, objects::Manifest& into,
                JobList& list);

// The same from files. An empty `tenants_path`: nothing is guaranteed.
void ReadPhillyFiles(const std::string& jobs_path, const std::string& tenants_path,
                     const Machine& machine, objects::Manifest& into, JobList& list);

// The same with the jobs as objects.
void ReadPhilly(std::string_view jobs, const std::string& jobs_file, std::string_view tenants,
                const std::string& tenants_file, const Machine& machine, objects::Manifest& into);

}  // namespace fairlead::trace
