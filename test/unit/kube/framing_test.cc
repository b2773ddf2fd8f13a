#include "kube/framing.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kube/backoff.h"

namespace fairlead::kube {
namespace {

using Strings = std::vector<std::string>;

// What a splitter makes of `text` when it comes in pieces of these sizes.
template <typename Splitter>
Strings Split(Splitter& splitter, std::string_view text, std::size_t piece) {
  Strings parts;
  const OnText take = [&](const objects::PaddedText& part) {
    parts.emplace_back(part.view());
    return true;
  };
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (splitter.Feed(text.substr(at, piece), take) != Fed::kMore) parts.emplace_back("REFUSED");
  }
  return parts;
}

TEST(LineSplitter, CutsAnywhere) {
  const std::string text = "{\"a\":1}\n\n  \r\n{\"b\":\"\\n\"}\nrest";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    LineSplitter splitter;
    EXPECT_EQ(Split(splitter, text, piece), (Strings{"{\"a\":1}", "{\"b\":\"\\n\"}"})) << piece;
  }
}

TEST(LineSplitter, LinesHaveABound) {
  LineSplitter splitter;
  const std::string part(1 << 20, 'x');
  Fed fed = Fed::kMore;
  int parts = 0;
  for (; fed == Fed::kMore && parts < 100; ++parts) {
    fed = splitter.Feed(part, [](const objects::PaddedText&) { return true; });
  }
  EXPECT_EQ(fed, Fed::kTooLarge);
  EXPECT_EQ(parts, 33);
}

TEST(ListSplitter, FindsItemsAndTheRest) {
  struct Case {
    std::string text, rest;
    Strings items;
  };
  const Case cases[] = {
      {R"({"kind":"PodList","metadata":{"a":[{}]},"items":[{"x":"}]\"{"},{"y":[[1],{}]}]})",
       R"({"kind":"PodList","metadata":{"a":[{}]},"items":[]})",
       {R"({"x":"}]\"{"})", R"({"y":[[1],{}]})"}},
      {R"({ "items" : [ {"a":{"items":[{"b":1}]}} , {} ] , "kind" : "L" })",
       R"({ "items" : [] , "kind" : "L" })",
       {R"({"a":{"items":[{"b":1}]}})", "{}"}},
      {R"({"items":[]})", R"({"items":[]})", {}},
      {R"({"items":null,"x":[{"a":1}]})", R"({"items":null,"x":[{"a":1}]})", {}},
      {R"({"x":"items","y":[{}],"z":{"items":[{}]}})",
       R"({"x":"items","y":[{}],"z":{"items":[{}]}})",
       {}},
      {R"({"a\"items":[{}]})", R"({"a\"items":[{}]})", {}},
  };
  for (const Case& one : cases) {
    for (std::size_t piece = 1; piece <= one.text.size(); ++piece) {
      ListSplitter splitter;
      EXPECT_EQ(Split(splitter, one.text, piece), one.items) << one.text << " by " << piece;
      EXPECT_EQ(splitter.rest(), one.rest);
      EXPECT_TRUE(splitter.complete());
    }
  }
}

TEST(ListSplitter, WhatIsCutOffIsNotComplete) {
  const std::string text = R"({"kind":"PodList","items":[{"a":"b"},{"c":["d"]}]})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    ListSplitter splitter;
    Split(splitter, std::string_view(text).substr(0, size), 7);
    EXPECT_FALSE(splitter.complete()) << size;
  }
  ListSplitter splitter;
  EXPECT_EQ(Split(splitter, "]", 1), (Strings{"REFUSED"}));
  splitter.Reset();
  EXPECT_EQ(Split(splitter, text + "\n", 5), (Strings{R"({"a":"b"})", R"({"c":["d"]})"}));
  EXPECT_TRUE(splitter.complete());
}

std::string RandomText(Random& random) {
  constexpr std::string_view kParts[] = {"a",
                                         "bracket }",
                                         "{",
                                         "[",
                                         "]",
                                         "\\\"",
                                         "\\\\",
                                         "\\\\\\\"",
                                         " ",
                                         "items",
                                         "a longer stretch of plain text to cross "
                                         "blocks of sixty-four bytes in one string"};
  std::string text = "\"";
  for (std::uint64_t left = random.Below(6); left > 0; --left) {
    text += kParts[random.Below(std::size(kParts))];
  }
  return text + "\"";
}

std::string RandomValue(Random& random, int depth) {
  const std::uint64_t kind = random.Below(depth > 4 ? 2 : 4);
  if (kind == 0) return std::to_string(random.Below(100'000));
  if (kind == 1) return RandomText(random);
  std::string value(1, kind == 2 ? '{' : '[');
  for (std::uint64_t left = random.Below(5); left > 0; --left) {
    if (kind == 2) value += RandomText(random) + ":";
    value += RandomValue(random, depth + 1);
    if (left > 1) value += ",";
  }
  return value + (kind == 2 ? '}' : ']');
}

// Items of any form, and pieces of any size: by blocks as byte by byte.
TEST(ListSplitter, BlocksAndBytesAgree) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    Strings items;
    std::string text = R"({"kind":"XList","items":[)";
    for (std::uint64_t left = random.Below(8); left > 0; --left) {
      std::string item = R"({"k":)" + RandomValue(random, 0) + "}";
      text += (items.empty() ? "" : ",") + item;
      items.push_back(std::move(item));
    }
    text += "]}";
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t(1 + random.Below(200)), text.size()}) {
      ListSplitter splitter;
      ASSERT_EQ(Split(splitter, text, piece), items) << text << " by " << piece;
      ASSERT_TRUE(splitter.complete());
      ASSERT_EQ(splitter.rest(), R"({"kind":"XList","items":[]})");
    }
  }
}

TEST(Backoff, DoublesToItsMostAndBeginsAnew) {
  Backoff backoff({}, 1);
  Time now;
  Duration largest[12] = {};
  for (int run = 0; run < 500; ++run) {
    now = now + Duration::Seconds(1000);  // rested
    EXPECT_TRUE(backoff.rested(now));
    for (Duration& most : largest) most = std::max(most, backoff.Next(now));
    EXPECT_FALSE(backoff.rested(now));
  }
  // 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, … seconds, spread from 0.
  Duration bound{.us = 800'000};
  for (const Duration most : largest) {
    EXPECT_LE(most, bound);
    EXPECT_GE(most.us, bound.us * 9 / 10);
    bound = std::min(bound + bound, Duration::Seconds(30));
  }
}

}  // namespace
}  // namespace fairlead::kube
