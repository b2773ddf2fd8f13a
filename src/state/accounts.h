#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "base/name_map.h"
#include "objects/objects.h"
#include "objects/submitter.h"
#include "state/ids.h"
#include "state/resources.h"

namespace fairlead::state {

class QueueTree;

// What one user (or group) has under one limit of a queue (time.md §7).
struct Account {
  struct Line {
    ResourceId resource;
    std::int64_t max = 0;
    // As of queues (Figure::kAllocated, kTurnover): what counts, and what is taken beyond that.
    std::int64_t allocated = 0, turnover = 0;
  };
  QueueId queue;             // whose limit it is
  std::uint32_t number = 0;  // which of the queue's limits
  bool of_group = false;
  std::string name;                             // of the user or group
  boost::container::small_vector<Line, 2> max;  // by resource
  std::optional<std::int32_t> max_running, max_waiting;
  // Workloads of which something counts as allocated; of which something takes room now.
  std::int32_t running = 0, present = 0;
};

// The accounts of all users under all limits, with running sums. A workload counts in those of its
// user and groups, of the queues from its own up. Whose accounts are the same shares one list.
//
// Invariant (recomputed in tests): the sums are those of the placed pods of the workloads that
// count there, as queues count them. Accounts are made as users come, and stay until queues change.
//
// Cost: without any limit nothing is kept; else a pod more or less costs a look-up and its
// accounts.
class Accounts {
 public:
  // As long as there is none of them no workload has accounts.
  bool any() const { return any_; }

  SubmitterId Intern(const objects::SubmitterPtr& submitter);  // null: invalid
  const objects::Submitter& submitter(SubmitterId s) const { return *submitters_[s.value()]; }

  // Forgets all accounts and sums. Workloads' lists are to be asked for and counted anew.
  void Clear(const QueueTree& queues);
  // Where work of that queue and submitter counts; invalid: nowhere.
  AccountsId Of(const QueueTree& queues, const ResourceTable& resources, QueueId leaf,
                SubmitterId submitter);

  std::span<const AccountId> operator[](AccountsId list) const { return lists_[list.value()]; }
  const Account& operator[](AccountId a) const { return accounts_[a.value()]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(accounts_.size()); }
  bool LimitsWaiting(AccountsId list) const;
  bool Contains(AccountsId list, AccountId a) const;  // in an invalid one there is none

  // `times` pods of `request` more (or fewer) of a workload that counts in `list`.
  void AddAllocated(WorkloadId w, AccountsId list, const Amounts& request, std::int64_t times);
  void AddTurnover(WorkloadId w, AccountsId list, const Amounts& request, std::int64_t times);
  // Whether the workload is among the running of its accounts, by what counts; by what is there.
  bool IsRunning(WorkloadId w) const;
  bool IsPresent(WorkloadId w) const;

  // Workloads under a limit of those that wait which began or ceased to run, each once; some of
  // them as before, after a trial that was undone.
  bool HasMoved() const { return !moved_.empty(); }
  std::vector<WorkloadId> TakeMoved();

 private:
  struct Held {
    std::int32_t allocated = 0;  // pods
    std::int32_t turnover = 0;   // pods that leave, less those that claim
    bool moved = false;
  };
  AccountId Intern(QueueId queue, std::uint32_t number, const objects::UserLimit& limit,
                   bool of_group, const std::string& name, const ResourceTable& resources);
  AccountsId InternList(std::vector<AccountId> list);
  Held& HeldBy(WorkloadId w) { return held_[w.value()]; }
  void Add(WorkloadId w, AccountsId list, const Amounts& request, std::int64_t times,
           std::int64_t Account::Line::* amount, std::int32_t Held::* pods);
  void Recount(WorkloadId w, AccountsId list, Held& held, Held before);

  bool any_ = false;
  std::vector<objects::SubmitterPtr> submitters_;
  NameMap<SubmitterId> by_name_;
  boost::unordered_flat_map<const objects::Submitter*, SubmitterId> by_pointer_;
  std::vector<Account> accounts_;
  NameMap<AccountId> by_key_;
  std::vector<std::vector<AccountId>> lists_;
  std::map<std::vector<AccountId>, AccountsId> by_list_;
  boost::unordered_flat_map<std::uint64_t, AccountsId> of_;  // by queue and submitter
  boost::unordered_flat_map<std::uint32_t, Held> held_;      // by workload
  std::vector<WorkloadId> moved_;
};

}  // namespace fairlead::state
