#include "intake/facts/topology_ask.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/integer.h"
#include "objects/keys.h"

// Packed: a digit for whose words it is in, one for what is done where it is broken, then the
// texts, each with a zero behind.

namespace fairlead::intake {
namespace {

using objects::TopologyConstraint;

// The annotations of one system, by what they mean; empty: it has none for that.
struct TopologyKeys {
  AskedBy by;
  std::string_view prefix;
  std::string_view name, required, preferred, slice_size, slice_required, group, on_broken;
};
constexpr TopologyKeys kTopologyKeys[] = {
    {AskedBy::kOurs, "fairlead.dev/topology", objects::kTopologyKey, objects::kTopologyRequiredKey,
     objects::kTopologyPreferredKey, objects::kTopologySliceSizeKey,
     objects::kTopologySliceRequiredKey, objects::kTopologyGroupKey, objects::kTopologyOnBrokenKey},
    {AskedBy::kKueue, "kueue.x-k8s.io/podset-", "", "kueue.x-k8s.io/podset-required-topology",
     "kueue.x-k8s.io/podset-preferred-topology", "kueue.x-k8s.io/podset-slice-size",
     "kueue.x-k8s.io/podset-slice-required-topology", "kueue.x-k8s.io/podset-group-name", ""},
    {AskedBy::kKai, "kai.scheduler/", "kai.scheduler/topology",
     "kai.scheduler/topology-required-placement", "kai.scheduler/topology-preferred-placement",
     "kai.scheduler/segment-size", "kai.scheduler/segment-topology-required-placement", "", ""},
};

// The texts of an ask, in the order in which they stand.
constexpr std::array kTextsOfAsk = {
    &TopologyConstraint::name, &TopologyConstraint::required, &TopologyConstraint::preferred,
    &TopologyConstraint::slice_required, &TopologyConstraint::group};

std::string_view ValueAt(const objects::Labels& annotations, std::string_view key) {
  const std::string* value = key.empty() ? nullptr : objects::FindLabel(annotations, key);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

void ReadSlice(const objects::Labels& annotations, const TopologyKeys& keys, TopologyAsk& ask) {
  const std::string_view size = ValueAt(annotations, keys.slice_size);
  ask.said.slice_required = ValueAt(annotations, keys.slice_required);
  if (size.empty() && ask.said.slice_required.empty()) return;
  const std::optional<std::int32_t> number = ParseInteger<std::int32_t>(size);
  if (!number || *number < 1) {
    ask.fault = fmt::format(
        "annotation {} is {}, expected a whole number from 1 on", keys.slice_size,
        size.empty() ? std::string("not there") : fmt::format("\"{}\"", size.substr(0, 64)));
  } else if (ask.said.slice_required.empty()) {
    ask.fault = fmt::format(
        "annotation {} is not there, expected the level that each slice of {} "
        "pods is in one domain of",
        keys.slice_required, *number);
  } else {
    ask.said.slice_size = *number;
  }
}

void ReadOnBroken(const objects::Labels& annotations, const TopologyKeys& keys, TopologyAsk& ask) {
  const std::string_view text = ValueAt(annotations, keys.on_broken);
  if (text.empty()) return;
  for (const auto& [name, on_broken] : objects::kOnTopologyBroken) {
    if (text != name) continue;
    ask.said.on_broken = on_broken;
    return;
  }
  ask.fault = fmt::format("annotation {} is \"{}\", expected Wait or Restart", keys.on_broken,
                          text.substr(0, 64));
}

TopologyAsk ReadBy(const objects::Labels& annotations, const TopologyKeys& keys) {
  TopologyAsk ask;
  ask.by = keys.by;
  ask.said.name = ValueAt(annotations, keys.name);
  ask.said.required = ValueAt(annotations, keys.required);
  ask.said.preferred = ValueAt(annotations, keys.preferred);
  ask.said.group = ValueAt(annotations, keys.group);
  ReadSlice(annotations, keys, ask);
  ReadOnBroken(annotations, keys, ask);
  return ask;
}

// A name alone is of no use to anybody; a group alone is, beside one that asks more.
bool AsksAnything(const TopologyAsk& ask) {
  return !ask.said.empty() || !ask.said.group.empty() || !ask.fault.empty();
}

}  // namespace

std::string Pack(const TopologyAsk& ask) {
  std::string packed;
  if (!AsksAnything(ask)) return packed;
  packed.push_back(static_cast<char>('0' + static_cast<int>(ask.by)));
  packed.push_back(static_cast<char>('0' + static_cast<int>(ask.said.on_broken)));
  const auto add = [&packed](std::string_view text) {
    packed.append(text.substr(0, text.find('\0'))).push_back('\0');
  };
  for (const auto member : kTextsOfAsk) add(ask.said.*member);
  add(std::to_string(ask.said.slice_size));
  add(ask.fault);
  return packed;
}

TopologyAsk UnpackTopology(std::string_view packed) {
  TopologyAsk ask;
  ask.by = static_cast<AskedBy>(packed[0] - '0');
  ask.said.on_broken = static_cast<objects::OnTopologyBroken>(packed[1] - '0');
  packed.remove_prefix(2);
  const auto next = [&packed] {
    const std::string_view text = packed.substr(0, packed.find('\0'));
    packed.remove_prefix(text.size() + 1);
    return text;
  };
  for (const auto member : kTextsOfAsk) ask.said.*member = next();
  ask.said.slice_size = ParseInteger<std::int32_t>(next()).value_or(0);
  ask.fault = next();
  return ask;
}

std::string PackTopology(const std::optional<TopologyConstraint>& said, AskedBy by) {
  return said ? Pack({.by = by, .said = *said, .fault = {}}) : std::string();
}

std::string PackTopology(const objects::Labels& annotations, AnnotationsOf of) {
  std::array<bool, std::size(kTopologyKeys)> is_said = {};
  for (const auto& [key, value] : annotations) {
    for (std::size_t i = 0; i < is_said.size(); ++i) {
      is_said[i] |= key.starts_with(kTopologyKeys[i].prefix);
    }
  }
  for (std::size_t i = 0; i < is_said.size(); ++i) {
    if (!is_said[i]) continue;
    if (of == AnnotationsOf::kWhole && kTopologyKeys[i].by == AskedBy::kKueue) continue;
    std::string packed = Pack(ReadBy(annotations, kTopologyKeys[i]));
    if (!packed.empty()) return packed;
  }
  return {};
}

}  // namespace fairlead::intake
