#include "show/domains_view.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity.h"
#include "show/human_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

constexpr std::size_t kNamedWorkloads = 3;

// "b1/r7"; of the nodes that are in none "-".
std::string PathText(const json::value& domain) {
  std::vector<std::string_view> values;
  for (const json::value& value : ItemsAt(domain, "path")) {
    values.emplace_back(value.is_string() ? std::string_view(value.get_string()) : "-");
  }
  return values.empty() ? "-" : fmt::format("{}", fmt::join(values, "/"));
}

// Of each workload that is named there: (its name, its pods).
struct Guest {
  std::string_view name;
  std::int64_t pods = 0;
};
std::vector<Guest> GuestsOf(const json::value& answer, const json::value& domain) {
  const json::array& names = ItemsAt(answer, "workloads");
  std::vector<Guest> guests;
  for (const json::value& each : ItemsAt(domain, "workloads")) {
    const json::array* pair = each.if_array();
    if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_int64() || !(*pair)[1].is_int64()) {
      continue;
    }
    const auto place = static_cast<std::size_t>((*pair)[0].get_int64());
    if (place >= names.size() || !names[place].is_string()) continue;
    guests.push_back({names[place].get_string(), (*pair)[1].get_int64()});
  }
  return guests;
}

// "vision/train, nlp/x, nlp/y, +3".
std::string GuestText(const json::value& answer, const json::value& domain) {
  std::vector<std::string> names;
  const std::vector<Guest> guests = GuestsOf(answer, domain);
  for (std::size_t i = 0; i < std::min(kNamedWorkloads, guests.size()); ++i) {
    names.emplace_back(guests[i].name);
  }
  const auto more = std::ssize(guests) - std::ssize(names) + NumberAt(domain, "more");
  if (more > 0) names.push_back(fmt::format("+{}", more));
  return fmt::format("{}", fmt::join(names, ", "));
}

// Which of the resources tables are about.
std::size_t MainResource(const json::array& resources, const json::array& domains) {
  const auto is_there = [&](std::size_t i) {
    return std::ranges::any_of(
        domains, [&](const json::value& each) { return NumberIn(each, "allocatable", i) > 0; });
  };
  std::size_t found = 0;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const std::string_view name = TextAt(resources[i], "name");
    if (ShortResource(name) == "gpu" && is_there(i)) return i;
    if (name == "cpu") found = i;
  }
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (TextAt(resources[i], "name").ends_with("/gpu") && is_there(i)) return i;
  }
  return found;
}

void PrintDomainTable(const json::value& answer, const json::array& domains, Output& output) {
  const json::array& resources = ItemsAt(answer, "resources");
  const std::size_t main = MainResource(resources, domains);
  const std::string name(main < resources.size() ? TextAt(resources[main], "name") : "cpu");
  Table table({"DOMAIN", "NODES", ResourceHeader(name), "USED", "FREE", "FREE-NODES", "WORKLOADS"});
  for (const json::value& domain : domains) {
    const auto amount = [&](std::string_view key) {
      return HumanAmount(name, NumberIn(domain, key, main));
    };
    const std::int64_t nodes = NumberAt(domain, "nodes"), ready = NumberAt(domain, "ready");
    table.Add({PathText(domain),
               ready == nodes ? fmt::to_string(nodes) : fmt::format("{}/{}", ready, nodes),
               amount("allocatable"), amount("allocated"), amount("free"),
               fmt::to_string(NumberIn(domain, "freeNodes", main)), GuestText(answer, domain)});
  }
  output.Print(table);
}

json::object DomainDocument(const json::value& answer, const json::value& domain) {
  json::object document{{"path", PathText(domain)},
                        {"nodes", NumberAt(domain, "nodes")},
                        {"readyNodes", NumberAt(domain, "ready")}};
  const json::array& resources = ItemsAt(answer, "resources");
  const auto add = [&](std::string_view key, auto text_of) {
    json::object figures;
    for (std::size_t i = 0; i < resources.size(); ++i) {
      if (NumberIn(domain, "allocatable", i) + NumberIn(domain, "allocated", i) == 0) continue;
      const std::string_view name = TextAt(resources[i], "name");
      figures[name] = text_of(name, NumberIn(domain, key, i));
    }
    document[key] = std::move(figures);
  };
  for (const std::string_view key : {"allocatable", "allocated", "free"}) add(key, FormatResource);
  for (const std::string_view key : {"freeNodes", "partNodes", "fullNodes"}) {
    add(key, [](std::string_view /*name*/, std::int64_t nodes) { return nodes; });
  }
  json::array workloads;
  for (const Guest& guest : GuestsOf(answer, domain)) {
    workloads.push_back(json::object{{"workload", guest.name}, {"pods", guest.pods}});
  }
  document["workloads"] = std::move(workloads);
  return document;
}

std::string_view KeyOfLevel(const json::value& topology) {
  const json::array& levels = ItemsAt(topology, "levels");
  const auto level = static_cast<std::size_t>(NumberAt(topology, "level"));
  return level < levels.size() && levels[level].is_string() ? levels[level].get_string()
                                                            : std::string_view();
}

}  // namespace

void PrintDomains(const json::value& answer, Output& output) {
  static const json::value kNothing;
  const json::array& topologies = ItemsAt(answer, "topologies");
  const json::value& topology = topologies.empty() ? kNothing : topologies.front();
  const json::array& domains = ItemsAt(topology, "domains");
  if (output.is_table()) {
    if (domains.empty()) return Complain("there are no nodes");
    return PrintDomainTable(answer, domains, output);
  }
  json::array items;
  for (const json::value& domain : domains) items.push_back(DomainDocument(answer, domain));
  json::object document{{"kind", "Domains"}, {"now", TextAt(answer, "now")}};
  if (const std::string_view name = TextAt(topology, "name"); !name.empty()) {
    document["topology"] = name;
  }
  document["level"] = KeyOfLevel(topology);
  document["domains"] = std::move(items);
  output.Document(document);
}

}  // namespace fairlead::show
