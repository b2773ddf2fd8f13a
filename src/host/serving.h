#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "host/real_cluster.h"
#include "server/http.h"
#include "server/services.h"

namespace fairlead::host {

struct Address {
  std::string host;
  int port = 0;
};
// "HOST:PORT"; `flag` is for messages.
Result<Address> AddressFlag(std::string_view flag, const std::string& text);
// Of --listen or --port, at most one of them; of neither: kDefaultPort of this machine's own.
inline constexpr int kDefaultPort = 8484;
Result<Address> ListenFlags(const std::string& listen, const std::string& port);

// Who is let in, and whether what is sent is encrypted.
struct PageAccess {
  server::Access access = {};
  std::string user_header;                           // of `access`; empty: none
  std::shared_ptr<const server::Tls> tls = nullptr;  // null: it is not

  // Limits of a server that reads what `access` needs to know.
  server::HttpLimits Limits() const;
  std::string_view scheme() const { return tls == nullptr ? "http" : "https"; }
};

// What a real cluster answers over HTTP, and the order in which `run` ends.
class Serving {
 public:
  struct Addresses {
    Address pages;
    std::optional<Address> probes;  // absent: as the rest of it, at `pages` alone
    PageAccess access = {};         // to the pages
  };
  // `cluster` must outlive it. Error: a port is taken, or may not be used.
  static Result<std::unique_ptr<Serving>> Start(const Addresses& addresses, RealCluster& cluster);

  int pages_port() const { return pages_->port(); }
  int probes_port() const { return probes_ == nullptr ? 0 : probes_->port(); }

  // First the cluster stops deciding and gives its lease back; only then, and without waiting for
  // any client, is nobody answered any more.
  void End();

 private:
  Serving(RealCluster& cluster, const PageAccess& access);

  RealCluster& cluster_;
  server::ApiService page_service_;
  server::ProbeService probe_service_;
  std::unique_ptr<server::HttpServer> pages_, probes_;
};

}  // namespace fairlead::host
