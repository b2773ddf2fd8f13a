#include "server/api.h"

#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/version.h"
#include "server/access.h"
#include "server/history_api.h"
#include "server/http_response.h"
#include "server/page.h"
#include "server/view_api.h"

namespace fairlead::server {
namespace {

namespace json = boost::json;

constexpr std::string_view kApi = "/api/v1/";

Response Refuse(int status, std::string message) {
  return ToResponse({.status = status, .message = std::move(message)});
}

Response Reply(Answer answer) {
  if (!answer) return ToResponse(answer.error());
  return {.body = std::move(*answer)};
}

std::vector<std::string> SegmentsOf(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (slash != 0) segments.emplace_back(path.substr(0, slash));
    path = slash == std::string_view::npos ? "" : path.substr(slash + 1);
  }
  return segments;
}

bool IsUpload(const Request& request) {
  return request.path == "/api/v1/objects" || request.path == "/api/v1/files";
}

// What if its files were uploaded?
bool IsQuestion(const Request& request) { return request.path == "/api/v1/explain"; }

tl::expected<std::vector<SourceText>, Refusal> TextsOf(const Request& request) {
  std::vector<SourceText> texts;
  if (request.path == "/api/v1/objects") {
    texts.push_back({.name = "body", .text = request.body});
    return texts;
  }
  const auto malformed = [] {
    return tl::unexpected(Refusal{
        .status = 400,
        .message = "expected {\"files\":[{\"name\":\"a.yaml\",\"text\":\"…\"}]} as the body"});
  };
  boost::system::error_code error;
  const json::value body = json::parse(request.body, error);
  const json::object* object = error ? nullptr : body.if_object();
  const json::value* files = object == nullptr ? nullptr : object->if_contains("files");
  if (files == nullptr || !files->is_array()) return malformed();
  for (const json::value& file : files->get_array()) {
    const json::object* fields = file.if_object();
    const json::value* name = fields == nullptr ? nullptr : fields->if_contains("name");
    const json::value* text = fields == nullptr ? nullptr : fields->if_contains("text");
    if (name == nullptr || text == nullptr || !name->is_string() || !text->is_string()) {
      return malformed();
    }
    texts.push_back(
        {.name = std::string(name->get_string()), .text = std::string(text->get_string())});
  }
  return texts;
}

Response ServeUpload(Backend& backend, const Request& request) {
  auto texts = TextsOf(request);
  if (!texts) return ToResponse(texts.error());
  return Reply(IsQuestion(request) ? backend.ExplainIfSubmitted(*texts) : backend.Submit(*texts));
}

Response ServeDelete(Backend& backend, const Kind& kind, const std::vector<std::string>& names) {
  const std::size_t expected = kind.namespaced ? 2 : 1;
  if (names.size() != expected) {
    return Refuse(400, fmt::format("expected DELETE /api/v1/{}/{}NAME", kind.plural,
                                   kind.namespaced ? "NAMESPACE/" : ""));
  }
  return Reply(backend.Delete(kind, kind.namespaced ? names[0] : "", names.back()));
}

Response ServeGet(Backend& backend, const Kind& kind, const std::vector<std::string>& names,
                  const Request& request) {
  const std::size_t most = kind.namespaced ? 2 : 1;
  if (names.size() > most) return Refuse(404, fmt::format("there is nothing at {}", request.path));
  const auto as = request.query.find("as");
  Query query{.kind = &kind};
  query.as_table = as != request.query.end() && as->second == "table";
  if (kind.namespaced && !names.empty()) query.name_space = names[0];
  if (names.size() == most) query.name = names.back();
  return Reply(backend.Get(query));
}

// Those that jobKinds added among them: clients do not know them else.
Answer KindsAnswer() {
  json::array kinds;
  for (const Kind& kind : AllKinds()) {
    kinds.push_back(json::object{{"kind", kind.kind},
                                 {"plural", kind.plural},
                                 {"apiVersion", kind.api_version},
                                 {"namespaced", kind.namespaced}});
  }
  return json::serialize(json::object{{"kind", "Kinds"}, {"kinds", std::move(kinds)}}) + "\n";
}

Response ServeApi(Backend& backend, const Request& request) {
  std::vector<std::string> segments =
      SegmentsOf(std::string_view(request.path).substr(kApi.size()));
  const bool is_get = request.method == "GET";
  if (is_get && segments.size() == 3 && segments[0] == "explain") {
    const auto nodes = request.query.find("nodes");
    return Reply(backend.Explain(segments[1] + "/" + segments[2],
                                 nodes != request.query.end() && nodes->second == "true"));
  }
  if (is_get && segments.size() == 2 && segments[0] == "queues" && segments[1] == "shares") {
    return Reply(backend.QueueShares());
  }
  if (is_get && segments.size() == 2 && segments[0] == "history") {
    return Reply(HistoryAnswer(backend.history(), segments[1], request.query));
  }
  if (is_get && !segments.empty() && segments[0] == "view") {
    return Reply(ServeView(backend, segments, request));
  }
  if (is_get && segments.size() == 1 && segments[0] == "kinds") return Reply(KindsAnswer());
  const Kind* kind = segments.empty() ? nullptr : FindKind(segments[0]);
  if (kind == nullptr) return Refuse(404, fmt::format("there is nothing at {}", request.path));
  segments.erase(segments.begin());
  if (is_get) return ServeGet(backend, *kind, segments, request);
  return ServeDelete(backend, *kind, segments);
}

std::string Welcome() {
  return fmt::format(
      "Fairlead {}\n\n"
      "  GET  /api/v1/pods             nodes, queues, workloads, jobs, events, …\n"
      "  GET  /api/v1/explain/NS/NAME  why it is pending, and what would let it start\n"
      "  POST /api/v1/explain          the same of files that are not submitted yet\n"
      "  GET  /api/v1/queues/shares    what every queue is due\n"
      "  GET  /api/v1/view/summary     and queues, nodes, domains, workloads: what the page shows\n"
      "  GET  /metrics                 counters, as Prometheus reads them\n"
      "  POST /api/v1/objects          YAML or JSON\n\n"
      "On the command line: fairlead get pods -A\n",
      Version());
}

}  // namespace

bool IsLoopbackHost(std::string_view host) {
  if (host.starts_with("[::1]")) {
    return host.size() == 5 || host[5] == ':';
  }
  host = host.substr(0, host.find(':'));
  if (host == "localhost") return true;
  // 127.0.0.0/8: four numbers, the first of which is 127. A name such as 127.evil.example is none.
  return host.starts_with("127.") &&
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

namespace {

bool IsGet(const Request& request) { return request.method == "GET" || request.method == "HEAD"; }

// What a cluster's own machinery asks for, by the address of the pod; no page does.
bool IsForMachines(const Request& request) {
  return IsGet(request) && request.origin.empty() &&
         (request.path == "/healthz" || request.path == "/readyz" || request.path == "/metrics");
}

Response PlainText(std::string text) {
  return {.body = std::move(text), .content_type = "text/plain"};
}

Response Readiness(const std::string& why_not) {
  Response response = PlainText((why_not.empty() ? "ok" : why_not) + "\n");
  response.status = why_not.empty() ? 200 : 503;
  return response;
}

Response MetricsOf(std::string text) {
  return {.body = std::move(text), .content_type = "text/plain; version=0.0.4"};
}

bool IsLogIn(const Access& access, const Request& request) {
  return access.asks_token() && request.method == "POST" && request.path == "/login";
}

}  // namespace

Response ServeWithoutBody(const Backend& backend, const Access& access, const Request& request) {
  const bool is_open = request.path != "/metrics" || !access.asks_token();
  if (IsForMachines(request) && is_open) return {.status = 0};
  if (Response refused = access.Check(request); refused.status != 0) return refused;
  if (IsLogIn(access, request)) return {.status = 0};
  const std::string& method = request.method;
  const bool changes = method == "POST" || method == "DELETE";
  const bool asks = method == "POST" && IsQuestion(request);
  if (const std::string why = backend.WhyReadOnly(); changes && !asks && !why.empty()) {
    return Refuse(405, why);
  }
  if (method == "POST") {
    if (IsUpload(request) || asks) return {.status = 0};
    return Refuse(
        404, fmt::format("nothing can be posted to {}, expected /api/v1/objects", request.path));
  }
  if (!IsGet(request) && !changes) {
    return Refuse(405, fmt::format("{} is not served, expected GET, POST or DELETE", method));
  }
  return {.status = 0};
}

Response ServeProbe(Probes& probes, const Request& request) {
  if (!IsForMachines(request)) {
    return Refuse(404, "only GET /healthz, /readyz and /metrics are served here, and no page");
  }
  if (request.path == "/healthz") return PlainText("ok\n");
  if (request.path == "/readyz") return Readiness(probes.NotReady());
  return MetricsOf(probes.LastMetrics());
}

namespace {

// Every tag of If-None-Match, or "*"; a weak one counts as well.
bool HasAlready(const Request& request, const Response& response) {
  if (response.status != 200 || response.etag.empty()) return false;
  return request.if_none_match == "*" ||
         request.if_none_match.find(response.etag) != std::string::npos;
}

Response ServeAllowed(Backend& backend, const Request& request) {
  if (request.method == "POST") return ServeUpload(backend, request);
  const bool is_get = request.method != "DELETE";
  if (is_get) {
    if (std::optional<Response> page = ServePage(request)) return std::move(*page);
  }
  if (request.path.starts_with(kApi)) {
    Request plain = request;
    if (is_get) plain.method = "GET";
    return ServeApi(backend, plain);
  }
  if (is_get && request.path == "/healthz") return PlainText("ok\n");
  if (is_get && request.path == "/readyz") return Readiness(backend.NotReady());
  if (is_get && request.path == "/metrics") return MetricsOf(backend.Metrics());
  if (is_get && request.path == "/") {
    return {.body = Welcome(), .content_type = "text/plain; charset=utf-8"};
  }
  if (is_get && request.path == "/version") {
    return {.body =
                json::serialize(json::object{{"version", Version()}, {"commit", Commit()}}) + "\n"};
  }
  return Refuse(404, fmt::format("there is nothing at {}", request.path));
}

}  // namespace

Response Serve(Backend& backend, const Access& access, const Request& request) {
  if (Response refused = ServeWithoutBody(backend, access, request); refused.status != 0) {
    return refused;
  }
  if (IsLogIn(access, request)) return access.LogIn(request);
  Response response = ServeAllowed(backend, request);
  if (!HasAlready(request, response)) return response;
  response.status = 304;
  response.body.clear();
  response.content_encoding.clear();
  return response;
}

}  // namespace fairlead::server
