#include "server/access.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "unit/base/scratch_dir.h"

namespace fairlead::server {
namespace {

constexpr const char* kToken = "a-token-of-the-team-1";

class AccessTest : public ::testing::Test {
 protected:
  std::string File(const std::string& text) {
    const std::string path = directory_.path() + "/tokens";
    std::ofstream(path) << text;
    return path;
  }
  static Request Get(const std::string& path, const std::string& host = "shown.example:8484") {
    return {.method = "GET", .path = path, .query = {}, .body = "", .host = host, .origin = ""};
  }

  ScratchDir directory_;
};

TEST_F(AccessTest, WhoHasATokenIsLetIn) {
  const auto access = Access::Make({.token_file = File("# of the team\n\na-token-of-the-team-1\n"
                                                       "another-token-of-ours\r\n")});
  ASSERT_TRUE(access) << access.error().message;
  Request request = Get("/api/v1/pods");
  EXPECT_EQ(access->Check(request).status, 401);
  for (const char* said : {"Bearer a-token-of-the-team-1", "Bearer another-token-of-ours"}) {
    request.authorization = said;
    EXPECT_EQ(access->Check(request).status, 0) << said;
  }
  for (const char* said : {"Bearer", "Bearer ", "Bearer a-token-of-the-team-", "Basic YTpi",
                           "Bearer a-token-of-the-team-1x", "a-token-of-the-team-1"}) {
    request.authorization = said;
    EXPECT_EQ(access->Check(request).status, 401) << said;
  }
  // Where an API server on the way keeps that header for itself.
  Request passed_on = Get("/api/v1/pods");
  passed_on.own_token = kToken;
  EXPECT_EQ(access->Check(passed_on).status, 0);
  passed_on.own_token = "a-token-of-the-team-";
  EXPECT_EQ(access->Check(passed_on).status, 401);
  // Not for being on this machine either.
  EXPECT_EQ(access->Check(Get("/api/v1/pods", "localhost")).status, 401);
  EXPECT_EQ(access->Check(Get("/assets/app.css")).status, 0);
  request.authorization = "Bearer a-token-of-the-team-1";
  request.origin = "https://elsewhere.example";
  EXPECT_EQ(access->Check(request).status, 403);
}

TEST_F(AccessTest, ABrowserLogsInAndHasACookie) {
  const auto access = Access::Make({.token_file = File(kToken), .encrypted = true});
  ASSERT_TRUE(access);
  Request page = Get("/");
  page.accept = "text/html,application/xhtml+xml";
  const Response asked = access->Check(page);
  EXPECT_EQ(asked.status, 401);
  EXPECT_NE(asked.body.find("action=\"/login\""), std::string::npos);
  EXPECT_NE(asked.policy.find("form-action 'self'"), std::string::npos);

  Request login = Get("/login");
  login.method = "POST";
  EXPECT_EQ(access->Check(login).status, 0);
  login.body = "token=a-token-of-the-team-2";
  const Response wrong = access->LogIn(login);
  EXPECT_EQ(wrong.status, 401);
  EXPECT_TRUE(wrong.set_cookie.empty());
  login.body = "token=a%2Dtoken-of-the-team-1";
  const Response right = access->LogIn(login);
  EXPECT_EQ(right.status, 303);
  EXPECT_EQ(right.location, "/");
  for (const char* part : {"; HttpOnly", "; SameSite=Strict", "; Secure", "; Path=/"}) {
    EXPECT_NE(right.set_cookie.find(part), std::string::npos) << right.set_cookie;
  }
  const std::string cookie = right.set_cookie.substr(0, right.set_cookie.find(';'));
  page.cookie = "other=1; " + cookie + "; more=2";
  EXPECT_EQ(access->Check(page).status, 0);
  // What was changed is none of ours: another time, another signature, one of another process.
  const std::size_t dot = cookie.find('.');
  for (const std::string& changed :
       {"fairlead=9" + cookie.substr(10), cookie.substr(0, dot), cookie.substr(0, dot + 1),
        cookie + "0", "fairlead=1" + cookie.substr(dot), std::string("fairlead=.")}) {
    page.cookie = changed;
    EXPECT_EQ(access->Check(page).status, 401) << changed;
  }
  const auto other = Access::Make({.token_file = File(kToken)});
  page.cookie = cookie;
  EXPECT_EQ(other->Check(page).status, 401);
}

TEST_F(AccessTest, BehindAProxyItSaysWhoAsks) {
  const auto access = Access::Make({.user_header = "X-Forwarded-User", .hosts = {"shown.example"}});
  ASSERT_TRUE(access);
  Request request = Get("/api/v1/pods");
  EXPECT_EQ(access->Check(request).status, 401);
  request.others["x-forwarded-user"] = "";
  EXPECT_EQ(access->Check(request).status, 401);
  request.others["x-forwarded-user"] = "ann";
  request.origin = "https://shown.example:8484";
  EXPECT_EQ(access->Check(request).status, 0);
  // A name that was rebound to this machine is none of the proxy's.
  request.host = "rebound.example";
  request.origin = "";
  EXPECT_EQ(access->Check(request).status, 403);
  EXPECT_EQ(access->Check(Get("/api/v1/pods", "localhost:8484")).status, 0);
}

TEST_F(AccessTest, TheFileIsReadAgainWhenItChanges) {
  std::string problem;
  const auto access =
      Access::Make({.token_file = File(kToken),
                    .pause = FileWatch::Pause(0),
                    .on_problem = [&](const std::string& message) { problem = message; }});
  ASSERT_TRUE(access);
  const auto with = [&](const std::string& token) {
    Request request = Get("/api/v1/pods");
    request.authorization = "Bearer " + token;
    return access->Check(request).status;
  };
  Request log_in{.method = "POST", .path = "/login", .query = {}, .body = "", .host = "h"};
  log_in.body = std::string("token=") + kToken;
  Request page = Get("/api/v1/pods");
  page.cookie = access->LogIn(log_in).set_cookie;
  page.cookie = page.cookie.substr(0, page.cookie.find(';'));
  EXPECT_EQ(with(kToken), 0);
  EXPECT_EQ(access->Check(page).status, 0);
  File("another-token-of-the-team\n");
  EXPECT_EQ(with("another-token-of-the-team"), 0);
  EXPECT_EQ(with(kToken), 401);
  EXPECT_EQ(access->Check(page).status, 401);  // who logged in by it is out, too
  EXPECT_EQ(problem, "");
  File("short\n");
  EXPECT_EQ(with("another-token-of-the-team"), 0);
  EXPECT_EQ(with("short"), 401);
  EXPECT_NE(problem.find(":1: found a token of 5 characters"), std::string::npos) << problem;
  File("a-third-token-of-the-team\n");
  EXPECT_EQ(with("a-third-token-of-the-team"), 0);
}

TEST_F(AccessTest, WhatIsWrongIsSaid) {
  EXPECT_EQ(Access::Make({.token_file = "/nowhere"}).error().message,
            "/nowhere: cannot be read: No such file or directory");
  const std::string path = File("# none\n");
  EXPECT_EQ(Access::Make({.token_file = path}).error().message, path + ": found no token");
  File("\nshort\n");
  EXPECT_EQ(Access::Make({.token_file = path}).error().message,
            path + ":2: found a token of 5 characters, expected 16 at least");
  File("two words are no token\n");
  EXPECT_EQ(Access::Make({.token_file = path}).error().message,
            path + ":1: found a blank in a token");
  EXPECT_EQ(Access::Make({.user_header = "X-User"}).error().message,
            "--user-header and --page-host go together: who asks, and by which name");
}

}  // namespace
}  // namespace fairlead::server
