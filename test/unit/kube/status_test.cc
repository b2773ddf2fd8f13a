#include "kube/status.h"

#include <string>

#include <gtest/gtest.h>

#include "kube/version.h"
#include "unit/kube/fake_api.h"

namespace fairlead::kube {
namespace {

Status Read(int code, const std::string& reason, const std::string& more = "") {
  return ReadStatus(code, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
                          R"("message":"m","reason":")" +
                              reason + R"(","code":)" + std::to_string(code) + more + "}");
}

TEST(Status, OneCodeHasSeveralMeanings) {
  EXPECT_TRUE(IsAlreadyExists(Read(409, "AlreadyExists")));
  EXPECT_FALSE(IsConflict(Read(409, "AlreadyExists")));
  EXPECT_TRUE(IsConflict(Read(409, "Conflict")));
  EXPECT_FALSE(IsFieldConflict(Read(409, "Conflict")));
  EXPECT_TRUE(IsFieldConflict(Read(409, "Conflict",
                                   R"(,"details":{"causes":[{"reason":"FieldManagerConflict",)"
                                   R"("message":"conflict with kubectl","field":".spec"}]})")));
  const Status budget =
      Read(429, "TooManyRequests", R"(,"details":{"causes":[{"reason":"DisruptionBudget"}]})");
  EXPECT_TRUE(IsBudgetExhausted(budget));
  EXPECT_FALSE(IsRetryable(budget));
  EXPECT_FALSE(IsBudgetExhausted(Read(429, "TooManyRequests")));
  EXPECT_TRUE(IsRetryable(Read(429, "TooManyRequests")));
  EXPECT_TRUE(IsVersionTooLarge(
      Read(504, "Timeout", R"(,"details":{"causes":[{"reason":"ResourceVersionTooLarge"}]})")));
  EXPECT_FALSE(IsVersionTooLarge(Read(504, "Timeout")));
  EXPECT_TRUE(IsExpired(Read(410, "Expired")));
  EXPECT_TRUE(IsExpired(Read(410, "Gone")));
}

TEST(Status, FiveHundredsAreRetriedOnlyWhereTheServerSays) {
  EXPECT_FALSE(IsRetryable(Read(500, "InternalError")));
  EXPECT_FALSE(IsRetryable(Read(503, "ServiceUnavailable")));
  EXPECT_TRUE(
      IsRetryable(Read(503, "ServiceUnavailable", R"(,"details":{"retryAfterSeconds":2})")));
  Response response{.status = 503, .retry_after = Duration::Seconds(7), .body = "overloaded"};
  EXPECT_TRUE(IsRetryable(StatusOf(response)));
  EXPECT_EQ(StatusOf(response).retry_after, Duration::Seconds(7));
}

TEST(Status, BodiesThatAreNoStatusHaveNoReason) {
  const Status page = ReadStatus(404, "404 page not found\n");
  EXPECT_EQ(page.code, 404);
  EXPECT_EQ(page.reason, "");
  EXPECT_EQ(page.message, "404 page not found");
  EXPECT_FALSE(IsNotFound(page));
  EXPECT_TRUE(IsNotFound(Read(404, "NotFound")));
  EXPECT_EQ(ReadStatus(502, "").message, "");
  EXPECT_EQ(ReadStatus(502, "  <html>\n<p>").message, "<html>");
  EXPECT_EQ(ReadStatus(500, std::string(1000, 'x')).message.size(), 200u);
  EXPECT_EQ(ReadStatus(500, R"({"kind":"Status","reason":5,"details":[],"code":"x"})").reason, "");
}

TEST(Status, SaysWhatHappened) {
  EXPECT_EQ(Read(409, "Conflict").ToString(), "409 Conflict: m");
  EXPECT_EQ(StatusOf({.outcome = Outcome::kNotSent, .error = "refused"}).ToString(), "refused");
  EXPECT_EQ(ReadStatus(502, "").ToString(), "502");
}

TEST(Status, APodThatIsBoundAlready) {
  Status status{.code = 409,
                .reason = "Conflict",
                .message =
                    "Operation cannot be fulfilled on pods/binding \"p\": pod p is already "
                    "assigned to node \"n\""};
  EXPECT_TRUE(IsAlreadyAssigned(status));
  status.message = "Operation cannot be fulfilled on pods \"p\": the object has been modified";
  EXPECT_FALSE(IsAlreadyAssigned(status));
}

TEST(Version, ComparesAsNumbersOfAnyLength) {
  EXPECT_TRUE(IsOlder("9", "10"));
  EXPECT_FALSE(IsOlder("10", "9"));
  EXPECT_FALSE(IsOlder("10", "10"));
  EXPECT_TRUE(IsOlder("99999999999999999999998", "99999999999999999999999"));
  EXPECT_EQ(CompareVersions("7", "7"), 0);
  for (const char* none : {"", "0", "07", "x", "1a", "-1", " 1"}) {
    EXPECT_FALSE(CompareVersions(none, "5")) << none;
    EXPECT_FALSE(CompareVersions("5", none)) << none;
    EXPECT_FALSE(IsOlder(none, "5")) << none;
  }
}

}  // namespace
}  // namespace fairlead::kube
