#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/wide_int.h"
#include "history/packed.h"
#include "history/reader.h"

// The use of a queue over time. Rows say what changed; the samples say when somebody looked:
//
//   samples     10:00   10:01   10:02           10:04     (10:03: nobody was there)
//   rows        cpu 4           cpu 6
//   means over 2 min    4              6         6
//
// Between two rows a queue is as the first one says; where there is no sample there is no point.

namespace fairlead::history {
namespace {

// What the rows of a queue say, one after the other.
class Follower {
 public:
  Follower(Statement rows, std::map<std::int64_t, Resources> layouts)
      : rows_(std::move(rows)), layouts_(std::move(layouts)) {}

  // The last row of at most that number. False: there is no such queue then.
  Result<bool> MoveTo(std::int64_t seq) {
    while (!ended_) {
      if (!held_) {
        const auto row = rows_.Step();
        if (!row) return tl::unexpected(row.error());
        ended_ = !*row;
        if (ended_) break;
        held_ = true;
      }
      if (rows_.Number(0) > seq) break;
      Take();
      held_ = false;
    }
    return there_;
  }
  const QueueUsage& usage() const { return usage_; }
  const Resources& resources() const { return resources_; }

 private:
  void Take() {
    there_ = rows_.Number(6) == 0 && UnpackAmounts(rows_.Text(2), usage_);
    usage_.running = static_cast<std::int32_t>(rows_.Number(3));
    usage_.pending = static_cast<std::int32_t>(rows_.Number(4));
    usage_.waiting_since.reset();
    if (!rows_.IsNull(5)) usage_.waiting_since = Time{rows_.Number(5)};
    resources_ = layouts_[rows_.Number(1)];
  }

  Statement rows_;
  std::map<std::int64_t, Resources> layouts_;
  bool held_ = false, ended_ = false, there_ = false;
  QueueUsage usage_;
  Resources resources_;
};

// Sums of the samples of one step.
class Step {
 public:
  void Add(const QueueUsage& usage, const Resources& from, Time at, const Resources& to) {
    ++samples_;
    AddAmounts(usage.allocatable, from, to, 0);
    AddAmounts(usage.allocated, from, to, 1);
    AddAmounts(usage.requested, from, to, 2);
    AddAmounts(usage.fair_share, from, to, 3);
    running_ += usage.running;
    pending_ += usage.pending;
    if (!usage.waiting_since) return;
    waiting_max_ = std::max(waiting_max_, (at - *usage.waiting_since).WholeSeconds());
  }

  bool empty() const { return samples_ == 0; }

  UsagePoint Point(Time begin, std::size_t resources) const {
    UsagePoint point{.time = begin, .waiting_max_seconds = waiting_max_};
    point.mean.allocatable = Mean(0, resources);
    point.mean.allocated = Mean(1, resources);
    point.mean.requested = Mean(2, resources);
    point.mean.fair_share = Mean(3, resources);
    point.mean.running = static_cast<std::int32_t>(Rounded(running_));
    point.mean.pending = static_cast<std::int32_t>(Rounded(pending_));
    return point;
  }

 private:
  void AddAmounts(const std::vector<std::int64_t>& amounts, const Resources& from,
                  const Resources& to, std::size_t list) {
    if (amounts.empty()) return;
    sums_[list].resize(to.size());
    for (std::size_t i = 0; i < amounts.size() && i < from.size(); ++i) {
      const auto place = std::find_if(to.begin(), to.end(), [&](const Resource& resource) {
        return resource.name == from[i].name;
      });
      if (place != to.end())
        sums_[list][static_cast<std::size_t>(place - to.begin())] += amounts[i];
    }
  }
  std::int64_t Rounded(WideInt sum) const {
    return static_cast<std::int64_t>((sum + samples_ / 2) / samples_);
  }
  std::vector<std::int64_t> Mean(std::size_t list, std::size_t resources) const {
    std::vector<std::int64_t> mean;
    if (sums_[list].empty()) return mean;
    for (const WideInt sum : sums_[list]) mean.push_back(Rounded(sum));
    mean.resize(resources);
    return mean;
  }

  std::int64_t samples_ = 0;
  std::vector<WideInt> sums_[4];
  WideInt running_ = 0, pending_ = 0;
  std::int64_t waiting_max_ = 0;
};

Result<std::map<std::int64_t, Resources>> LayoutsOf(Connection& connection) {
  auto select = connection.Prepare("SELECT id, resources FROM layouts");
  if (!select) return tl::unexpected(select.error());
  std::map<std::int64_t, Resources> layouts;
  for (;;) {
    const auto row = select->Step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return layouts;
    layouts.emplace(select->Number(0), ParseResources(select->Text(1)));
  }
}

// All resources that some layout names, in the order of first mention.
void Join(const Resources& more, Resources& into) {
  for (const Resource& resource : more) {
    if (std::find(into.begin(), into.end(), resource) == into.end()) into.push_back(resource);
  }
}

std::int64_t FloorTo(std::int64_t us, std::int64_t step) {
  const std::int64_t rest = us % step;
  return us - (rest < 0 ? rest + step : rest);
}

}  // namespace

Result<UsageSeries> Reader::Usage(const UsageQuery& query) {
  UsageSeries series;
  const auto session = SessionOf(query.sessions);
  if (!session) return tl::unexpected(session.error());
  const auto edge = [&](const char* which) {
    return connection_->Number(
        fmt::format("SELECT {}(time) FROM samples WHERE session={}", which, *session));
  };
  const auto first = edge("min");
  const auto last = edge("max");
  if (!first) return tl::unexpected(first.error());
  if (!last) return tl::unexpected(last.error());
  if (!*first || !*last) return series;
  const Time from = std::max(query.from.value_or(Time{**first}), Time{**first});
  const Time to = std::min(query.to.value_or(Time{**last}), Time{**last});
  if (from > to) return series;
  const std::int64_t minutes = std::max<std::int64_t>(
      1,
      ((to - from).us / std::max<std::int64_t>(1, query.points - 1) + kMinuteUs - 1) / kMinuteUs);
  const std::int64_t step = minutes * kMinuteUs;
  series.step_seconds = minutes * 60;

  std::int64_t queue = 0;
  if (!query.queue.empty()) {
    const auto id = NameId(query.queue);
    if (!id) return tl::unexpected(id.error());
    if (!*id) return series;
    queue = **id;
  }
  auto layouts = LayoutsOf(*connection_);
  if (!layouts) return tl::unexpected(layouts.error());
  auto samples = connection_->Prepare(
      "SELECT seq, time FROM samples WHERE session=?1 AND time>=?2 AND time<=?3 ORDER BY time, "
      "seq");
  if (!samples) return tl::unexpected(samples.error());
  samples->Bind(1, *session).Bind(2, from.us).Bind(3, to.us);
  auto more = samples->Step();
  if (!more) return tl::unexpected(more.error());
  if (!*more) return series;
  // From the last row that stands before the first sample on.
  auto rows = connection_->Prepare(
      "SELECT seq, layout, amounts, running, pending, waiting_since, gone FROM usage "
      "WHERE queue=?1 AND +session=?2 AND seq>=coalesce((SELECT max(seq) FROM usage "
      "WHERE queue=?1 AND +session=?2 AND seq<=?3), 0) ORDER BY seq");
  if (!rows) return tl::unexpected(rows.error());
  rows->Bind(1, queue).Bind(2, *session).Bind(3, samples->Number(0));
  Follower follower(std::move(*rows), *layouts);

  Step sums;
  std::int64_t begin = FloorTo(samples->Number(1), step);
  const std::int64_t earliest = FloorTo(from.us, kMinuteUs);
  const auto finish = [&] {
    if (!sums.empty())
      series.points.push_back(sums.Point({std::max(begin, earliest)}, series.resources.size()));
    sums = Step();
  };
  while (*more) {
    const Time at{samples->Number(1)};
    if (FloorTo(at.us, step) != begin) finish();
    begin = FloorTo(at.us, step);
    const auto there = follower.MoveTo(samples->Number(0));
    if (!there) return tl::unexpected(there.error());
    if (*there) {
      Join(follower.resources(), series.resources);
      sums.Add(follower.usage(), follower.resources(), at, series.resources);
    }
    more = samples->Step();
    if (!more) return tl::unexpected(more.error());
  }
  finish();
  // Resources that were met later are missing in what came before.
  for (UsagePoint& point : series.points) {
    for (auto* list : {&point.mean.allocatable, &point.mean.allocated, &point.mean.requested,
                       &point.mean.fair_share}) {
      if (!list->empty()) list->resize(series.resources.size());
    }
  }
  return series;
}

}  // namespace fairlead::history
