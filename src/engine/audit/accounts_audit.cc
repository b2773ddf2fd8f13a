#include "engine/audit/accounts_audit.h"

#include <map>

#include "engine/audit/auditor.h"

namespace fairlead::engine {
namespace {

using state::AccountId;
using state::PodId;
using state::WorkloadId;

// What pods of some workload come to.
struct Had {
  state::Amounts allocated, taken;
  std::int32_t running = 0, present = 0;
};

class AccountsAuditor : Auditor {
 public:
  AccountsAuditor(const state::Cluster& cluster, std::vector<std::string>& faults)
      : Auditor(&faults), cluster_(cluster), accounts_(cluster.queues().accounts()) {}

  void Look() {
    for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) Add(WorkloadId(i));
    for (std::uint32_t i = 0; i < accounts_.size(); ++i) Compare(AccountId(i));
  }

 private:
  void Add(WorkloadId w) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (!workload.in_use || !workload.accounts.valid()) return;
    Had has;
    bool runs = false, present = false;
    cluster_.ForEachPodOf(w, [&](PodId p) {
      const state::Pod& pod = cluster_.pods()[p];
      if (!pod.placed() || !cluster_.nodes().exists(pod.node)) return;
      const state::Amounts& request = cluster_.shapes()[pod.shape].request;
      if (pod.counts()) state::AddTo(has.allocated, request, 1);
      if (!pod.claims()) state::AddTo(has.taken, request, 1);
      runs |= pod.counts();
      present |= !pod.claims();
    });
    for (const AccountId a : accounts_[workload.accounts]) {
      Had& all = had_[a];
      state::AddTo(all.allocated, has.allocated, 1);
      state::AddTo(all.taken, has.taken, 1);
      all.running += runs ? 1 : 0;
      all.present += present ? 1 : 0;
    }
  }

  void Compare(AccountId a) {
    const state::Account& account = accounts_[a];
    const Had& has = had_[a];
    const std::string& queue = cluster_.queues()[account.queue].name;
    if (account.running != has.running || account.present != has.present) {
      Fault("{} in queue {}: {} workloads run and {} are there, pods say {} and {}", account.name,
            queue, account.running, account.present, has.running, has.present);
    }
    for (const state::Account::Line& line : account.max) {
      const std::int64_t allocated = state::AmountOf(has.allocated, line.resource);
      const std::int64_t taken = state::AmountOf(has.taken, line.resource);
      if (line.allocated == allocated && line.allocated + line.turnover == taken) continue;
      Fault("{} in queue {}: {} of {} allocated and {} in use, pods say {} and {}", account.name,
            queue, line.allocated, cluster_.resources().name(line.resource),
            line.allocated + line.turnover, allocated, taken);
    }
  }

  const state::Cluster& cluster_;
  const state::Accounts& accounts_;
  std::map<AccountId, Had> had_;
};

}  // namespace

void AuditAccounts(const state::Cluster& cluster, std::vector<std::string>& faults) {
  if (cluster.queues().accounts().any()) AccountsAuditor(cluster, faults).Look();
}

}  // namespace fairlead::engine
