#include "view/answer_domains.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/integer.h"
#include "view/domains.h"
#include "view/json_text.h"

namespace fairlead::view {
namespace {

constexpr std::size_t kNamedInDomain = 8;  // where nothing else is asked for

struct DomainQuery {
  std::string by, topology;
  std::size_t most = kNamedInDomain;
};

Result<DomainQuery> ParseDomainQuery(const std::map<std::string, std::string>& parameters) {
  DomainQuery query;
  for (const auto& [key, text] : parameters) {
    if (key == "by") {
      query.by = text;
    } else if (key == "topology") {
      query.topology = text;
    } else if (key == "most") {
      const auto most = ParseInteger<std::int32_t>(text);
      if (!most || *most < 0) {
        return Fail(fmt::format("most: found \"{}\", expected a number from 0 on", text));
      }
      query.most = static_cast<std::size_t>(*most);
    } else {
      return Fail(fmt::format("found {}, expected by, topology or most", key));
    }
  }
  return query;
}

// A workload is named once, and stands in the domains as its place in the list.
class WorkloadNames {
 public:
  std::size_t PlaceOf(std::uint32_t row) {
    const auto [at, is_new] = places_.emplace(row, rows_.size());
    if (is_new) rows_.push_back(row);
    return at->second;
  }
  const std::vector<std::uint32_t>& rows() const { return rows_; }

 private:
  boost::unordered_flat_map<std::uint32_t, std::size_t> places_;
  std::vector<std::uint32_t> rows_;
};

class DomainsAnswer {
 public:
  DomainsAnswer(const View& view, std::size_t most) : view_(view), most_(most) {}

  std::string Of(const std::vector<DomainLevel>& levels) {
    json_.Open('{').Field("now", view_.now).Field("version", view_.version);
    json_.Key("resources").Open('[');
    for (const Resource& resource : *view_.tables->resources) {
      json_.Open('{').Field("name", resource.name).Field("scale", resource.scale).Close('}');
    }
    json_.Close(']').Key("topologies").Open('[');
    for (const DomainLevel& level : levels) Add(level);
    json_.Close(']').Key("workloads").Open('[');
    for (const std::uint32_t row : names_.rows()) json_.Value(*view_.tables->workloads[row].name);
    return json_.Close(']').Close('}').Take() + "\n";
  }

 private:
  void Add(const DomainLevel& level) {
    json_.Open('{').Field("name", level.topology).Key("levels").Open('[');
    for (const std::string& key : level.levels) json_.Value(key);
    json_.Close(']').Field("level", level.level).Key("domains").Open('[');
    for (const DomainRow& row : DomainsOf(view_, level)) Add(row);
    json_.Close(']').Close('}');
  }

  void Add(const DomainRow& row) {
    json_.Open('{').Key("path").Open('[');
    for (const std::string& value : row.path) json_.Value(value);
    json_.Close(']').Field("nodes", row.nodes).Field("ready", row.ready);
    Add("allocatable", row.allocatable);
    Add("allocated", row.allocated);
    Add("free", row.free);
    Add("freeNodes", row.free_nodes);
    Add("partNodes", row.part_nodes);
    Add("fullNodes", row.full_nodes);
    const std::size_t named = std::min(most_, row.guests.size());
    json_.Key("workloads").Open('[');
    for (std::size_t i = 0; i < named; ++i) {
      const DomainRow::Guest& guest = row.guests[i];
      json_.Open('[').Value(names_.PlaceOf(guest.workload)).Value(guest.pods).Close(']');
    }
    json_.Close(']').Field("more", row.guests.size() - named).Close('}');
  }

  void Add(std::string_view key, const std::vector<std::int64_t>& by_column) {
    json_.Key(key).Open('[');
    for (const Resource& resource : *view_.tables->resources) {
      json_.Value(by_column[resource.column]);
    }
    json_.Close(']');
  }

  const View& view_;
  const std::size_t most_;
  JsonText json_;
  WorkloadNames names_;
};

}  // namespace

tl::expected<std::string, Refused> AnswerDomains(
    const View& view, const std::map<std::string, std::string>& parameters) {
  const Result<DomainQuery> query = ParseDomainQuery(parameters);
  if (!query) return tl::unexpected(Refused{.message = query.error().message});
  if (query->by.empty() && query->topology.empty()) {
    return DomainsAnswer(view, query->most).Of(DomainLevelsShown(view));
  }
  Result<DomainLevel> level = FindDomainLevel(view, query->by, query->topology);
  if (!level) {
    return tl::unexpected(Refused{.not_there = true, .message = level.error().message});
  }
  return DomainsAnswer(view, query->most).Of({std::move(*level)});
}

}  // namespace fairlead::view
