#include "live/writer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace fairlead::live {
namespace {

constexpr int kMostDoublings = 20;

// What the server has not judged, or will judge otherwise in a while.
bool IsWorthAgain(const kube::Response& response, const kube::Status& status) {
  if (response.outcome != kube::Outcome::kAnswered) return true;
  if (kube::IsTooManyRequests(status)) return !kube::IsBudgetExhausted(status);
  if (kube::IsBudgetsUnsupported(status)) return false;
  return response.status >= 500 || kube::IsUnauthorized(status) || kube::IsRetryable(status);
}

}  // namespace

Writer::Writer(kube::Loop& loop, std::function<bool()> may_write, Options options,
               std::function<void(const std::string&)> on_problem)
    : loop_(loop),
      may_write_(std::move(may_write)),
      options_(options),
      on_problem_(std::move(on_problem)),
      random_(options.seed) {}

Writer::~Writer() { Drop(); }

void Writer::Drop() {
  for (auto& [object, line] : lines_) {
    if (line->call != 0) loop_.Cancel(line->call);
    if (line->timer != 0) loop_.CancelTimer(line->timer);
  }
  lines_.clear();
  for (LaneState& lane : lanes_) {
    lane.waiting = lane.under_way = 0;
    lane.ready.clear();
  }
}

void Writer::Send(std::string object, kube::Request request, OnResult on_result) {
  const kube::Lane lane = request.lane;
  Send(
      std::move(object), lane, [request = std::move(request)] { return request; },
      std::move(on_result));
}

void Writer::Send(std::string object, kube::Lane lane, Maker make, OnResult on_result) {
  auto at = lines_.find(object);
  if (at == lines_.end()) {
    auto line = std::make_unique<Line>(Line{.object = std::move(object), .items = {}});
    const std::string_view name = line->object;
    at = lines_.emplace(name, std::move(line)).first;
  }
  Line& line = *at->second;
  ++StateOf(lane).waiting;
  line.items.push_back({.lane = lane, .make = std::move(make), .on_result = std::move(on_result)});
  if (line.items.size() == 1) Begin(line);
}

// How long a request of the lane must wait for its turn.
Duration Writer::Turn(kube::Lane lane) {
  const RateLimit& limit = options_.limits[static_cast<std::size_t>(lane)];
  if (limit.per_second <= 0) return {};
  const Duration interval{.us = 1'000'000 / limit.per_second};
  Time& free_at = StateOf(lane).free_at;
  const Time now = loop_.Now();
  const Time saved{.us = now.us - interval.us * limit.burst};
  free_at = std::max(free_at, saved) + interval;
  return std::max(Duration{}, free_at - now);
}

void Writer::Begin(Line& line) {
  const Duration turn = Turn(line.items.front().lane);
  if (turn.us == 0) {
    SendFirst(line);
  } else {
    SendLater(line, turn);
  }
}

void Writer::SendLater(Line& line, Duration wait) {
  line.timer = loop_.After(wait, [this, &line] {
    line.timer = 0;
    SendFirst(line);
  });
}

void Writer::SendFirst(Line& line) {
  LaneState& lane = StateOf(line);
  if (!may_write_()) return SendLater(line, options_.backoff.most);
  if (lane.under_way >= kMostUnderWay) {
    lane.ready.push_back(&line);
  } else {
    HandOver(line);
  }
}

void Writer::HandOver(Line& line) {
  LaneState& lane = StateOf(line);
  ++lane.under_way;
  ++lane.counts.sent;
  line.call = loop_.Send(line.items.front().make(), [this, &line](kube::Response response) {
    MakeWay(StateOf(line));
    Judge(line, std::move(response));  // the last: whoever hears of it may end us
  });
}

// One of the lane is no longer under way.
void Writer::MakeWay(LaneState& lane) {
  --lane.under_way;
  if (lane.ready.empty()) return;
  Line& next = *lane.ready.front();
  lane.ready.pop_front();
  SendFirst(next);
}

void Writer::Judge(Line& line, kube::Response response) {
  line.call = 0;
  if (response.ok()) {
    Finish(line, {.done = true, .status = {}, .body = std::move(response.body)});
    return;
  }
  kube::Status status = kube::StatusOf(response);
  if (!IsWorthAgain(response, status)) {
    Finish(line, {.done = false, .status = std::move(status), .body = {}});
    return;
  }
  Item& item = line.items.front();
  ++StateOf(line).counts.retried;
  const std::int64_t most = options_.backoff.first.us << std::min(item.attempts++, kMostDoublings);
  const Duration bound = std::min(Duration{.us = most}, options_.backoff.most);
  Duration wait = random_.Between(Duration{.us = bound.us / 2}, bound);
  if (item.attempts % kTriesTold == 0 && on_problem_) {
    on_problem_(
        fmt::format("{}: tried {} times: {}", line.object, item.attempts, status.ToString()));
  }
  if (status.retry_after) wait = std::max(wait, *status.retry_after);
  SendLater(line, wait);
}

void Writer::Finish(Line& line, WriteResult result) {
  LaneState& lane = StateOf(line);
  ++(result.done ? lane.counts.done : lane.counts.refused);
  --lane.waiting;
  const OnResult on_result = std::move(line.items.front().on_result);
  line.items.erase(line.items.begin());
  // The next one begins first: what the callback sends comes behind it.
  if (line.items.empty()) {
    lines_.erase(line.object);
  } else {
    Begin(line);
  }
  if (on_result) on_result(result);
}

}  // namespace fairlead::live
