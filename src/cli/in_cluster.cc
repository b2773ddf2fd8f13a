#include "cli/in_cluster.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "kube/curl_loop.h"
#include "kube/kubeconfig.h"
#include "server/backend.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kKubeconfigServer = "kubeconfig";
constexpr Duration kAnswerPatience = Duration::Seconds(120);
constexpr Duration kConnectPatience = Duration::Seconds(5);
constexpr int kTries = 12;  // of two replicas one leads: all in vain once in some thousand times

kube::Method MethodOf(const std::string& method) {
  if (method == "POST") return kube::Method::kPost;
  return method == "DELETE" ? kube::Method::kDelete : kube::Method::kGet;
}

// One request on a loop of its own.
Result<kube::Response> Ask(kube::CurlLoop& loop, const kube::Request& request) {
  kube::Response response;
  loop.Send(request, [&](kube::Response answer) {
    response = std::move(answer);
    loop.Stop();
  });
  loop.Run();
  if (response.outcome != kube::Outcome::kAnswered) return Fail(response.error);
  return response;
}

// Why the API server did not pass it on; empty: it did. Fairlead's refusals name no apiVersion.
std::string WhyRefused(const kube::Response& response) {
  if (response.status < 400) return {};
  boost::system::error_code error;
  const json::value body = json::parse(response.body, error);
  if (error) return response.body.substr(0, 300);
  if (show::TextAt(body, "apiVersion").empty()) return {};
  return std::string(show::TextAt(body, "message"));
}

bool HasFile(const std::string& paths) {
  std::size_t begin = 0;
  while (begin <= paths.size()) {
    const std::size_t end = std::min(paths.find(':', begin), paths.size());
    std::error_code error;
    if (std::filesystem::is_regular_file(paths.substr(begin, end - begin), error)) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::string ClusterService::Path() const {
  return fmt::format("/api/v1/namespaces/{}/services/{}/proxy", name_space, service);
}

std::optional<ClusterService> ClusterServiceOf(std::string_view server) {
  if (!server.starts_with(kKubeconfigServer)) return std::nullopt;
  server.remove_prefix(kKubeconfigServer.size());
  ClusterService service;
  if (server.empty()) return service;
  if (!server.starts_with(':') || server.size() == 1) return std::nullopt;
  server.remove_prefix(1);
  const std::size_t slash = server.find('/');
  service.name_space = server.substr(0, slash);
  if (slash == std::string_view::npos) return service;
  service.service = server.substr(slash + 1);
  if (service.service.find(':') == std::string::npos) {
    service.service = fmt::format("http:{}:page", service.service);
  }
  return service;
}

bool HasKubeconfig() {
  const char* named = std::getenv("KUBECONFIG");
  const char* home = std::getenv("HOME");
  std::string paths;
  if (named != nullptr && *named != '\0') {
    paths = named;
  } else if (home != nullptr) {
    paths = std::string(home) + "/.kube/config";
  }
  return !paths.empty() && HasFile(paths) && kube::FindConnection({}).has_value();
}

Result<server::Response> SendThroughCluster(const ClusterService& service,
                                            const std::string& method,
                                            const std::string& path_and_query,
                                            const std::string& body, const std::string& token) {
  auto connection = kube::FindConnection({});
  if (!connection) return tl::unexpected(connection.error());
  const std::string where = fmt::format("service {} in namespace {} of {}", service.service,
                                        service.name_space, connection->source);
  if (!token.empty()) connection->headers.push_back("X-Fairlead-Token: " + token);
  auto loop = kube::CurlLoop::Make(*std::move(connection), {.connect_timeout = kConnectPatience});
  if (!loop) return tl::unexpected(loop.error());
  const kube::Request request{.method = MethodOf(method),
                              .path = service.Path() + path_and_query,
                              .content_type = "text/plain",
                              .body = body,
                              .timeout = kAnswerPatience};
  for (int left = kTries;; --left) {
    const auto response = Ask(**loop, request);
    if (!response)
      return Fail(fmt::format("{} does not answer: {}", where, response.error().message));
    if (const std::string why = WhyRefused(*response); !why.empty()) {
      return Fail(fmt::format("{} cannot be asked: {}", where, why));
    }
    const bool stands_by =
        response->status == 503 && response->body.find(server::kStandsBy) != std::string::npos;
    if (stands_by && left > 1) continue;
    return server::Response{.status = response->status, .body = response->body};
  }
}

}  // namespace fairlead::cli
