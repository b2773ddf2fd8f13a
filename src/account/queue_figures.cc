#include "account/queue_figures.h"

#include <algorithm>
#include <cstdlib>

#include "base/wide_int.h"

namespace fairlead::account {
namespace {

// What a queue has at the moment that is looked at.
struct Standing {
  std::int64_t guaranteed = 0, fair = 0, requested = 0, allocated = 0;
  Time lacks_since = Time::Max();

  std::int64_t missing() const {
    return std::max<std::int64_t>(0, std::min(requested, guaranteed) - allocated);
  }
};

using Standings = std::map<NameId, Standing>;

void Integrate(const Standings& standings, Duration passed, QueueFigures& into) {
  if (passed <= Duration{}) return;
  double sum = 0, squares = 0;
  int asking = 0;
  for (const auto& [queue, has] : standings) {
    if (has.requested >= has.fair) {
      into.deviation += static_cast<WideInt>(std::abs(has.allocated - has.fair)) * passed.us;
    }
    if (has.missing() > 0) {
      into.missing[queue] += static_cast<WideInt>(has.missing()) * passed.us;
    }
    if (has.requested == 0 || has.fair == 0) continue;
    const double share = static_cast<double>(has.allocated) / static_cast<double>(has.fair);
    sum += share;
    squares += share * share;
    ++asking;
  }
  if (asking < 2) return;
  // Nobody has anything: all have the same.
  const double index = squares == 0 ? 1 : sum * sum / (asking * squares);
  into.jain += index * static_cast<double>(passed.us);
  into.compared = into.compared + passed;
}

}  // namespace

QueueFigures QueueFiguresOf(const Ledger& ledger, std::size_t resource) {
  QueueFigures figures;
  Standings standings;
  Time now = ledger.start;
  for (const ShareRow& row : ledger.shares) {
    Integrate(standings, row.time - now, figures);
    now = std::max(now, row.time);
    Standing& has = standings[row.queue];
    has = {.guaranteed = ledger.Amount(row.guaranteed, resource),
           .fair = ledger.Amount(row.fair, resource),
           .requested = ledger.Amount(row.requested, resource),
           .allocated = ledger.Amount(row.allocated, resource),
           .lacks_since = has.lacks_since};
    const bool lacked = has.lacks_since != Time::Max();
    if (has.missing() > 0 && !lacked) has.lacks_since = now;
    if (has.missing() == 0 && lacked) {
      figures.lacks.push_back(now - has.lacks_since);
      has.lacks_since = Time::Max();
    }
  }
  Integrate(standings, ledger.end - now, figures);
  for (const auto& [queue, has] : standings) {
    if (has.lacks_since != Time::Max()) figures.lacks.push_back(ledger.end - has.lacks_since);
  }
  if (figures.compared > Duration{}) {
    figures.jain /= static_cast<double>(figures.compared.us);
  }
  return figures;
}

}  // namespace fairlead::account
