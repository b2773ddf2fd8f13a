#pragma once

#include <string>
#include <string_view>

#include "objects/read/reader.h"
#include "trace/jobs.h"

// Reads the Standard Workload Format of the Parallel Workloads Archive, version 2.2 (Feitelson et
// al.; https://www.cs.huji.ac.il/labs/parallel/workload/swf.html). Lines that begin with ';' are
// comments, among them "; MaxNodes: 128", "; MaxProcs: 1024" and "; UnixStartTime: 867225600"; any
// other is one job, 18 numbers, −1 where unknown:
//    1 job number  2 submit time, s  3 wait time  4 run time, s  5 allocated processors
//    6 average CPU time  7 used memory  8 requested processors  9 requested time
//   10 requested memory  11 status  12 user  13 group  14 executable  15 queue  16 partition
//   17 preceding job  18 think time
// A job asks for what it requested, or, where that is unknown, was allocated, in cores; its queue
// is `queue-N`, or the default one. The time that it requested is its limit, but at least what it
// ran: some systems let a job go on for a while. Jobs that never ran (no run time or no processors:
// cancelled while they waited) are left out. Wait, user, memory and dependencies are not used.

namespace fairlead::trace {

// Appends nodes and queues to `into`, and jobs, in namespace `swf`, to `jobs`; or faults
// "FILE:LINE: …", at most 100. What the machine does not say (0) is taken from the header: MaxNodes
// nodes (or as many as processors) of MaxProcs / MaxNodes cores.
void ReadSwf(std::string_view text, const std::string& file, const Machine& machine,
             objects::Manifest& into, JobList& jobs);
// Jobs that stand in the order of their submission, as those of the archive do, stay in the file.
void ReadSwfFile(const std::string& path, const Machine& machine, objects::Manifest& into,
                 JobList& jobs);
// The same with the jobs as objects.
void ReadSwf(std::string_view text, const std::string& file, const Machine& machine,
             objects::Manifest& into);

}  // namespace fairlead::trace
