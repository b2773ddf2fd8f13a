#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "objects/objects.h"
#include "objects/read/reader.h"

// Reads Alibaba's GPU cluster trace of 2023 (openb): a node list and a pod list, as CSV with a
// header line. Rows become the objects that a user would write, so that a trace runs through the
// same door as a manifest:
//   node  cpu, memory, pods (110), nvidia.com/gpu; label gpu.nvidia.com/model = model, where it has
//         GPUs; label kubernetes.io/hostname
//   pod   namespace openb, scheduler `fairlead`, no queue (the default one); annotations
//         fairlead.dev/arrives-at (creation_time seconds after the start) and run-duration
//         num_gpu 1 and gpu_milli < 1000: fairlead.dev/gpu-milli; else num_gpu whole nvidia.com/gpu
//         gpu_spec "A|B": required node affinity gpu.nvidia.com/model In (A, B)
// A pod's duration is deletion_time − scheduled_time: what it ran, without the queueing of the
// published run; where scheduled_time is empty, deletion_time − creation_time. Lists without times
// (multigpu50): the pods arrive in file order one second apart and never end. qos and pod_phase are
// ignored; columns are found by name and may come in any order.

namespace fairlead::trace {

// Appends to `into`: objects, or faults "FILE:LINE: …" (a missing column, a field that is no number
// or out of range, a name that is missing or twice, deletion before creation). At most 100 faults
// are kept. Cost: about 1 µs a row.
void ReadOpenbNodes(std::string_view text, const std::string& file, objects::Manifest& into);
void ReadOpenbPods(std::string_view text, const std::string& file, objects::Manifest& into);

// The same from files (read whole).
void ReadOpenbFiles(const std::string& nodes_path, const std::string& pods_path,
                    objects::Manifest& into);

}  // namespace fairlead::trace
