#include "server/http.h"

#include <future>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/client.h"
#include "server/services.h"

namespace fairlead::server {
namespace {

using std::chrono::milliseconds;

// A client that does as it likes.
class RawClient {
 public:
  explicit RawClient(int port) : file_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(file_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~RawClient() { ::close(file_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // False: the server takes no more.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // To the end of the connection.
  std::string Receive() {
    std::string answer;
    char part[4096];
    for (ssize_t n; (n = ::recv(file_, part, sizeof(part), 0)) > 0;) {
      answer.append(part, static_cast<std::size_t>(n));
    }
    return answer;
  }
  // Without reading it.
  void WaitForAnswer() {
    pollfd file{.fd = file_, .events = POLLIN, .revents = 0};
    ::poll(&file, 1, -1);
  }
  // Sends `byte` again and again, a few milliseconds apart, until the server answers or ends it.
  std::string Drip(char byte) {
    pollfd file{.fd = file_, .events = POLLIN, .revents = 0};
    while (::poll(&file, 1, 2) == 0 && Send({&byte, 1})) {
    }
    return Receive();
  }

 private:
  const int file_;
};

std::string Raw(const HttpServer& http, const std::string& bytes) {
  RawClient client(http.port());
  client.Send(bytes);
  return client.Receive();
}

class SmallBackend : public Backend {
 public:
  Answer Get(const Query& query) override { return std::string(query.kind->plural); }
  Answer Submit(const std::vector<SourceText>& texts) override { return texts[0].text; }
  Answer Delete(const Kind&, const std::string&, const std::string&) override {
    ++deletions;
    return std::string("gone");
  }
  Answer Explain(const std::string& name, bool /*nodes*/) override { return name; }
  Answer ExplainIfSubmitted(const std::vector<SourceText>& texts) override {
    return texts.front().name;
  }
  Answer Askers(const std::string& /*node*/) override { return "askers"; }
  Answer QueueShares() override {
    return tl::unexpected(Refusal{.status = 503, .message = "later"});
  }
  Answer View(const view::Question& question) override {
    const auto text = question.parameters.find("q");
    return text == question.parameters.end() ? question.name : text->second;
  }
  std::string Metrics() override { return "counters"; }
  int deletions = 0;
};

class HttpTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = HttpServer::Start("127.0.0.1", 0, service_);
    ASSERT_TRUE(started) << started.error().message;
    http_ = std::move(*started);
    url_ = "http://127.0.0.1:" + std::to_string(http_->port());
  }

  // What the server says to these bytes, to the end of the connection.
  std::string Raw(const std::string& bytes) const { return server::Raw(*http_, bytes); }

  SmallBackend backend_;
  ApiService service_{backend_};
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
  const auto second = HttpServer::Start("127.0.0.1", http_->port(), service_);
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

TEST_F(HttpTest, QueriesAndHosts) {
  EXPECT_EQ(Send(url_, "GET", "/api/v1/view/workloads?q=a=b", "")->body, "a=b");
  const std::string two =
      Raw("GET /api/v1/pods HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(two.starts_with("HTTP/1.1 400 ")) << two;
  std::string many = "GET /api/v1/pods HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 20'000; ++i) many += "a: b\r\n";
  const std::string refused = Raw(many + "\r\n");
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 431 ")) << refused;
}

TEST_F(HttpTest, HeadHasNoBody) {
  const std::string head = Raw("HEAD /api/v1/pods HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(head.find("Content-Length: 4\r\n"), std::string::npos) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
}

// Answers with the path, /large with more than any socket holds, and a POST with its body; waits
// for Open() to answer a search, and /slow.
class GatedService : public Service {
 public:
  Response BeforeBody(const Request&) override { return {.status = 0}; }
  Response Answer(const Request& request) override {
    if (request.path == "/slow" || IsSearch(request)) opened_.wait();
    if (request.path == "/large") return {.body = std::string(64 << 20, 'x')};
    return {.body = request.body.empty() ? request.path : request.body};
  }
  bool IsSearch(const Request& request) override { return request.path == "/search"; }
  void Open() { gate_.set_value(); }

 private:
  std::promise<void> gate_;
  std::shared_future<void> opened_ = gate_.get_future().share();
};

class LimitsTest : public ::testing::Test {
 protected:
  void Serve(const HttpLimits& limits) {
    auto started = HttpServer::Start("127.0.0.1", 0, service_, limits);
    ASSERT_TRUE(started) << started.error().message;
    http_ = std::move(*started);
  }
  std::string Get(const std::string& path) const {
    return Raw(*http_, "GET " + path + " HTTP/1.1\r\n\r\n");
  }

  GatedService service_;
  std::unique_ptr<HttpServer> http_;
};

// More of them than there are threads, and all hold on.
TEST_F(LimitsTest, SlowClientsHoldNobody) {
  Serve({.threads = 2});
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 50; ++i) {
    slow.push_back(std::make_unique<RawClient>(http_->port()));
    slow.back()->Send(i % 2 == 0 ? "GET /slo" : "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc");
  }
  EXPECT_TRUE(Get("/quick").ends_with("/quick"));
}

TEST_F(LimitsTest, ARequestHasADeadlineAsAWhole) {
  Serve({.head = milliseconds(30), .body = milliseconds(30)});
  RawClient head(http_->port()), body(http_->port()), chunks(http_->port());
  head.Send("GET /");
  EXPECT_TRUE(head.Drip('a').starts_with("HTTP/1.1 408 "));
  body.Send("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
  EXPECT_TRUE(body.Drip('a').starts_with("HTTP/1.1 408 "));
  chunks.Send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n");
  EXPECT_TRUE(chunks.Drip('a').starts_with("HTTP/1.1 408 "));
}

// Nothing is read of the answer before the server has given up: the other's deadline is later.
TEST_F(LimitsTest, AnAnswerHasADeadline) {
  Serve({.head = milliseconds(60), .answer = milliseconds(30)});
  RawClient client(http_->port());
  client.Send("GET /large HTTP/1.1\r\n\r\n");
  client.WaitForAnswer();
  RawClient other(http_->port());
  other.Drip('a');
  EXPECT_LT(client.Receive().size(), std::size_t{64} << 20);
}

TEST_F(LimitsTest, TheOldestGoesForANewOne) {
  Serve({.connections = 3});
  RawClient first(http_->port());
  ASSERT_TRUE(first.Send("GET /"));
  RawClient second(http_->port()), third(http_->port());
  EXPECT_TRUE(Get("/quick").ends_with("/quick"));
  EXPECT_EQ(first.Receive(), "");
  second.Send("GET /second HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(second.Receive().ends_with("/second"));
}

TEST_F(LimitsTest, ChunkedBodiesAreCounted) {
  Serve({.request = {.body_bytes = 1'000}});
  const std::string post = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_TRUE(Raw(*http_, post + "3\r\nabc\r\n0\r\n\r\n").ends_with("abc"));
  RawClient endless(http_->port());
  endless.Send(post);
  const std::string chunk = "ff\r\n" + std::string(255, 'x') + "\r\n";
  for (int i = 0; i < 5; ++i) endless.Send(chunk);
  const std::string refused = endless.Receive();
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 413 ")) << refused;
}

TEST_F(LimitsTest, AllBodiesTogetherAreBounded) {
  Serve({.bodies_bytes = 1'000});
  RawClient one(http_->port());
  one.Send("POST / HTTP/1.1\r\nContent-Length: 901\r\n\r\n" + std::string(900, 'x'));
  const std::string post = "POST / HTTP/1.1\r\nContent-Length: 901\r\n\r\n";
  EXPECT_TRUE(Raw(*http_, post + std::string(900, 'x')).starts_with("HTTP/1.1 503 "));
  one.Send("x");
  EXPECT_TRUE(one.Receive().ends_with("\r\n\r\n" + std::string(901, 'x')));
}

TEST_F(LimitsTest, WhoAsksToContinueMay) {
  Serve({});
  RawClient client(http_->port());
  client.Send("POST / HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  client.WaitForAnswer();
  client.Send("abc");
  const std::string answer = client.Receive();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")) << answer;
}

TEST_F(LimitsTest, SearchesKeepNobodyWaiting) {
  Serve({.threads = 1, .searches = 1, .waiting = 2});
  std::vector<std::unique_ptr<RawClient>> searches;
  for (int i = 0; i < 4; ++i) {
    searches.push_back(std::make_unique<RawClient>(http_->port()));
    searches.back()->Send("GET /search HTTP/1.1\r\n\r\n");
  }
  // One is under way at most, two wait, and so one at least is refused.
  EXPECT_TRUE(Get("/quick").ends_with("/quick"));
  service_.Open();
  int refused = 0, found = 0;
  for (const auto& search : searches) {
    const std::string answer = search->Receive();
    refused += answer.starts_with("HTTP/1.1 503 ") ? 1 : 0;
    found += answer.ends_with("/search") ? 1 : 0;
  }
  EXPECT_GE(refused, 1);
  EXPECT_EQ(refused + found, 4);
}

// Nobody is waited for: not who sends slowly, not who reads nothing.
TEST_F(LimitsTest, StopsAtOnce) {
  Serve({});
  RawClient sends(http_->port()), reads(http_->port());
  sends.Send("GET /");
  reads.Send("GET /large HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(Get("/quick").ends_with("/quick"));
  http_->Stop();
  EXPECT_EQ(sends.Receive(), "");
}

class FixedProbes : public Probes {
 public:
  std::string NotReady() override { return "the cluster is being read"; }
  std::string LastMetrics() override { return "figures\n"; }
};

TEST(ProbeServerTest, AnswersMachinesAndNobodyElse) {
  FixedProbes probes;
  ProbeService service(probes);
  const auto http = HttpServer::Start("127.0.0.1", 0, service, ProbeLimits());
  ASSERT_TRUE(http);
  const auto ask = [&](const std::string& line, const std::string& headers = "") {
    return Raw(**http, line + " HTTP/1.1\r\nHost: 10.0.0.7:8485\r\n" + headers + "\r\n");
  };
  EXPECT_TRUE(ask("GET /healthz").ends_with("\r\n\r\nok\n"));
  EXPECT_TRUE(ask("GET /readyz").starts_with("HTTP/1.1 503 "));
  EXPECT_TRUE(ask("GET /readyz").ends_with("the cluster is being read\n"));
  EXPECT_TRUE(ask("GET /metrics").ends_with("figures\n"));
  EXPECT_TRUE(ask("GET /").starts_with("HTTP/1.1 404 "));
  EXPECT_TRUE(ask("GET /api/v1/pods").starts_with("HTTP/1.1 404 "));
  EXPECT_TRUE(ask("GET /metrics", "Origin: http://10.0.0.7:8485\r\n").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(ask("POST /healthz", "Content-Length: 9\r\n").starts_with("HTTP/1.1 404 "));
}

}  // namespace
}  // namespace fairlead::server
