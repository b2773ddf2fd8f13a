#include "account/pictures.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "account/figures.h"

namespace fairlead::account {
namespace {

constexpr std::size_t kPercentSteps = 100;

// Sums over time, piece by piece.
class Pieces {
 public:
  Pieces(const Ledger& ledger, std::size_t count)
      : start_(ledger.start), end_(ledger.end), count_(count) {
    const std::int64_t whole = std::max<std::int64_t>(1, (end_ - start_).us);
    step_us_ = std::max<std::int64_t>(
        1, (whole + static_cast<std::int64_t>(count) - 1) / static_cast<std::int64_t>(count));
    count_ = static_cast<std::size_t>((whole + step_us_ - 1) / step_us_);
  }

  std::size_t count() const { return count_; }
  double step_seconds() const { return static_cast<double>(step_us_) / 1e6; }
  std::vector<double> Empty() const { return std::vector<double>(count_, 0.0); }

  std::size_t PieceOf(Time time) const {
    const std::int64_t at = std::max<std::int64_t>(0, (time - start_).us) / step_us_;
    return std::min(static_cast<std::size_t>(at), count_ - 1);
  }

  // `value` from `begin` to `end` (Max(): for ever), as its part of each piece's mean.
  void Add(std::vector<double>& into, Time begin, Time end, double value) const {
    const std::int64_t from = std::max<std::int64_t>(0, (std::min(begin, end_) - start_).us);
    const std::int64_t to = std::max<std::int64_t>(from, (std::min(end, end_) - start_).us);
    for (std::int64_t at = from; at < to;) {
      const std::int64_t piece = at / step_us_;
      const std::int64_t until = std::min(to, (piece + 1) * step_us_);
      into[static_cast<std::size_t>(piece)] += value * static_cast<double>(until - at);
      at = until;
    }
  }

  // Sums of value × µs as means; the last piece may be shorter.
  void Finish(std::vector<double>& sums) const {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::int64_t begin = static_cast<std::int64_t>(i) * step_us_;
      const std::int64_t length = std::min(step_us_, (end_ - start_).us - begin);
      if (length > 0) sums[i] /= static_cast<double>(length);
    }
  }

 private:
  Time start_, end_;
  std::size_t count_;
  std::int64_t step_us_ = 1;
};

void DrawQueues(const Ledger& ledger, std::size_t resource, double unit, const Pieces& pieces,
                Pictures& pictures) {
  struct Drawn {
    Pictures::Queue queue;
    ShareRow last;
  };
  std::map<std::string, Drawn, std::less<>> by_queue;
  const auto add_last = [&](Drawn& drawn, Time until) {
    const auto add = [&](std::vector<double>& into, AmountsId amounts) {
      const auto amount = static_cast<double>(ledger.Amount(amounts, resource));
      pieces.Add(into, drawn.last.time, until, amount / unit);
    };
    add(drawn.queue.allocated, drawn.last.allocated);
    add(drawn.queue.fair, drawn.last.fair);
    add(drawn.queue.requested, drawn.last.requested);
  };
  for (const ShareRow& row : ledger.shares) {
    const std::string_view name = ledger.Name(row.queue);
    const auto known = by_queue.find(name);
    if (known != by_queue.end()) {
      add_last(known->second, row.time);
      known->second.last = row;
      continue;
    }
    by_queue.emplace(name, Drawn{.queue = {.name = std::string(name),
                                           .allocated = pieces.Empty(),
                                           .fair = pieces.Empty(),
                                           .requested = pieces.Empty()},
                                 .last = row});
  }
  for (auto& [name, drawn] : by_queue) {
    add_last(drawn, ledger.end);
    Pictures::Queue& queue = drawn.queue;
    for (auto* sums : {&queue.allocated, &queue.fair, &queue.requested}) pieces.Finish(*sums);
    pictures.queues.push_back(std::move(queue));
  }
}

void DrawOffered(const Ledger& ledger, std::size_t resource, double unit, const Pieces& pieces,
                 Pictures& pictures) {
  ledger.ForEachOffer([&](const CapacityRow& row, Time until) {
    pieces.Add(pictures.offered, row.time, until,
               static_cast<double>(ledger.Amount(row.offered, resource)) / unit);
  });
  pieces.Finish(pictures.offered);
}

void DrawWaiting(const Ledger& ledger, Pictures& pictures) {
  std::map<std::string, std::vector<double>> waited;
  for (const WorkloadRow& row : ledger.workloads) {
    if (row.started == Time::Max() || row.began_before) continue;
    const double seconds = static_cast<double>((row.started - row.submitted).us) / 1e6;
    waited[""].push_back(seconds);
    waited[fmt::format("queue {}", ledger.Name(row.queue))].push_back(seconds);
  }
  for (auto& [of, seconds] : waited) {
    std::sort(seconds.begin(), seconds.end());
    Pictures::Waiting drawn{.of = of, .percent = {}, .seconds = {}};
    for (std::size_t percent = 0; percent <= kPercentSteps; ++percent) {
      const std::size_t rank = (seconds.size() * percent + kPercentSteps - 1) / kPercentSteps;
      drawn.percent.push_back(static_cast<double>(percent));
      drawn.seconds.push_back(seconds[std::max<std::size_t>(rank, 1) - 1]);
    }
    pictures.waiting.push_back(std::move(drawn));
  }
}

}  // namespace

Pictures PicturesOf(const Ledger& ledger, std::size_t count) {
  const Pieces pieces(ledger, std::max<std::size_t>(count, 1));
  Pictures pictures;
  pictures.step_seconds = pieces.step_seconds();
  pictures.offered = pictures.pending = pictures.evictions = pieces.Empty();
  for (const WorkloadRow& row : ledger.workloads) {
    pieces.Add(pictures.pending, row.submitted, row.started, 1);
  }
  pieces.Finish(pictures.pending);
  for (const Stay& stay : ledger.stays) {
    if (stay.evicted != Time::Max()) ++pictures.evictions[pieces.PieceOf(stay.evicted)];
  }
  DrawWaiting(ledger, pictures);
  const std::size_t resource = DecisiveResource(ledger);
  if (resource == std::string::npos) return pictures;
  const HumanUnit human = HumanUnitOf(ledger.resources[resource]);
  pictures.resource = ledger.resources[resource];
  pictures.unit = human.name;
  const auto unit = static_cast<double>(human.amount);
  DrawOffered(ledger, resource, unit, pieces, pictures);
  DrawQueues(ledger, resource, unit, pieces, pictures);
  return pictures;
}

}  // namespace fairlead::account
