// Queues' figures are read whole at every publication: there are few, and a comparison of numbers
// tells which rows have to be made anew.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/lending.h"
#include "view/view_builder.h"

namespace fairlead::view {

using state::Figure;
using state::QueueId;

namespace {

constexpr std::array kShown = {Figure::kGuaranteed, Figure::kLimit, Figure::kRequested,
                               Figure::kAllocated, Figure::kFairShare};

std::string_view NotReady(state::QueueHealth health) {
  if (health == state::QueueHealth::kParentNotFound) return "ParentNotFound";
  return health == state::QueueHealth::kParentCycle ? "ParentCycle" : "";
}

}  // namespace

// What it is guaranteed may also be all that others are: that is worked out anew each time.
bool ViewBuilder::QueueFiguresChanged(QueueId q) {
  const state::QueueTree& queues = cluster_.queues();
  const std::size_t resources = cluster_.resources().size();
  auto had = queue_figures_.begin() + static_cast<std::ptrdiff_t>(q.value() * figures_width_);
  bool changed = false;
  for (const Figure figure : kShown) {
    const std::int64_t* row = queues.Row(q, figure);
    changed |= !std::equal(row, row + resources, had);
    if (figure == Figure::kGuaranteed) {
      changed |= std::find_if(row, row + resources, [](std::int64_t amount) {
                   return amount >= state::kUnlimited;
                 }) != row + resources;
    }
    had = std::copy(row, row + resources, had);
  }
  return changed;
}

void ViewBuilder::ReadQueue(QueueId q) {
  const state::QueueTree& queues = cluster_.queues();
  const state::Queue& queue = queues[q];
  queues_.Reach(q.value());
  if (q == state::QueueTree::Root()) return;
  QueueRow row;
  row.name = QueueName(q);
  row.exists = queue.exists;
  if (!queue.parent_name.empty()) row.parent = Interned(queue.parent_name);
  const bool on_top = !queue.parent.valid() || queue.parent == state::QueueTree::Root();
  if (!on_top) row.parent_row = queue.parent.value();
  row.not_ready = NotReady(queue.health);
  const auto& named = queue.guaranteed_names;
  for (const state::ResourceId r : columns_) {
    const std::int64_t guaranteed = queues.Get(q, Figure::kGuaranteed, r);
    const std::int64_t limit = queues.Get(q, Figure::kLimit, r);
    const bool guarantees = std::find(named.begin(), named.end(), r) != named.end();
    const bool all = guaranteed >= state::kUnlimited;
    row.guaranteed.emplace_back();
    if (guarantees && queue.parent.valid()) {
      row.guaranteed.back() = all ? state::GuaranteeOf(queues, queue.parent, r) : guaranteed;
    }
    // Of the many resources that a queue does not cover only those that it is asked are shown.
    const bool shown =
        guarantees || !queue.limits_all || limit > 0 || queues.Get(q, Figure::kRequested, r) > 0;
    row.limit.emplace_back();
    if (limit < state::kUnlimited && shown) row.limit.back() = limit;
    const auto counted = [&](Figure figure) {
      return queues.Counts(r) ? std::optional(queues.Get(q, figure, r)) : std::nullopt;
    };
    row.requested.push_back(counted(Figure::kRequested));
    row.allocated.push_back(counted(Figure::kAllocated));
    row.fair_share.push_back(counted(Figure::kFairShare));
  }
  queues_.Set(q.value(), std::move(row));
}

void ViewBuilder::ReadQueues() {
  const state::QueueTree& queues = cluster_.queues();
  const std::size_t width = kShown.size() * cluster_.resources().size();
  const bool all = std::exchange(queues_changed_, false) || width != figures_width_;
  if (width != figures_width_) queue_figures_.clear();
  figures_width_ = width;
  const std::size_t known = queue_figures_.size() / std::max<std::size_t>(1, width);
  queue_figures_.resize(queues.size() * width);
  for (std::uint32_t i = 0; i < queues.size(); ++i) {
    const bool changed = QueueFiguresChanged(QueueId(i));
    if (changed || all || i >= known) ReadQueue(QueueId(i));
  }
  std::vector<std::optional<std::int64_t>> requested;
  for (const state::ResourceId r : columns_) {
    requested.emplace_back();
    if (queues.Counts(r)) {
      requested.back() = queues.Get(state::QueueTree::Root(), Figure::kRequested, r);
    }
  }
  tables_.totals.requested = std::move(requested);
  if (!all) return;
  std::vector<std::uint32_t> order;
  for (const QueueId q : queues.order()) {
    if (q != state::QueueTree::Root() && queues[q].exists) order.push_back(q.value());
  }
  tables_.queue_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
}

}  // namespace fairlead::view
