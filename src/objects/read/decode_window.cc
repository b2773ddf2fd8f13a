#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "objects/read/decode.h"
#include "objects/window.h"

namespace fairlead::objects {
namespace {

void ReadNames(FieldReader& fields, const Value* spec, std::string_view key, std::string_view what,
               std::vector<std::string>& out) {
  const Value* list = fields.List(spec, key);
  if (list == nullptr) return;
  for (const Value* item : list->items()) {
    std::string name;
    if (!fields.ReadString(*item, name)) continue;
    if (name.empty()) {
      fields.Unexpected(*item, what);
    } else if (std::ranges::find(out, name) == out.end()) {
      out.push_back(std::move(name));
    }
  }
}

// Whether it is said, once, which nodes and from when until when.
void CheckWindow(FieldReader& fields, const Value* spec, const Window& window, bool has_from) {
  if (!fields.ok()) return;
  const bool by_labels = !window.node_selector.empty(), by_names = !window.nodes.empty();
  if (!by_labels && !by_names) {
    fields.MissingInSpec(spec, "nodeSelector", "labels of nodes, or names in spec.nodes");
  }
  if (by_labels && by_names) {
    fields.FaultBelow(*spec, "nodes", "found it beside nodeSelector, expected one of the two");
  }
  if (!has_from) {
    fields.MissingInSpec(spec, "from", "the time at which it begins, such as 2026-03-07T06:00:00Z");
  }
  if (has_from && window.until && *window.until <= window.from) {
    fields.FaultBelow(*spec, "until", "found a time at or before spec.from, expected a later one");
  }
}

}  // namespace

void DecodeWindow(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, kWindow, Scope::kCluster, file, into);
  Window window;
  fields.Known(&document, {"apiVersion", "kind", "metadata", "spec"});
  KnownMeta(fields, document);
  ReadMeta(fields, document, window.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.Known(spec, {"nodeSelector", "nodes", "from", "until", "queues", "atBegin"});
  fields.Strings(fields.Mapping(spec, "nodeSelector"), window.node_selector);
  ReadNames(fields, spec, "nodes", "the name of a node", window.nodes);
  std::optional<Time> from;
  fields.Time(spec, "from", from);
  fields.Time(spec, "until", window.until);
  window.from = from.value_or(Time{});
  ReadNames(fields, spec, "queues", "the name of a queue", window.queues);
  fields.Enum(spec, "atBegin", kAtBegin, window.at_begin);
  CheckWindow(fields, spec, window, from.has_value());
  if (fields.ok()) into.objects.emplace_back(std::move(window));
}

}  // namespace fairlead::objects
