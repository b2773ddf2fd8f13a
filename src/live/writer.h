#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kube/backoff.h"
#include "kube/loop.h"
#include "kube/status.h"

namespace fairlead::live {

// What became of a write in the end.
struct WriteResult {
  bool done = false;
  kube::Status status;  // unless done: why the server refuses it
  std::string body;     // if done
};

// How many requests of a lane may begin in a second; 0: no bound but the lane's own.
struct RateLimit {
  std::int64_t per_second = 0;
  std::int64_t burst = 1;
};

// Sends writes until their outcome is known: a server that is not there, is overloaded or cuts the
// answer off is asked again, ever more slowly. REQUIRES, of every request: to send it twice does no
// more than to send it once.
//
// - Requests for one object are under way one after the other, in the order of Send.
// - Of a lane no more are handed to the loop than it can well send at once: what waits, waits here,
//   where it takes less memory.
// - Nothing is sent while `may_write` says no; it is asked again before each.
//
// Thread safety: the loop's thread only.
class Writer {
 public:
  struct Options {
    std::uint64_t seed = 1;
    std::array<RateLimit, kube::kLanes> limits = {};
    kube::Backoff::Limits backoff{.first{.us = 100'000}, .most = Duration::Seconds(20)};
  };
  struct Counts {
    std::uint64_t sent = 0, retried = 0, done = 0, refused = 0;
  };
  static constexpr int kTriesTold = 10;
  static constexpr std::size_t kMostUnderWay = 64;  // by lane; above what the loop sends at once
  using OnResult = std::function<void(const WriteResult&)>;

  // `on_problem`, for the log, hears of every kTriesTold-th try that did not end it; may be empty.
  Writer(kube::Loop& loop, std::function<bool()> may_write, Options options,
         std::function<void(const std::string&)> on_problem = nullptr);
  ~Writer();  // calls nothing back

  // `object` is any text that is the same for requests that must not overtake each other.
  void Send(std::string object, kube::Request request, OnResult on_result);
  // `make` gives the request, of that lane, each time that it is sent: for those that come by the
  // thousand, and take less before they are written down.
  using Maker = std::function<kube::Request()>;
  void Send(std::string object, kube::Lane lane, Maker make, OnResult on_result);

  // Ends all that waits or is under way; nothing of it is called back.
  void Drop();

  // Requests that wait or are under way.
  std::size_t waiting(kube::Lane lane) const {
    return lanes_[static_cast<std::size_t>(lane)].waiting;
  }
  const Counts& counts(kube::Lane lane) const {
    return lanes_[static_cast<std::size_t>(lane)].counts;
  }

 private:
  struct Item {
    kube::Lane lane = kube::Lane::kWrites;
    Maker make;
    OnResult on_result;
    int attempts = 0;
  };
  struct Line {
    std::string object;
    std::vector<Item> items;  // nearly always one; the first is under way, or next
    kube::CallId call = 0;
    kube::TimerId timer = 0;
  };
  // By object; a line is told apart by its address, which stays.
  using Lines = std::unordered_map<std::string_view, std::unique_ptr<Line>>;
  struct LaneState {
    Time free_at;  // when its next request may begin
    Counts counts;
    std::size_t waiting = 0, under_way = 0;
    std::deque<Line*> ready;  // whose first is kept back by kMostUnderWay
  };

  void Begin(Line& line);
  void SendFirst(Line& line);
  void SendLater(Line& line, Duration wait);
  void HandOver(Line& line);
  void MakeWay(LaneState& lane);
  void Judge(Line& line, kube::Response response);
  void Finish(Line& line, WriteResult result);
  Duration Turn(kube::Lane lane);
  LaneState& StateOf(kube::Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }
  LaneState& StateOf(const Line& line) { return StateOf(line.items.front().lane); }

  kube::Loop& loop_;
  std::function<bool()> may_write_;
  Options options_;
  std::function<void(const std::string&)> on_problem_;
  Random random_;
  Lines lines_;
  std::array<LaneState, kube::kLanes> lanes_;
};

}  // namespace fairlead::live
