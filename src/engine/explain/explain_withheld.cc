#include "engine/explain/explain_withheld.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/round/kept_from_others.h"
#include "engine/round/reserved_starts.h"

namespace fairlead::engine {
namespace {

// What a step may not have: nodes that these windows close, room of these bookings.
struct Withheld {
  std::vector<bool> closed_by, bookings;
};

bool Any(const std::vector<bool>& which) { return std::ranges::find(which, true) != which.end(); }

// Whether the step is placed now, where so much is withheld from it.
bool FitsBeside(const WhatIf& what_if, const RoomStep& step, const Withheld& withheld) {
  state::Cluster& cluster = what_if.cluster();
  state::KeptBack closed(cluster);
  if (Any(withheld.closed_by)) what_if.windows().Close(withheld.closed_by, closed);
  state::KeptBack kept(cluster);
  if (Any(withheld.bookings)) {
    KeepFor(cluster, what_if.reserved().bookings(), withheld.bookings, kept);
  }
  state::Trial trial(cluster);
  return PlaceGang(what_if.placer(), cluster, step.workload, step.parts, state::When::kNow,
                   trial) == GangVerdict::kPlaced;
}

// The first of `which` without which it would fit, else the first of all.
template <typename FitsWith>
std::size_t InTheWay(const std::vector<bool>& which, FitsWith fits_with) {
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (!which[i]) continue;
    std::vector<bool> without = which;
    without[i] = false;
    if (fits_with(without)) return i;
  }
  return static_cast<std::size_t>(std::ranges::find(which, true) - which.begin());
}

std::string FirstAndMore(const std::string& first, std::size_t count) {
  return count == 1 ? first : fmt::format("{} and {} more", first, count - 1);
}

state::Reason InWindow(const WhatIf& what_if, std::size_t i, Time now) {
  const objects::Window& window = what_if.windows()[i];
  std::vector<std::string> nodes;
  for (const state::NodeId n : what_if.windows().nodes(i)) {
    nodes.push_back(what_if.cluster().nodes().name(n));
  }
  std::ranges::sort(nodes);
  state::Reason reason{.code = state::ReasonCode::kInWindow,
                       .node = nodes.front(),
                       .window = window.meta.name,
                       .until = window.until};
  const std::string until =
      window.until ? fmt::format(" until {}", FormatTime(*window.until)) : std::string();
  const std::string on = FirstAndMore(nodes.front(), nodes.size());
  reason.message =
      now < window.from
          ? fmt::format("window {} closes {} at {}{}: only work whose limit ends by then may start",
                        window.meta.name, on, FormatTime(window.from),
                        until.empty() ? until : "," + until)
          : fmt::format("window {} closes {}{}{}", window.meta.name, on, until,
                        window.queues.empty() ? " to all work" : " to other queues' work");
  return reason;
}

state::Reason RoomReserved(const WhatIf& what_if, const Booking& booking) {
  const std::vector<std::string> nodes = booking.AsShown(what_if.cluster()).nodes;
  const std::string holder(what_if.cluster().NameOf(booking.workload));
  const std::string on = FirstAndMore(nodes.front(), nodes.size());
  state::Reason reason{.code = state::ReasonCode::kRoomReserved,
                       .node = nodes.front(),
                       .holder = holder,
                       .until = booking.at};
  reason.message =
      booking.at ? fmt::format(
                       "what is free on {} is kept for {}, which starts there at {}: only "
                       "work whose limit ends by then may start",
                       on, holder, FormatTime(*booking.at))
                 : fmt::format("what comes free on {} is kept for {}, which has waited for long",
                               on, holder);
  return reason;
}

}  // namespace

std::optional<state::Reason> WithheldReason(const WhatIf& what_if, const Group& group,
                                            const RoomStep& step, Time now) {
  Withheld withheld{.closed_by = {}, .bookings = what_if.reserved().BindsOn(group, step.workload)};
  if (what_if.windows().any() && StartsAnew(what_if.cluster(), group)) {
    withheld.closed_by =
        what_if.windows().ClosedTo(policy::Windows::StartOf(what_if.cluster(), step.workload, now));
  }
  if (!Any(withheld.closed_by) && !Any(withheld.bookings)) return std::nullopt;
  if (!FitsBeside(what_if, step, {}) || FitsBeside(what_if, step, withheld)) return std::nullopt;
  if (!FitsBeside(what_if, step, {.closed_by = withheld.closed_by, .bookings = {}})) {
    const std::size_t first = InTheWay(withheld.closed_by, [&](const std::vector<bool>& closed_by) {
      return FitsBeside(what_if, step, {.closed_by = closed_by, .bookings = {}});
    });
    return InWindow(what_if, first, now);
  }
  const std::size_t first = InTheWay(withheld.bookings, [&](const std::vector<bool>& bookings) {
    return FitsBeside(what_if, step, {.closed_by = withheld.closed_by, .bookings = bookings});
  });
  return RoomReserved(what_if, what_if.reserved().bookings()[first]);
}

}  // namespace fairlead::engine
