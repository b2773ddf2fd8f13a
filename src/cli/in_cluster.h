#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "server/api.h"

// A Fairlead that runs in a cluster, asked by way of the API server that the kubeconfig names: with
// the rights of who asks, and without a tunnel.

namespace fairlead::cli {

struct ClusterService {
  std::string name_space = "fairlead-system";
  std::string service = "http:fairlead:page";  // [SCHEME:]NAME:PORT, as the API server has it

  // "…/services/http:fairlead:page/proxy"
  std::string Path() const;
};

// Of --server: "kubeconfig", "kubeconfig:NAMESPACE" or "kubeconfig:NAMESPACE/SERVICE", where a bare
// SERVICE is its port `page` over HTTP. Absent: it is something else.
std::optional<ClusterService> ClusterServiceOf(std::string_view server);

// Whether there is a kubeconfig with a context, as kubectl finds it.
bool HasKubeconfig();

// As server::Send; `token`: of Fairlead's own, beside what the API server is shown. A replica that
// stands by passes the question on to chance: it is asked again. Error: no kubeconfig, no answer,
// or the API server's own refusal (there is no such service, no right to it).
Result<server::Response> SendThroughCluster(const ClusterService& service,
                                            const std::string& method,
                                            const std::string& path_and_query,
                                            const std::string& body, const std::string& token);

}  // namespace fairlead::cli
