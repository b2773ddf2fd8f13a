#include "server/http_request.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairlead::server {
namespace {

using State = RequestReader::State;

constexpr RequestBounds kSmall{.head_bytes = 200, .headers = 4, .body_bytes = 20};

// Reads `text`, `portion` bytes at a time, with its body.
RequestReader Read(const std::string& text, std::size_t portion, const RequestBounds& bounds) {
  RequestReader reader(bounds);
  for (std::size_t at = 0; at < text.size(); at += portion) {
    reader.Take(std::string_view(text).substr(at, portion));
    if (reader.state() == State::kHeadRead) reader.ReadBody();
  }
  return reader;
}

std::string Outcome(const RequestReader& reader) {
  switch (reader.state()) {
    case State::kRefused:
      return std::to_string(reader.refusal().status);
    case State::kDone:
      return reader.request().body;
    default:
      return "more";
  }
}

struct Row {
  std::string text, expected;  // the body, a status, or "more"
};

// However the bytes are cut.
void Check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    for (const std::size_t portion : {1, 2, 3, 7, 1000}) {
      EXPECT_EQ(Outcome(Read(row.text, portion, kSmall)), row.expected)
          << portion << " at a time of: " << row.text;
    }
  }
}

const std::string kPost = "POST /x HTTP/1.1\r\n";
const std::string kChunks = kPost + "Transfer-Encoding: chunked\r\n\r\n";

TEST(HttpRequest, BodiesByLength) {
  Check({{kPost + "Content-Length: 3\r\n\r\nabc", "abc"},
         {kPost + "content-length:3 \r\n\r\nabcdef", "abc"},
         {kPost + "\r\n", ""},
         {kPost + "Content-Length: 3\r\n\r\nab", "more"},
         {kPost + "Content-Length: 20\r\n\r\n01234567890123456789", "01234567890123456789"},
         {kPost + "Content-Length: 21\r\n\r\n", "413"},
         {kPost + "Content-Length: 18446744073709551615\r\n\r\n", "413"},
         {kPost + "Content-Length: 18446744073709551616\r\n\r\n", "400"},
         {kPost + "Content-Length: -1\r\n\r\n", "400"},
         {kPost + "Content-Length: 3, 3\r\n\r\nabc", "400"},
         {kPost + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "400"}});
}

TEST(HttpRequest, BodiesInChunks) {
  Check({{kChunks + "3\r\nabc\r\n2;why=not\r\nde\r\n0\r\n\r\n", "abcde"},
         {kChunks + "3\r\nabc\r\n0\r\nTrailer: yes\r\n\r\n", "abc"},
         {kChunks + "3\r\nabc\r\n", "more"},
         {kChunks + "a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"},
         {kChunks + "a\r\n0123456789\r\nb\r\n", "413"},
         {kChunks + "15\r\n", "413"},
         {kChunks + "ffffffffffffffff\r\n", "413"},
         {kChunks + "10000000000000000\r\n", "400"},
         {kChunks + "3\r\nabcd\r\n", "400"},
         {kChunks + "\r\n", "400"},
         {kChunks + "0x3\r\n", "400"},
         {kChunks + std::string(300, '0'), "400"},
         {kChunks + "0\r\n" + std::string(250, 'x') + "\r\n", "431"},
         {kPost + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", "400"},
         {kPost + "Transfer-Encoding: gzip, chunked\r\n\r\n", "501"},
         {kPost + "Content-Encoding: gzip\r\n\r\n", "415"}});
}

TEST(HttpRequest, WhatIsNoRequest) {
  Check({{"\r\n\r\n", "400"},
         {"GET\r\n\r\n", "400"},
         {"GET /\r\n\r\n", "400"},
         {"GET / HTTP/2.0\r\n\r\n", "505"},
         {"GET x HTTP/1.1\r\n\r\n", "400"},
         {"GET http://h/ HTTP/1.1\r\n\r\n", "400"},
         {"GET /a b HTTP/1.1\r\n\r\n", "400"},
         {"GET /%2 HTTP/1.1\r\n\r\n", "400"},
         {"GET /?q=%zz HTTP/1.1\r\n\r\n", "400"},
         {"G(T / HTTP/1.1\r\n\r\n", "400"},
         {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400"},
         {"GET / HTTP/1.1\r\nOrigin: a\r\nOrigin: b\r\n\r\n", "400"},
         {"GET / HTTP/1.1\r\n folded\r\n\r\n", "400"},
         {"GET / HTTP/1.1\r\nName : a\r\n\r\n", "400"},
         {"GET / HTTP/1.1\r\nName: a\nOther: b\r\n\r\n", "400"},
         {"GET / HTTP/1.1\r\na:1\r\nb:1\r\nc:1\r\nd:1\r\n\r\n", ""},
         {"GET / HTTP/1.1\r\na:1\r\nb:1\r\nc:1\r\nd:1\r\ne:1\r\n\r\n", "431"},
         {"GET /" + std::string(300, 'a'), "431"},
         {"GET / HTTP/1.1\r\n", "more"}});
}

TEST(HttpRequest, PartsOfARequest) {
  const RequestReader reader = Read(
      "GET /api/v1/pods/a%20b?q=a=b&as=table&x+y=1%26&as=json&empty HTTP/1.0\r\n"
      "HOST: localhost:1\r\nOrigin:http://o\r\nAccept-Encoding: gzip\r\nExpect: 100-continue\r\n"
      "\r\n",
      5, {});
  const Request& request = reader.request();
  EXPECT_EQ(reader.state(), State::kDone);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.path, "/api/v1/pods/a b");
  EXPECT_EQ(request.query, (std::map<std::string, std::string>{
                               {"q", "a=b"}, {"as", "table"}, {"x y", "1&"}, {"empty", ""}}));
  EXPECT_EQ(request.host, "localhost:1");
  EXPECT_EQ(request.origin, "http://o");
  EXPECT_EQ(request.accept_encoding, "gzip");
  EXPECT_TRUE(reader.wants_continue());
}

// A chunked body that never ends is not held beyond the bound.
TEST(HttpRequest, HoldsNoMoreThanItMay) {
  RequestReader reader({.head_bytes = 200, .headers = 4, .body_bytes = 1'000});
  reader.Take(kChunks);
  ASSERT_EQ(reader.ReadBody(), State::kBody);
  for (int i = 0; i < 1'000 && reader.state() == State::kBody; ++i) {
    reader.Take("a\r\n0123456789\r\n");
    EXPECT_LE(reader.held_bytes(), 1'000u);
  }
  EXPECT_EQ(Outcome(reader), "413");
  EXPECT_EQ(reader.held_bytes(), 0u);
}

}  // namespace
}  // namespace fairlead::server
