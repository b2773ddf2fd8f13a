#include "live/standing_writes.h"

#include <fmt/format.h>

namespace fairlead::live {

void StandingWrites::Set(Part part, std::string trouble, Maker make) {
  auto standing = std::make_shared<const Standing>(
      Standing{.trouble = std::move(trouble), .make = std::move(make)});
  standing_[part] = standing;
  Write(part, standing);
}

void StandingWrites::Write(const Part& part, const StandingPtr& standing) {
  std::optional<kube::Request> request = standing->make();
  if (!request) {
    standing_.erase(part);
    return;
  }
  writer_.Send(part.object, std::move(*request), [this, part, standing](const WriteResult& result) {
    Written(part, standing, result);
  });
}

void StandingWrites::Written(const Part& part, const StandingPtr& standing,
                             const WriteResult& result) {
  const bool is_over = result.done || kube::IsNotFound(result.status);
  if (!is_over && on_problem_) {
    on_problem_(fmt::format("{}: {}", standing->trouble, result.status.ToString()));
  }
  if (!IsNewest(part, standing)) return;
  if (is_over) {
    standing_.erase(part);
    return;
  }
  timers_.After(kAgainAfter, [this, part, standing] {
    if (IsNewest(part, standing)) Write(part, standing);
  });
}

bool StandingWrites::IsNewest(const Part& part, const StandingPtr& standing) const {
  const auto newest = standing_.find(part);
  return newest != standing_.end() && newest->second == standing;
}

}  // namespace fairlead::live
