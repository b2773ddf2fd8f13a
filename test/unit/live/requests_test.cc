#include "live/requests.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace fairlead::live {
namespace {

namespace json = boost::json;

json::value Json(const char* text) { return json::parse(text); }

// The server's mappings have more in them than we read.
TEST(MergePatch, TakesAwayWhatItKnows) {
  EXPECT_EQ(MergePatch(Json(R"({"a": {"b": {"c": 1}, "d": {}}, "e": 1})"), Json("{}")),
            Json(R"({"a": {"b": {"c": null}}, "e": null})"));
  EXPECT_EQ(MergePatch(Json(R"({"a": {}})"), Json("{}")), json::value());
}

TEST(CarryOver, TakesAwayWhatItKnows) {
  json::value whole = Json(R"({"notes": {"ours": 1, "theirs": 2}, "list": [1]})");
  ASSERT_TRUE(
      CarryOver(Json(R"({"notes": {"ours": 1}, "list": [1]})"), Json(R"({"list": [2]})"), whole));
  EXPECT_EQ(whole, Json(R"({"notes": {"theirs": 2}, "list": [2]})"));
}

// What we write otherwise than the server has it, and do not change, stays the server's.
TEST(CarryOver, ChangesWhatIsToBeChangedAndNothingElse) {
  json::value whole = Json(R"({"list": [{"n": 1, "ours": 1, "theirs": 5}, {"n": 7}], "gone": 1})");
  ASSERT_TRUE(CarryOver(Json(R"({"list": [{"n": 1, "ours": 1, "read": {"x": 0}}, {"n": 7}],
                                 "gone": 1})"),
                        Json(R"({"list": [{"n": 2, "ours": 1, "read": {"x": 0}}, {"n": 7}],
                                 "notes": {"a": "b"}, "none": {}})"),
                        whole));
  EXPECT_EQ(whole, Json(R"({"list": [{"n": 2, "ours": 1, "theirs": 5}, {"n": 7}],
                            "notes": {"a": "b"}, "none": {}})"));
}

TEST(CarryOver, AddsToWhatTheServerHasAndWeDoNotRead) {
  json::value whole = Json(R"({"notes": {"theirs": "x"}})");
  ASSERT_TRUE(CarryOver(Json("{}"), Json(R"({"notes": {"ours": "y"}})"), whole));
  EXPECT_EQ(whole, Json(R"({"notes": {"theirs": "x", "ours": "y"}})"));
}

TEST(CarryOver, KnowsNothingOfOtherLists) {
  json::value whole = Json(R"({"list": [1, 2, 3]})");
  EXPECT_FALSE(CarryOver(Json(R"({"list": [1, 2]})"), Json(R"({"list": [1, 4]})"), whole));
}

}  // namespace
}  // namespace fairlead::live
