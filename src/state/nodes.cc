#include "state/nodes.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace fairlead::state {

std::int64_t GpuDevices::MostFree() const {
  if (whole_free > 0) return 1000;
  std::int64_t most = 0;
  for (std::int16_t free : shared_free) most = std::max<std::int64_t>(most, free);
  return most;
}

std::int8_t GpuDevices::TakeShare(std::int32_t milli, std::int8_t wanted) {
  int best = wanted;
  if (wanted < 0) {
    for (int i = 0; i < static_cast<int>(shared_free.size()); ++i) {
      if (shared_free[i] == kUnused || shared_free[i] < milli) continue;
      if (best < 0 || shared_free[i] < shared_free[best]) best = i;
    }
  }
  if (best < 0) {  // open the first device number that is not in shared use
    best = static_cast<int>(std::find(shared_free.begin(), shared_free.end(), kUnused) -
                            shared_free.begin());
  }
  if (best >= static_cast<int>(shared_free.size())) shared_free.resize(best + 1, kUnused);
  if (shared_free[best] == kUnused) {
    shared_free[best] = 1000;
    --whole_free;
  }
  shared_free[best] = static_cast<std::int16_t>(shared_free[best] - milli);
  return static_cast<std::int8_t>(best);
}

void GpuDevices::GiveShare(std::int8_t device, std::int32_t milli) {
  std::int16_t& free = shared_free[device];
  free = static_cast<std::int16_t>(free + milli);
  if (free >= 1000) {
    free = kUnused;
    ++whole_free;
  }
}

NodeTable::NodeTable(const ResourceTable& resources) { Widen(resources); }

NodeId NodeTable::Find(std::string_view name) const {
  auto it = by_name_.find(std::string(name));
  return it == by_name_.end() ? NodeId() : it->second;
}

NodeId NodeTable::Intern(std::string_view name) {
  auto [it, added] = by_name_.try_emplace(std::string(name), NodeId(size()));
  if (added) {
    names_.emplace_back(name);
    info_.emplace_back();
    pods_.emplace_back();
    allocatable_.resize(allocatable_.size() + stride_);
    free_.resize(free_.size() + stride_);
    ranks_.push_back(0);
    unranked_.push_back(it->second);
  }
  return it->second;
}

bool NodeTable::Update(NodeId n, const NodeChange& change, ResourceTable& resources) {
  Info& info = info_[n.value()];
  std::vector<objects::Taint> taints = change.taints;
  auto add = [&](const char* key) {
    objects::Taint taint{key, "", objects::TaintEffect::kNoSchedule};
    auto same = [&](const auto& t) { return t.key == taint.key && t.effect == taint.effect; };
    if (std::none_of(taints.begin(), taints.end(), same)) taints.push_back(taint);
  };
  if (!change.schedulable) add("node.kubernetes.io/unschedulable");
  if (!change.ready) add("node.kubernetes.io/not-ready");
  std::sort(taints.begin(), taints.end());

  const Amounts amounts = ToAmounts(change.allocatable, resources);
  Widen(resources);
  std::vector<std::int64_t> row(stride_, 0);
  for (const Amount& a : amounts) row[a.resource.value()] = a.amount;
  // A node that does not say how many pods it takes (a hand-written manifest) takes what a kubelet
  // takes by default.
  if (row[kPods.value()] == 0) row[kPods.value()] = 110;

  std::int64_t* had = &allocatable_[n.value() * stride_];
  const bool in_service = change.schedulable && change.ready;
  const bool changed = !info.exists || info.in_service != in_service ||
                       info.labels != change.labels || info.taints != taints ||
                       !std::equal(row.begin(), row.end(), had);
  for (std::uint32_t r = 0; r < stride_; ++r) {
    free_[n.value() * stride_ + r] += row[r] - had[r];
    if (r == kGpu.value()) {
      info.gpus.whole_free += static_cast<std::int32_t>((row[r] - had[r]) / 1000);
    }
    had[r] = row[r];
  }
  info.exists = true;
  info.in_service = in_service;
  info.labels = change.labels;
  info.taints = std::move(taints);
  RefreshGpuColumns(n);
  return changed;
}

void NodeTable::Retire(NodeId n) {
  Info& info = info_[n.value()];
  info.exists = false;
  info.in_service = false;
  for (std::uint32_t r = 0; r < stride_; ++r) {
    const std::size_t at = n.value() * stride_ + r;
    free_[at] -= allocatable_[at];
    if (r == kGpu.value())
      info.gpus.whole_free -= static_cast<std::int32_t>(allocatable_[at] / 1000);
    allocatable_[at] = 0;
  }
  RefreshGpuColumns(n);
}

void NodeTable::RefreshGpuColumns(NodeId n) {
  const GpuDevices& gpus = info_[n.value()].gpus;
  std::int64_t* row = &free_[n.value() * stride_];
  row[kGpuWhole.value()] = gpus.whole_free;
  row[kGpuShare.value()] = gpus.MostFree();
}

std::int8_t NodeTable::Take(NodeId n, const Amounts& request, std::int32_t gpu_milli,
                            std::int8_t wanted) {
  std::int64_t* row = &free_[n.value() * stride_];
  std::int64_t whole_milli = 0;
  for (const Amount& a : request) {
    row[a.resource.value()] -= a.amount;
    if (a.resource == kGpu) whole_milli = a.amount - gpu_milli;
  }
  std::int8_t device = -1;
  if (whole_milli == 0 && gpu_milli == 0) return device;
  GpuDevices& gpus = info_[n.value()].gpus;
  gpus.whole_free -= static_cast<std::int32_t>(whole_milli / 1000);
  if (gpu_milli > 0) device = gpus.TakeShare(gpu_milli, wanted);
  RefreshGpuColumns(n);
  return device;
}

void NodeTable::Give(NodeId n, const Amounts& request, std::int32_t gpu_milli, std::int8_t device) {
  std::int64_t* row = &free_[n.value() * stride_];
  std::int64_t whole_milli = 0;
  for (const Amount& a : request) {
    row[a.resource.value()] += a.amount;
    if (a.resource == kGpu) whole_milli = a.amount - gpu_milli;
  }
  if (whole_milli == 0 && gpu_milli == 0) return;
  GpuDevices& gpus = info_[n.value()].gpus;
  gpus.whole_free += static_cast<std::int32_t>(whole_milli / 1000);
  if (gpu_milli > 0) gpus.GiveShare(device, gpu_milli);
  RefreshGpuColumns(n);
}

void NodeTable::Widen(const ResourceTable& resources) {
  if (resources.size() <= stride_) return;
  const std::uint32_t wider = (resources.size() + 7) / 8 * 8;
  for (std::vector<std::int64_t>* column : {&allocatable_, &free_}) {
    std::vector<std::int64_t> wide(static_cast<std::size_t>(size()) * wider, 0);
    for (std::uint32_t n = 0; n < size(); ++n) {
      std::copy_n(&(*column)[n * stride_], stride_, &wide[n * wider]);
    }
    *column = std::move(wide);
  }
  stride_ = wider;
}

bool NodeTable::Rerank() {
  if (unranked_.empty()) return false;
  auto by_name = [this](NodeId a, NodeId b) { return name(a) < name(b); };
  std::sort(unranked_.begin(), unranked_.end(), by_name);
  // A few new nodes go between their neighbours, where there is a number left.
  bool squeezed = unranked_.size() * 8 < order_.size();
  for (std::size_t i = 0; squeezed && i < unranked_.size(); ++i) {
    auto at = std::lower_bound(order_.begin(), order_.end(), unranked_[i], by_name);
    const std::uint64_t below = at == order_.begin() ? 0 : rank(*(at - 1));
    const std::uint64_t above =
        at == order_.end() ? std::numeric_limits<std::uint32_t>::max() : rank(*at);
    const std::uint64_t middle = (below + above) / 2;
    squeezed = middle > below && middle < above;
    if (squeezed) {
      ranks_[unranked_[i].value()] = static_cast<std::uint32_t>(middle);
      order_.insert(at, unranked_[i]);
      unranked_[i] = NodeId();
    }
  }
  std::erase_if(unranked_, [](NodeId n) { return !n.valid(); });
  if (squeezed) return false;
  const auto middle = static_cast<std::ptrdiff_t>(order_.size());
  order_.insert(order_.end(), unranked_.begin(), unranked_.end());
  std::inplace_merge(order_.begin(), order_.begin() + middle, order_.end(), by_name);
  unranked_.clear();
  const std::uint64_t gap = std::numeric_limits<std::uint32_t>::max() / (order_.size() + 1);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    ranks_[order_[i].value()] = static_cast<std::uint32_t>((i + 1) * gap);
  }
  return true;
}

}  // namespace fairlead::state
