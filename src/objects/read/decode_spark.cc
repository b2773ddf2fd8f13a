// The pods of a SparkApplication. It has no pod templates but what Spark makes of its fields, so
// this is Spark's own rule (running-on-kubernetes.html, "spark.kubernetes.memoryOverheadFactor"):
//
//   cpu     coreRequest, else cores, else 1
//   memory  memory (1g) + overhead + what Python has of its own + memory off the heap
//   overhead = memoryOverhead, else the factor of memory, and 384 MiB at least
//   factor   memoryOverheadFactor, else 0.1; of programs in Python or R 0.4
//
//   a driver in Python with memory 4g: 4096 MiB + max(384, 0.4 × 4096) = 5734 MiB
//
// A field that the application does not have may be said in its sparkConf. Where a role has a pod
// template, Spark takes the first container for its own, and leaves the others as they are.

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/ascii.h"
#include "objects/keys.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kLeastOverhead = 384 * kMiB;
constexpr std::int64_t kMostMemory = std::int64_t{1} << 50;

struct JavaUnit {
  std::string_view suffix;
  int shift = 0;
};
constexpr JavaUnit kJavaUnits[] = {{"b", 0},   {"k", 10}, {"kb", 10}, {"m", 20},
                                   {"mb", 20}, {"g", 30}, {"gb", 30}, {"t", 40},
                                   {"tb", 40}, {"p", 50}, {"pb", 50}, {"", 20}};

// As Java writes memory: "512m", "4g"; a number alone is in MiB. Absent: it is none.
std::optional<std::int64_t> ParseJavaMemory(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  const std::string suffix = LowerCase(text.substr(static_cast<std::size_t>(end - text.data())));
  for (const JavaUnit& unit : kJavaUnits) {
    if (unit.suffix != suffix) continue;
    return number > (kMostMemory >> unit.shift) ? std::nullopt
                                                : std::optional(number << unit.shift);
  }
  return std::nullopt;
}

class SparkReader {
 public:
  SparkReader(FieldReader& fields, const Value& spec, std::string_view name)
      : fields_(fields),
        spec_(spec),
        conf_(fields.Mapping(&spec, "sparkConf")),
        role_(fields.Mapping(&spec, name)),
        name_(name) {}

  void Read(PodTemplate& out) {
    const Value* own = fields_.Mapping(role_, "template");
    ReadPodTemplate(fields_, own, out);
    ReadLabels(fields_, role_, out.labels, out.annotations);
    ReadPodSpec(fields_, role_, out.labels, out.spec);
    if (out.spec.needs.node_selector.empty()) {
      fields_.Strings(fields_.Mapping(&spec_, "nodeSelector"), out.spec.needs.node_selector);
    }
    std::string scheduler;
    if (FieldReader::Get(role_, "schedulerName") == nullptr &&
        fields_.String(&spec_, "batchScheduler", scheduler) && !scheduler.empty()) {
      out.spec.scheduler_name = std::move(scheduler);
    }
    out.spec.needs.request = Request(fields_.Mapping(own, "spec"));
  }

 private:
  ResourceList Request(const Value* own) {
    ResourceList request;
    AddContainers(own, "containers", request);
    AddContainers(role_, "sidecars", request);
    AddAmount("cpu", Cpu(), request);
    AddAmount("memory", Memory(), request);
    const Value* gpu = fields_.Mapping(role_, "gpu");
    std::string device;
    std::int64_t devices = 0;
    if (fields_.String(gpu, "name", device) &&
        fields_.Integer(gpu, "quantity", devices, 0, kMostDevices)) {
      AddAmount(device, device == kGpuResource ? devices * 1000 : devices, request);
    }
    std::erase_if(request, [](const auto& entry) { return entry.second == 0; });
    return request;
  }

  static void AddAmount(std::string_view resource, std::int64_t amount, ResourceList& request) {
    AddResources({{std::string(resource), amount}}, request);
  }

  // Of a template's containers the first is Spark's: its processor and memory are not what it says.
  void AddContainers(const Value* parent, std::string_view key, ResourceList& request) {
    const Value* containers = fields_.List(parent, key);
    if (containers == nullptr) return;
    for (const Value* container : containers->items()) {
      if (!fields_.IsMapping(*container)) continue;
      ResourceList asked = ContainerRequest(fields_, *container);
      if (key == "containers" && container == containers->items().front()) {
        std::erase_if(asked, [](const auto& entry) {
          return entry.first == "cpu" || entry.first == "memory";
        });
      }
      AddResources(asked, request);
    }
  }

  std::int64_t Cpu() {
    const Value* said = FieldReader::Get(role_, "coreRequest");
    if (said == nullptr) said = InConf(fmt::format("spark.kubernetes.{}.request.cores", name_));
    if (said == nullptr) said = FieldReader::Get(role_, "cores");
    if (said == nullptr) said = InConf(fmt::format("spark.{}.cores", name_));
    std::int64_t milli = 1000;
    if (said != nullptr) ReadAmount(fields_, *said, "cpu", Devices::kWhole, milli);
    return milli;
  }

  std::int64_t Memory() {
    const std::int64_t heap = MemoryAt("memory").value_or(1024 * kMiB);
    const std::int64_t in_mib = heap / kMiB;  // as Spark counts it
    const auto by_factor =
        static_cast<std::int64_t>(std::trunc(Factor() * static_cast<double>(in_mib)));
    const std::int64_t overhead =
        MemoryAt("memoryOverhead").value_or(std::max(by_factor * kMiB, kLeastOverhead));
    std::int64_t beside = 0;
    if (IsPython() && name_ == "executor") {
      beside += MemoryInConf("spark.executor.pyspark.memory").value_or(0);
    }
    const Value* off_heap = InConf("spark.memory.offHeap.enabled");
    if (off_heap != nullptr && off_heap->text() == "true" && name_ == "executor") {
      beside += MemoryInConf("spark.memory.offHeap.size").value_or(0);
    }
    return heap + overhead + beside;
  }

  double Factor() {
    const Value* said = InConf(fmt::format("spark.{}.memoryOverheadFactor", name_));
    if (said == nullptr) said = FieldReader::Get(&spec_, "memoryOverheadFactor");
    if (said == nullptr) said = InConf("spark.kubernetes.memoryOverheadFactor");
    constexpr double kJvm = 0.1, kOthers = 0.4, kMost = 1000;
    if (said == nullptr) return IsPython() || TypeIs("R") ? kOthers : kJvm;
    double factor = 0;
    const std::string_view text = said->text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
    if (error == std::errc() && end == text.data() + text.size() && factor >= 0 && factor < kMost) {
      return factor;
    }
    fields_.Unexpected(*said, "a factor such as 0.1");
    return 0;
  }

  bool TypeIs(std::string_view wanted) {
    const Value* type = FieldReader::Get(&spec_, "type");
    return type != nullptr && type->text() == wanted;
  }
  bool IsPython() { return TypeIs("Python"); }

  const Value* InConf(std::string_view key) { return FieldReader::Get(conf_, key); }

  std::optional<std::int64_t> MemoryAt(std::string_view field) {
    const Value* said = FieldReader::Get(role_, field);
    return said != nullptr ? MemoryIn(said)
                           : MemoryInConf(fmt::format("spark.{}.{}", name_, field));
  }
  std::optional<std::int64_t> MemoryInConf(std::string_view key) { return MemoryIn(InConf(key)); }
  std::optional<std::int64_t> MemoryIn(const Value* said) {
    if (said == nullptr) return std::nullopt;
    const std::optional<std::int64_t> bytes = ParseJavaMemory(said->text());
    if (!bytes) fields_.Unexpected(*said, "memory as Java writes it, such as 512m or 4g");
    return bytes;
  }

  static constexpr std::int64_t kMostDevices = 1'000'000;
  FieldReader& fields_;
  const Value& spec_;
  const Value* conf_;
  const Value* role_;
  std::string_view name_;  // "driver", "executor"
};

}  // namespace

void ReadSparkRole(FieldReader& fields, const Value& spec, std::string_view role,
                   PodTemplate& out) {
  SparkReader(fields, spec, role).Read(out);
}

}  // namespace fairlead::objects
