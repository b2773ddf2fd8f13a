#include "objects/reservation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairlead::objects {
namespace {

constexpr std::string_view kOn = "on ";
constexpr std::string_view kSince = " since ";
constexpr std::string_view kFor = "for ";
constexpr std::string_view kUntil = " until ";

}  // namespace

std::string TextOf(const Reservation& reservation) {
  const std::string at = reservation.at ? FormatTime(*reservation.at) + " " : "";
  return fmt::format("{}{}{}{}{}", at, kOn, fmt::join(reservation.nodes, ","), kSince,
                     FormatTime(reservation.since));
}

std::optional<Reservation> ParseReservation(std::string_view text) {
  Reservation reservation;
  if (!text.starts_with(kOn)) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    const Result<Time> at = ParseTime(text.substr(0, space));
    if (!at) return std::nullopt;
    reservation.at = *at;
    text.remove_prefix(space + 1);
  }
  const std::size_t end = text.find(kSince);
  if (!text.starts_with(kOn) || end == std::string_view::npos || end <= kOn.size()) {
    return std::nullopt;
  }
  const Result<Time> since = ParseTime(text.substr(end + kSince.size()));
  if (!since) return std::nullopt;
  reservation.since = *since;
  std::string_view nodes = text.substr(kOn.size(), end - kOn.size());
  while (true) {
    const std::size_t comma = nodes.find(',');
    reservation.nodes.emplace_back(nodes.substr(0, comma));
    if (comma == std::string_view::npos) return reservation;
    nodes.remove_prefix(comma + 1);
  }
}

std::string TextOf(const Loan& loan) {
  return fmt::format("{}{}{}{}", kFor, loan.holder, kUntil, FormatTime(loan.until));
}

std::optional<Loan> ParseLoan(std::string_view text) {
  const std::size_t end = text.find(kUntil);
  if (!text.starts_with(kFor) || end == std::string_view::npos || end <= kFor.size()) {
    return std::nullopt;
  }
  const Result<Time> until = ParseTime(text.substr(end + kUntil.size()));
  if (!until) return std::nullopt;
  return Loan{.holder = std::string(text.substr(kFor.size(), end - kFor.size())), .until = *until};
}

}  // namespace fairlead::objects
