#include "engine/explain/explain_reserved.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/round/reserved_starts.h"

namespace fairlead::engine {
namespace {

// Whether the step is placed now, where these bookings keep their room from it.
bool FitsBeside(const WhatIf& what_if, const RoomStep& step, const std::vector<bool>& binds) {
  state::Cluster& cluster = what_if.cluster();
  const Bookings& bookings = what_if.reserved().bookings();
  state::KeptBack kept(cluster);
  KeepFor(cluster, bookings, binds, kept);
  state::Trial trial(cluster);
  return PlaceGang(what_if.placer(), cluster, step.workload, step.parts, state::When::kNow,
                   trial) == GangVerdict::kPlaced;
}

}  // namespace

std::optional<state::Reason> ReservedReason(const WhatIf& what_if, const Group& group,
                                            const RoomStep& step) {
  const Bookings& bookings = what_if.reserved().bookings();
  const std::vector<bool> binds = what_if.reserved().BindsOn(group, step.workload);
  if (std::none_of(binds.begin(), binds.end(), [](bool each) { return each; })) return std::nullopt;
  const std::vector<bool> none(bookings.size(), false);
  if (!FitsBeside(what_if, step, none) || FitsBeside(what_if, step, binds)) return std::nullopt;
  // The first without which it would fit, else the first of all.
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < bookings.size() && !first; ++i) {
    if (!binds[i]) continue;
    std::vector<bool> without = binds;
    without[i] = false;
    if (FitsBeside(what_if, step, without)) first = i;
  }
  const auto any = std::find(binds.begin(), binds.end(), true) - binds.begin();
  const Booking& booking = bookings[first.value_or(static_cast<std::size_t>(any))];
  const std::vector<std::string> nodes = booking.AsShown(what_if.cluster()).nodes;
  const std::string holder = what_if.cluster().NameOf(booking.workload);
  const std::string on = nodes.size() == 1
                             ? nodes.front()
                             : fmt::format("{} and {} more", nodes.front(), nodes.size() - 1);
  state::Reason reason{.code = state::ReasonCode::kRoomReserved,
                       .message = {},
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

}  // namespace fairlead::engine
