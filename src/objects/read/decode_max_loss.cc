#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::int64_t kMostPercent = 100'000;

// "Unlimited": none.
void ReadBound(FieldReader& fields, const Value& value, std::optional<LossBound>& out) {
  if (value.kind() == Value::Kind::kString) {
    if (value.text() != "Unlimited") fields.Unexpected(value, "Unlimited, or {grace: DURATION, …}");
    out.reset();
    return;
  }
  if (!fields.IsMapping(value)) return;
  fields.Known(&value, {"grace", "waitedPercent", "deadline"});
  LossBound& bound = out.emplace();
  fields.Duration(&value, "grace", bound.grace);
  fields.Integer(&value, "waitedPercent", bound.waited_percent, 0, kMostPercent);
  fields.Duration(&value, "deadline", bound.deadline);
}

}  // namespace

// For both rights at once, or for each.
void ReadMaxLoss(FieldReader& fields, const Value* parent, std::optional<MaxLoss>& out) {
  const Value* value = FieldReader::Get(parent, "maxLoss");
  if (value == nullptr) return;
  MaxLoss max;
  const Value* by_guarantee = nullptr;
  const Value* by_share = nullptr;
  if (value->kind() == Value::Kind::kMapping) {
    by_guarantee = value->Find("guarantee");
    by_share = value->Find("share");
  }
  if (by_guarantee == nullptr && by_share == nullptr) {
    ReadBound(fields, *value, max.by_guarantee);
    max.by_share = max.by_guarantee;
  } else {
    fields.Known(value, {"guarantee", "share"});
    if (by_guarantee != nullptr) ReadBound(fields, *by_guarantee, max.by_guarantee);
    if (by_share != nullptr) ReadBound(fields, *by_share, max.by_share);
  }
  out = max;
}

}  // namespace fairlead::objects
