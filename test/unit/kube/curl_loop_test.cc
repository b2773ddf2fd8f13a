#include "kube/curl_loop.h"

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <httplib.h>
#include <unistd.h>

#include "unit/kube/tls.h"

namespace fairlead::kube {
namespace {

// A server of a few paths on loopback, with TLS where it is given certificates.
class LocalServer {
 public:
  LocalServer() : server_(std::make_unique<httplib::Server>()) { Begin(); }
  LocalServer(const Identity& identity, const Identity& client_authority) {
    X509_STORE* store = X509_STORE_new();
    X509_STORE_add_cert(store, client_authority.certificate.get());
    server_ =
        std::make_unique<httplib::SSLServer>(identity.certificate.get(), identity.key.get(), store);
    Begin();
  }
  ~LocalServer() {
    OpenGate();
    server_->stop();
    thread_.join();
  }

  int port() const { return port_; }
  void OpenGate() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  std::vector<std::string> Seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  std::atomic<int> requests = 0;
  // Set before requests come, where not empty: demanded; said by all answers.
  std::string token = "", date = "";

 private:
  void Begin();
  void WaitForGate() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

  std::unique_ptr<httplib::Server> server_;
  std::thread thread_;
  int port_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  std::vector<std::string> seen_;
};

void LocalServer::Begin() {
  server_->new_task_queue = [] { return new httplib::ThreadPool(64); };
  server_->set_tcp_nodelay(true);
  server_->set_keep_alive_max_count(100'000);
  server_->set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& to) {
    ++requests;
    const std::lock_guard lock(mutex_);
    seen_.push_back(request.method + " " + request.path + " " +
                    request.get_header_value("Content-Type") + " " +
                    (request.has_header("Accept-Encoding") ? "compressed" : "plain") + " " +
                    request.get_header_value("Host") + " " + request.body);
    if (!date.empty()) to.set_header("date", date);
    if (!token.empty() && request.get_header_value("Authorization") != "Bearer " + token) {
      to.status = 401;
      return httplib::Server::HandlerResponse::Handled;
    }
    return httplib::Server::HandlerResponse::Unhandled;
  });
  const auto echo = [](const httplib::Request& request, httplib::Response& to) {
    to.set_content(request.method + " " + request.body, "application/json");
  };
  server_->Get("/echo", echo);
  server_->Post("/echo", echo);
  server_->Put("/echo", echo);
  server_->Patch("/echo", echo);
  server_->Delete("/echo", echo);
  server_->Get("/later", [](const httplib::Request&, httplib::Response& to) {
    to.status = 429;
    to.set_header("Retry-After", "7");
    to.set_content("{}", "application/json");
  });
  server_->Get("/hangs", [this](const httplib::Request&, httplib::Response&) { WaitForGate(); });
  // Three pieces; the last one when the gate opens.
  server_->Get("/watch", [this](const httplib::Request&, httplib::Response& to) {
    to.set_chunked_content_provider("application/json",
                                    [this](std::size_t, httplib::DataSink& sink) {
                                      sink.write("one\ntw", 6);
                                      sink.write("o\n", 2);
                                      WaitForGate();
                                      sink.write("three\n", 6);
                                      sink.done();
                                      return true;
                                    });
  });
  port_ = server_->bind_to_any_port("127.0.0.1");
  thread_ = std::thread([this] { server_->listen_after_bind(); });
  while (!server_->is_running()) std::this_thread::yield();  // stop() before that would be lost
}

class StreamRecorder : public Stream {
 public:
  explicit StreamRecorder(CurlLoop& loop) : loop_(loop) {}
  void OnHeaders(int code, std::optional<Duration>) override { status = code; }
  void OnBytes(std::string_view bytes) override {
    EXPECT_FALSE(ended);
    text += bytes;
    if (on_bytes) on_bytes();
  }
  void OnEnd(Outcome outcome, std::string_view error) override {
    EXPECT_FALSE(ended);
    ended = true;
    how = outcome;
    problem = error;
    if (on_end) {
      on_end();
    } else {
      loop_.Stop();
    }
  }

  int status = 0;
  std::string text, problem;
  bool ended = false;
  Outcome how = Outcome::kAnswered;
  std::function<void()> on_bytes, on_end;

 private:
  CurlLoop& loop_;
};

std::unique_ptr<CurlLoop> LoopFor(Connection connection, CurlLoop::Options options = {}) {
  auto loop = CurlLoop::Make(std::move(connection), std::move(options));
  EXPECT_TRUE(loop);
  // A test that hangs says so.
  (*loop)->After(Duration::Seconds(20), [raw = loop->get()] {
    ADD_FAILURE() << "timed out";
    raw->Stop();
  });
  return std::move(*loop);
}

Connection To(const LocalServer& server) {
  return {.server = "http://127.0.0.1:" + std::to_string(server.port())};
}

// Sends one request and runs until it is answered.
Response Ask(CurlLoop& loop, Request request) {
  Response answer;
  loop.Send(std::move(request), [&](Response response) {
    answer = std::move(response);
    loop.Stop();
  });
  loop.Run();
  return answer;
}

TEST(CurlLoop, SendsEveryMethod) {
  LocalServer server;
  const std::pair<Method, const char*> cases[] = {{Method::kGet, "GET "},
                                                  {Method::kPost, "POST {}"},
                                                  {Method::kPut, "PUT {}"},
                                                  {Method::kPatch, "PATCH {}"},
                                                  {Method::kDelete, "DELETE {}"}};
  for (const auto& [method, expected] : cases) {
    const auto loop = LoopFor(To(server));
    const Response answer = Ask(*loop, {.method = method,
                                        .path = "/echo?a=b",
                                        .content_type = "application/merge-patch+json",
                                        .body = method == Method::kGet ? "" : "{}"});
    EXPECT_TRUE(answer.ok()) << answer.error;
    EXPECT_EQ(answer.body, expected);
  }
  for (const std::string& line : server.Seen()) {
    EXPECT_NE(line.find(" application/merge-patch+json plain 127.0.0.1:"), std::string::npos)
        << line;
  }
}

TEST(CurlLoop, TellsWhatTheServerSays) {
  LocalServer server;
  const Response answer = Ask(*LoopFor(To(server)), {.path = "/later"});
  EXPECT_EQ(answer.outcome, Outcome::kAnswered);
  EXPECT_EQ(answer.status, 429);
  EXPECT_EQ(answer.retry_after, Duration::Seconds(7));
}

constexpr Time kNewYear2020{.us = 1'577'836'800'000'000};

TEST(CurlLoop, TakesTheServersTimeFromItsAnswers) {
  LocalServer server;
  server.date = "Wed, 01 Jan 2020 00:00:00 GMT";
  const auto loop = LoopFor(To(server));
  const Duration off = loop->WallNow() - loop->LocalNow();
  EXPECT_LT(off, Duration::Seconds(1));
  Ask(*loop, {.path = "/later"});  // whatever it says
  EXPECT_GE(loop->WallNow(), kNewYear2020);
  EXPECT_LT(loop->WallNow(), kNewYear2020 + Duration::Seconds(600));
  const Duration ahead = loop->server_clock().Ahead(loop->Now(), loop->LocalNow());
  EXPECT_GT(ahead, Duration::Seconds(86'400));
}

// A watch lasts for minutes: its head counts, not its end.
TEST(CurlLoop, TakesItFromTheHeadOfAStream) {
  LocalServer server;
  server.date = "Wed, 01 Jan 2020 00:00:00 GMT";
  const auto loop = LoopFor(To(server));
  StreamRecorder recorder(*loop);
  Time seen;
  recorder.on_bytes = [&] {
    if (seen == Time{}) seen = loop->WallNow();
    server.OpenGate();
  };
  loop->Open({.lane = Lane::kWatches, .path = "/watch"}, recorder);
  loop->Run();
  EXPECT_GE(seen, kNewYear2020);
  EXPECT_LT(seen, kNewYear2020 + Duration::Seconds(600));
}

TEST(CurlLoop, KnowsWhatWasNotSent) {
  Connection connection;
  {
    const LocalServer gone;
    connection = To(gone);
  }
  const Response refused = Ask(*LoopFor(connection), {.path = "/echo"});
  EXPECT_EQ(refused.outcome, Outcome::kNotSent);
  EXPECT_NE(refused.error, "");
  const Response no_name =
      Ask(*LoopFor({.server = "https://nobody.invalid"}), {.method = Method::kPost, .path = "/"});
  EXPECT_EQ(no_name.outcome, Outcome::kNotSent);
}

TEST(CurlLoop, ATimeoutIsUnknown) {
  LocalServer server;
  const Response answer = Ask(
      *LoopFor(To(server)), {.method = Method::kGet, .path = "/hangs", .timeout = {.us = 500'000}});
  EXPECT_EQ(answer.outcome, Outcome::kUnknown);
  EXPECT_EQ(server.requests, 1);
}

TEST(CurlLoop, AWatchComesPieceByPiece) {
  LocalServer server;
  const auto loop = LoopFor(To(server));
  StreamRecorder recorder(*loop);
  recorder.on_bytes = [&] {
    if (recorder.text == "one\ntwo\n") server.OpenGate();
  };
  loop->Open({.lane = Lane::kWatches, .path = "/watch", .timeout = {}}, recorder);
  loop->Run();
  EXPECT_EQ(recorder.status, 200);
  EXPECT_EQ(recorder.text, "one\ntwo\nthree\n");
  EXPECT_EQ(recorder.how, Outcome::kAnswered);
  EXPECT_EQ(recorder.problem, "");
}

// From inside its own callback, where libcurl is running.
TEST(CurlLoop, CancelledItSaysNoMore) {
  LocalServer server;
  const auto loop = LoopFor(To(server));
  StreamRecorder recorder(*loop);
  CallId call = 0;
  int pieces = 0;
  recorder.on_bytes = [&] {
    ++pieces;
    loop->Cancel(call);
    server.OpenGate();
    // What is sent from there is carried out, too.
    loop->Send({.path = "/echo"}, [&](const Response& answer) {
      EXPECT_TRUE(answer.ok());
      loop->After({.us = 50'000}, [&] { loop->Stop(); });
    });
  };
  call = loop->Open({.lane = Lane::kWatches, .path = "/watch", .timeout = {}}, recorder);
  loop->Run();
  EXPECT_EQ(pieces, 1);
  EXPECT_FALSE(recorder.ended);
}

TEST(CurlLoop, CancelsWhatWaitsAndWhatIsUnderWay) {
  LocalServer server;
  CurlLoop::Options options;
  options.lane_limits[static_cast<std::size_t>(Lane::kReads)] = 1;
  const auto loop = LoopFor(To(server), std::move(options));
  const auto never = [](const Response&) { ADD_FAILURE() << "called back"; };
  const CallId under_way = loop->Send({.path = "/hangs"}, never);
  const CallId waiting = loop->Send({.path = "/echo"}, never);
  loop->Send({.path = "/echo"}, [&](const Response& answer) {
    EXPECT_TRUE(answer.ok());
    loop->Stop();
  });
  loop->After({.us = 50'000}, [&] {
    EXPECT_EQ(loop->waiting(Lane::kReads), 2u);
    loop->Cancel(waiting);
    loop->Cancel(under_way);
    loop->Cancel(under_way);
  });
  loop->Run();
  server.OpenGate();
  EXPECT_EQ(server.requests, 2);
}

TEST(CurlLoop, LanesDoNotWaitForEachOther) {
  LocalServer server;
  CurlLoop::Options options;
  options.lane_limits = {1, 1, 1, 1, 1, 1};
  const auto loop = LoopFor(To(server), std::move(options));
  StreamRecorder recorder(*loop);
  loop->Open({.lane = Lane::kReads, .path = "/hangs", .timeout = {}}, recorder);
  EXPECT_TRUE(Ask(*loop, {.lane = Lane::kLease, .path = "/echo"}).ok());
}

TEST(CurlLoop, ThousandsOfRequestsShareAFewConnections) {
  LocalServer server;
  const auto loop = LoopFor(To(server));
  constexpr int kRequests = 2000;
  int answered = 0;
  for (int i = 0; i < kRequests; ++i) {
    loop->Send({.method = Method::kPost,
                .lane = Lane::kBindings,
                .path = "/echo",
                .body = std::to_string(i)},
               [&, i](const Response& answer) {
                 EXPECT_EQ(answer.body, "POST " + std::to_string(i));
                 if (++answered == kRequests) loop->Stop();
               });
  }
  loop->Run();
  EXPECT_EQ(answered, kRequests);
  EXPECT_LE(loop->connections(), 32u);
}

TEST(CurlLoop, OtherThreadsPost) {
  LocalServer server;
  const auto loop = LoopFor(To(server));
  std::vector<int> order;
  std::thread poster([&] {
    for (int i = 0; i < 1000; ++i) loop->Post([&order, i] { order.push_back(i); });
    loop->Post([&] {
      loop->Send({.path = "/echo"}, [&](const Response& answer) {
        EXPECT_TRUE(answer.ok());
        loop->Stop();
      });
    });
  });
  loop->Run();
  poster.join();
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(order[i], i);
}

TEST(CurlLoop, TimersComeInOrderAndCanBeCancelled) {
  const auto loop = LoopFor({.server = "http://127.0.0.1:1"});
  std::string order;
  const Time begin = loop->Now();
  loop->After({.us = 20'000}, [&] {
    order += "c";
    loop->Stop();
  });
  loop->After({.us = 5'000}, [&] { order += "a"; });
  loop->After({.us = 5'000}, [&] { order += "b"; });
  loop->CancelTimer(loop->After({.us = 1'000}, [&] { order += "x"; }));
  loop->Run();
  EXPECT_EQ(order, "abc");
  EXPECT_GE(loop->Now() - begin, Duration{.us = 20'000});
}

// --- TLS -----------------------------------------------------------------------------------------

class CurlLoopTls : public ::testing::Test {
 protected:
  Connection To(const LocalServer& server, const std::string& host = "127.0.0.1") const {
    return {.server = "https://" + host + ":" + std::to_string(server.port()),
            .authority = authority_.CertificatePem(),
            .client_certificate = client_.CertificatePem(),
            .client_key = client_.KeyPem()};
  }

  const Identity authority_ = MakeAuthority("test authority");
  const Identity client_ = MakeIdentity(authority_, "system:fairlead", "", "");
  const Identity named_ = MakeIdentity(authority_, "kube-apiserver", "api.test", "");
  const Identity at_loopback_ = MakeIdentity(authority_, "kube-apiserver", "", "127.0.0.1");
};

TEST_F(CurlLoopTls, BothSidesAreVerified) {
  LocalServer server(at_loopback_, authority_);
  const Response answer = Ask(*LoopFor(To(server)), {.path = "/echo"});
  EXPECT_TRUE(answer.ok()) << answer.error;
  // A handshake is for a connection, not for a request.
  const auto loop = LoopFor(To(server));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Ask(*loop, {.path = "/echo"}).ok());
  EXPECT_EQ(loop->connections(), 1u);
  // Nobody to the server.
  Connection nobody = To(server);
  nobody.client_certificate = nobody.client_key = "";
  EXPECT_FALSE(Ask(*LoopFor(nobody), {.path = "/echo"}).ok());
  EXPECT_EQ(server.requests, 6);
}

TEST_F(CurlLoopTls, AnotherAuthorityIsNotBelieved) {
  LocalServer server(at_loopback_, authority_);
  Connection connection = To(server);
  connection.authority = MakeAuthority("another").CertificatePem();
  const Response answer = Ask(*LoopFor(connection), {.method = Method::kPost, .path = "/echo"});
  EXPECT_EQ(answer.outcome, Outcome::kNotSent);
  EXPECT_EQ(server.requests, 0);
  connection.authority = "";  // the system's do not know it either
  EXPECT_FALSE(Ask(*LoopFor(connection), {.path = "/echo"}).ok());
  connection.skip_verify = true;
  EXPECT_TRUE(Ask(*LoopFor(connection), {.path = "/echo"}).ok());
}

TEST_F(CurlLoopTls, TheServersNameMustBeRight) {
  LocalServer server(named_, authority_);
  EXPECT_EQ(Ask(*LoopFor(To(server)), {.path = "/echo"}).outcome, Outcome::kNotSent);
  Connection connection = To(server);
  connection.tls_server_name = "api.test";
  const Response answer = Ask(*LoopFor(connection), {.path = "/echo"});
  EXPECT_TRUE(answer.ok()) << answer.error;
  EXPECT_NE(server.Seen().at(0).find(" 127.0.0.1:"), std::string::npos);  // Host stays
}

// --- Credentials ---------------------------------------------------------------------------------

void WriteFile(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string TempPath(const std::string& name) {
  return ::testing::TempDir() + name + std::to_string(::getpid());
}

TEST(CurlLoopCredentials, AToken) {
  LocalServer server;
  server.token = "t";
  Connection connection = To(server);
  EXPECT_EQ(Ask(*LoopFor(connection), {.path = "/echo"}).status, 401);
  connection.token = "t";
  EXPECT_TRUE(Ask(*LoopFor(connection), {.path = "/echo"}).ok());
}

TEST(CurlLoopCredentials, A401ReadsTheTokensFileAgain) {
  LocalServer server;
  server.token = "new";
  Connection connection = To(server);
  connection.token_file = TempPath("fairlead_token");
  WriteFile(connection.token_file, "old\n");
  CurlLoop::Options options;
  const auto loop = LoopFor(connection, options);
  EXPECT_EQ(Ask(*loop, {.path = "/echo"}).status, 401);
  EXPECT_EQ(server.requests, 2);  // once again, not for ever
}

TEST(CurlLoopCredentials, ARotatedTokenIsTaken) {
  LocalServer server;
  server.token = "new";
  Connection connection = To(server);
  connection.token_file = TempPath("fairlead_rotated");
  WriteFile(connection.token_file, "old\n");
  const auto loop = LoopFor(connection);
  int answers = 0;
  loop->Send({.path = "/later"}, [&](const Response& answer) {
    EXPECT_EQ(answer.status, 401);
    WriteFile(connection.token_file, "new\n");
    StreamRecorder* recorder = new StreamRecorder(*loop);
    recorder->on_end = [&answers, recorder, &loop] {
      EXPECT_EQ(recorder->status, 200);  // the 401 before was not told
      EXPECT_EQ(recorder->text, "GET ");
      ++answers;
      loop->After({}, [recorder, &loop] {
        delete recorder;
        loop->Stop();
      });
    };
    loop->Open({.lane = Lane::kWatches, .path = "/echo"}, *recorder);
  });
  loop->Run();
  EXPECT_EQ(answers, 1);
}

TEST(CurlLoopCredentials, APluginIsRunOnceAndAgainWhenItIsRefused) {
  LocalServer server;
  server.token = "second";
  const std::string count = TempPath("fairlead_plugin_count");
  WriteFile(count, "");
  Connection connection = To(server);
  connection.exec =
      ExecPlugin{.command = "sh",
                 .args = {"-c",
                          "echo run >>\"$0\"; [ $(wc -l <\"$0\") = 1 ] && t=first || t=second; "
                          "printf '{\"apiVersion\":\"client.authentication.k8s.io/v1\","
                          "\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%s\"}}' $t",
                          count},
                 .api_version = "client.authentication.k8s.io/v1"};
  const auto loop = LoopFor(connection);
  int left = 10;
  for (int i = 0; i < 10; ++i) {
    loop->Send({.path = "/echo"}, [&](const Response& answer) {
      EXPECT_TRUE(answer.ok()) << answer.status << answer.error;
      if (--left == 0) loop->Stop();
    });
  }
  loop->Run();
  std::ifstream runs(count);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(runs), {}), "run\nrun\n");
}

TEST(CurlLoopCredentials, APluginThatFailsFailsTheRequest) {
  LocalServer server;
  Connection connection = To(server);
  connection.exec = ExecPlugin{.command = "/nowhere/plugin", .install_hint = "install it"};
  std::vector<std::string> problems;
  CurlLoop::Options options;
  options.on_problem = [&](const std::string& problem) { problems.push_back(problem); };
  const Response answer = Ask(*LoopFor(connection, options), {.path = "/echo"});
  EXPECT_EQ(answer.outcome, Outcome::kNotSent);
  EXPECT_NE(answer.error.find("/nowhere/plugin: No such file or directory; install it"),
            std::string::npos)
      << answer.error;
  EXPECT_EQ(problems.size(), 1u);
  EXPECT_EQ(server.requests, 0);
}

}  // namespace
}  // namespace fairlead::kube
