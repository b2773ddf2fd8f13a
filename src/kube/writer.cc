#include "kube/writer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace fairlead::kube {
namespace {

constexpr int kMostDoublings = 20;

// What the server has not judged, or will judge otherwise in a while.
bool IsWorthAgain(const Response& response, const Status& status) {
  if (response.outcome != Outcome::kAnswered) return true;
  if (IsTooManyRequests(status)) return !IsBudgetExhausted(status);
  if (IsBudgetsUnsupported(status)) return false;
  return response.status >= 500 || IsUnauthorized(status) || IsRetryable(status);
}

}  // namespace

Writer::Writer(Loop& loop, std::function<bool()> may_write, Options options,
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
  waiting_ = {};
}

void Writer::Send(std::string object, Request request, OnResult on_result) {
  auto [at, is_new] = lines_.try_emplace(std::move(object));
  if (is_new) at->second = std::make_unique<Line>();
  Line& line = *at->second;
  ++waiting_[static_cast<std::size_t>(request.lane)];
  line.items.push_back({.request = std::move(request), .on_result = std::move(on_result)});
  if (line.items.size() == 1) Begin(at->first, line);
}

// How long a request of the lane must wait for its turn.
Duration Writer::Turn(Lane lane) {
  const RateLimit& limit = options_.limits[static_cast<std::size_t>(lane)];
  if (limit.per_second <= 0) return {};
  const Duration interval{.us = 1'000'000 / limit.per_second};
  Time& free_at = free_at_[static_cast<std::size_t>(lane)];
  const Time now = loop_.Now();
  const Time saved{.us = now.us - interval.us * limit.burst};
  free_at = std::max(free_at, saved) + interval;
  return std::max(Duration{}, free_at - now);
}

void Writer::Begin(const std::string& object, Line& line) {
  const Duration turn = Turn(line.items.front().request.lane);
  if (turn.us == 0) {
    SendFirst(object, line);
    return;
  }
  SendLater(object, line, turn);
}

void Writer::SendLater(const std::string& object, Line& line, Duration wait) {
  line.timer = loop_.After(wait, [this, object] {
    Line& later = *lines_.at(object);
    later.timer = 0;
    SendFirst(object, later);
  });
}

void Writer::SendFirst(const std::string& object, Line& line) {
  Item& item = line.items.front();
  if (!may_write_()) {
    SendLater(object, line, options_.backoff.most);
    return;
  }
  ++counts_[static_cast<std::size_t>(item.request.lane)].sent;
  // Kept for another try.
  line.call = loop_.Send(item.request,
                         [this, object](Response response) { Judge(object, std::move(response)); });
}

void Writer::Judge(const std::string& object, Response response) {
  Line& line = *lines_.at(object);
  line.call = 0;
  if (response.ok()) {
    Finish(object, {.done = true, .status = {}, .body = std::move(response.body)});
    return;
  }
  Status status = StatusOf(response);
  if (!IsWorthAgain(response, status)) {
    Finish(object, {.done = false, .status = std::move(status), .body = {}});
    return;
  }
  Item& item = line.items.front();
  ++counts_[static_cast<std::size_t>(item.request.lane)].retried;
  const std::int64_t most = options_.backoff.first.us << std::min(item.attempts++, kMostDoublings);
  const Duration bound = std::min(Duration{.us = most}, options_.backoff.most);
  Duration wait = random_.Between(Duration{.us = bound.us / 2}, bound);
  if (item.attempts % kTriesTold == 0 && on_problem_) {
    on_problem_(fmt::format("{}: tried {} times: {}", object, item.attempts, status.ToString()));
  }
  if (status.retry_after) wait = std::max(wait, *status.retry_after);
  SendLater(object, line, wait);
}

void Writer::Finish(const std::string& object, WriteResult result) {
  const auto at = lines_.find(object);
  Line& line = *at->second;
  Counts& counts = counts_[static_cast<std::size_t>(line.items.front().request.lane)];
  ++(result.done ? counts.done : counts.refused);
  --waiting_[static_cast<std::size_t>(line.items.front().request.lane)];
  const OnResult on_result = std::move(line.items.front().on_result);
  line.items.erase(line.items.begin());
  // The next one begins first: what the callback sends comes behind it.
  if (line.items.empty()) {
    lines_.erase(at);
  } else {
    Begin(at->first, line);
  }
  if (on_result) on_result(result);
}

}  // namespace fairlead::kube
