#include "host/saved_cluster.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>

#include "base/on_threads.h"
#include "host/real_tables.h"
#include "host/start_forecast.h"
#include "objects/write/writer.h"

namespace fairlead::host {

namespace json = boost::json;

SavedCluster::SavedCluster(std::vector<objects::Object> objects, std::optional<Time> now,
                           PastDurations past)
    : objects_(std::move(objects)),
      past_(std::move(past)),
      offline_(objects_, now),
      view_(*offline_.Look()) {}

void SavedCluster::WorkOutStarts() {
  const StartForecast::Told told{.now = offline_.now(),
                                 .starts = ExpectedStarts(objects_, {.start = offline_.now()},
                                                          {.from = past_, .threads = Cores()})};
  view_.starts = std::make_shared<const view::ExpectedStarts>(ToView(told));
}

server::Answer SavedCluster::Get(const server::Query& query) {
  const bool may_wait = query.kind->namespaced;
  if (may_wait && view_.starts == nullptr) WorkOutStarts();
  if (!query.as_table) return Objects(query);
  const RealSource source{.view = view_,
                          .scheduler = offline_.scheduler(),
                          .intake = offline_.intake(),
                          .events = nullptr,
                          .now = offline_.now()};
  auto rows = RealRows(source, query);
  if (!rows) {
    return tl::unexpected(server::Refusal{
        .status = 501,
        .message = "of files there are tables of workloads, pods, queues, users and nodes"});
  }
  if (rows->rows.empty() && !query.name.empty()) {
    return tl::unexpected(NoSuch(query, NamesBeside(source, query)));
  }
  return json::serialize(ToJson(std::move(*rows), offline_.now())) + "\n";
}

server::Answer SavedCluster::Objects(const server::Query& query) const {
  json::array items;
  std::vector<std::string> names;
  const PendingRows pending(view_);
  for (const objects::Object& object : objects_) {
    const objects::Meta& meta = objects::MetaOf(object);
    if (objects::KindOf(object) != query.kind->kind) continue;
    if (query.name_space.empty() || meta.name_space == query.name_space) {
      names.push_back(meta.name);
    }
    if (!query.Wants(meta)) continue;
    json::value item = objects::ToJson(object);
    pending.AddStart(meta.Key(), item.get_object());
    items.push_back(std::move(item));
  }
  if (query.name.empty()) {
    return json::serialize(
               json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}}) +
           "\n";
  }
  if (items.empty()) return tl::unexpected(NoSuch(query, names));
  return json::serialize(items[0]) + "\n";
}

}  // namespace fairlead::host
