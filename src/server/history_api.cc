#include "server/history_api.h"

#include <cmath>
#include <set>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/integer.h"
#include "history/estimates.h"

namespace fairlead::server {
namespace {

namespace json = boost::json;
using history::Filter;

constexpr std::int64_t kMostRows = 5'000;
constexpr std::int64_t kMostPoints = 5'000;

tl::unexpected<Refusal> Refusing(int status, std::string message) {
  return tl::unexpected(Refusal{.status = status, .message = std::move(message)});
}

// The parameters of a request, each taken once; the first fault is kept.
class Parameters {
 public:
  explicit Parameters(const std::map<std::string, std::string>& given) : given_(given) {}

  std::string Text(const std::string& name) {
    known_.insert(name);
    const auto found = given_.find(name);
    return found == given_.end() ? std::string() : found->second;
  }

  std::optional<std::int64_t> Number(const std::string& name, std::int64_t least,
                                     std::int64_t most) {
    const std::string text = Text(name);
    if (text.empty()) return std::nullopt;
    const auto number = ParseInteger<std::int64_t>(text);
    if (number && *number >= least && *number <= most) return number;
    Fault(
        fmt::format("{}: found \"{}\", expected a number from {} to {}", name, text, least, most));
    return std::nullopt;
  }

  std::optional<Time> Moment(const std::string& name) {
    const std::string text = Text(name);
    if (text.empty()) return std::nullopt;
    const auto time = ParseTime(text);
    if (time) return *time;
    Fault(fmt::format("{}: {}", name, time.error().message));
    return std::nullopt;
  }

  // A number, "all", or, where nothing is said, the newest.
  history::Sessions Sessions() {
    if (Text("session") == "all") return {.only = std::nullopt, .all = true};
    return {.only = Number("session", 1, INT64_MAX)};
  }

  // What is wrong; empty: nothing.
  std::string Fault() {
    for (const auto& [name, value] : given_) {
      if (!known_.contains(name)) {
        Fault(fmt::format("there is no parameter \"{}\", expected one of: {}", name,
                          fmt::join(known_, ", ")));
      }
    }
    return fault_;
  }

 private:
  void Fault(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
  }

  const std::map<std::string, std::string>& given_;
  std::set<std::string> known_;
  std::string fault_;
};

// Whose, and when.
Filter FilterOf(Parameters& parameters) {
  Filter filter;
  filter.sessions = parameters.Sessions();
  filter.queue = parameters.Text("queue");
  filter.user = parameters.Text("user");
  filter.workload = parameters.Text("workload");
  filter.name_space = parameters.Text("namespace");
  filter.from = parameters.Moment("from");
  filter.to = parameters.Moment("to");
  return filter;
}

// And which of the rows.
Filter FilterOfRows(Parameters& parameters) {
  Filter filter = FilterOf(parameters);
  filter.text = parameters.Text("q");
  filter.before = parameters.Number("before", 0, INT64_MAX);
  filter.after = parameters.Number("after", 0, INT64_MAX);
  filter.limit = parameters.Number("limit", 1, kMostRows).value_or(filter.limit);
  return filter;
}

void AddText(json::object& object, std::string_view key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json::object ToJson(const history::DecisionRow& row) {
  const history::Decision& decision = row.decision;
  json::object object{
      {"seq", row.seq}, {"time", FormatTime(decision.time)}, {"type", decision.type}};
  AddText(object, "pod", decision.pod);
  AddText(object, "node", decision.node);
  AddText(object, "workload", decision.workload);
  AddText(object, "queue", decision.queue);
  AddText(object, "user", decision.user);
  AddText(object, "action", decision.action);
  AddText(object, "for", decision.beneficiary);
  AddText(object, "reason", decision.reason);
  if (!decision.pod_sets.empty()) {
    json::array sets;
    for (const auto& each : decision.pod_sets) {
      sets.push_back(json::object{{"name", each.name}, {"count", each.count}});
    }
    object["podSets"] = std::move(sets);
  }
  return object;
}

json::object ToJson(const history::EndedRow& row) {
  const history::Ended& ended = row.ended;
  json::object object{{"seq", row.seq}, {"workload", ended.workload}};
  AddText(object, "queue", ended.queue);
  AddText(object, "user", ended.user);
  object["created"] = FormatTime(ended.created);
  if (ended.started) object["started"] = FormatTime(*ended.started);
  object["finished"] = FormatTime(ended.finished);
  object["pods"] = ended.pods;
  object["evictions"] = ended.evictions;
  object["outcome"] = ended.outcome;
  json::object used;
  for (const auto& [name, amount] : ended.used) {
    // Whole numbers read better, and nobody needs a part of a byte.
    const double rounded = std::round(amount * 1000) / 1000;
    if (rounded == std::floor(rounded) && std::abs(rounded) < 9e15) {
      used[name] = static_cast<std::int64_t>(rounded);
    } else {
      used[name] = rounded;
    }
  }
  object["used"] = std::move(used);
  return object;
}

template <typename Row>
std::string TextOf(const history::Page<Row>& page) {
  json::array rows;
  for (const Row& row : page.rows) rows.push_back(ToJson(row));
  return json::serialize(json::object{{"rows", std::move(rows)}, {"more", page.more}}) + "\n";
}

json::value ListOf(const std::vector<std::int64_t>& amounts) {
  if (amounts.empty()) return nullptr;
  return json::array(amounts.begin(), amounts.end());
}

std::string TextOf(const std::string& queue, const history::UsageSeries& series) {
  json::array resources, points;
  for (const history::Resource& each : series.resources) {
    resources.push_back(json::object{{"name", each.name}, {"scale", each.scale}});
  }
  for (const history::UsagePoint& point : series.points) {
    points.push_back(json::object{{"time", FormatTime(point.time)},
                                  {"allocatable", ListOf(point.mean.allocatable)},
                                  {"allocated", ListOf(point.mean.allocated)},
                                  {"requested", ListOf(point.mean.requested)},
                                  {"fairShare", ListOf(point.mean.fair_share)},
                                  {"running", point.mean.running},
                                  {"pending", point.mean.pending},
                                  {"waitingMaxSeconds", point.waiting_max_seconds}});
  }
  return json::serialize(json::object{{"queue", queue},
                                      {"resources", std::move(resources)},
                                      {"stepSeconds", series.step_seconds},
                                      {"points", std::move(points)}}) +
         "\n";
}

tl::unexpected<Refusal> Failed(const Error& error) { return Refusing(503, error.message); }

Answer Rows(history::Reader& reader, bool decisions, Parameters& parameters) {
  Filter filter = FilterOfRows(parameters);
  if (decisions) filter.type = parameters.Text("type");
  if (const std::string fault = parameters.Fault(); !fault.empty()) return Refusing(400, fault);
  if (decisions) {
    const auto page = reader.Decisions(filter);
    if (!page) return Failed(page.error());
    return TextOf(*page);
  }
  const auto page = reader.Workloads(filter);
  if (!page) return Failed(page.error());
  return TextOf(*page);
}

Answer Usage(history::Reader& reader, Parameters& parameters) {
  history::UsageQuery query{.sessions = parameters.Sessions(),
                            .queue = parameters.Text("queue"),
                            .from = parameters.Moment("from"),
                            .to = parameters.Moment("to")};
  query.points = parameters.Number("points", 1, kMostPoints).value_or(query.points);
  std::string fault = parameters.Fault();
  if (query.sessions.all) fault = "session: found \"all\", expected a number: clocks may overlap";
  if (!fault.empty()) return Refusing(400, fault);
  const auto series = reader.Usage(query);
  if (!series) return Failed(series.error());
  return TextOf(query.queue, *series);
}

Answer Estimates(history::Reader& reader, Parameters& parameters) {
  Filter filter = FilterOf(parameters);
  if (const std::string fault = parameters.Fault(); !fault.empty()) return Refusing(400, fault);
  const auto scores = history::ScoresOf(reader, std::move(filter));
  if (!scores) return Failed(scores.error());
  json::array rows;
  for (const history::EstimateScore& score : *scores) {
    json::object row{{"queue", score.queue},   {"basis", score.basis},
                     {"said", score.said},     {"started", score.started},
                     {"judged", score.judged}, {"within", score.within}};
    if (score.judged > 0) row["withinPercent"] = score.within * 100 / score.judged;
    if (score.median_error) row["medianErrorSeconds"] = score.median_error->WholeSeconds();
    rows.push_back(std::move(row));
  }
  return json::serialize(json::object{{"rows", std::move(rows)}, {"more", false}}) + "\n";
}

Answer Sessions(history::Reader& reader, Parameters& parameters) {
  if (const std::string fault = parameters.Fault(); !fault.empty()) return Refusing(400, fault);
  const auto current = reader.SessionOf({});
  if (!current) return Failed(current.error());
  const auto sessions = reader.AllSessions();
  if (!sessions) return Failed(sessions.error());
  json::array rows;
  for (const history::Session& each : *sessions) {
    const auto newest = reader.Newest({.only = each.id});
    if (!newest) return Failed(newest.error());
    json::object row{{"session", each.id},
                     {"mode", each.mode == history::Mode::kVirtual ? "virtual" : "real"},
                     {"begun", FormatTime(each.wall)},
                     {"start", FormatTime(each.start)},
                     {"current", each.id == *current}};
    if (*newest) row["end"] = FormatTime(**newest);
    rows.push_back(std::move(row));
  }
  return json::serialize(json::object{{"rows", std::move(rows)}, {"more", false}}) + "\n";
}

}  // namespace

Answer HistoryAnswer(const history::Source* source, std::string_view what,
                     const std::map<std::string, std::string>& parameters) {
  const bool decisions = what == "decisions";
  if (!decisions && what != "usage" && what != "workloads" && what != "estimates" &&
      what != "sessions") {
    return Refusing(404, fmt::format("there is no history of \"{}\", expected decisions, usage, "
                                     "workloads, estimates or sessions",
                                     what));
  }
  if (source == nullptr) return Refusing(404, "no history is kept");
  const auto reader = source->OpenReader();
  if (!reader) return Failed(reader.error());
  Parameters given(parameters);
  if (what == "usage") return Usage(**reader, given);
  if (what == "estimates") return Estimates(**reader, given);
  if (what == "sessions") return Sessions(**reader, given);
  return Rows(**reader, decisions, given);
}

}  // namespace fairlead::server
