// Worked: half-life 1 minute, so D = 2^39. A queue has 2 CPUs (2,000 millicores) from 00:30 on.
// 01:00: u = 0, and 2,000 × 30 s: 60,000. 02:00: u = (60,000·2^39 + 2^39) >> 40 = 30,000 (and a
// half, floored), and 2,000 × 60 s: 150,000. They end at 02:15: 03:00: 75,000 + 30,000 = 105,000.

#include "state/usage.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace fairlead::state {
namespace {

constexpr std::int64_t kMinuteUs = 60'000'000;
// Of an amount and of the half-life's seconds; times D it fits into 127 bits.
constexpr WideInt kMostUsed = WideInt{1} << 86;

std::int64_t MinuteOf(Time at) {
  const std::int64_t minutes = at.us / kMinuteUs;
  return at.us % kMinuteUs < 0 ? minutes - 1 : minutes;
}

__extension__ using UnsignedWide = unsigned __int128;

// The largest number whose square is at most x.
std::uint64_t SquareRoot(UnsignedWide x) {
  std::uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t with = root | std::uint64_t{1} << bit;
    if (static_cast<UnsignedWide>(with) * with <= x) root = with;
  }
  return root;
}

}  // namespace

// The exponent digit by digit: 2^(−1/2) is the root of 2^(−1), 2^(−1/4) that of 2^(−1/2), and so
// on; those whose digit is set are multiplied. In parts of 2^−62.
std::uint64_t LeftAfterMinute(Duration half_life) {
  DCHECK(half_life.us >= kMinuteUs);
  constexpr int kBits = 62;
  constexpr std::uint64_t kOne = std::uint64_t{1} << kBits;
  UnsignedWide rest = kMinuteUs;  // of half_life.us, of which it is a part
  const auto whole = static_cast<UnsignedWide>(half_life.us);
  std::uint64_t left = kOne;
  std::uint64_t factor = kOne / 2;
  for (int digit = 0; digit < kBits && rest > 0; ++digit) {
    if (rest >= whole) {
      left = static_cast<std::uint64_t>((static_cast<UnsignedWide>(left) * factor + kOne / 2) >>
                                        kBits);
      rest -= whole;
    }
    rest *= 2;
    factor = SquareRoot(static_cast<UnsignedWide>(factor) << kBits);
  }
  constexpr int kDropped = kBits - 40;
  return (left + (std::uint64_t{1} << (kDropped - 1))) >> kDropped;
}

void Usage::Configure(const std::optional<objects::UsageOverTime>& configured) {
  if (!configured) {
    const bool counted = counts();
    *this = Usage();
    news_ = counted;
    return;
  }
  kept_ = true;
  influence_milli_ = configured->influence_milli;
  left_of_minute_ = LeftAfterMinute(configured->half_life);
  news_ = true;
}

Time Usage::at() const { return Time{MinuteOf(now_) * kMinuteUs}; }

void Usage::Widen(std::uint32_t queues, std::uint32_t resources) {
  if (resources > stride_) {
    std::vector<Row> wide(begun_.size() * resources);
    for (std::size_t q = 0; q < begun_.size(); ++q) {
      std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(q * stride_), stride_,
                  wide.begin() + static_cast<std::ptrdiff_t>(q * resources));
    }
    rows_ = std::move(wide);
    stride_ = resources;
  }
  if (queues <= begun_.size()) return;
  begun_.resize(queues, false);
  rows_.resize(std::size_t{queues} * stride_);
}

void Usage::Pass(Row& row, Time from, Time to) const {
  if (row.used == 0 && row.minute == 0 && row.allocated == 0) return;
  const std::int64_t last = MinuteOf(to);
  for (std::int64_t minute = MinuteOf(from); minute < last; ++minute) {
    const Time end{(minute + 1) * kMinuteUs};
    const bool whole = row.minute == 0 && (end - from).us == kMinuteUs;
    row.minute += static_cast<WideInt>(row.allocated) * (end - from).us;
    // Nearly always; the division takes longer than all the rest.
    const WideInt had = whole ? WideInt{row.allocated} * 60 : row.minute / 1'000'000;
    const WideInt used = (row.used * left_of_minute_ + (WideInt{1} << 39)) >> 40;
    row.used = std::min(used + had, kMostUsed);
    row.minute = 0;
    from = end;
  }
  row.minute += static_cast<WideInt>(row.allocated) * (to - from).us;
}

void Usage::PassTo(Time now) {
  if (now <= now_) return;
  for (Row& row : rows_) Pass(row, now_, now);
  news_ |= counts() && MinuteOf(now_) != MinuteOf(now);
  now_ = now;
}

void Usage::Charge(QueueId q, ResourceId r, std::int64_t allocated) {
  rows_[Index(q, r)].allocated = std::max<std::int64_t>(0, allocated);
}

void Usage::Begin(QueueId q, const Shown* shown, const std::vector<Start>& starts) {
  begun_[q.value()] = true;
  news_ |= counts();
  Row* row = &rows_[Index(q, ResourceId(0U))];
  std::fill_n(row, stride_, Row());
  Time from = starts.empty() ? now_ : std::min(now_, starts.front().at);
  if (shown != nullptr && shown->at <= now_) {
    from = shown->at;
    for (const auto& [resource, used] : shown->used) {
      row[resource.value()].used = std::min(used, kMostUsed);
    }
  }
  std::vector<Time> since(stride_, from);
  for (const Start& start : starts) {
    const std::uint32_t r = start.resource.value();
    const Time at = std::clamp(start.at, from, now_);
    Pass(row[r], since[r], at);
    since[r] = at;
    row[r].allocated += start.amount;
  }
  for (std::uint32_t r = 0; r < stride_; ++r) Pass(row[r], since[r], now_);
}

}  // namespace fairlead::state
