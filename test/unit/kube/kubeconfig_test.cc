#include "kube/kubeconfig.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "kube/base64.h"
#include "kube/credentials.h"
#include "kube/program.h"

namespace fairlead::kube {
namespace {

class KubeconfigTest : public ::testing::Test {
 protected:
  KubeconfigTest()
      : folder_(::testing::TempDir() + "fairlead_kubeconfig_" + std::to_string(::getpid())) {
    std::filesystem::create_directories(folder_ + "/pki");
  }
  ~KubeconfigTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  std::string Error(const std::string& text) {
    const auto connection = ReadKubeconfig({Write("config", text)}, "");
    EXPECT_FALSE(connection);
    std::string message = connection ? "" : connection.error().message;
    const std::size_t at = message.find(folder_ + "/");
    return at == std::string::npos ? message : message.erase(at, folder_.size() + 1);
  }

  const std::string folder_;
};

// A kubeconfig of one context whose user has these lines.
std::string WithUser(const std::string& user) {
  return "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
         "contexts: [{name: c, context: {cluster: k, user: u, namespace: vision}}]\n"
         "clusters: [{name: k, cluster: {server: https://10.0.0.1:6443/}}]\n"
         "users:\n- name: u\n  user:\n" +
         user;
}

TEST_F(KubeconfigTest, ReadsWhatIsThere) {
  const std::string path =
      Write("config",
            "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
            "contexts:\n- {name: other, context: {cluster: gone, user: gone}}\n"
            "- {name: c, context: {cluster: k, user: u}}\n"
            "clusters:\n- name: k\n  cluster:\n    server: https://10.0.0.1:6443\n"
            "    certificate-authority-data: Q0EK\n    certificate-authority: ignored\n"
            "    tls-server-name: api.test\n    proxy-url: http://proxy:3128\n"
            "users:\n- name: u\n  user: {client-certificate: pki/cert, client-key-data: S0VZ,\n"
            "    as: boss, as-groups: [a, b]}\n");
  Write("pki/cert", "CERT\n");
  const auto connection = ReadKubeconfig({path}, "");
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ(connection->server, "https://10.0.0.1:6443");
  EXPECT_EQ(connection->authority, "CA\n");
  EXPECT_EQ(connection->client_certificate, "CERT\n");  // relative to the file
  EXPECT_EQ(connection->client_key, "KEY");
  EXPECT_EQ(connection->tls_server_name, "api.test");
  EXPECT_EQ(connection->proxy_url, "http://proxy:3128");
  EXPECT_EQ(connection->as_groups, (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(connection->skip_verify);
  EXPECT_TRUE(connection->warnings.empty());
}

// A token that went over http:// would be anybody's.
TEST_F(KubeconfigTest, CredentialsAreForHttpsOnly) {
  for (const char* user :
       {"    token: abc\n", "    tokenFile: t\n", "    {username: u, password: p}\n",
        "    client-certificate-data: S0VZ\n    client-key-data: S0VZ\n",
        "    exec: {command: c, apiVersion: client.authentication.k8s.io/v1}\n"}) {
    std::string text = WithUser(std::string(user));
    const auto secure = ReadKubeconfig({Write("config", text)}, "");
    ASSERT_TRUE(secure) << secure.error().message;
    EXPECT_TRUE(secure->warnings.empty());
    text.replace(text.find("https://"), 5, "http");
    const auto open = ReadKubeconfig({Write("config", text)}, "");
    ASSERT_TRUE(open) << open.error().message;
    EXPECT_TRUE(open->token.empty() && open->token_file.empty() && open->username.empty() &&
                open->password.empty() && open->client_key.empty() && !open->exec)
        << user;
    ASSERT_EQ(open->warnings.size(), 1u);
    EXPECT_NE(open->warnings[0].find("users[u].user: its credentials are not used, as "
                                     "http://10.0.0.1:6443 is not https"),
              std::string::npos)
        << open->warnings[0];
  }
}

TEST_F(KubeconfigTest, WhoIsImpersonatedStaysOverHttp) {
  std::string text = WithUser("    as: boss\n");
  text.replace(text.find("https://"), 5, "http");
  const auto connection = ReadKubeconfig({Write("config", text)}, "");
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ(connection->as, "boss");
  EXPECT_TRUE(connection->warnings.empty());
}

TEST_F(KubeconfigTest, WhatAFileSaysFirstStaysSaid) {
  const std::string a = Write("a",
                              "current-context: c\n"
                              "clusters: [{name: k, cluster: {server: https://first}}]\n");
  const std::string b = Write("b",
                              "current-context: d\n"
                              "clusters: [{name: k, cluster: {server: https://second, "
                              "tls-server-name: x}}]\n"
                              "contexts: [{name: c, context: {cluster: k, user: u}},\n"
                              "  {name: d, context: {cluster: k}}]\n"
                              "users: [{name: u, user: {token: t}}]\n");
  const auto connection = ReadKubeconfig({a, folder_ + "/missing", b}, "");
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ(connection->server, "https://first");
  EXPECT_EQ(connection->tls_server_name, "");  // entries are taken whole
  EXPECT_EQ(connection->token, "t");
  EXPECT_EQ(ReadKubeconfig({b, a}, "")->server, "https://second");
  EXPECT_EQ(ReadKubeconfig({a, b}, "d")->token, "");
  EXPECT_FALSE(ReadKubeconfig({folder_ + "/missing"}, ""));
}

TEST_F(KubeconfigTest, SkippingVerificationIsWarnedOf) {
  const auto connection =
      ReadKubeconfig({Write("config",
                            "current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\n"
                            "clusters: [{name: k, cluster: {server: https://x, "
                            "insecure-skip-tls-verify: true}}]\n")},
                     "");
  ASSERT_TRUE(connection);
  EXPECT_TRUE(connection->skip_verify);
  ASSERT_EQ(connection->warnings.size(), 1u);
}

TEST_F(KubeconfigTest, FaultsNameFileAndField) {
  EXPECT_EQ(Error("clusters: 5\n"), "config:1: Config: clusters: found number 5, expected a list");
  EXPECT_EQ(Error("current-context: c\n"),
            "config: current-context: found \"c\", expected one of: ");
  EXPECT_EQ(Error("current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\n"
                  "clusters: [{name: j}]\n"),
            "config: contexts[c].context.cluster: found \"k\", expected one of: j");
  EXPECT_EQ(Error("current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\n"
                  "clusters: [{name: k, cluster: {server: 10.0.0.1}}]\n"),
            "config: clusters[k].cluster.server: found \"10.0.0.1\", expected https://HOST:PORT");
  EXPECT_NE(Error(WithUser("    client-key-data: '*'\n"))
                .find("users[0].user.client-key-data: found "
                      "no base64"),
            std::string::npos);
  EXPECT_NE(Error(WithUser("    client-key-data: S0VZ\n")).find("found a client key alone"),
            std::string::npos);
  EXPECT_NE(Error(WithUser("    auth-provider: {name: gcp}\n")).find("auth-provider"),
            std::string::npos);
  EXPECT_NE(Error(WithUser("    client-certificate: nowhere\n    client-key-data: S0VZ\n"))
                .find("users[u].user.client-certificate: "),
            std::string::npos);
  EXPECT_NE(Error(WithUser("    exec: {command: x}\n")).find("found apiVersion \"\""),
            std::string::npos);
  EXPECT_NE(Error("a: [\n").find("config:"), std::string::npos);
}

TEST_F(KubeconfigTest, APluginsFields) {
  const auto connection = ReadKubeconfig(
      {Write("config",
             WithUser("    exec:\n      apiVersion: client.authentication.k8s.io/v1beta1\n"
                      "      command: ./bin/plugin\n      args: [get, 'a b']\n"
                      "      env: [{name: A, value: b}]\n"
                      "      provideClusterInfo: true\n      installHint: go get it\n"))},
      "");
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ(connection->exec->command, folder_ + "/bin/plugin");
  EXPECT_EQ(connection->exec->args, (std::vector<std::string>{"get", "a b"}));
  EXPECT_TRUE(connection->exec->provide_cluster_info);
  EXPECT_EQ(connection->name_space, "vision");
}

TEST_F(KubeconfigTest, InsideAPod) {
  Write("token", "t\n");
  Write("namespace", "sys");
  EXPECT_FALSE(InClusterConnection("10.0.0.1", "443", folder_));  // no ca.crt
  Write("ca.crt", "CA");
  const auto connection = InClusterConnection("fd00::1", "443", folder_);
  ASSERT_TRUE(connection);
  EXPECT_EQ(connection->server, "https://[fd00::1]:443");
  EXPECT_EQ(connection->name_space, "sys");
  EXPECT_FALSE(InClusterConnection("", "", folder_));
}

TEST_F(KubeconfigTest, ATokensFileIsReadEveryMinute) {
  Connection connection{.token = "fixed", .token_file = Write("token", " t1 \n")};
  Credentials credentials(connection);
  const Time start{.us = 0};
  EXPECT_TRUE(credentials.Due(start));
  const auto secret = FetchSecret(connection, start);
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->authorization, "Bearer t1");
  credentials.Set(*secret, start);
  EXPECT_FALSE(credentials.Due(start + Duration::Seconds(59)));
  EXPECT_TRUE(credentials.Due(start + Duration::Seconds(60)));
  Write("token", "");
  EXPECT_FALSE(FetchSecret(connection, start));  // being rotated: the old one stays
  EXPECT_TRUE(credentials.Keep(start + Duration::Seconds(60)));
  EXPECT_FALSE(credentials.Due(start + Duration::Seconds(61)));
  EXPECT_FALSE(Credentials(connection).Keep(start));
}

Connection WithPlugin(const std::string& script) {
  Connection connection{.server = "https://x", .authority = "CA"};
  connection.exec = ExecPlugin{.command = "sh",
                               .args = {"-c", script},
                               .env = {{"GREETING", "hello world"}},
                               .api_version = "client.authentication.k8s.io/v1",
                               .provide_cluster_info = true};
  return connection;
}

std::string Credential(const std::string& status) {
  return "printf '%s' '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":"
         "\"ExecCredential\",\"status\":{" +
         status + "}}'";
}

TEST_F(KubeconfigTest, APluginIsToldAndTells) {
  const std::string seen = folder_ + "/seen";
  const Time now = *ParseTime("2026-01-01T00:00:00Z");
  const auto secret = FetchSecret(
      WithPlugin("echo \"$GREETING $KUBERNETES_EXEC_INFO\" >" + seen + "; " +
                 Credential(R"("token":"t","expirationTimestamp":"2026-01-01T01:00:00Z")")),
      now);
  ASSERT_TRUE(secret) << secret.error().message;
  EXPECT_EQ(secret->authorization, "Bearer t");
  EXPECT_EQ(secret->good_for, Duration::Seconds(3600));
  std::ifstream file(seen);
  const std::string told(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(told,
            "hello world {\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":"
            "\"ExecCredential\",\"spec\":{\"interactive\":false,\"cluster\":{\"server\":"
            "\"https://x\",\"certificate-authority-data\":\"Q0E=\"}}}\n");
  // It is run again shortly before it runs out.
  Credentials credentials(WithPlugin(""));
  credentials.Set(*secret, {.us = 0});
  EXPECT_FALSE(credentials.Due({.us = 3'589'000'000}));
  EXPECT_TRUE(credentials.Due({.us = 3'590'000'000}));
}

TEST_F(KubeconfigTest, WhatAPluginGetsWrong) {
  const auto error = [](const std::string& script) {
    const auto secret = FetchSecret(WithPlugin(script), {});
    return secret ? std::string("none") : secret.error().message;
  };
  EXPECT_EQ(error("exit 3"), "sh: it failed with exit code 3");
  EXPECT_EQ(error("kill -9 $$"), "sh: it was ended by signal 9");
  EXPECT_NE(error("echo nonsense").find("expected an ExecCredential"), std::string::npos);
  EXPECT_NE(error(Credential("")).find("found neither token"), std::string::npos);
  EXPECT_NE(error(Credential(R"("clientCertificateData":"c")")).find("alone"), std::string::npos);
  EXPECT_NE(
      error(Credential(R"("token":"t","expirationTimestamp":"soon")")).find("expected a time"),
      std::string::npos);
  EXPECT_NE(error(Credential(R"("token":"a\r\nX-Admin: yes")")).find("several lines"),
            std::string::npos);
}

TEST(Program, ArgumentsAreNotForAShell) {
  EXPECT_EQ(*RunProgram("printf", {"%s|", "a b", "$HOME", "'"}, {}, Duration::Seconds(10)),
            "a b|$HOME|'|");
}

TEST(Program, WhatHangsIsEnded) {
  const auto output = RunProgram("sleep", {"60"}, {}, {.us = 50'000});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().message, "sleep: it did not end within 0.05s");
  EXPECT_FALSE(
      RunProgram("sh", {"-c", "head -c 2000000 /dev/zero 2>&-"}, {}, Duration::Seconds(10)));
}

TEST(Base64, BothWays) {
  const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(EncodeBase64(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes);
  }
  EXPECT_EQ(DecodeBase64("Zm9v\nYmFy\n"), "foobar");
  for (const char* none : {"Z", "Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9*", "====", "Zm9v="}) {
    EXPECT_FALSE(DecodeBase64(none)) << none;
  }
}

}  // namespace
}  // namespace fairlead::kube
