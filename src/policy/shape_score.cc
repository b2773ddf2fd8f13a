#include "policy/shape_score.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>

#include <boost/container/small_vector.hpp>

#include "base/wide_int.h"
#include "policy/placement.h"

namespace fairlead::policy {
namespace {

using objects::NodeChoice;
using state::NodeId;
using state::NodeTable;
using state::Shape;
using state::Stay;

constexpr std::int64_t kMostPoints = 100;
constexpr std::int64_t kDevice = 1000;  // a GPU, in thousandths

// Of what a pod wastes, in millionths of a GPU (shape_score.h). Chosen on openb with the seeds 142
// to 145; between a third and three times as much it makes no difference of a tenth of a percent.
constexpr std::int64_t kPerMilli = 1000;
constexpr std::int64_t kWeightOfRest = 50'000;
constexpr std::int64_t kWeightOfStranded = 2;
constexpr std::int64_t kWeightOfWorth = 10;

// As `Of` gives it: no node lacks less than nothing.
std::uint32_t Lacking(std::int64_t waste) {
  constexpr std::int64_t kEven = 2'000'000'000;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(waste + kEven, 0, 2 * kEven));
}

// Of 51, 52, … 99 points: from where on the logistic function gives them, ln(p / (100 − p)), in
// 10^-9. Fewer than 50 mirror them.
constexpr std::array<std::int64_t, 49> kLogits = {
    40005335,   80042708,   120144312,  160342650,  200670695,  241162057,  281851152,
    322773392,  363965377,  405465108,  447312218,  489548225,  532216814,  575364145,
    619039208,  663294217,  708185058,  753771802,  800119300,  847297860,  895384047,
    944461609,  994622575,  1045968555, 1098612289, 1152679510, 1208311206, 1265666373,
    1324925415, 1386294361, 1450010176, 1516347489, 1585627264, 1658228077, 1734601055,
    1815289967, 1900958761, 1992430165, 2090741097, 2197224577, 2313634929, 2442347035,
    2586689344, 2751535313, 2944438979, 3178053830, 3476098690, 3891820298, 4595119850};

// ⌊100·σ(gain / unit)⌋, for gain/unit in 10^-9.
std::int64_t Logistic(std::int64_t x) {
  if (x >= 0) return 50 + (std::upper_bound(kLogits.begin(), kLogits.end(), x) - kLogits.begin());
  return 49 - (std::lower_bound(kLogits.begin(), kLogits.end(), -x) - kLogits.begin());
}

std::int64_t CeilOf(WideInt numerator, WideInt denominator) {
  return static_cast<std::int64_t>((numerator + denominator - 1) / denominator);
}

std::int64_t GpuMilliOf(const Shape& shape) {
  return shape.gpu_milli + std::int64_t{shape.whole_gpus} * 1000;
}

}  // namespace

struct ShapeScore::Room {
  std::int64_t cpu = 0, gpu = 0;
  // Devices with anything free; the first `shared` of them are in shared use.
  boost::container::small_vector<std::int64_t, 16> devices;
  boost::container::small_vector<std::int8_t, 16> numbers;
  std::int32_t shared = 0, whole = 0;
};

bool DependsOnShape(NodeChoice choice) {
  return choice != NodeChoice::kBinpack && choice != NodeChoice::kSpread &&
         choice != NodeChoice::kRandom;
}

void ShapeScore::Prepare() {
  largest_cpu_ = largest_gpu_ = 1;
  const NodeTable& nodes = cluster_.nodes();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::int64_t* all = nodes.allocatable(NodeId(i));
    largest_cpu_ = std::max(largest_cpu_, all[state::kCpu.value()]);
    largest_gpu_ = std::max(largest_gpu_, all[state::kGpu.value()]);
  }
  fragmentation_.Prepare();
  PrepareTypical();
}

void ShapeScore::PrepareTypical() {
  const std::vector<objects::TypicalPod>& typical = cluster_.configuration().typical_pods;
  prices_.Make(typical);
  WideInt cpu = 0, gpu = 0;
  for (const objects::TypicalPod& pod : typical) {
    const std::int64_t gpus = pod.gpus * kDevice + pod.gpu_milli;
    if (gpus == 0) continue;
    cpu += static_cast<WideInt>(pod.cpu_milli) * pod.count;
    gpu += static_cast<WideInt>(gpus) * pod.count;
  }
  const auto mean = gpu == 0 ? 0 : static_cast<std::int64_t>(cpu * kDevice / gpu);
  cpu_per_gpu_ = std::max<std::int64_t>(1, mean);
}

NodeChoice ShapeScore::ChoiceOf(const Shape& shape) const {
  const NodeChoice choice = ChoiceFor(cluster_, shape);
  const bool nobody_expected = fragmentation_.total_weight() == 0;
  return nobody_expected && objects::NeedsTypicalPods(choice) ? NodeChoice::kBestFit : choice;
}

ShapeScore::Room ShapeScore::RoomOf(NodeId n, Stay stay) const {
  const NodeTable& nodes = cluster_.nodes();
  Room room;
  const state::When when = stay == Stay::kComes ? state::When::kLater : state::When::kNow;
  room.cpu = std::max<std::int64_t>(0, nodes.room(n, when)[state::kCpu.value()]);
  nodes.ForEachDevice(n, stay, [&](std::int8_t number, std::int64_t free, std::int32_t count) {
    if (free <= 0) return;
    for (std::int32_t i = 0; i < count; ++i) room.devices.push_back(free);
    room.numbers.insert(room.numbers.end(), static_cast<std::size_t>(count), number);
    (free < 1000 ? room.shared : room.whole) += count;
    room.gpu += free * count;
  });
  return room;
}

std::uint32_t ShapeScore::Of(const Shape& shape, NodeId n, state::When when) const {
  const Room room = RoomOf(n, when == state::When::kNow ? Stay::kStays : Stay::kComes);
  std::int64_t points = 0;
  switch (ChoiceOf(shape)) {
    case NodeChoice::kDotProduct:
      points = DotProduct(shape, room);
      break;
    case NodeChoice::kClustering:
      points = Clustering(shape, n, room);
      break;
    case NodeChoice::kPacking:
      points = Packing(shape, n, room);
      break;
    case NodeChoice::kFgd:
      points = Fgd(shape, n, room, nullptr);
      break;
    case NodeChoice::kFragmentation:
      return Lacking(Waste(shape, n, room, nullptr));
    case NodeChoice::kBestFit:
    case NodeChoice::kBinpack:
    case NodeChoice::kSpread:
    case NodeChoice::kRandom:
      points = BestFit(shape, room);
      break;
  }
  return static_cast<std::uint32_t>(kMostPoints - std::clamp<std::int64_t>(points, 0, kMostPoints));
}

std::int64_t ShapeScore::BestFit(const Shape& shape, const Room& room) const {
  const std::int64_t cpu_left = room.cpu - AmountOf(shape.request, state::kCpu);
  const std::int64_t gpu_left = room.gpu - GpuMilliOf(shape);
  return kMostPoints -
         CeilOf(static_cast<WideInt>(50) * (static_cast<WideInt>(cpu_left) * largest_gpu_ +
                                            static_cast<WideInt>(gpu_left) * largest_cpu_),
                static_cast<WideInt>(largest_cpu_) * largest_gpu_);
}

std::int64_t ShapeScore::DotProduct(const Shape& shape, const Room& room) const {
  const auto cpu_square = static_cast<WideInt>(largest_cpu_) * largest_cpu_;
  const auto gpu_square = static_cast<WideInt>(largest_gpu_) * largest_gpu_;
  const auto cpu = static_cast<WideInt>(room.cpu) * AmountOf(shape.request, state::kCpu);
  const auto gpu = static_cast<WideInt>(room.gpu) * GpuMilliOf(shape);
  // Each quotient in 10^-6 of a point, so that no product passes the end of the numbers.
  const auto millionths = 50'000'000 * cpu / cpu_square + 50'000'000 * gpu / gpu_square;
  return kMostPoints - CeilOf(millionths, 1'000'000);
}

std::int64_t ShapeScore::Clustering(const Shape& shape, NodeId n, const Room& room) const {
  if (GpuMilliOf(shape) == 0) return 0;
  // 0: a share; else the number of devices.
  bool own = false;
  bool others = false;
  for (state::PodId p : cluster_.nodes().pods(n)) {
    const Shape& other = cluster_.shapes()[cluster_.pods()[p].shape];
    if (GpuMilliOf(other) == 0) continue;
    (other.whole_gpus == shape.whole_gpus ? own : others) = true;
  }
  const std::int64_t tier = own ? (others ? 50 : 75) : (others ? 0 : 25);
  return tier + 25 * std::max<std::int64_t>(0, largest_gpu_ - room.gpu) / largest_gpu_;
}

std::int64_t ShapeScore::Packing(const Shape& shape, NodeId n, const Room& room) const {
  if (GpuMilliOf(shape) == 0) return 0;
  const std::int64_t all = cluster_.nodes().allocatable(n)[state::kGpu.value()] / 1000;
  if (room.whole == all) return std::max<std::int64_t>(kMostPoints / 3 - all, all);
  if (shape.gpu_milli == 0) {
    return std::max<std::int64_t>(kMostPoints / 2 - shape.whole_gpus, kMostPoints / 3);
  }
  std::int64_t tightest = 1000;
  for (std::int64_t free : room.devices) {
    if (free >= shape.gpu_milli) tightest = std::min(tightest, free);
  }
  if (tightest == 1000) return kMostPoints / 2 - 1;
  return kMostPoints - tightest / 10 / 10;
}

// What is left once the pod is there; of a share on each device in turn, of which those that have
// as much free are alike. Calls judge(rest, free), `free`: what the device had; 0: it takes whole
// ones.
template <typename Judge>
std::int64_t ShapeScore::LeastOf(const Shape& shape, Room room, std::int8_t* device,
                                 Judge judge) const {
  room.cpu -= AmountOf(shape.request, state::kCpu);
  room.gpu -= GpuMilliOf(shape);
  if (shape.gpu_milli == 0) {
    std::int32_t whole = shape.whole_gpus;
    for (std::int64_t& free : room.devices) {
      if (whole > 0 && free == kDevice) {
        free = 0;
        --whole;
      }
    }
    return judge(room, 0);
  }
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t tried = -1;
  for (std::size_t d = 0; d < room.devices.size(); ++d) {
    const std::int64_t free = room.devices[d];
    if (free < shape.gpu_milli || free == tried) continue;
    tried = free;
    room.devices[d] -= shape.gpu_milli;
    const std::int64_t now = judge(room, free);
    if (now < least) {
      least = now;
      if (device != nullptr) *device = room.numbers[d];
    }
    room.devices[d] = free;
  }
  return least;
}

std::int64_t ShapeScore::Fgd(const Shape& shape, NodeId n, const Room& room,
                             std::int8_t* device) const {
  const std::int64_t before = fragmentation_.Of(n, room.cpu, room.devices);
  return -LeastOf(shape, room, device, [&](const Room& rest, std::int64_t /*free*/) {
    const std::int64_t gain = before - fragmentation_.Of(n, rest.cpu, rest.devices);
    return -Logistic(static_cast<std::int64_t>(static_cast<WideInt>(gain) * 1'000'000 /
                                               fragmentation_.total_weight()));
  });
}

std::int64_t ShapeScore::Stranded(const Room& room) const {
  const WideInt served = static_cast<WideInt>(room.cpu) * kDevice / cpu_per_gpu_;
  return static_cast<std::int64_t>(std::max<WideInt>(0, room.gpu - served));
}

std::int64_t ShapeScore::Waste(const Shape& shape, NodeId n, const Room& room,
                               std::int8_t* device) const {
  const std::int64_t unusable = fragmentation_.Of(n, room.cpu, room.devices);
  const std::int64_t stranded = Stranded(room);
  return LeastOf(shape, room, device, [&](const Room& rest, std::int64_t free) {
    const std::int64_t more = fragmentation_.Of(n, rest.cpu, rest.devices) - unusable;
    const auto as_gpus = static_cast<std::int64_t>(static_cast<WideInt>(more) * kPerMilli /
                                                   fragmentation_.total_weight());
    const WideInt cpu = static_cast<WideInt>(kWeightOfRest) * rest.cpu / largest_cpu_;
    const std::int64_t left =
        static_cast<std::int64_t>(cpu) + kWeightOfRest * rest.gpu / largest_gpu_;
    const std::int64_t worth =
        free == 0 ? 0 : prices_.WorthOf(free) - prices_.WorthOf(free - shape.gpu_milli);
    return as_gpus + left + kWeightOfStranded * kPerMilli * (Stranded(rest) - stranded) +
           kWeightOfWorth * worth;
  });
}

std::int8_t ShapeScore::DeviceFor(const Shape& shape, NodeId n, Stay stay,
                                  std::uint64_t draw) const {
  std::int8_t device = NodeTable::kBestDevice;
  const NodeChoice choice = ChoiceOf(shape);
  if (choice == NodeChoice::kFgd) Fgd(shape, n, RoomOf(n, stay), &device);
  if (choice == NodeChoice::kFragmentation) Waste(shape, n, RoomOf(n, stay), &device);
  if (choice != NodeChoice::kRandom) return device;
  const Room room = RoomOf(n, stay);
  const auto fits = [&](std::int64_t free) { return free >= shape.gpu_milli; };
  const auto fitting =
      static_cast<std::uint64_t>(std::count_if(room.devices.begin(), room.devices.end(), fits));
  if (fitting == 0) return device;
  std::uint64_t skip = draw % fitting;
  for (std::size_t d = 0; d < room.devices.size(); ++d) {
    if (fits(room.devices[d]) && skip-- == 0) return room.numbers[d];
  }
  return device;
}

}  // namespace fairlead::policy
