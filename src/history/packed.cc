#include "history/packed.h"

#include <optional>

#include <boost/json.hpp>

#include "base/check.h"

namespace fairlead::history {
namespace {

namespace json = boost::json;
using AmountList = std::vector<std::int64_t>;

constexpr AmountList QueueUsage::* kLists[] = {&QueueUsage::allocatable, &QueueUsage::allocated,
                                               &QueueUsage::requested, &QueueUsage::fair_share};

constexpr std::string Decision::* kTexts[] = {
    &Decision::type,     &Decision::pod,         &Decision::node,
    &Decision::workload, &Decision::queue,       &Decision::user,
    &Decision::action,   &Decision::beneficiary, &Decision::reason};

void PutVarint(std::uint64_t value, std::string& into) {
  while (value >= 0x80) {
    into += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  into += static_cast<char>(value);
}

std::optional<std::uint64_t> TakeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

void PutText(std::string_view text, std::string& into) {
  PutVarint(text.size(), into);
  into += text;
}

// REQUIRES: PutVarint, PutText wrote what stands there.
std::uint64_t TakeNumber(std::string_view& bytes) {
  const auto value = TakeVarint(bytes);
  CHECK(value.has_value());
  return *value;
}
std::string TakeText(std::string_view& bytes) {
  const std::uint64_t size = TakeNumber(bytes);
  CHECK(size <= bytes.size());
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

// Calls `each` with the name and the number of every pair of a list.
template <typename Each>
void ForEachPair(std::string_view text, Each each) {
  boost::system::error_code error;
  const json::value list = json::parse(text, error);
  if (error || !list.is_array()) return;
  for (const json::value& pair : list.get_array()) {
    const json::array* both = pair.if_array();
    if (both == nullptr || both->size() != 2 || !(*both)[0].is_string()) continue;
    each(std::string((*both)[0].get_string()), (*both)[1]);
  }
}

}  // namespace

std::string PackAmounts(const QueueUsage& usage) {
  std::string bytes;
  for (const auto list : kLists) {
    const AmountList& amounts = usage.*list;
    PutVarint(amounts.empty() ? 0 : amounts.size() + 1, bytes);
    for (const std::int64_t amount : amounts) {
      PutVarint(
          (static_cast<std::uint64_t>(amount) << 1) ^ static_cast<std::uint64_t>(amount >> 63),
          bytes);
    }
  }
  return bytes;
}

bool UnpackAmounts(std::string_view bytes, QueueUsage& into) {
  for (const auto list : kLists) {
    const auto length = TakeVarint(bytes);
    if (!length || *length > bytes.size() + 1) return false;
    AmountList amounts;
    for (std::uint64_t i = 1; i < *length; ++i) {
      const auto value = TakeVarint(bytes);
      if (!value) return false;
      amounts.push_back(static_cast<std::int64_t>(*value >> 1) ^
                        -static_cast<std::int64_t>(*value & 1));
    }
    into.*list = std::move(amounts);
  }
  return bytes.empty();
}

std::string ResourcesText(const Resources& resources) {
  json::array list;
  for (const Resource& each : resources) list.push_back(json::array{each.name, each.scale});
  return json::serialize(list);
}

Resources ParseResources(std::string_view text) {
  Resources resources;
  ForEachPair(text, [&](std::string name, const json::value& scale) {
    resources.push_back(
        {.name = std::move(name), .scale = scale.is_int64() ? scale.get_int64() : 1});
  });
  return resources;
}

std::string PodSetsText(const std::vector<PodSetCount>& pod_sets) {
  if (pod_sets.empty()) return {};
  json::array list;
  for (const PodSetCount& each : pod_sets) list.push_back(json::array{each.name, each.count});
  return json::serialize(list);
}

std::vector<PodSetCount> ParsePodSets(std::string_view text) {
  std::vector<PodSetCount> pod_sets;
  if (text.empty()) return pod_sets;
  ForEachPair(text, [&](std::string name, const json::value& count) {
    const std::int64_t number = count.is_int64() ? count.get_int64() : 0;
    pod_sets.push_back({.name = std::move(name), .count = static_cast<std::int32_t>(number)});
  });
  return pod_sets;
}

std::string UsedText(const std::vector<std::pair<std::string, double>>& used) {
  if (used.empty()) return {};
  json::array list;
  for (const auto& [name, amount] : used) list.push_back(json::array{name, amount});
  return json::serialize(list);
}

std::vector<std::pair<std::string, double>> ParseUsed(std::string_view text) {
  std::vector<std::pair<std::string, double>> used;
  if (text.empty()) return used;
  ForEachPair(text, [&](std::string name, const json::value& amount) {
    boost::system::error_code error;
    used.emplace_back(std::move(name), amount.to_number<double>(error));
  });
  return used;
}

std::string PackDecisions(std::span<const Record> records) {
  std::string bytes;
  for (const Record& record : records) {
    const auto& decision = std::get<Decision>(record);
    PutVarint(static_cast<std::uint64_t>(decision.time.us), bytes);
    for (const auto text : kTexts) PutText(decision.*text, bytes);
    PutVarint(decision.pod_sets.size(), bytes);
    for (const PodSetCount& each : decision.pod_sets) {
      PutText(each.name, bytes);
      PutVarint(static_cast<std::uint64_t>(each.count), bytes);
    }
  }
  bytes.shrink_to_fit();
  return bytes;
}

Records UnpackDecisions(std::string_view bytes) {
  Records records;
  while (!bytes.empty()) {
    Decision decision{.time = {.us = static_cast<std::int64_t>(TakeNumber(bytes))}};
    for (const auto text : kTexts) decision.*text = TakeText(bytes);
    for (std::uint64_t left = TakeNumber(bytes); left > 0; --left) {
      PodSetCount& each = decision.pod_sets.emplace_back();
      each.name = TakeText(bytes);
      each.count = static_cast<std::int32_t>(TakeNumber(bytes));
    }
    records.emplace_back(std::move(decision));
  }
  return records;
}

}  // namespace fairlead::history
