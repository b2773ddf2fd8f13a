#include "server/api.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/access.h"

namespace fairlead::server {
namespace {

// Answers with what it was asked.
class EchoBackend : public Backend {
 public:
  Answer Get(const Query& query) override {
    return "get " + std::string(query.kind->plural) + " ns=" + query.name_space +
           " name=" + query.name + (query.as_table ? " table" : "");
  }
  Answer Submit(const std::vector<SourceText>& texts) override {
    if (texts[0].text == "bad") {
      return tl::unexpected(
          Refusal{.status = 400, .message = "no", .faults = {"f:1: Pod a: spec: wrong"}});
    }
    std::string text = "submit";
    for (const SourceText& source : texts) text += " " + source.name + "=" + source.text;
    return text;
  }
  Answer Delete(const Kind& kind, const std::string& name_space, const std::string& name) override {
    return "delete " + std::string(kind.kind) + " ns=" + name_space + " name=" + name;
  }
  Answer Explain(const std::string& name, bool nodes) override {
    return "explain " + name + (nodes ? " by node" : "");
  }
  Answer ExplainIfSubmitted(const std::vector<SourceText>& texts) override {
    return "explain " + texts.front().text + " if submitted";
  }
  Answer QueueShares() override { return "shares"; }
  Answer Askers(const std::string& node) override { return "askers " + node; }
  Answer View(const view::Question& question) override {
    std::string text = "view " + std::to_string(static_cast<int>(question.about));
    if (!question.name.empty()) text += " name=" + question.name;
    for (const auto& [key, value] : question.parameters) text += " " + key + "=" + value;
    return text;
  }
  std::string Metrics() override { return "counters"; }
  std::string WhyReadOnly() const override { return why_read_only; }

  std::string why_read_only;
};

Response Ask(const std::string& method, const std::string& path, const std::string& body = "",
             std::map<std::string, std::string> query = {}) {
  EchoBackend backend;
  return Serve(backend, Access(),
               {.method = method,
                .path = path,
                .query = std::move(query),
                .body = body,
                .host = "127.0.0.1:8484",
                .origin = ""});
}

TEST(Api, Routes) {
  struct Row {
    std::string method, path, expected;
  };
  const std::vector<Row> rows = {
      {"GET", "/api/v1/pods", "get pods ns= name="},
      {"GET", "/api/v1/pods/", "get pods ns= name="},
      {"GET", "/api/v1/po/vision", "get pods ns=vision name="},
      {"GET", "/api/v1/Pod/vision/w-0", "get pods ns=vision name=w-0"},
      {"HEAD", "/api/v1/pods", "get pods ns= name="},
      {"GET", "/api/v1/nodes", "get nodes ns= name="},
      {"GET", "/api/v1/nodes/n1", "get nodes ns= name=n1"},
      {"GET", "/api/v1/queues/shares", "shares"},
      {"GET", "/api/v1/explain/vision/train-7", "explain vision/train-7"},
      {"GET", "/api/v1/view/summary", "view 0"},
      {"GET", "/api/v1/view/queues", "view 1"},
      {"GET", "/api/v1/view/nodes", "view 2"},
      {"GET", "/api/v1/view/nodes/n1", "view 3 name=n1"},
      {"HEAD", "/api/v1/view/workloads", "view 4"},
      {"GET", "/api/v1/view/domains", "view 6"},
      {"GET", "/api/v1/view/users", "view 7"},
      {"GET", "/api/v1/view/facets", "view 8"},
      {"GET", "/api/v1/view/ahead", "view 9"},
      {"GET", "/api/v1/view/labels", "view 10"},
      {"GET", "/api/v1/view/top", "view 11"},
      {"GET", "/api/v1/view/nodes/n1/askers", "askers n1"},
      {"GET", "/api/v1/view/workloads/vision/train-7", "view 5 name=vision/train-7"},
      {"DELETE", "/api/v1/pods/vision/w-0", "delete Pod ns=vision name=w-0"},
      {"DELETE", "/api/v1/queues/vision", "delete Queue ns= name=vision"},
      {"GET", "/healthz", "ok\n"},
      {"GET", "/metrics", "counters"},
  };
  for (const Row& row : rows) {
    const Response response = Ask(row.method, row.path);
    EXPECT_EQ(response.status, 200) << row.method << " " << row.path;
    EXPECT_EQ(response.body, row.expected) << row.method << " " << row.path;
  }
  EXPECT_EQ(Ask("GET", "/api/v1/pods", "", {{"as", "table"}}).body, "get pods ns= name= table");
  EXPECT_EQ(Ask("GET", "/api/v1/explain/vision/train-7", "", {{"nodes", "true"}}).body,
            "explain vision/train-7 by node");
  EXPECT_EQ(Ask("GET", "/api/v1/view/workloads", "", {{"q", "a b"}, {"state", "Running"}}).body,
            "view 4 q=a b state=Running");
}

TEST(Api, Refusals) {
  struct Row {
    std::string method, path, body;
    int status;
  };
  const std::vector<Row> rows = {
      {"GET", "/api/v1/zebras", "", 404},
      {"GET", "/api/v1/", "", 404},
      {"GET", "/api/v1/pods/a/b/c", "", 404},
      {"GET", "/api/v1/nodes/a/b", "", 404},
      {"GET", "/elsewhere", "", 404},
      {"GET", "/api/v1/view", "", 404},
      {"GET", "/api/v1/view/zebras", "", 404},
      {"GET", "/api/v1/view/summary/a", "", 404},
      {"GET", "/api/v1/view/domains/a", "", 404},
      {"GET", "/api/v1/view/nodes/a/b", "", 404},
      {"GET", "/api/v1/view/nodes/a/askers/b", "", 404},
      {"GET", "/api/v1/view/users/a", "", 404},
      {"GET", "/api/v1/view/workloads/a", "", 404},
      {"GET", "/api/v1/view/workloads/a/b/c", "", 404},
      {"DELETE", "/api/v1/view/summary", "", 404},
      {"DELETE", "/api/v1/pods", "", 400},
      {"DELETE", "/api/v1/pods/vision", "", 400},
      {"DELETE", "/api/v1/queues/a/b", "", 400},
      {"DELETE", "/healthz", "", 404},
      {"POST", "/api/v1/pods", "x", 404},
      {"PUT", "/api/v1/pods/a/b", "x", 405},
      {"PATCH", "/api/v1/pods/a/b", "x", 405},
      {"POST", "/api/v1/files", "not json", 400},
      {"POST", "/api/v1/files", R"({"files":7})", 400},
      {"POST", "/api/v1/files", R"({"files":[{"name":"a"}]})", 400},
      {"POST", "/api/v1/files", R"({"files":[{"name":1,"text":"x"}]})", 400},
  };
  for (const Row& row : rows) {
    const Response response = Ask(row.method, row.path, row.body);
    EXPECT_EQ(response.status, row.status) << row.method << " " << row.path;
    EXPECT_NE(response.body.find("\"message\""), std::string::npos);
  }
}

TEST(Api, Uploads) {
  EXPECT_EQ(Ask("POST", "/api/v1/objects", "kind: Pod").body, "submit body=kind: Pod");
  EXPECT_EQ(Ask("POST", "/api/v1/files",
                R"({"files":[{"name":"a.yaml","text":"x"},{"name":"b.yaml","text":"y"}]})")
                .body,
            "submit a.yaml=x b.yaml=y");
  EXPECT_EQ(Ask("POST", "/api/v1/explain", R"({"files":[{"name":"a","text":"x"}]})").body,
            "explain x if submitted");
  const Response refused = Ask("POST", "/api/v1/objects", "bad");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("f:1: Pod a: spec: wrong"), std::string::npos);
}

TEST(Api, LoopbackOnly) {
  for (const char* host : {"localhost", "localhost:8484", "127.0.0.1", "127.0.0.1:1", "127.1.2.3",
                           "[::1]", "[::1]:8484"}) {
    EXPECT_TRUE(IsLoopbackHost(host)) << host;
  }
  for (const char* host : {"", "example.com", "localhost.example.com", "127.example.com",
                           "10.0.0.1", "127", "[::2]", "[::1]x", "0.0.0.0", "[::ffff:10.0.0.1]"}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
}

TEST(Api, ForeignPagesAreRefused) {
  EchoBackend backend;
  const auto status = [&](std::string host, std::string origin) {
    return Serve(backend, Access(),
                 {.method = "GET",
                  .path = "/api/v1/pods",
                  .query = {},
                  .body = "",
                  .host = std::move(host),
                  .origin = std::move(origin)})
        .status;
  };
  EXPECT_EQ(status("127.0.0.1:8484", "http://127.0.0.1:8484"), 200);
  EXPECT_EQ(status("localhost", "http://localhost"), 200);
  EXPECT_EQ(status("127.0.0.1:8484", "http://localhost:8484"), 403);
  EXPECT_EQ(status("localhost:8484", "http://localhost:9999"), 403);
  EXPECT_EQ(status("localhost:8484", "https://localhost:8484"), 403);
  EXPECT_EQ(status("rebound.example:8484", ""), 403);
  EXPECT_EQ(status("", ""), 403);
  EXPECT_EQ(status("127.0.0.1:8484", "https://elsewhere.example"), 403);
  EXPECT_EQ(status("127.0.0.1:8484", "null"), 403);
  EXPECT_EQ(status("127.0.0.1:8484", "http://localhost.elsewhere.example"), 403);
}

TEST(Api, WhatIsReadOnlyTakesNothing) {
  EchoBackend backend;
  backend.why_read_only = "use kubectl";
  const auto ask = [&](std::string method, std::string path) {
    return ServeWithoutBody(backend, Access(),
                            {.method = std::move(method),
                             .path = std::move(path),
                             .query = {},
                             .body = "",
                             .host = "localhost",
                             .origin = ""});
  };
  for (const auto& [method, path] : {std::pair("POST", "/api/v1/objects"),
                                     {"POST", "/api/v1/files"},
                                     {"DELETE", "/api/v1/pods/a/b"}}) {
    const Response refused = ask(method, path);
    EXPECT_EQ(refused.status, 405) << method;
    EXPECT_NE(refused.body.find("use kubectl"), std::string::npos);
  }
  EXPECT_EQ(ask("GET", "/api/v1/pods").status, 0);
}

}  // namespace
}  // namespace fairlead::server
