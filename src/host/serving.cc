#include "host/serving.h"

#include <utility>

#include <fmt/format.h>

#include "host/input.h"

namespace fairlead::host {

Result<Address> AddressFlag(std::string_view flag, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    return Fail(fmt::format("{}: found \"{}\", expected HOST:PORT", flag, text));
  }
  const auto port = CountFlag(flag, text.substr(colon + 1), 0, 65535);
  if (!port) return tl::unexpected(port.error());
  return Address{.host = text.substr(0, colon), .port = static_cast<int>(*port)};
}

Serving::Serving(RealCluster& cluster)
    : cluster_(cluster), page_service_(cluster), probe_service_(cluster) {}

Result<std::unique_ptr<Serving>> Serving::Start(const Addresses& addresses, RealCluster& cluster) {
  std::unique_ptr<Serving> serving(new Serving(cluster));
  auto pages =
      server::HttpServer::Start(addresses.pages.host, addresses.pages.port, serving->page_service_);
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
