#include "engine/room/known_ends.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace fairlead::engine {

using policy::End;
using state::WorkloadId;

// An end beyond all time is one all the same: Max() stands for none here, and comes last anyhow.
Time KnownEnds::ToldOf(WorkloadId w) const {
  if (w.value() >= cluster_.workloads().size()) return Time::Max();
  return policy::ToldEnd(cluster_, w).value_or(Time::Max());
}

void KnownEnds::Forget() {
  follows_ = false;
  told_.clear();
  by_told_.clear();
  moved_.clear();
  groups_.clear();
}

const std::vector<std::size_t>& KnownEnds::groups() const {
  if (groups_.empty()) groups_ = policy::GroupsOf(all());
  return groups_;
}

std::uint64_t KnownEnds::workloads_position() const {
  return follows_ ? changed_.position() : cluster_.journal().workloads.end();
}

std::uint64_t KnownEnds::timed_position() const {
  return follows_ ? timed_.position() : cluster_.journal().timed.end();
}

// One that is told otherwise than was known.
void KnownEnds::Replace(WorkloadId w, Time known, Time told) {
  const auto place = [this](const End& end) { return std::ranges::lower_bound(by_told_, end); };
  if (known != Time::Max()) by_told_.erase(place({known, w}));
  if (told != Time::Max()) by_told_.insert(place({told, w}), End{told, w});
}

void KnownEnds::TakeUp(const std::vector<WorkloadId>& news) {
  told_.resize(std::max<std::size_t>(told_.size(), cluster_.workloads().size()), Time::Max());
  if (news.size() <= kFew) {
    for (const WorkloadId w : news) {
      const Time told = ToldOf(w);
      const Time known = std::exchange(told_[w.value()], told);
      if (known != told) Replace(w, known, told);
    }
    return;
  }
  std::vector<End> added;
  bool any_gone = false;
  for (const WorkloadId w : news) {
    const Time told = ToldOf(w);
    Time& known = told_[w.value()];
    if (known == told) continue;
    any_gone |= known != Time::Max();
    known = told;
    if (told != Time::Max()) added.push_back({told, w});
  }
  if (any_gone) {
    std::erase_if(by_told_,
                  [this](const End& end) { return told_[end.workload.value()] != end.at; });
  }
  // Of one that changed twice the first may be there no more, or be there again.
  std::erase_if(added, [this](const End& end) { return told_[end.workload.value()] != end.at; });
  std::sort(added.begin(), added.end());
  added.erase(std::unique(added.begin(), added.end()), added.end());
  const auto middle = static_cast<std::ptrdiff_t>(by_told_.size());
  by_told_.insert(by_told_.end(), added.begin(), added.end());
  std::inplace_merge(by_told_.begin(), by_told_.begin() + middle, by_told_.end());
  by_told_.erase(std::unique(by_told_.begin(), by_told_.end()), by_told_.end());
}

void KnownEnds::CatchUp(Time now) {
  if (follows_) {
    std::vector<WorkloadId> news = changed_.Take();
    const std::vector<WorkloadId> timed = timed_.Take();
    news.insert(news.end(), timed.begin(), timed.end());
    TakeUp(news);
  } else {
    changed_.Forget();
    timed_.Forget();
    follows_ = true;
    std::vector<WorkloadId> all;
    for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) all.emplace_back(i);
    TakeUp(all);
  }
  moved_.clear();
  if (!by_told_.empty() && by_told_.front().at <= now) MoveOverrun(now);
  groups_.clear();
  DCHECK(all() == policy::EndsOf(cluster_, now));
}

// Who should have ended by now runs longer than was said.
void KnownEnds::MoveOverrun(Time now) {
  const auto ahead = std::ranges::find_if(by_told_, [now](const End& end) { return end.at > now; });
  moved_.assign(ahead, by_told_.end());
  for (auto it = by_told_.begin(); it != ahead; ++it) {
    moved_.push_back({*policy::ExpectedEnd(cluster_, it->workload, now), it->workload});
  }
  std::sort(moved_.begin(), moved_.end());
}

}  // namespace fairlead::engine
