#include "cli/elsewhere.h"

#include <algorithm>

namespace fairlead::cli {
namespace {

struct Elsewhere {
  std::string_view word, here;
};

constexpr std::string_view kSubmit = "fairlead submit -f FILE";
constexpr std::string_view kEdit =
    "fairlead get KIND NAME -o yaml > FILE, edit it, then fairlead submit -f FILE";
constexpr std::string_view kKubectl = "kubectl's alone: a virtual cluster runs no containers";

constexpr Elsewhere kElsewhere[] = {
    // kubectl
    {"annotate", kEdit},
    {"apply", kSubmit},
    {"attach", kKubectl},
    {"cordon", "a Window over the node, and fairlead submit -f FILE"},
    {"create", kSubmit},
    {"diff", "fairlead plan -f FILE, which says what it would decide"},
    {"drain", "a Window over the node with atBegin: Evict, and fairlead submit -f FILE"},
    {"edit", kEdit},
    {"exec", kKubectl},
    {"label", kEdit},
    {"list", "fairlead get KIND"},
    {"logs", kKubectl},
    {"patch", kEdit},
    {"port-forward", kKubectl},
    {"replace", kSubmit},
    {"resume", "active: true in the Workload or Queue, and fairlead submit -f FILE"},
    {"rollout", kKubectl},
    {"scale", kEdit},
    {"shares", "fairlead queue shares"},
    {"status", "fairlead get workloads -A, or fairlead queue shares"},
    {"stop", "active: false in the Workload or Queue, and fairlead submit -f FILE"},
    {"wait", "fairlead get KIND NAME --watch"},
    {"why", "fairlead explain NS/NAME"},
    // Slurm
    {"cancel", "fairlead delete KIND NAME"},
    {"hold", "active: false in the Workload or Queue, and fairlead submit -f FILE"},
    {"queue list", "fairlead get queues"},
    {"queues", "fairlead get queues, or fairlead queue shares"},
    {"sacct", "fairlead history workloads"},
    {"sacctmgr", "queues are objects: fairlead get queues, fairlead submit -f FILE"},
    {"salloc", kSubmit},
    {"sbatch", kSubmit},
    {"scancel", "fairlead delete KIND NAME"},
    {"scontrol", "fairlead describe KIND NAME"},
    {"sdiag", "/metrics of fairlead up or run"},
    {"sinfo", "fairlead get nodes"},
    {"sprio", "fairlead explain NS/NAME"},
    {"squeue", "fairlead get workloads -A"},
    {"sreport", "fairlead history usage"},
    {"srun", kSubmit},
    {"sshare", "fairlead queue shares"},
};

}  // namespace

std::string_view CommandInsteadOf(std::string_view typed) {
  const auto found = std::ranges::find(kElsewhere, typed, &Elsewhere::word);
  return found == std::end(kElsewhere) ? std::string_view() : found->here;
}

}  // namespace fairlead::cli
