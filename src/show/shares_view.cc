#include "show/shares_view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/quantity.h"
#include "base/wide_int.h"
#include "show/human_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

struct ShareColumn {
  std::string_view key, header;
  bool asked = false;  // a resource that has one gets a row
};
constexpr std::array<ShareColumn, 7> kShareColumns = {{{"guaranteed", "GUARANTEED", true},
                                                       {"limit", "LIMIT", true},
                                                       {"requested", "REQUESTED", true},
                                                       {"allocated", "ALLOCATED", true},
                                                       {"fairShare", "FAIR-SHARE", true},
                                                       {"borrowed", "BORROWED"},
                                                       {"lent", "LENT"}}};

// What usage over time makes of weights, where it is kept or counts.
constexpr std::array<std::string_view, 4> kUsageHeaders = {"USED-HOURS", "W", "U", "WEIGHT"};

const json::value& UsageOf(const json::value& queue) { return At(At(queue, "usage"), "resources"); }

// Whether it has any field.
bool IsAny(const json::value& value) { return value.is_object() && !value.get_object().empty(); }

bool HasUsage(const json::value& queue) {
  return IsAny(At(queue, "weights")) || IsAny(UsageOf(queue));
}

// Amounts × seconds as amounts × hours, in whole units.
std::string HoursText(std::string_view resource, std::string_view used) {
  if (used.empty()) return {};
  const WideInt hours = ParseWide(used, DecimalsOf(ScaleOf(resource))).value_or(WideInt{0}) / 3600;
  const auto most = WideInt{std::numeric_limits<std::int64_t>::max()};
  return HumanAmount(resource, static_cast<std::int64_t>(std::min(hours, most)));
}

void AddUsage(const json::value& queue, std::string_view resource, std::vector<Cell>& row) {
  row.emplace_back(HoursText(resource, TextAt(UsageOf(queue), resource)));
  const json::value& weights = At(At(queue, "weights"), resource);
  for (const std::string_view part : {"ofWeights", "ofUsage", "weight"}) {
    row.emplace_back(std::string(TextAt(weights, part)));
  }
}

std::set<std::string_view> ResourcesOf(const json::value& queue) {
  std::set<std::string_view> resources;
  for (const ShareColumn& column : kShareColumns) {
    const json::object* amounts = At(queue, column.key).if_object();
    if (amounts == nullptr || !column.asked) continue;
    for (const auto& amount : *amounts) resources.insert(amount.key());
  }
  if (const json::object* used = UsageOf(queue).if_object()) {
    for (const auto& amount : *used) resources.insert(amount.key());
  }
  return resources;
}

}  // namespace

void PrintShares(const json::value& shares, Output& output) {
  std::vector<std::string> header = {"QUEUE", "RESOURCE"};
  for (const ShareColumn& column : kShareColumns) header.emplace_back(column.header);
  const json::array& queues = ItemsAt(shares, "queues");
  const bool by_usage = std::ranges::any_of(queues, HasUsage);
  if (by_usage) header.insert(header.end(), kUsageHeaders.begin(), kUsageHeaders.end());
  Table table(header);
  // Queues come parents first, so the parent's depth is known when the child's is asked.
  std::map<std::string_view, std::size_t> depths;
  for (const json::value& queue : queues) {
    const std::string_view own = TextAt(queue, "name");
    const auto parent = depths.find(TextAt(queue, "parent"));
    const std::size_t depth = parent == depths.end() ? 0 : parent->second + 1;
    depths[own] = depth;
    const std::string_view not_ready = TextAt(queue, "notReady");
    const std::string name = fmt::format("{:{}}{}{}", "", 2 * depth, own,
                                         not_ready.empty() ? "" : fmt::format(" ({})", not_ready));
    const Tone tone = not_ready.empty() ? Tone::kPlain : Tone::kBad;
    std::set<std::string_view> resources = ResourcesOf(queue);
    if (resources.empty()) resources.insert("");
    for (const std::string_view resource : resources) {
      std::vector<Cell> row = {{name, tone}, std::string(ShortResource(resource))};
      for (const ShareColumn& column : kShareColumns) {
        row.emplace_back(HumanAmount(resource, TextAt(At(queue, column.key), resource)));
      }
      if (by_usage) AddUsage(queue, resource, row);
      table.Add(std::move(row));
    }
  }
  if (table.empty()) return output.Line("There are no queues.");
  output.Print(table);
}

}  // namespace fairlead::show
