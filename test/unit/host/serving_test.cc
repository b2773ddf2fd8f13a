#include "host/serving.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kube/curl_loop.h"
#include "server/client.h"

namespace fairlead::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// An API server that knows nothing but one Lease, and writes down what happens first in which
// order.
class LeaseServer : public server::Service {
 public:
  server::Response BeforeBody(const server::Request&) override { return {.status = 0}; }
  server::Response Answer(const server::Request& request) override {
    const bool lease = request.path.starts_with("/apis/coordination.k8s.io/");
    if (!lease) Note("leads");  // and so it reads
    if (lease && held_ && request.method == "GET") {
      return {.body = R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1",
        "metadata":{"name":"fairlead","namespace":"default","resourceVersion":"1"},
        "spec":{"holderIdentity":"another","leaseDurationSeconds":600,
        "renewTime":"2026-01-01T00:00:00.000000Z"}})"};
    }
    if (!lease || request.method == "GET") {
      return {.status = 404, .body = R"({"kind":"Status","reason":"NotFound","code":404})"};
    }
    const bool free = request.body.find(R"("holderIdentity":"")") != std::string::npos;
    Note(free ? "lease given back" : "lease taken");
    return {.body = request.body};
  }

  void Note(const std::string& event) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(events_, event) != events_.end()) return;
    events_.push_back(event);
    changed_.notify_all();
  }
  // By another, who renews it.
  void Hold() { held_ = true; }
  void WaitForEvents(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return events_.size() >= count; });
  }
  std::vector<std::string> Events() {
    const std::lock_guard lock(mutex_);
    return events_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> events_;
  std::atomic<bool> held_ = false;
};

// Sends half a request and waits for its end.
void WaitToBeLetGo(int port, std::promise<void> there) {
  const int file = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(file, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(::send(file, "GET /", 5, MSG_NOSIGNAL), 5);
  there.set_value();
  char byte = 0;
  EXPECT_LE(::recv(file, &byte, 1, 0), 0);
  ::close(file);
}

class ServingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    api_ = Must(server::HttpServer::Start("127.0.0.1", 0, lease_));
    kube::Connection connection;
    connection.server = "http://127.0.0.1:" + std::to_string(api_->port());
    auto loop = Must(kube::CurlLoop::Make(std::move(connection), {}));
    loop_ = loop.get();
    live::LiveScheduler::Options options;
    options.lease =
        kube::LeaseOptions{.name_space = "default", .name = "fairlead", .identity = "me"};
    cluster_ = std::make_unique<RealCluster>(std::move(loop), std::move(options),
                                             live::LiveScheduler::Callbacks{}, nullptr);
    const Address any{.host = "127.0.0.1", .port = 0};
    serving_ = Must(Serving::Start({.pages = any, .probes = any}, *cluster_));
  }

  template <typename Made>
  static Made Must(Result<Made> made) {
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return std::move(*made);
  }
  std::string Probe(const std::string& path) const {
    const auto answer = server::Send("http://127.0.0.1:" + std::to_string(serving_->probes_port()),
                                     "GET", path, "");
    return answer ? answer->body : answer.error().message;
  }

  LeaseServer lease_;
  std::unique_ptr<server::HttpServer> api_;
  kube::CurlLoop* loop_ = nullptr;
  std::unique_ptr<RealCluster> cluster_;
  std::unique_ptr<Serving> serving_;
};

// The next leader need not wait for anybody's browser.
TEST_F(ServingTest, TheLeaseIsGivenBackBeforeClientsAreLetGo) {
  cluster_->Start();
  lease_.WaitForEvents(2);
  std::vector<std::thread> clients;
  for (const int port : {serving_->pages_port(), serving_->probes_port()}) {
    for (int i = 0; i < 10; ++i) {
      std::promise<void> there;
      std::future<void> is_there = there.get_future();
      clients.emplace_back([this, port, there = std::move(there)]() mutable {
        WaitToBeLetGo(port, std::move(there));
        lease_.Note("a client let go");
      });
      is_there.wait();
    }
  }
  serving_->End();
  for (std::thread& client : clients) client.join();
  EXPECT_THAT(lease_.Events(),
              ElementsAre("lease taken", "leads", "lease given back", "a client let go"));
  const server::Answer late = cluster_->Explain("a/b", false);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().status, 503);
}

// The thread that decides is busy, and stays so until all is answered.
TEST_F(ServingTest, ProbesNeverWaitForTheEngine) {
  EXPECT_EQ(Probe("/readyz"), "it has not begun\n");
  cluster_->Start();
  lease_.WaitForEvents(1);
  std::promise<void> busy, answered;
  loop_->Post([&] {
    busy.set_value();
    answered.get_future().wait();
  });
  busy.get_future().wait();
  EXPECT_EQ(Probe("/healthz"), "ok\n");
  EXPECT_THAT(Probe("/readyz"), testing::AnyOf("ok\n", "the cluster is being read\n"));
  EXPECT_THAT(Probe("/metrics"), HasSubstr("fairlead_leader 0\n"));
  answered.set_value();
  serving_->End();
}

// Of a cluster in which there was no round yet.
TEST_F(ServingTest, AnswersAreAsOfNowNotOfTheLastRound) {
  cluster_->Start();
  lease_.WaitForEvents(2);  // it leads
  const server::Answer shares = cluster_->QueueShares();
  ASSERT_TRUE(shares) << shares.error().message;
  EXPECT_THAT(*shares, Not(HasSubstr("1970-01-01")));
  serving_->End();
}

// It knows nothing of the cluster: that is said, not shown as an empty one.
TEST_F(ServingTest, WhoStandsBySaysSo) {
  lease_.Hold();
  cluster_->Start();
  const server::Query pods{.kind = server::FindKind("pods"), .as_table = true};
  for (const server::Answer& answer :
       {cluster_->Get(pods), cluster_->Explain("a/b", false), cluster_->QueueShares()}) {
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().status, 503);
    EXPECT_THAT(answer.error().message, testing::StartsWith(std::string(server::kStandsBy)));
  }
  serving_->End();
}

TEST(Vitals, WhoIsSilentIsNotReady) {
  Vitals vitals;
  vitals.SetReadiness("");
  EXPECT_EQ(vitals.NotReady(), "");
  EXPECT_THAT(vitals.NotReady(Vitals::Clock::now() + std::chrono::seconds(31)),
              HasSubstr("has not answered for 31 s"));
}

TEST(Serving, Addresses) {
  EXPECT_EQ(AddressFlag("--listen", "[::1]:80")->host, "[::1]");
  EXPECT_EQ(AddressFlag("--listen", "localhost:0")->port, 0);
  for (const char* wrong : {"", "8484", ":8484", "localhost:", "localhost:x", "localhost:65536"}) {
    EXPECT_FALSE(AddressFlag("--listen", wrong)) << wrong;
  }
}

}  // namespace
}  // namespace fairlead::host
