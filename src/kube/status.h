#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "kube/loop.h"

namespace fairlead::kube {

// `kind: Status`, what the API server answers where it has no object to answer with. Branch on the
// reason: one HTTP status has several meanings (409: a name that is taken, a version that is old).
struct Status {
  struct Cause {
    std::string reason, message, field;
  };
  int code = 0;                         // the body's, else HTTP's; 0: no answer
  std::string reason;                   // "Conflict"; empty where the body is no Status
  std::string message;                  // for a person; of another body its first line
  std::string name, kind;               // of the object, where it says
  std::optional<Duration> retry_after;  // Retry-After, else details.retryAfterSeconds
  std::vector<Cause> causes;

  bool HasCause(std::string_view cause) const;
  // "409 Conflict: Operation cannot be fulfilled on …"
  std::string ToString() const;
};

// What a response says that is not the object that was asked for. Never fails: what cannot be read
// gives a Status without a reason.
Status StatusOf(const Response& response);
// From a body alone: a watch's ERROR event (`code` 0), a list that was refused.
Status ReadStatus(int code, std::string_view body);

bool IsAlreadyExists(const Status& status);    // created under a name that is taken
bool IsConflict(const Status& status);         // an old version, or another's field
bool IsFieldConflict(const Status& status);    // of these: another manager's field
bool IsExpired(const Status& status);          // a version that is compacted: list again
bool IsVersionTooLarge(const Status& status);  // the server is behind: wait
bool IsNotFound(const Status& status);         // said by the API; a bare 404 is none
bool IsUnauthorized(const Status& status);
bool IsTooManyRequests(const Status& status);  // throttled, or an eviction that a budget forbids
bool IsBudgetExhausted(const Status& status);  // of these: the latter
// An eviction that the server never grants, though it calls that an internal error: several budgets
// select the pod.
bool IsBudgetsUnsupported(const Status& status);
// The pod is bound to a node already, or is going away: read it again.
bool IsAlreadyAssigned(const Status& status);

// Worth the same request again later, by what the server says: throttled, or overloaded and told
// when to come back. A 500 without Retry-After may have been carried out and is none.
bool IsRetryable(const Status& status);

}  // namespace fairlead::kube
