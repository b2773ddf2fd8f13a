#include "kube/status.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "kube/json.h"

namespace fairlead::kube {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxExcerpt = 200;

// What a proxy or an unknown path answers with is a page or a line of text.
std::string FirstLine(std::string_view body) {
  const std::size_t begin = body.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  body = body.substr(begin);
  body = body.substr(0, std::min(body.find_first_of("\r\n"), kMaxExcerpt));
  return std::string(body);
}

void ReadDetails(const json::value& details, Status& status) {
  status.name = TextAt(details, "name");
  status.kind = TextAt(details, "kind");
  if (const auto seconds = NumberAt(details, "retryAfterSeconds"); seconds.value_or(0) > 0) {
    status.retry_after = Duration::Seconds(std::min<std::int64_t>(*seconds, 3600));
  }
  const json::value* causes = At(details, "causes");
  if (causes == nullptr || !causes->is_array()) return;
  for (const json::value& cause : causes->get_array()) {
    status.causes.push_back({.reason = TextAt(cause, "reason"),
                             .message = TextAt(cause, "message"),
                             .field = TextAt(cause, "field")});
  }
}

}  // namespace

bool Status::HasCause(std::string_view cause) const {
  return std::any_of(causes.begin(), causes.end(),
                     [&](const Cause& one) { return one.reason == cause; });
}

std::string Status::ToString() const {
  std::string text = code == 0 ? std::string() : std::to_string(code);
  if (!reason.empty()) text += (text.empty() ? "" : " ") + reason;
  if (!message.empty()) text += (text.empty() ? "" : ": ") + message;
  return text;
}

Status ReadStatus(int code, std::string_view body) {
  Status status{.code = code};
  const json::value value = ParseJson(body);
  if (TextAt(value, "kind") != "Status") {
    status.message = FirstLine(body);
    return status;
  }
  status.reason = TextAt(value, "reason");
  status.message = TextAt(value, "message");
  if (const auto said = NumberAt(value, "code"); said && *said >= 100 && *said <= 999) {
    status.code = static_cast<int>(*said);
  }
  if (const json::value* details = At(value, "details")) ReadDetails(*details, status);
  return status;
}

Status StatusOf(const Response& response) {
  if (response.outcome != Outcome::kAnswered) {
    return {.code = response.status, .message = response.error};
  }
  Status status = ReadStatus(response.status, response.body);
  if (response.retry_after) status.retry_after = response.retry_after;
  return status;
}

bool IsAlreadyExists(const Status& status) { return status.reason == "AlreadyExists"; }
bool IsConflict(const Status& status) { return status.reason == "Conflict"; }
bool IsFieldConflict(const Status& status) {
  return IsConflict(status) && status.HasCause("FieldManagerConflict");
}
bool IsExpired(const Status& status) {
  return status.reason == "Expired" || status.reason == "Gone";
}
bool IsVersionTooLarge(const Status& status) {
  return status.reason == "Timeout" && status.HasCause("ResourceVersionTooLarge");
}
bool IsNotFound(const Status& status) { return status.reason == "NotFound"; }
bool IsUnauthorized(const Status& status) { return status.reason == "Unauthorized"; }
bool IsTooManyRequests(const Status& status) { return status.reason == "TooManyRequests"; }
bool IsBudgetExhausted(const Status& status) {
  return IsTooManyRequests(status) && status.HasCause("DisruptionBudget");
}

bool IsBudgetsUnsupported(const Status& status) {
  return status.message.find("more than one PodDisruptionBudget") != std::string::npos;
}

// The API has no reason of its own for it: the binding subresource says Conflict, as it does of an
// old version, and only its message tells.
bool IsAlreadyAssigned(const Status& status) {
  return IsConflict(status) &&
         (status.message.find("already assigned to node") != std::string::npos ||
          status.message.find("is being deleted") != std::string::npos);
}

bool IsRetryable(const Status& status) {
  if (IsBudgetExhausted(status)) return false;
  if (IsTooManyRequests(status) || status.code == 429) return true;
  return status.code >= 500 && status.retry_after.has_value();
}

}  // namespace fairlead::kube
