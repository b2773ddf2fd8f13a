#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace fairlead::objects {

// Room that is kept for work which starts later (time.md §2).
struct Reservation {
  std::optional<Time> at;          // absent: what comes free there waits for it, whenever that is
  std::vector<std::string> nodes;  // by name
  std::vector<std::int32_t> pods;  // how many on each of them; empty: as many as it holds
  Time since;
  bool operator==(const Reservation&) const = default;
};

// As an annotation of a pod has it: "2026-03-01T12:00:00Z on n1,n2 since 2026-03-01T09:00:00Z", or
// without a time "on n1 since …".
std::string TextOf(const Reservation& reservation);
std::optional<Reservation> ParseReservation(std::string_view text);  // empty: it is none

// Work that started in room which is kept for another, as it said that it ends before that begins.
struct Loan {
  std::string holder;  // for whom it is kept, "namespace/name"
  Time until;          // from then on it gives way
  bool operator==(const Loan&) const = default;
};
inline constexpr std::string_view kOnLoanCondition = "OnLoan";                  // of a Workload
inline constexpr std::string_view kPodOnLoanCondition = "fairlead.dev/OnLoan";  // of a pod

// As the message of these conditions has it: "for team/g until 2026-03-01T12:00:00Z".
std::string TextOf(const Loan& loan);
std::optional<Loan> ParseLoan(std::string_view text);  // empty: it is none

}  // namespace fairlead::objects
