#include <algorithm>

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::pair<std::string_view, WorkOrder> kOrders[] = {
    {"Created", WorkOrder::kCreated}, {"ShortestFirst", WorkOrder::kShortestFirst}};
constexpr std::string_view kWeight = "a number from 0 to 1000000 with at most 3 decimals";

constexpr std::int64_t kMostWeight = 1'000'000;

std::optional<std::int64_t> ParseThousandths(std::string_view text, std::int64_t max) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view decimals = text.substr(std::min(point + 1, text.size()));
  if (whole.empty() || whole.size() > 7 || decimals.size() > 3) return std::nullopt;
  if (point < text.size() && decimals.empty()) return std::nullopt;
  std::int64_t milli = 0;
  for (const std::string_view digits : {whole, decimals}) {
    for (const char c : digits) {
      if (c < '0' || c > '9') return std::nullopt;
      milli = milli * 10 + (c - '0');
    }
  }
  for (std::size_t i = decimals.size(); i < 3; ++i) milli *= 10;
  return milli <= max * 1000 ? std::optional(milli) : std::nullopt;
}

}  // namespace

bool ReadThousandths(FieldReader& fields, const Value& value, std::int64_t max,
                     std::string_view expected, std::int64_t& out) {
  const bool number = value.kind() == Value::Kind::kNumber || value.kind() == Value::Kind::kString;
  const auto milli = number ? ParseThousandths(value.text(), max) : std::nullopt;
  if (!milli) {
    fields.Unexpected(value, expected);
    return false;
  }
  out = *milli;
  return true;
}

namespace {

void ReadWeight(FieldReader& fields, const Value* spec, Weight& weight) {
  const Value* value = FieldReader::Get(spec, "weight");
  if (value == nullptr) return;
  if (value->kind() != Value::Kind::kMapping) {
    ReadThousandths(fields, *value, kMostWeight, kWeight, weight.milli);
    return;
  }
  for (const Value::Member& member : value->members()) {
    std::int64_t milli = 0;
    if (member.value->is_null()) continue;
    if (!ReadThousandths(fields, *member.value, kMostWeight, kWeight, milli)) continue;
    weight.by_resource.emplace_back(std::string(member.key), milli);
  }
  std::sort(weight.by_resource.begin(), weight.by_resource.end());
}

}  // namespace

void DecodeQueue(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "Queue", Scope::kCluster, file, into);
  Queue queue;
  fields.Known(&document, {"apiVersion", "kind", "metadata", "spec", "status"});
  KnownMeta(fields, document);
  ReadMeta(fields, document, queue.meta, NameRule::kCapitals);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.Known(spec, {"parent", "guaranteed", "limit", "weight", "priority", "preemptMinRuntime",
                      "reclaimMinRuntime", "maxLoss", "repeatProtection", "lend", "order", "ageing",
                      "maxRunTime", "defaultRunTime", "limits", "active"});
  if (fields.String(spec, "parent", queue.parent) && !queue.parent.empty()) {
    CheckName(fields, *spec->Find("parent"), NameRule::kCapitals);
  }
  ReadQueueAmounts(fields, fields.Mapping(spec, "guaranteed"), queue.guaranteed);
  ReadQueueAmounts(fields, fields.Mapping(spec, "limit"), queue.limit);
  ReadWeight(fields, spec, queue.weight);
  fields.Integer(spec, "priority", queue.priority);
  fields.Duration(spec, "preemptMinRuntime", queue.preempt_min_runtime);
  fields.Duration(spec, "reclaimMinRuntime", queue.reclaim_min_runtime);
  ReadMaxLoss(fields, spec, queue.max_loss);
  fields.Duration(spec, "repeatProtection", queue.repeat_protection);
  fields.Integer(spec, "lend", queue.lend, 0, 100);
  fields.Enum(spec, "order", kOrders, queue.order);
  if (fields.Duration(spec, "ageing", queue.ageing) && queue.ageing->WholeSeconds() < 1) {
    fields.Unexpected(*spec->Find("ageing"), "1s or more");
  }
  ReadRunTime(fields, spec, "maxRunTime", queue.max_run_time);
  ReadRunTime(fields, spec, "defaultRunTime", queue.default_run_time);
  ReadUserLimits(fields, spec, queue.limits);
  fields.Bool(spec, "active", queue.active);
  const Value* status = fields.Mapping(&document, "status");
  ReadQueueUsage(fields, status, queue.usage);
  fields.Duration(status, "medianDuration", queue.median_duration);
  if (fields.ok()) into.objects.emplace_back(std::move(queue));
}

}  // namespace fairlead::objects
