#include "state/nodes.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace fairlead::state {
namespace {

bool PrefersNoSchedule(const NodeTable& nodes, NodeId n) {
  return nodes.exists(n) && std::ranges::any_of(nodes.taints(n), [](const auto& taint) {
           return taint.effect == objects::TaintEffect::kPreferNoSchedule;
         });
}

}  // namespace

std::int64_t GpuDevices::MostFree() const {
  std::int64_t known = 1000;
  if (whole_free <= 0) {
    known = 0;
    for (std::int64_t free : shared_free) known = std::max(known, free);
  }
  return std::max<std::int64_t>(0, known - astray_milli);
}

std::int64_t GpuDevices::FreeOn(std::size_t device) const {
  const bool shared = device < shared_free.size() && shared_free[device] != kUnused;
  const std::int64_t known = shared ? shared_free[device] : whole_free > 0 ? 1000 : 0;
  return known - astray_milli;
}

void GpuDevices::TakeShare(std::int8_t device, std::int32_t milli) {
  if (device == NodeTable::kAstray) {
    ++astray;
    astray_milli += milli;
    return;
  }
  const auto d = static_cast<std::size_t>(static_cast<unsigned char>(device));
  if (d >= shared_free.size()) shared_free.resize(d + 1, kUnused);
  if (shared_free[d] == kUnused) {
    shared_free[d] = 1000;
    --whole_free;
  }
  shared_free[d] -= milli;
}

void GpuDevices::GiveShare(std::int8_t device, std::int32_t milli) {
  if (device == NodeTable::kAstray) {
    --astray;
    astray_milli -= milli;
    return;
  }
  std::int32_t& free = shared_free[device];
  free += milli;
  if (free >= 1000) {
    free = kUnused;
    ++whole_free;
  }
}

NodeTable::NodeTable(const ResourceTable& resources) { Widen(resources); }

NodeId NodeTable::Find(std::string_view name) const {
  auto it = by_name_.find(name);
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
    later_.resize(later_.size() + stride_);
    ranks_.push_back(0);
    unranked_.push_back(it->second);
  }
  return it->second;
}

bool NodeTable::Update(NodeId n, const NodeChange& change, ResourceTable& resources) {
  Info& info = info_[n.value()];
  Barriers barriers{
      .taints = change.taints, .implied_taints = {}, .misread_pod = change.misread_pod};
  auto& [taints, implied, _] = barriers;
  auto add = [&](const char* key) {
    objects::Taint taint{key, "", objects::TaintEffect::kNoSchedule};
    auto same = [&](const auto& t) { return t.key == taint.key && t.effect == taint.effect; };
    if (std::any_of(taints.begin(), taints.end(), same)) return;
    taints.push_back(taint);
    implied.push_back(taint);
  };
  if (!change.schedulable) add("node.kubernetes.io/unschedulable");
  if (!change.ready) add("node.kubernetes.io/not-ready");
  std::sort(taints.begin(), taints.end());

  const Amounts amounts = ToAmounts(change.allocatable, resources);
  Widen(resources);
  std::vector<std::int64_t> row(stride_, 0);
  for (const Amount& a : amounts) {
    const std::int64_t most = MostOfAPod(a.resource) - (a.resource == kGpu ? 1000 : 1);
    row[a.resource.value()] = std::min(a.amount, most);
  }
  // A node that does not say how many pods it takes (a hand-written manifest) takes what a kubelet
  // takes by default. One that says "0" takes none.
  const bool says_pods = std::ranges::any_of(
      *change.allocatable, [](const auto& entry) { return entry.first == "pods"; });
  if (!says_pods) row[kPods.value()] = 110;

  std::int64_t* had = &allocatable_[std::size_t{n.value()} * stride_];
  const bool in_service = change.schedulable && change.ready && change.misread_pod.empty();
  const bool changed = !info.exists || info.in_service != in_service ||
                       !(info.labels == change.labels) || !(*info.barriers == barriers) ||
                       !std::equal(row.begin(), row.end(), had);
  for (std::uint32_t r = 0; r < stride_; ++r) {
    free_[std::size_t{n.value()} * stride_ + r] += row[r] - had[r];
    later_[std::size_t{n.value()} * stride_ + r] += row[r] - had[r];
    if (r == kGpu.value()) {
      AddDevices(n, static_cast<std::int32_t>((row[r] - had[r]) / 1000));
    }
    had[r] = row[r];
  }
  prefer_no_schedule_nodes_ -= PrefersNoSchedule(*this, n) ? 1 : 0;
  info.exists = true;
  info.outside = false;
  info.in_service = in_service;
  info.labels = change.labels;
  if (!(*info.barriers == barriers)) info.barriers.Edit() = std::move(barriers);
  prefer_no_schedule_nodes_ += PrefersNoSchedule(*this, n) ? 1 : 0;
  RefreshGpuColumns(n);
  return changed;
}

void NodeTable::AddDevices(NodeId n, std::int32_t devices) {
  if (devices == 0) return;
  Gpus& gpus = info_[n.value()].gpus.Edit();
  gpus.now.whole_free += devices;
  gpus.later.whole_free += devices;
}

void NodeTable::SetOutside(NodeId n, const objects::SharedLabels& labels) {
  info_[n.value()].outside = true;
  info_[n.value()].labels = labels;
}

void NodeTable::Retire(NodeId n) {
  Info& info = info_[n.value()];
  info.outside = false;
  if (!info.exists) return;
  prefer_no_schedule_nodes_ -= PrefersNoSchedule(*this, n) ? 1 : 0;
  info.exists = false;
  info.in_service = false;
  for (std::uint32_t r = 0; r < stride_; ++r) {
    const std::size_t at = std::size_t{n.value()} * stride_ + r;
    free_[at] -= allocatable_[at];
    later_[at] -= allocatable_[at];
    if (r == kGpu.value()) {
      AddDevices(n, -static_cast<std::int32_t>(allocatable_[at] / 1000));
    }
    allocatable_[at] = 0;
  }
  RefreshGpuColumns(n);
}

void NodeTable::RefreshGpuColumns(NodeId n) {
  const auto& [now, afterwards] = *info_[n.value()].gpus;
  std::int64_t* later = &later_[std::size_t{n.value()} * stride_];
  std::int64_t* free = &free_[std::size_t{n.value()} * stride_];
  later[kGpuWhole.value()] = afterwards.WholeFree();
  later[kGpuShare.value()] = afterwards.MostFree();
  free[kGpuWhole.value()] = std::min(now.WholeFree(), afterwards.WholeFree());
  if (!in_turnover(n)) {
    free[kGpuShare.value()] = later[kGpuShare.value()];
    return;
  }
  const std::size_t devices = std::max(now.shared_free.size(), afterwards.shared_free.size()) + 1;
  std::int64_t most = 0;
  for (std::size_t d = 0; d < devices; ++d) {
    most = std::max(most, std::min(now.FreeOn(d), afterwards.FreeOn(d)));
  }
  free[kGpuShare.value()] = most;
}

// Of the devices that are in shared use and have enough, the one with the least; else the first
// that is not in shared use.
std::int8_t NodeTable::PickDevice(NodeId n, std::int32_t milli, Stay stay) const {
  std::int8_t best = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int8_t last = 0;
  ForEachDevice(n, stay, [&](std::int8_t device, std::int64_t free, std::int32_t) {
    last = device;
    if (free < milli || free >= least) return;
    best = device;
    least = free;
  });
  return least == std::numeric_limits<std::int64_t>::max() ? last : best;
}

void NodeTable::NoteTurnover(NodeId n, bool begins) {
  if (begins) {
    info_[n.value()].turnover_at = static_cast<std::uint32_t>(nodes_in_turnover_.size());
    nodes_in_turnover_.push_back(n);
    turnovers_.emplace_back();
    return;
  }
  const std::uint32_t at = info_[n.value()].turnover_at;
  const NodeId last = nodes_in_turnover_.back();
  nodes_in_turnover_[at] = last;
  if (last != n) turnovers_[at] = std::move(turnovers_.back());
  info_[last.value()].turnover_at = at;
  nodes_in_turnover_.pop_back();
  turnovers_.pop_back();
}

void NodeTable::Count(NodeId n, const Amounts& request, std::int64_t sign, Stay stay) {
  Info& info = info_[n.value()];
  std::int64_t* later = &later_[std::size_t{n.value()} * stride_];
  std::int64_t* free = &free_[std::size_t{n.value()} * stride_];
  if (stay != Stay::kStays) {
    if (info.turnover == 0) NoteTurnover(n, true);
    info.turnover += static_cast<std::int32_t>(sign);
    auto& [leaving, claimed] = turnovers_[info.turnover_at];
    AddTo(stay == Stay::kLeaves ? leaving : claimed, request, sign);
    if (info.turnover == 0) NoteTurnover(n, false);
  }
  if (stay != Stay::kLeaves) {
    for (const Amount& a : request) later[a.resource.value()] -= sign * a.amount;
  }
  if (info.turnover > 0) {
    const auto& [leaving, claimed] = turnovers_[info.turnover_at];
    for (const Amount& a : request) {
      const std::int64_t waits = AmountOf(leaving, a.resource) - AmountOf(claimed, a.resource);
      free[a.resource.value()] = later[a.resource.value()] - std::max<std::int64_t>(0, waits);
    }
  } else {
    for (const Amount& a : request) free[a.resource.value()] = later[a.resource.value()];
  }
}

std::int8_t NodeTable::Take(NodeId n, const Amounts& request, std::int32_t gpu_milli,
                            std::int8_t wanted, Stay stay) {
  Count(n, request, +1, stay);
  const std::int64_t whole_milli = AmountOf(request, kGpu) - gpu_milli;
  if (whole_milli == 0 && gpu_milli == 0) return -1;
  Gpus& on_node = info_[n.value()].gpus.Edit();
  std::int8_t device = -1;
  if (gpu_milli > 0) device = wanted == kBestDevice ? PickDevice(n, gpu_milli, stay) : wanted;
  auto take = [&](GpuDevices& gpus) {
    gpus.whole_free -= static_cast<std::int32_t>(whole_milli / 1000);
    if (gpu_milli > 0) gpus.TakeShare(device, gpu_milli);
  };
  if (stay != Stay::kComes) take(on_node.now);
  if (stay != Stay::kLeaves) take(on_node.later);
  RefreshGpuColumns(n);
  return device;
}

void NodeTable::Give(NodeId n, const Amounts& request, std::int32_t gpu_milli, std::int8_t device,
                     Stay stay) {
  Count(n, request, -1, stay);
  const std::int64_t whole_milli = AmountOf(request, kGpu) - gpu_milli;
  if (whole_milli == 0 && gpu_milli == 0) return;
  Gpus& on_node = info_[n.value()].gpus.Edit();
  auto give = [&](GpuDevices& gpus) {
    gpus.whole_free += static_cast<std::int32_t>(whole_milli / 1000);
    if (gpu_milli > 0) gpus.GiveShare(device, gpu_milli);
  };
  if (stay != Stay::kComes) give(on_node.now);
  if (stay != Stay::kLeaves) give(on_node.later);
  RefreshGpuColumns(n);
}

void NodeTable::Widen(const ResourceTable& resources) {
  if (resources.size() <= stride_) return;
  const std::uint32_t wider = (resources.size() + 7) / 8 * 8;
  for (std::vector<std::int64_t>* column : {&allocatable_, &free_, &later_}) {
    std::vector<std::int64_t> wide(static_cast<std::size_t>(size()) * wider, 0);
    for (std::uint32_t n = 0; n < size(); ++n) {
      std::copy_n(&(*column)[std::size_t{n} * stride_], stride_, &wide[std::size_t{n} * wider]);
    }
    *column = std::move(wide);
  }
  stride_ = wider;
}

NodeId NodeTable::Ranked(std::uint32_t rank) const {
  const auto at = std::lower_bound(order_.begin(), order_.end(), rank,
                                   [this](NodeId n, std::uint32_t r) { return this->rank(n) < r; });
  DCHECK(at != order_.end() && this->rank(*at) == rank);
  return *at;
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
