#include "intake/kai.h"

#include <optional>

#include "base/quantity.h"
#include "objects/read/decode.h"

// A KAI queue has three resources, each a plain number in a unit of its own:
//
//   spec.resources.cpu     millicores            500  → 500m
//   spec.resources.memory  10^6 bytes           4096  → 4096M
//   spec.resources.gpu     devices               1.5  → 1500 thousandths of nvidia.com/gpu
//
//   quota            guaranteed; absent 0; -1: all that the parent has
//   limit            absent or 0: nothing; -1: no limit
//   overQuotaWeight  the weight, by resource; absent 0: no surplus by right
//
// Unknown fields are passed over: KAI's kinds may be newer than this.

namespace fairlead::intake {
namespace {

using objects::FieldReader;
using objects::Value;

constexpr std::int64_t kUnlimited = -1;
constexpr std::int32_t kQueuePriority = 100;  // KAI's, where none is named

struct KaiResource {
  std::string_view key;       // in spec.resources
  std::string_view resource;  // Kubernetes' name
  Scale scale;                // of the number: in whole ones, or kept in thousandths
  std::int64_t factor;        // from there to the resource's own unit
};
constexpr KaiResource kResources[] = {
    {"cpu", "cpu", Scale::kUnit, 1},            // millicores, as amounts of cpu are
    {"memory", "memory", Scale::kMilli, 1000},  // thousandths of 10^6 bytes
    {"gpu", "nvidia.com/gpu", Scale::kMilli, 1},
};

// The plain number under `key`, -1 included, in `scale`; absent where it is absent or wrong.
std::optional<std::int64_t> ReadNumber(FieldReader& fields, const Value* parent,
                                       std::string_view key, Scale scale, bool may_be_unlimited) {
  const Value* value = FieldReader::Get(parent, key);
  if (value == nullptr) return std::nullopt;
  if (value->kind() == Value::Kind::kNumber) {
    const Result<std::int64_t> number = ParseQuantity(value->text(), scale);
    const std::int64_t one = scale == Scale::kMilli ? 1000 : 1;
    if (number && *number >= 0) return *number;
    if (number && may_be_unlimited && *number == -one) return kUnlimited;
  }
  fields.Unexpected(*value, may_be_unlimited ? "a number that is not negative, or -1: unlimited"
                                             : "a number that is not negative");
  return std::nullopt;
}

std::optional<std::int64_t> ReadAmount(FieldReader& fields, const Value* parent,
                                       std::string_view key, const KaiResource& resource) {
  std::optional<std::int64_t> number = ReadNumber(fields, parent, key, resource.scale, true);
  if (!number || *number == kUnlimited) return number;
  std::int64_t amount = 0;
  if (__builtin_mul_overflow(*number, resource.factor, &amount)) {
    fields.Unexpected(*parent->Find(key), "a number below 2^63 in the resource's own unit");
    return std::nullopt;
  }
  return amount;
}

void ReadResource(FieldReader& fields, const Value* resources, const KaiResource& resource,
                  objects::Queue& queue) {
  const Value* of = fields.Mapping(resources, resource.key);
  const std::string name(resource.resource);
  const std::int64_t quota = ReadAmount(fields, of, "quota", resource).value_or(0);
  const std::int64_t limit = ReadAmount(fields, of, "limit", resource).value_or(0);
  if (quota == kUnlimited) {
    queue.guaranteed_all.push_back(name);
  } else if (quota > 0) {
    queue.guaranteed.emplace_back(name, quota);
  }
  if (limit != kUnlimited) queue.limit.emplace_back(name, limit);
  const auto weight = ReadNumber(fields, of, "overQuotaWeight", Scale::kMilli, false);
  queue.weight.by_resource.emplace_back(name, weight.value_or(0));
}

void DecodeKaiQueue(const Value& document, std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, "Queue", objects::Scope::kCluster, file, into);
  objects::Queue queue;
  queue.dialect_kind = "KAI Queue";
  objects::ReadMeta(fields, document, queue.meta, objects::NameRule::kCapitals);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "parentQueue", queue.parent);
  const Value* resources = fields.Mapping(spec, "resources");
  for (const KaiResource& resource : kResources) ReadResource(fields, resources, resource, queue);
  queue.priority = kQueuePriority;
  fields.Integer(spec, "priority", queue.priority);
  fields.Duration(spec, "preemptMinRuntime", queue.preempt_min_runtime);
  fields.Duration(spec, "reclaimMinRuntime", queue.reclaim_min_runtime);
  if (fields.ok()) into.objects.emplace_back(std::move(queue));
}

}  // namespace

const objects::DecoderTable& KaiDecoders() {
  static const objects::DecoderTable kTable = {
      {"scheduling.run.ai/v2", "Queue", DecodeKaiQueue},
  };
  return kTable;
}

}  // namespace fairlead::intake
