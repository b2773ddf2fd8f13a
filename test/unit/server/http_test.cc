#include "server/http.h"

#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fairlead::server {
namespace {

class SmallBackend : public Backend {
 public:
  Answer Get(const Query& query) override { return std::string(query.kind->plural); }
  Answer Submit(const std::vector<SourceText>& texts) override { return texts[0].text; }
  Answer Delete(const Kind&, const std::string&, const std::string&) override {
    ++deletions;
    return std::string("gone");
  }
  Answer Explain(const std::string& name) override { return name; }
  Answer QueueShares() override {
    return tl::unexpected(Refusal{.status = 503, .message = "later"});
  }
  Answer View(const view::Question& question) override { return question.name; }
  std::string Metrics() override { return "counters"; }
  int deletions = 0;
};

class HttpTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = HttpServer::Start("127.0.0.1", 0, backend_);
    ASSERT_TRUE(started) << started.error().message;
    http_ = std::move(*started);
    url_ = "http://127.0.0.1:" + std::to_string(http_->port());
  }

  // What the server says to these bytes, to the end of the connection.
  std::string Raw(const std::string& bytes) const {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(http_->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::send(fd, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    std::string answer;
    char part[4096];
    for (ssize_t n; (n = ::recv(fd, part, sizeof(part), 0)) > 0;) {
      answer.append(part, static_cast<std::size_t>(n));
    }
    ::close(fd);
    return answer;
  }

  SmallBackend backend_;
  std::unique_ptr<HttpServer> http_;
  std::string url_;
};

TEST_F(HttpTest, AnswersWhatTheBackendSays) {
  EXPECT_EQ(Send(url_, "GET", "/api/v1/pods", "")->body, "pods");
  EXPECT_EQ(Send(url_ + "/", "GET", "/api/v1/nodes?as=table", "")->body, "nodes");
  EXPECT_EQ(Send(url_, "POST", "/api/v1/objects", "kind: Pod")->body, "kind: Pod");
  EXPECT_EQ(Send(url_, "DELETE", "/api/v1/queues/q", "")->body, "gone");
  EXPECT_EQ(Send(url_, "GET", "/api/v1/explain/a/b%20c", "")->body, "a/b c");
  EXPECT_EQ(Send(url_, "GET", "/api/v1/queues/shares", "")->status, 503);
  EXPECT_EQ(Send(url_, "GET", "/nowhere", "")->status, 404);
}

// Raw bytes: what is compressed already is not compressed once more, and what is known is not sent.
TEST_F(HttpTest, SendsThePage) {
  const std::string ask = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n";
  const std::string packed = Raw(ask + "Accept-Encoding: gzip\r\n\r\n");
  EXPECT_NE(packed.find("Content-Encoding: gzip\r\n"), std::string::npos) << packed;
  const std::size_t body = packed.find("\r\n\r\n") + 4;
  EXPECT_EQ(packed.substr(body, 2), "\x1f\x8b");
  EXPECT_NE(packed.find("Content-Length: " + std::to_string(packed.size() - body) + "\r\n"),
            std::string::npos);
  const std::string plain = Raw(ask + "\r\n");
  EXPECT_NE(plain.find("<!doctype html>"), std::string::npos);

  const std::size_t tag = plain.find("ETag: ") + 6;
  const std::string etag = plain.substr(tag, plain.find("\r\n", tag) - tag);
  const std::string known = Raw(ask + "If-None-Match: " + etag + "\r\n\r\n");
  EXPECT_TRUE(known.starts_with("HTTP/1.1 304 ")) << known;
  EXPECT_EQ(known.find("<!doctype"), std::string::npos);
  const std::string foreign =
      Raw("GET / HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\n\r\n");
  EXPECT_TRUE(foreign.starts_with("HTTP/1.1 403 ")) << foreign;
}

TEST_F(HttpTest, LargeBodiesArriveWhole) {
  const std::string body(5 << 20, 'x');
  EXPECT_EQ(Send(url_, "POST", "/api/v1/objects", body)->body, body);
}

TEST_F(HttpTest, ManyAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> served(6, 0);
  for (int& count : served) {
    threads.emplace_back([this, &count] {
      for (int i = 0; i < 20; ++i) {
        const auto response = Send(url_, "GET", "/api/v1/pods", "");
        count += response && response->body == "pods" ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(served, std::vector<int>(6, 20));
}

// A foreign page can put bytes of its choice into the body of a request that is refused. They must
// not be read as the next request of the connection.
TEST_F(HttpTest, RefusedBodiesAreNoRequests) {
  const std::string hidden = "DELETE /api/v1/queues/q HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  const std::string answer =
      Raw("POST /api/v1/objects HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://elsewhere.example\r\n"
          "Content-Type: text/plain\r\nContent-Length: " +
          std::to_string(hidden.size()) + "\r\n\r\n" + hidden);
  EXPECT_NE(answer.find("403"), std::string::npos) << answer;
  EXPECT_EQ(backend_.deletions, 0);
}

TEST_F(HttpTest, TooLargeBodiesAreRefusedUnread) {
  const std::string answer = Raw(
      "POST /api/v1/objects HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999999999999\r\n\r\n");
  EXPECT_NE(answer.find("413"), std::string::npos) << answer;
}

TEST_F(HttpTest, APortCanBeTakenOnce) {
  const auto second = HttpServer::Start("127.0.0.1", http_->port(), backend_);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("cannot be listened on"), std::string::npos);
}

TEST_F(HttpTest, NobodyThere) {
  http_->Stop();
  const auto response = Send(url_, "GET", "/", "");
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().message, "no Fairlead at " + url_ + "; start one with `fairlead up`");
  EXPECT_FALSE(Send("localhost:1", "GET", "/", ""));
}

}  // namespace
}  // namespace fairlead::server
