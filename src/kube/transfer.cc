#include "kube/transfer.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>

#include "kube/machine_time.h"

namespace fairlead::kube {
namespace {

constexpr std::size_t kMaxBodyBytes = std::size_t{256} << 20;
constexpr unsigned kVanishedMs = 30'000;
constexpr long kMaxRetryAfterSeconds = 3600;

void ReadStatus(Transfer& transfer) {
  long status = 0;
  curl_easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
  transfer.response.status = static_cast<int>(status);
  curl_off_t retry_after = 0;
  curl_easy_getinfo(transfer.easy, CURLINFO_RETRY_AFTER, &retry_after);
  if (retry_after > 0) {
    transfer.response.retry_after =
        Duration::Seconds(std::min<std::int64_t>(retry_after, kMaxRetryAfterSeconds));
  }
}

// "Date: Tue, 14 Nov 2023 22:13:20 GMT"
std::optional<Time> DateIn(std::string_view line) {
  constexpr std::string_view kDate = "Date:";
  if (line.size() < kDate.size() || ::strncasecmp(line.data(), kDate.data(), kDate.size()) != 0) {
    return std::nullopt;
  }
  const std::string text(line.substr(kDate.size()));
  const time_t seconds = ::curl_getdate(text.c_str(), nullptr);
  if (seconds <= 0) return std::nullopt;
  return Time{std::int64_t{seconds} * 1'000'000};
}

// What says that it cannot reach the server may be a proxy with a clock of its own.
bool SaysServersTime(const Transfer& transfer) {
  return transfer.server_clock != nullptr && transfer.date && transfer.response.status < 500;
}

bool IsRefusedForNow(const Transfer& transfer) {
  return transfer.response.status == 401 && transfer.may_renew;
}

// The empty line ends the headers; that of "100 Continue", or of a proxy's answer, is not it.
std::size_t TakeHeader(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view line(data, size * count);
  if (line != "\r\n" && line != "\n") {
    if (const auto date = DateIn(line)) transfer.date = date;
    return line.size();
  }
  if (transfer.cancelled) return 0;
  ReadStatus(transfer);
  if (transfer.response.status < 200) return line.size();
  if (SaysServersTime(transfer)) {
    transfer.server_clock->NoteAnswer(transfer.started, BootTime(), *transfer.date);
  }
  if (transfer.stream == nullptr || transfer.headers_told || IsRefusedForNow(transfer)) {
    return line.size();
  }
  transfer.headers_told = true;
  transfer.stream->OnHeaders(transfer.response.status, transfer.response.retry_after);
  return line.size();
}

// Less than was given ends the transfer.
std::size_t TakeBody(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view bytes(data, size * count);
  if (transfer.cancelled) return 0;
  if (transfer.stream != nullptr) {
    if (transfer.headers_told) transfer.stream->OnBytes(bytes);
    return transfer.cancelled ? 0 : bytes.size();
  }
  if (transfer.response.body.size() + bytes.size() > kMaxBodyBytes) {
    transfer.too_large = true;
    return 0;
  }
  transfer.response.body += bytes;
  return bytes.size();
}

// What was sent and not acknowledged for so long ends the connection, whatever keepalive says.
int SetUpSocket(void*, curl_socket_t socket, curlsocktype) {
  const unsigned ms = kVanishedMs;
  ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms));
  return CURL_SOCKOPT_OK;
}

void SetBlob(CURL* easy, CURLoption option, const std::string& bytes) {
  if (bytes.empty()) return;
  curl_blob blob{
      .data = const_cast<char*>(bytes.data()), .len = bytes.size(), .flags = CURL_BLOB_NOCOPY};
  curl_easy_setopt(easy, option, &blob);
}

// "https://10.0.0.1:6443" and the name that its certificate is to have: the name stands in the URL,
// and the connection goes to the address.
struct Place {
  std::string scheme, host, port;
};
Place PlaceOf(const std::string& server) {
  Place place;
  const std::size_t colon = server.find("://");
  place.scheme = server.substr(0, colon);
  std::string rest = server.substr(colon + 3);
  rest = rest.substr(0, rest.find('/'));
  const std::size_t port = rest.rfind(':');
  const bool has_port = port != std::string::npos && rest.find(']', port) == std::string::npos;
  place.host = rest.substr(0, has_port ? port : std::string::npos);
  place.port = has_port ? rest.substr(port + 1) : place.scheme == "https" ? "443" : "80";
  return place;
}

std::string BaseUrl(const Connection& connection) {
  if (connection.tls_server_name.empty()) return connection.server;
  const Place place = PlaceOf(connection.server);
  const std::size_t path = connection.server.find('/', connection.server.find("://") + 3);
  return fmt::format("{}://{}:{}{}", place.scheme, connection.tls_server_name, place.port,
                     path == std::string::npos ? "" : connection.server.substr(path));
}

void SetTls(CURL* easy, const Connection& connection, const Secret& secret) {
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, connection.skip_verify ? 0L : 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, connection.skip_verify ? 0L : 2L);
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  SetBlob(easy, CURLOPT_CAINFO_BLOB, connection.authority);
  SetBlob(easy, CURLOPT_SSLCERT_BLOB, secret.client_certificate);
  SetBlob(easy, CURLOPT_SSLKEY_BLOB, secret.client_key);
  if (!secret.client_certificate.empty()) curl_easy_setopt(easy, CURLOPT_SSLCERTTYPE, "PEM");
}

void SetMethod(CURL* easy, const Request& request) {
  const bool has_body = request.method != Method::kGet && !request.body.empty();
  switch (request.method) {
    case Method::kGet:
      curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
      return;
    case Method::kPost:
      curl_easy_setopt(easy, CURLOPT_POST, 1L);
      break;
    case Method::kPut:
    case Method::kPatch:
    case Method::kDelete:
      if (has_body) curl_easy_setopt(easy, CURLOPT_POST, 1L);
      curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, std::string(NameOf(request.method)).c_str());
      break;
  }
  if (!has_body && request.method == Method::kDelete) return;
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.c_str());
}

// Whether any of the request may have reached the server.
bool WasSent(const Transfer& transfer, CURLcode code) {
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_FAILED_INIT:
      return false;
    default:
      break;
  }
  long bytes = 0;
  curl_easy_getinfo(transfer.easy, CURLINFO_REQUEST_SIZE, &bytes);
  return bytes > 0;
}

}  // namespace

Headers MakeHeaders(const Connection& connection, const Secret& secret,
                    const std::string& content_type) {
  curl_slist* list = nullptr;
  const auto add = [&](const std::string& line) { list = curl_slist_append(list, line.c_str()); };
  add("Accept: application/json");
  add("Content-Type: " + (content_type.empty() ? "application/json" : content_type));
  add("Expect:");  // no waiting for "100 Continue"
  if (!secret.authorization.empty()) add("Authorization: " + secret.authorization);
  if (!connection.as.empty()) add("Impersonate-User: " + connection.as);
  if (!connection.as_uid.empty()) add("Impersonate-Uid: " + connection.as_uid);
  for (const std::string& group : connection.as_groups) add("Impersonate-Group: " + group);
  for (const std::string& header : connection.headers) add(header);
  if (!connection.tls_server_name.empty()) {
    const Place place = PlaceOf(connection.server);
    add("Host: " + place.host + ":" + place.port);
  }
  return {list, FreeHeaders()};
}

void Prepare(CURL* easy, Transfer& transfer, const Connection& connection, Duration connect_timeout,
             const std::string& user_agent) {
  curl_easy_reset(easy);
  transfer.easy = easy;
  transfer.url = BaseUrl(connection) + transfer.request.path;
  curl_easy_setopt(easy, CURLOPT_URL, transfer.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.problem);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer.headers.get());
  curl_easy_setopt(easy, CURLOPT_USERAGENT, user_agent.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, TakeHeader);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, TakeBody);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, transfer.stream == nullptr ? 16384L : 262144L);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, SetUpSocket);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, 15L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, 15L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect_timeout.us / 1000));
  const std::int64_t timeout_ms = transfer.request.timeout.us / 1000;
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_ms));
  if (!connection.proxy_url.empty()) {
    curl_easy_setopt(easy, CURLOPT_PROXY, connection.proxy_url.c_str());
  }
  if (!connection.tls_server_name.empty()) {
    const Place place = PlaceOf(connection.server);
    const std::string detour =
        fmt::format("{}:{}:{}:{}", connection.tls_server_name, place.port, place.host, place.port);
    transfer.connect_to = {curl_slist_append(nullptr, detour.c_str()), FreeHeaders()};
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, transfer.connect_to.get());
  }
  SetMethod(easy, transfer.request);
  if (connection.server.starts_with("https")) SetTls(easy, connection, *transfer.secret);
}

void Conclude(Transfer& transfer, CURLcode code) {
  Response& response = transfer.response;
  ReadStatus(transfer);
  if (code == CURLE_OK) {
    response.outcome = Outcome::kAnswered;
    return;
  }
  response.outcome = WasSent(transfer, code) ? Outcome::kUnknown : Outcome::kNotSent;
  response.error = transfer.problem[0] != '\0' ? transfer.problem : curl_easy_strerror(code);
  if (transfer.too_large) response.error = "the response is larger than any should be";
  response.body.clear();
}

}  // namespace fairlead::kube
