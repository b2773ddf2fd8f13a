#include "show/queue_use.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/quantity.h"
#include "engine/plan/plan.h"
#include "engine/scheduler.h"
#include "policy/lending.h"
#include "show/human_text.h"
#include "state/cluster.h"

namespace fairlead::show {

using state::Figure;
using state::QueueId;

namespace {

constexpr std::int64_t kSigns = 20;  // of the longest bar
constexpr std::size_t kColumns = 8;  // queues side by side

}  // namespace

QueueUse::QueueUse(std::string_view resource) : resource_(FullResource(resource)) {}

void QueueUse::OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) {
  const state::Cluster& cluster = scheduler.cluster();
  const state::QueueTree& queues = cluster.queues();
  Moment moment{.time = plan.now, .queues = {}};
  for (state::ResourceId r : cluster.resources().SortedByName()) {
    if (cluster.resources().name(r) != resource_) continue;
    for (QueueId q : queues.order()) {
      if (q == state::QueueTree::Root() || !queues[q].exists || !IsLeaf(queues, q)) continue;
      moment.queues[queues[q].name] = {.allocated = queues.Get(q, Figure::kAllocated, r),
                                       .guaranteed = state::GuaranteeOf(queues, q, r)};
    }
  }
  if (!moments_.empty() && moments_.back().time == moment.time) moments_.pop_back();
  if (!moments_.empty() && moments_.back().queues == moment.queues) return;
  moments_.push_back(std::move(moment));
}

std::int64_t QueueUse::Sign() const {
  std::int64_t most = 1;
  for (const Moment& moment : moments_) {
    for (const auto& [name, use] : moment.queues) {
      most = std::max({most, use.allocated, use.guaranteed});
    }
  }
  const std::int64_t one = ScaleOf(resource_) == Scale::kMilli          ? 1000
                           : SuffixesOf(resource_) == Suffixes::kBinary ? std::int64_t{1} << 30
                                                                        : 1;
  return std::max(one, (most / one + kSigns - 1) / kSigns * one);
}

std::string QueueUse::Bar(const Use& use, std::int64_t sign) const {
  // What is begun is shown.
  const auto signs = [&](std::int64_t amount) {
    return static_cast<std::size_t>((amount + sign - 1) / sign);
  };
  const std::size_t used = signs(use.allocated);
  const std::size_t within = std::min(used, signs(use.guaranteed));
  std::string bar(within, '#');
  bar.append(used - within, '+');
  bar.append(signs(use.guaranteed) - within, '.');
  return fmt::format("{}{}{}", bar, bar.empty() ? "" : " ", HumanAmount(resource_, use.allocated));
}

Table QueueUse::Rows(Time start, std::size_t rows) const {
  std::set<std::string> names;
  for (const Moment& moment : moments_) {
    for (const auto& [name, use] : moment.queues) {
      if (use != Use()) names.insert(name);
    }
  }
  std::vector<std::string> header = {"TIME"};
  for (const std::string& name : names) {
    if (header.size() <= kColumns) header.push_back(name);
  }
  std::vector<const Moment*> shown;
  for (const Moment& moment : moments_) shown.push_back(&moment);
  if (shown.size() > rows) {
    const Duration whole = moments_.back().time - moments_.front().time;
    shown.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      const Time at =
          moments_.front().time +
          Duration{whole.us / static_cast<std::int64_t>(rows - 1) * static_cast<std::int64_t>(i)};
      const auto after = std::ranges::upper_bound(moments_, at, {}, &Moment::time);
      const Moment* moment = &*(after == moments_.begin() ? after : after - 1);
      if (shown.empty() || shown.back() != moment) shown.push_back(moment);
    }
  }
  Table table(header);
  const std::int64_t sign = Sign();
  for (const Moment* moment : shown) {
    std::vector<Cell> cells = {"+" + ExactDuration(moment->time - start)};
    for (std::size_t i = 1; i < header.size(); ++i) {
      const auto found = moment->queues.find(header[i]);
      cells.emplace_back(found == moment->queues.end() ? "" : Bar(found->second, sign));
    }
    table.Add(std::move(cells));
  }
  return table;
}

std::string QueueUse::Legend() const {
  return fmt::format("# within its guarantee, + borrowed, . guaranteed and unused; a sign is {} {}",
                     HumanAmount(resource_, Sign()), ShortResource(resource_));
}

}  // namespace fairlead::show
