#include <algorithm>

#include "base/quantity.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::pair<std::string_view, UserLimit::Each> kEachOf[] = {
    {"user", UserLimit::Each::kUser}, {"group", UserLimit::Each::kGroup}};

void ReadNamed(FieldReader& fields, const Value& limit, std::string_view key,
               std::vector<std::string>& out) {
  const Value* list = fields.List(&limit, key);
  if (list == nullptr) return;
  if (list->items().empty()) fields.Unexpected(*list, "one name or more");
  for (const Value* item : list->items()) {
    std::string name;
    if (!fields.ReadString(*item, name)) continue;
    if (name.empty()) {
      fields.Unexpected(*item, "a name");
    } else if (std::find(out.begin(), out.end(), name) != out.end()) {
      fields.Fault(*item, "found " + name + " a second time, expected it once");
    } else {
      out.push_back(std::move(name));
    }
  }
}

void ReadUserLimit(FieldReader& fields, const Value& value, UserLimit& limit) {
  fields.Known(&value, {"each", "users", "groups", "max", "maxRunning", "maxWaiting"});
  fields.Enum(&value, "each", kEachOf, limit.each);
  ReadNamed(fields, value, "users", limit.users);
  ReadNamed(fields, value, "groups", limit.groups);
  const bool names = value.Find("users") != nullptr || value.Find("groups") != nullptr;
  if (names == (value.Find("each") != nullptr)) {
    fields.Fault(value, names ? "found each beside users or groups, expected one of them"
                              : "found nobody whom it holds for, expected each: user, each: group, "
                                "or users or groups");
  }
  ReadQueueAmounts(fields, fields.Mapping(&value, "max"), limit.max);
  fields.Integer(&value, "maxRunning", limit.max_running, 0);
  fields.Integer(&value, "maxWaiting", limit.max_waiting, 1);
  if (limit.max.empty() && value.Find("max") == nullptr && value.Find("maxRunning") == nullptr &&
      value.Find("maxWaiting") == nullptr) {
    fields.Fault(value, "found nothing that it limits, expected max, maxRunning or maxWaiting");
  }
}

}  // namespace

void ReadUserLimits(FieldReader& fields, const Value* spec, std::vector<UserLimit>& out) {
  const Value* list = fields.List(spec, "limits");
  if (list == nullptr) return;
  for (const Value* item : list->items()) {
    if (fields.IsMapping(*item)) ReadUserLimit(fields, *item, out.emplace_back());
  }
}

// As we wrote it. Else it is of no use, and what runs says how it goes on.
void ReadQueueUsage(FieldReader& fields, const Value* status, std::optional<QueueUsage>& out) {
  const Value* value = FieldReader::Get(status, "usage");
  if (value == nullptr || value->kind() != Value::Kind::kMapping) return;
  std::optional<Time> at;
  if (!fields.Time(value, "at", at)) return;
  QueueUsage usage{.at = *at, .resources = {}};
  const Value* resources = FieldReader::Get(value, "resources");
  if (resources == nullptr || resources->kind() != Value::Kind::kMapping) return;
  for (const Value::Member& member : resources->members()) {
    const auto used = ParseWide(member.value->text(), DecimalsOf(ScaleOf(member.key)));
    if (used) usage.resources.emplace_back(std::string(member.key), *used);
  }
  std::sort(usage.resources.begin(), usage.resources.end());
  out = std::move(usage);
}

}  // namespace fairlead::objects
