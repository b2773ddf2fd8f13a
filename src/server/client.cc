// The only place that knows cpp-httplib.

#include "server/client.h"

#include <utility>

#include <fmt/format.h>
#include <httplib.h>

namespace fairlead::server {

Result<Response> Send(const std::string& base_url, const std::string& method,
                      const std::string& path_and_query, const std::string& body,
                      const Credentials& credentials) {
  constexpr std::string_view kPlain = "http://";
  const bool encrypted = base_url.starts_with("https://");
  if (!base_url.starts_with(kPlain) && !encrypted) {
    return Fail(fmt::format("{} is no address, expected http://HOST:PORT", base_url));
  }
  const bool told = !credentials.token.empty();
  if (told && !encrypted && !IsLoopbackHost(base_url.substr(kPlain.size()))) {
    return Fail(fmt::format("{}: a token is sent to other machines by https:// alone", base_url));
  }
  std::string base = base_url;
  while (base.ends_with("/")) base.pop_back();
  httplib::Client client(base);
  if (!client.is_valid()) return Fail(fmt::format("{} is no address", base_url));
  if (told) client.set_default_headers({{"Authorization", "Bearer " + credentials.token}});
  if (!credentials.ca_file.empty()) client.set_ca_cert_path(credentials.ca_file.c_str());
  client.set_connection_timeout(5);
  client.set_read_timeout(120);
  client.set_write_timeout(120);
  httplib::Result result = method == "POST"     ? client.Post(path_and_query, body, "text/plain")
                           : method == "DELETE" ? client.Delete(path_and_query)
                                                : client.Get(path_and_query);
  if (!result) {
    if (result.error() == httplib::Error::SSLServerVerification) {
      return Fail(fmt::format("{}: its certificate is not trusted; $FAIRLEAD_CA_FILE names who is",
                              base_url));
    }
    if (result.error() == httplib::Error::Connection) {
      return Fail(fmt::format("no Fairlead at {}; start one with `fairlead up`", base_url));
    }
    return Fail(
        fmt::format("{} does not answer: {}", base_url, httplib::to_string(result.error())));
  }
  return Response{.status = result->status,
                  .body = std::move(result->body),
                  .content_type = result->get_header_value("Content-Type")};
}

}  // namespace fairlead::server
