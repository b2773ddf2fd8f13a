#include "state/accounts.h"

#include <algorithm>
#include <utility>

#include "state/queues.h"

namespace fairlead::state {

SubmitterId Accounts::Intern(const objects::SubmitterPtr& submitter) {
  if (!submitter) return SubmitterId();
  const auto [known, fresh] = by_pointer_.try_emplace(submitter.get());
  if (!fresh) return known->second;
  std::string name = submitter->user;
  for (const std::string& group : submitter->groups) name.append(1, '\n').append(group);
  known->second =
      by_name_.try_emplace(std::move(name), SubmitterId(submitters_.size())).first->second;
  submitters_.push_back(submitter);  // kept, so that no other is taken for it by its address
  return known->second;
}

void Accounts::Clear(const QueueTree& queues) {
  accounts_.clear();
  by_key_.clear();
  lists_.clear();
  by_list_.clear();
  of_.clear();
  held_.clear();
  moved_.clear();
  any_ = std::any_of(queues.order().begin(), queues.order().end(),
                     [&](QueueId q) { return !queues[q].user_limits.empty(); });
}

AccountId Accounts::Intern(QueueId queue, std::uint32_t number, const objects::UserLimit& limit,
                           bool of_group, const std::string& name, const ResourceTable& resources) {
  std::string key = std::to_string(queue.value());
  key.append(1, '/').append(std::to_string(number)).append(of_group ? "/g" : "/u").append(name);
  const auto [at, added] = by_key_.try_emplace(std::move(key), AccountId(accounts_.size()));
  if (!added) return at->second;
  Account& account = accounts_.emplace_back();
  account.queue = queue;
  account.number = number;
  account.of_group = of_group;
  account.name = name;
  for (const auto& [resource, max] : limit.max) {
    account.max.push_back({.resource = resources.Find(resource), .max = max});
  }
  account.max_running = limit.max_running;
  account.max_waiting = limit.max_waiting;
  return at->second;
}

AccountsId Accounts::Of(const QueueTree& queues, const ResourceTable& resources, QueueId leaf,
                        SubmitterId submitter) {
  if (!any_ || !submitter.valid()) return AccountsId();
  const std::uint64_t key = std::uint64_t{leaf.value()} << 32 | submitter.value();
  const auto [at, added] = of_.try_emplace(key);
  if (!added) return at->second;
  const objects::Submitter& who = *submitters_[submitter.value()];
  using Each = objects::UserLimit::Each;
  std::vector<AccountId> list;
  for (QueueId q = leaf; q.valid(); q = queues[q].parent) {
    const std::vector<objects::UserLimit>& limits = queues[q].user_limits;
    for (std::uint32_t i = 0; i < limits.size(); ++i) {
      const objects::UserLimit& limit = limits[i];
      const auto holds = [](Each each, Each all, const auto& named, const std::string& name) {
        return each == all || std::find(named.begin(), named.end(), name) != named.end();
      };
      if (holds(limit.each, Each::kUser, limit.users, who.user)) {
        list.push_back(Intern(q, i, limit, false, who.user, resources));
      }
      for (const std::string& group : who.groups) {
        if (!holds(limit.each, Each::kGroup, limit.groups, group)) continue;
        list.push_back(Intern(q, i, limit, true, group, resources));
      }
    }
  }
  if (!list.empty()) at->second = InternList(std::move(list));
  return at->second;
}

AccountsId Accounts::InternList(std::vector<AccountId> list) {
  const auto [at, added] = by_list_.try_emplace(list, AccountsId(lists_.size()));
  if (added) lists_.push_back(std::move(list));
  return at->second;
}

bool Accounts::LimitsWaiting(AccountsId list) const {
  if (!list.valid()) return false;
  return std::ranges::any_of(
      (*this)[list], [this](AccountId a) { return accounts_[a.value()].max_waiting.has_value(); });
}

bool Accounts::Contains(AccountsId list, AccountId a) const {
  return list.valid() && std::ranges::find((*this)[list], a) != (*this)[list].end();
}

void Accounts::AddAllocated(WorkloadId w, AccountsId list, const Amounts& request,
                            std::int64_t times) {
  Add(w, list, request, times, &Account::Line::allocated, &Held::allocated);
}

void Accounts::AddTurnover(WorkloadId w, AccountsId list, const Amounts& request,
                           std::int64_t times) {
  Add(w, list, request, times, &Account::Line::turnover, &Held::turnover);
}

void Accounts::Add(WorkloadId w, AccountsId list, const Amounts& request, std::int64_t times,
                   std::int64_t Account::Line::* amount, std::int32_t Held::* pods) {
  if (!list.valid()) return;
  for (const AccountId a : lists_[list.value()]) {
    for (Account::Line& line : accounts_[a.value()].max) {
      line.*amount += AmountOf(request, line.resource) * times;
    }
  }
  Held& held = HeldBy(w);
  const Held before = held;
  held.*pods += static_cast<std::int32_t>(times);
  Recount(w, list, held, before);
}

void Accounts::Recount(WorkloadId w, AccountsId list, Held& held, Held before) {
  const auto change = [](bool now, bool then) { return static_cast<int>(now) - then; };
  const int running = change(held.allocated > 0, before.allocated > 0);
  const int present =
      change(held.allocated + held.turnover > 0, before.allocated + before.turnover > 0);
  if (running == 0 && present == 0) return;
  for (const AccountId a : lists_[list.value()]) {
    accounts_[a.value()].running += running;
    accounts_[a.value()].present += present;
  }
  if (running == 0 || held.moved || !LimitsWaiting(list)) return;
  held.moved = true;
  moved_.push_back(w);
}

bool Accounts::IsRunning(WorkloadId w) const {
  const auto at = held_.find(w.value());
  return at != held_.end() && at->second.allocated > 0;
}

bool Accounts::IsPresent(WorkloadId w) const {
  const auto at = held_.find(w.value());
  return at != held_.end() && at->second.allocated + at->second.turnover > 0;
}

std::vector<WorkloadId> Accounts::TakeMoved() {
  for (const WorkloadId w : moved_) HeldBy(w).moved = false;
  return std::exchange(moved_, {});
}

}  // namespace fairlead::state
