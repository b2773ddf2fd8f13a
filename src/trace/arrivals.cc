#include "trace/arrivals.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "base/wide_int.h"
#include "objects/keys.h"
#include "objects/typical_pods.h"

namespace fairlead::trace {
namespace {

using objects::AmountOf;
using objects::Node;
using objects::Object;
using objects::Pod;
using objects::SchedulerConfiguration;
using objects::TypicalPod;

// Thousandths of a device. Amounts of GPUs are counted so.
std::int64_t GpuMilliOf(const Pod& pod) {
  return pod.spec.needs.gpu_milli + AmountOf(pod.spec.needs.request, objects::kGpuResource);
}

void Shuffle(Random& random, std::vector<std::size_t>& order) {
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.Below(i))]);
  }
}

std::vector<std::size_t> Shuffled(Random& random, std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  Shuffle(random, order);
  return order;
}

// Numbers of `pods`, in the order of their arrival: each once, then some again; or not all.
std::vector<std::size_t> Drawn(Random& random, const std::vector<Pod*>& pods, std::int64_t wanted) {
  std::vector<std::size_t> order = Shuffled(random, pods.size());
  std::int64_t asked = 0;
  for (const Pod* pod : pods) asked += GpuMilliOf(*pod);
  if (asked == 0) return order;
  if (asked > wanted) {
    while (asked > wanted) {
      const auto out = static_cast<std::ptrdiff_t>(random.Below(order.size()));
      asked -= GpuMilliOf(*pods[order[static_cast<std::size_t>(out)]]);
      order.erase(order.begin() + out);
    }
    return order;
  }
  for (;;) {
    const auto again = static_cast<std::size_t>(random.Below(pods.size()));
    asked += GpuMilliOf(*pods[again]);
    if (asked > wanted) return order;
    order.push_back(again);
  }
}

}  // namespace

std::vector<TypicalPod> TypicalPodsOf(const std::vector<Object>& objects) {
  objects::PodKinds kinds;
  for (const Object& object : objects) {
    if (const auto* pod = std::get_if<Pod>(&object)) kinds.Add(pod->spec.needs);
  }
  return kinds.Popular();
}

void FillTypicalPods(std::vector<Object>& objects) {
  for (Object& object : objects) {
    auto* configuration = std::get_if<SchedulerConfiguration>(&object);
    if (configuration == nullptr || !LacksTypicalPods(*configuration)) continue;
    configuration->typical_pods = TypicalPodsOf(objects);
  }
}

std::vector<Object> MakeArrivals(const Arrivals& arrivals, std::vector<Object> objects) {
  std::vector<Node*> nodes;
  std::vector<Pod*> pods;
  std::vector<Object> made;
  std::int64_t capacity = 0;
  for (Object& object : objects) {
    if (auto* pod = std::get_if<Pod>(&object)) {
      pods.push_back(pod);
    } else if (auto* node = std::get_if<Node>(&object)) {
      const std::int64_t gpu_milli = AmountOf(node->allocatable, objects::kGpuResource);
      capacity += gpu_milli;
      if (gpu_milli > 0) nodes.push_back(node);
    } else {
      made.push_back(std::move(object));
    }
  }
  Random random(arrivals.seed);
  const std::vector<std::size_t> order =
      Drawn(random, pods, capacity / 100 * arrivals.load_percent);
  const std::vector<std::size_t> numbers = Shuffled(random, nodes.size());
  made.reserve(made.size() + nodes.size() + order.size());  // nothing in it moves any more
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->meta.name = fmt::format("{:06}-{}", numbers[i], nodes[i]->meta.name);
    made.emplace_back(std::move(*nodes[i]));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    Pod*& from = pods[order[i]];
    const bool again = i >= pods.size();
    Object& object = again ? made.emplace_back(*from) : made.emplace_back(std::move(*from));
    Pod& pod = std::get<Pod>(object);
    if (again) {
      pod.meta.name += fmt::format("-again-{}", i - pods.size());
    } else {
      from = &pod;  // where it is copied from when it is drawn again
    }
    pod.meta.annotations.clear();
    pod.meta.annotations.emplace_back("fairlead.dev/arrives-at", std::to_string(i + 1) + "s");
  }
  return made;
}

AllocationCurve::AllocationCurve(const std::vector<Object>& objects) {
  gpu_milli_.reserve(objects.size());
  for (const Object& object : objects) {
    if (const auto* node = std::get_if<Node>(&object)) {
      capacity_milli_ += AmountOf(node->allocatable, objects::kGpuResource);
    } else if (const auto* pod = std::get_if<Pod>(&object)) {
      if (const std::int64_t milli = GpuMilliOf(*pod); milli > 0) {
        gpu_milli_.emplace(pod->meta.Key(), milli);
      }
    }
  }
}

// What stands now, after the latest arrival and what it led to.
void AllocationCurve::Note(std::vector<std::pair<std::int64_t, std::int64_t>>& sums) const {
  if (capacity_milli_ == 0) return;
  const std::int64_t percent = (arrived_milli_ * 200 + capacity_milli_) / (2 * capacity_milli_);
  if (sums.size() <= static_cast<std::size_t>(percent)) {
    sums.resize(static_cast<std::size_t>(percent) + 1);
  }
  auto& [allocated, arrivals] = sums[static_cast<std::size_t>(percent)];
  allocated += allocated_milli_;
  ++arrivals;
}

void AllocationCurve::OnEvent(const drive::Event& event) {
  using drive::EventType;
  if (event.pod.empty()) return;
  const bool arrives = event.type == EventType::kArrive;
  if (arrives && std::exchange(any_, true)) Note(sums_);
  if (!arrives && event.type != EventType::kBind) return;
  const auto found = gpu_milli_.find(event.pod);
  if (found == gpu_milli_.end()) return;
  (arrives ? arrived_milli_ : allocated_milli_) += found->second;
}

std::vector<std::int64_t> AllocationCurve::Hundredths() const {
  auto sums = sums_;
  if (any_) Note(sums);
  std::vector<std::int64_t> curve;
  for (const auto& [allocated, arrivals] : sums) {
    const auto all = static_cast<WideInt>(capacity_milli_) * arrivals;
    curve.push_back(arrivals == 0
                        ? -1
                        : static_cast<std::int64_t>(
                              (static_cast<WideInt>(allocated) * 10'000 + all / 2) / all));
  }
  return curve;
}

}  // namespace fairlead::trace
