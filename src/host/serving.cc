#include "host/serving.h"

#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "host/input.h"

namespace fairlead::host {

constexpr std::int64_t kMostPort = 65535;

Result<Address> AddressFlag(std::string_view flag, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    return Fail(fmt::format("{}: found \"{}\", expected HOST:PORT", flag, text));
  }
  const auto port = CountFlag(flag, text.substr(colon + 1), 0, kMostPort);
  if (!port) return tl::unexpected(port.error());
  return Address{.host = text.substr(0, colon), .port = static_cast<int>(*port)};
}

Result<Address> ListenFlags(const std::string& listen, const std::string& port) {
  if (!listen.empty()) {
    if (!port.empty()) return Fail("--listen names a port, too: give it or --port");
    return AddressFlag("--listen", listen);
  }
  Address address{.host = "127.0.0.1", .port = kDefaultPort};
  if (port.empty()) return address;
  const auto number = CountFlag("--port", port, 0, kMostPort);
  if (!number) return tl::unexpected(number.error());
  address.port = static_cast<int>(*number);
  return address;
}

server::HttpLimits PageAccess::Limits() const {
  server::HttpLimits limits;
  limits.request.kept_header = LowerCase(user_header);
  return limits;
}

Serving::Serving(RealCluster& cluster, const PageAccess& access)
    : cluster_(cluster), page_service_(cluster, access.access), probe_service_(cluster) {}

Result<std::unique_ptr<Serving>> Serving::Start(const Addresses& addresses, RealCluster& cluster) {
  const PageAccess& access = addresses.access;
  std::unique_ptr<Serving> serving(new Serving(cluster, access));
  auto pages = server::HttpServer::Start(addresses.pages.host, addresses.pages.port,
                                         serving->page_service_, access.Limits(), access.tls);
  if (!pages) return tl::unexpected(pages.error());
  serving->pages_ = std::move(*pages);
  if (!addresses.probes) return serving;
  auto probes = server::HttpServer::Start(addresses.probes->host, addresses.probes->port,
                                          serving->probe_service_, server::ProbeLimits());
  if (!probes) return tl::unexpected(probes.error());
  serving->probes_ = std::move(*probes);
  return serving;
}

void Serving::End() {
  cluster_.Stop();
  pages_->Stop();
  if (probes_ != nullptr) probes_->Stop();
}

}  // namespace fairlead::host
