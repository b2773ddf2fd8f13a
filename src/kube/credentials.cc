#include "kube/credentials.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "kube/base64.h"
#include "kube/files.h"
#include "kube/json.h"
#include "kube/program.h"

namespace fairlead::kube {
namespace {

namespace json = boost::json;

constexpr Duration kTokenFilePeriod = Duration::Seconds(60);
constexpr Duration kLeeway = Duration::Seconds(10);
constexpr Duration kRetry = Duration::Seconds(5);
constexpr Duration kPluginTime = Duration::Seconds(60);

std::string Trimmed(std::string text) {
  constexpr const char* kBlank = " \t\r\n";
  text.erase(text.find_last_not_of(kBlank) + 1);
  text.erase(0, text.find_first_not_of(kBlank));
  return text;
}

// What a plugin is told of us.
std::string ExecInfo(const Connection& connection, const ExecPlugin& exec) {
  json::object spec{{"interactive", false}};
  if (exec.provide_cluster_info) {
    json::object cluster{{"server", connection.server}};
    if (!connection.tls_server_name.empty()) {
      cluster["tls-server-name"] = connection.tls_server_name;
    }
    if (connection.skip_verify) cluster["insecure-skip-tls-verify"] = true;
    if (!connection.authority.empty()) {
      cluster["certificate-authority-data"] = EncodeBase64(connection.authority);
    }
    if (!connection.proxy_url.empty()) cluster["proxy-url"] = connection.proxy_url;
    spec["cluster"] = std::move(cluster);
  }
  return json::serialize(json::object{
      {"apiVersion", exec.api_version}, {"kind", "ExecCredential"}, {"spec", std::move(spec)}});
}

Result<void> TakeExpiry(const json::value& status, Time wall_now, Secret& secret) {
  const std::string text = TextAt(status, "expirationTimestamp");
  if (text.empty()) return {};
  const Result<Time> expires = ParseTime(text);
  if (!expires) {
    return Fail(fmt::format("status.expirationTimestamp: found \"{}\", expected a time", text));
  }
  secret.good_for = std::max(*expires - wall_now, Duration{});
  return {};
}

Result<Secret> RunPlugin(const Connection& connection, Time wall_now) {
  const ExecPlugin& exec = *connection.exec;
  auto env = exec.env;
  env.emplace_back("KUBERNETES_EXEC_INFO", ExecInfo(connection, exec));
  const auto output = RunProgram(exec.command, exec.args, env, kPluginTime);
  const auto fail = [&](std::string why) {
    if (!exec.install_hint.empty()) why += "; " + exec.install_hint;
    return Fail(std::move(why));
  };
  if (!output) return fail(output.error().message);
  const json::value credential = ParseJson(*output);
  const json::value* status = At(credential, "status");
  if (TextAt(credential, "kind") != "ExecCredential" ||
      TextAt(credential, "apiVersion") != exec.api_version || status == nullptr) {
    return fail(
        fmt::format("{}: found something else, expected an ExecCredential of {} with a "
                    "status",
                    exec.command, exec.api_version));
  }
  Secret secret{.client_certificate = TextAt(*status, "clientCertificateData"),
                .client_key = TextAt(*status, "clientKeyData")};
  const std::string token = TextAt(*status, "token");
  if (!token.empty()) secret.authorization = "Bearer " + token;
  if (token.empty() && secret.client_certificate.empty()) {
    return fail(exec.command + ": status: found neither token nor clientCertificateData");
  }
  if (secret.client_certificate.empty() != secret.client_key.empty()) {
    return fail(exec.command + ": status: found a certificate or a key alone, expected both");
  }
  if (auto taken = TakeExpiry(*status, wall_now, secret); !taken) {
    return fail(exec.command + ": " + taken.error().message);
  }
  return secret;
}

}  // namespace

Result<Secret> FetchSecret(const Connection& connection, Time wall_now) {
  Secret secret{.client_certificate = connection.client_certificate,
                .client_key = connection.client_key};
  if (!connection.token_file.empty()) {
    const Result<std::string> token = ReadFile(connection.token_file);
    if (!token) return tl::unexpected(token.error());
    const std::string trimmed = Trimmed(*token);
    if (trimmed.empty()) return Fail(connection.token_file + ": found nothing, expected a token");
    secret.authorization = "Bearer " + trimmed;
    secret.good_for = kTokenFilePeriod;
  } else if (!connection.token.empty()) {
    secret.authorization = "Bearer " + Trimmed(connection.token);
  } else if (connection.exec) {
    Result<Secret> plugins = RunPlugin(connection, wall_now);
    if (!plugins) return plugins;
    secret = std::move(*plugins);
  } else if (!connection.username.empty()) {
    secret.authorization = "Basic " + EncodeBase64(connection.username + ":" + connection.password);
  }
  // A line end would begin a header of its own.
  if (secret.authorization.find_first_of("\r\n") != std::string::npos) {
    return Fail(connection.source + ": found a token of several lines, expected one line");
  }
  return secret;
}

Credentials::Credentials(Connection connection) : connection_(std::move(connection)) {}

bool Credentials::Due(Time now) const { return !fetched_ || now >= due_; }

void Credentials::Set(Secret secret, Time now) {
  secret_ = std::move(secret);
  fetched_ = true;
  due_ = Time::Max();
  if (!secret_.good_for) return;
  // Not at the last moment, and not again and again where it is short.
  const Duration good = *secret_.good_for;
  const bool file = !connection_.token_file.empty();
  due_ = now + (file ? good : std::max(good - kLeeway, Duration::Seconds(1)));
}

bool Credentials::Keep(Time now) {
  if (!fetched_) return false;
  due_ = now + kRetry;
  return true;
}

}  // namespace fairlead::kube
