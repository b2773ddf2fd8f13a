#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The systems whose pods start together as a group, and how each says it: one table. Most have an
// object of the kind PodGroup, each in an API group of its own, so that several may have one name.

namespace fairlead::objects {

// In the order in which they count where a pod, or a name, is of several.
enum class GroupApi : std::uint8_t {
  kNone,
  kNative,        // Kubernetes' own
  kKai,           // KAI Scheduler
  kCoscheduling,  // scheduler-plugins
  kVolcano,
  kKueuePods,  // Kueue's plain pod groups: no object, the pods say all of it
};

struct GroupRow {
  GroupApi api = GroupApi::kNone;
  std::string_view group;  // of its objects; empty: there are none
  // "PodGroup.scheduling.run.ai": tells the four kinds of one name apart where objects are told of.
  std::string_view qualified_kind;
  std::span<const std::string_view> api_versions;  // "GROUP/VERSION", the preferred one first
};
std::span<const GroupRow> GroupRows();  // all but kNone, in the enum's order
const GroupRow& RowOf(GroupApi api);    // REQUIRES: it is not kNone
inline constexpr std::string_view kPodGroup = "PodGroup";

// The row whose objects are of that API group, or of that kind as `qualified_kind` says it; null:
// there is none.
const GroupRow* FindGroupRow(std::string_view group);
const GroupRow* FindGroupRowOfKind(std::string_view qualified_kind);

}  // namespace fairlead::objects
