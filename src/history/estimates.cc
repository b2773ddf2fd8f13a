#include "history/estimates.h"

#include <algorithm>
#include <set>

namespace fairlead::history {
namespace {

constexpr Duration kGrace = Duration::Seconds(60);
constexpr std::int64_t kEstimatesAtOnce = 5'000;

}  // namespace

void EstimateScores::Add(const EstimateRow& row, Time now) {
  const Estimate& estimate = row.estimate;
  const Time latest = estimate.until.value_or(estimate.at + kGrace);
  const bool judged = row.started || (!row.gone && latest < now);
  const bool within =
      row.started && *row.started <= latest && (!estimate.from || *row.started >= *estimate.from);
  for (const std::string& queue : std::set<std::string>{"", estimate.queue}) {
    Sum& sum = sums_[{queue, estimate.basis}];
    sum.score.queue = queue;
    sum.score.basis = estimate.basis;
    ++sum.score.said;
    sum.score.judged += judged ? 1 : 0;
    sum.score.within += within ? 1 : 0;
    if (!row.started) continue;
    ++sum.score.started;
    sum.errors.push_back(std::max(*row.started - estimate.at, estimate.at - *row.started));
  }
}

std::vector<EstimateScore> EstimateScores::Take() {
  std::vector<EstimateScore> scores;
  for (auto& [key, sum] : sums_) {
    if (!sum.errors.empty()) {
      const auto middle =
          sum.errors.begin() + static_cast<std::ptrdiff_t>((sum.errors.size() - 1) / 2);
      std::ranges::nth_element(sum.errors, middle);
      sum.score.median_error = *middle;
    }
    scores.push_back(std::move(sum.score));
  }
  sums_.clear();
  return scores;
}

Result<std::vector<EstimateScore>> ScoresOf(Reader& reader, Filter filter) {
  EstimateScores scores;
  const auto now = reader.Newest(filter.sessions);
  if (!now) return tl::unexpected(now.error());
  filter.limit = kEstimatesAtOnce;
  for (bool more = true; more;) {
    const auto page = reader.Estimates(filter);
    if (!page) return tl::unexpected(page.error());
    for (const EstimateRow& row : page->rows) scores.Add(row, now->value_or(Time{}));
    more = page->more && !page->rows.empty();
    if (more) filter.before = page->rows.back().seq;
  }
  return scores.Take();
}

}  // namespace fairlead::history
