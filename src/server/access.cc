#include "server/access.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/integer.h"
#include "base/mutex.h"
#include "server/http_request.h"
#include "server/http_response.h"
#include "server/page.h"

namespace fairlead::server {
namespace {

constexpr std::string_view kCookie = "fairlead";
constexpr std::string_view kBearer = "Bearer ";
constexpr std::int64_t kSessionSeconds = std::int64_t{12} * 3600;

std::int64_t NowSeconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Response RefuseAccess(int status, std::string message) {
  return ToResponse({.status = status, .message = std::move(message)});
}

// "fairlead.example.org:443", "[::1]:80" without the port.
std::string_view WithoutPort(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

// A proxy that encrypts for us is one who knows of it: then there are tokens, or its header.
bool IsOwnOrigin(const Request& request, bool plain, bool encrypted) {
  return request.origin.empty() || (plain && request.origin == "http://" + request.host) ||
         (encrypted && request.origin == "https://" + request.host);
}

// For who opens the page without having logged in.
Response LogInPage(std::string_view problem) {
  Response response{
      .status = 401,
      .body = fmt::format(
          "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
          "<title>Log in · Fairlead</title><link rel=\"stylesheet\" href=\"{}\"></head>\n"
          "<body><main class=\"login\"><form class=\"panel\" method=\"post\" action=\"/login\">"
          "<h1>Fairlead</h1>{}"
          "<label class=\"field\"><span>Token</span><input name=\"token\" type=\"password\" "
          "autocomplete=\"current-password\" required autofocus></label>"
          "<button type=\"submit\">Log in</button></form></main></body></html>\n",
          StyleSheet(),
          problem.empty()
              ? ""
              : fmt::format("<p class=\"login-problem\" role=\"alert\">{}</p>", problem)),
      .content_type = "text/html; charset=utf-8"};
  response.policy =
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
      "frame-ancestors 'none'";
  return response;
}

}  // namespace

Result<std::vector<std::string>> ReadTokens(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Fail(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  std::vector<std::string> tokens;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view token = Trimmed(line, " \t\r");
    if (token.empty() || token.starts_with('#')) continue;
    if (token.size() < kLeastToken) {
      return Fail(fmt::format("{}:{}: found a token of {} characters, expected {} at least", path,
                              number, token.size(), kLeastToken));
    }
    if (token.find_first_of(" \t") != std::string_view::npos) {
      return Fail(fmt::format("{}:{}: found a blank in a token", path, number));
    }
    tokens.emplace_back(token);
  }
  if (tokens.empty()) return Fail(fmt::format("{}: found no token", path));
  return tokens;
}

// The digests of a file's tokens, as it is now.
class Access::TokenFile {
 public:
  using Digests = std::shared_ptr<const std::vector<Sha256>>;

  static Result<std::shared_ptr<TokenFile>> Make(const Options& options) {
    std::shared_ptr<TokenFile> file(new TokenFile(options));
    const auto read = file->Read();
    if (!read) return tl::unexpected(read.error());
    file->digests_ = *read;
    return file;
  }

  Digests Now() {
    const MutexLock lock(mutex_);
    if (!watch_.Changed()) return digests_;
    if (auto read = Read()) {
      digests_ = *std::move(read);
    } else if (on_problem_) {
      on_problem_(read.error().message + "; the tokens stay as they were");
    }
    return digests_;
  }

 private:
  explicit TokenFile(const Options& options)
      : path_(options.token_file),
        on_problem_(options.on_problem),
        watch_({options.token_file}, options.pause) {}
  Result<Digests> Read() const {
    const auto tokens = ReadTokens(path_);
    if (!tokens) return tl::unexpected(tokens.error());
    std::vector<Sha256> digests;
    for (const std::string& token : *tokens) digests.push_back(Sha256Of(token));
    return std::make_shared<const std::vector<Sha256>>(std::move(digests));
  }

  const std::string path_;
  const std::function<void(const std::string&)> on_problem_;
  Mutex mutex_;
  FileWatch watch_ GUARDED_BY(mutex_);
  Digests digests_ GUARDED_BY(mutex_);
};

Result<Access> Access::Make(const Options& options) {
  Access access;
  access.encrypted_ = options.encrypted;
  if (!options.token_file.empty()) {
    auto tokens = TokenFile::Make(options);
    if (!tokens) return tl::unexpected(tokens.error());
    access.tokens_ = *std::move(tokens);
  }
  access.user_header_ = LowerCase(options.user_header);
  access.hosts_ = options.hosts;
  if (access.user_header_.empty() != access.hosts_.empty()) {
    return Fail("--user-header and --page-host go together: who asks, and by which name");
  }
  return access;
}

bool Access::Knows(std::string_view token) const {
  if (!asks_token()) return false;
  const Sha256 digest = Sha256Of(token);
  bool known = false;
  for (const Sha256& each : *tokens_->Now()) known |= SameDigest(each, digest);
  return known;
}

// Of the token that logged in and of the time, so that neither can be exchanged.
Sha256 Access::SignatureOf(const Sha256& token, std::string_view expiry) const {
  return HmacSha256(key_, fmt::format("{} {}", HexOf(token), expiry));
}

// "a=1; fairlead=EXPIRY.SIGNATURE; b=2"
bool Access::KnowsCookie(std::string_view cookies) const {
  const TokenFile::Digests tokens = tokens_->Now();
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    const std::string_view cookie = Trimmed(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    if (!cookie.starts_with(kCookie) || cookie.substr(kCookie.size(), 1) != "=") continue;
    const std::string_view value = cookie.substr(kCookie.size() + 1);
    const std::size_t dot = value.find('.');
    if (dot == std::string_view::npos) continue;
    const auto expiry = ParseInteger<std::int64_t>(value.substr(0, dot));
    if (!expiry || *expiry <= NowSeconds()) continue;
    // Digests of what is said and what is right: compared in a time that tells nothing.
    const Sha256 said = Sha256Of(value.substr(dot + 1));
    bool known = false;
    for (const Sha256& token : *tokens) {
      known |= SameDigest(said, Sha256Of(HexOf(SignatureOf(token, value.substr(0, dot)))));
    }
    if (known) return true;
  }
  return false;
}

Response Access::Check(const Request& request) const {
  const bool behind = asks_token() || !hosts_.empty();
  if (!IsOwnOrigin(request, !encrypted_, encrypted_ || behind)) {
    return RefuseAccess(403, fmt::format("pages of {} may not talk to Fairlead", request.origin));
  }
  if (asks_token()) {
    if (request.path.starts_with("/assets/")) return {.status = 0};
    if (request.path == "/login" && request.method == "POST") return {.status = 0};
    const std::string_view said = request.authorization;
    if (said.starts_with(kBearer) && Knows(said.substr(kBearer.size()))) return {.status = 0};
    if (said.empty() && !request.own_token.empty() && Knows(request.own_token)) {
      return {.status = 0};
    }
    if (said.empty() && KnowsCookie(request.cookie)) return {.status = 0};
    const bool is_page = request.path == "/" || request.path == "/login";
    if (is_page && request.accept.find("text/html") != std::string::npos) return LogInPage("");
    return RefuseAccess(401, said.empty() && request.own_token.empty()
                                 ? "who asks is not known: expected Authorization: Bearer TOKEN"
                                 : "the token is not one of those that are let in");
  }
  if (IsLoopbackHost(request.host)) return {.status = 0};
  if (std::ranges::find(hosts_, WithoutPort(request.host)) != hosts_.end()) {
    const auto user = request.others.find(user_header_);
    if (user != request.others.end() && !user->second.empty()) return {.status = 0};
    return RefuseAccess(
        401, fmt::format("nobody says who asks: expected a proxy that sends {}", user_header_));
  }
  return RefuseAccess(403, fmt::format("host {} is not this machine, expected localhost",
                                       request.host.empty() ? "\"\"" : request.host));
}

Response Access::LogIn(const Request& request) const {
  std::map<std::string, std::string> fields;
  if (!ReadQuery(request.body, fields) || !Knows(fields["token"])) {
    return LogInPage("That token is not one of those that are let in.");
  }
  const std::string expiry = fmt::to_string(NowSeconds() + kSessionSeconds);
  const std::string signature = HexOf(SignatureOf(Sha256Of(fields["token"]), expiry));
  return {.status = 303,
          .body = "",
          .content_type = "text/plain",
          .location = "/",
          .set_cookie = fmt::format("{}={}.{}; Path=/; HttpOnly; SameSite=Strict{}", kCookie,
                                    expiry, signature, encrypted_ ? "; Secure" : "")};
}

}  // namespace fairlead::server
