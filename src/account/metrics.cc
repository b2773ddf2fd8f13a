#include "account/metrics.h"

#include <algorithm>

#include "base/wide_int.h"
#include "objects/keys.h"

namespace fairlead::account {

Metrics::Metrics(Fold& fold, Time start) : fold_(fold), start_(start), last_(start) {
  fold.AddReader(this);
}

void Metrics::OnMoment(Time now, std::span<const state::Change> /*changes*/) {
  const Duration passed = now - last_;
  if (passed <= Duration{}) return;
  for (Resource& resource : resources_) {
    resource.allocated_us += static_cast<WideInt>(resource.allocated) * passed.us;
    resource.capacity_us += static_cast<WideInt>(resource.capacity) * passed.us;
  }
  last_ = now;
}

// Resources --------------------------------------------------------------------------------------

Metrics::Index Metrics::ResourceOf(std::string_view name) {
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    if (resources_[i].name == name) return static_cast<Index>(i);
  }
  resources_.emplace_back().name = name;
  return static_cast<Index>(resources_.size() - 1);
}

Metrics::Amounts Metrics::AmountsOf(const objects::ResourceList& list) {
  Amounts amounts;
  amounts.reserve(list.size() + 2);
  for (const auto& [name, amount] : list) amounts.emplace_back(ResourceOf(name), amount);
  return amounts;
}

void Metrics::OnShape(FoldIndex /*shape*/, const objects::ResourceList& asked) {
  Amounts& amounts = shapes_.emplace_back(AmountsOf(asked));
  amounts.emplace_back(ResourceOf(objects::kPodsResource), 1);
}

void Metrics::OnOffer(Time /*now*/, FoldIndex /*node*/, const objects::ResourceList& before,
                      const objects::ResourceList& offered) {
  for (const auto& [index, amount] : AmountsOf(before)) resources_[index].capacity -= amount;
  for (const auto& [index, amount] : AmountsOf(offered)) resources_[index].capacity += amount;
}

void Metrics::Hold(FoldIndex shape, bool foreign, std::int64_t sign) {
  for (const auto& [index, amount] : shapes_[shape]) {
    Resource& resource = resources_[index];
    // What other schedulers' pods use is not there for ours.
    if (foreign) {
      resource.capacity -= sign * amount;
      continue;
    }
    resource.allocated += sign * amount;
    resource.peak = std::max(resource.peak, resource.allocated);
  }
}

// Work -------------------------------------------------------------------------------------------

void Metrics::Submit(Time created) {
  first_submission_ = std::min(first_submission_.value_or(created), created);
}

void Metrics::Wait(FoldIndex queue, Duration waited) {
  if (waiting_.size() <= queue) waiting_.resize(queue + std::size_t{1});
  waiting_[queue].Add(waited);
}

void Metrics::OnGang(FoldIndex gang) { Submit(fold_.gang(gang).created); }

void Metrics::OnGangStarted(Time now, FoldIndex index, bool began_before) {
  const Fold::Gang& gang = fold_.gang(index);
  if (!began_before && !gang.recorded) Wait(gang.queue, now - gang.created);
}

void Metrics::OnGangComplete(Time now, FoldIndex gang) {
  completion_.Add(now - fold_.gang(gang).created);
}

void Metrics::OnSeen(Time /*now*/, FoldIndex index, const state::PodChange& /*change*/) {
  const Fold::Pod& pod = fold_.pod(index);
  if (pod.foreign) return;
  ++pods_seen_;
  Submit(pod.created);
  if (pod.state != state::PodState::kFinished) return;
  ++finished_;
  if (pod.was_placed) ++ever_bound_;
}

void Metrics::OnPlaced(Time /*now*/, FoldIndex index, const state::PodChange& /*change*/,
                       bool first) {
  const Fold::Pod& pod = fold_.pod(index);
  Hold(pod.shape, pod.foreign, +1);
  if (pod.foreign) return;
  ++ever_bound_;
  if (first && pod.alone) Wait(pod.queue, pod.since - pod.created);
}

void Metrics::OnPassed(Time /*now*/, FoldIndex index, const state::PodChange& /*change*/) {
  const Fold::Pod& pod = fold_.pod(index);
  ++ever_bound_;
  if (pod.alone) Wait(pod.queue, pod.since - pod.created);
}

void Metrics::OnResized(Time /*now*/, FoldIndex index, FoldIndex shape_before) {
  const Fold::Pod& pod = fold_.pod(index);
  Hold(shape_before, pod.foreign, -1);
  Hold(pod.shape, pod.foreign, +1);
}

void Metrics::OnLeft(Time /*now*/, FoldIndex index) {
  const Fold::Pod& pod = fold_.pod(index);
  Hold(pod.shape, pod.foreign, -1);
}

void Metrics::OnEnded(Time now, FoldIndex index) {
  const Fold::Pod& pod = fold_.pod(index);
  ++finished_;
  last_end_ = std::max(last_end_, now);
  if (pod.alone) completion_.Add(now - pod.created);
}

Metrics::Index Metrics::DominantOf(const Amounts& amounts) const {
  Index dominant = kNone;
  std::int64_t most = 0, of = 1;
  for (const auto& [index, amount] : amounts) {
    const Resource& resource = resources_[index];
    if (resource.name == "pods" || amount == 0) continue;
    const std::int64_t capacity = std::max<std::int64_t>(resource.capacity, 1);
    const WideInt here = static_cast<WideInt>(amount) * of;
    const WideInt there = static_cast<WideInt>(most) * capacity;
    if (dominant == kNone || here > there ||
        (here == there && resource.name < resources_[dominant].name)) {
      dominant = index;
      most = amount;
      of = capacity;
    }
  }
  return dominant;
}

void Metrics::OnEvicted(const drive::Event& event, FoldIndex index) {
  ++evictions_;
  const Fold::Pod& pod = fold_.pod(index);
  if (!pod.placed()) return;
  const Duration lost_time = fold_.LostBy(index, event.time);
  const Amounts& amounts = shapes_[pod.shape];
  for (const auto& [resource, amount] : amounts) {
    resources_[resource].lost_us += static_cast<WideInt>(amount) * lost_time.us;
  }
  const Index dominant = DominantOf(amounts);
  if (dominant == kNone) return;
  Duration& lost = resources_[dominant].lost_as_dominant;
  lost = lost + lost_time;
}

void Metrics::OnRound(const engine::Scheduler& scheduler, const engine::Plan& /*plan*/) {
  daemon_sets_ = scheduler.daemon_set_counts();
}

}  // namespace fairlead::account
