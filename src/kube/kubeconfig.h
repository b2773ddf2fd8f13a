#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace fairlead::kube {

// A program that hands out credentials (client.authentication.k8s.io).
struct ExecPlugin {
  std::string command;  // absolute, or a name to be looked for in PATH
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;  // added to ours
  std::string api_version;
  std::string install_hint;  // for a person, where the command is not there
  bool provide_cluster_info = false;
};

// Where the API server is, and who we are to it. Files are absolute; what stood in the kubeconfig
// as data is decoded, certificates in files are read.
struct Connection {
  std::string server;  // "https://10.0.0.1:6443", without a slash at the end
  std::string tls_server_name;
  std::string proxy_url;
  bool skip_verify = false;                    // only where the kubeconfig says so
  std::string authority;                       // PEM; empty: the system's
  std::string client_certificate, client_key;  // PEM
  std::string token;
  std::string token_file;  // read again as time passes; goes before `token`
  std::string username, password;
  std::optional<ExecPlugin> exec;
  std::string as, as_uid;  // impersonation
  std::vector<std::string> as_groups;

  std::vector<std::string> headers;  // "Name: value", sent with every request

  std::string name_space;  // the context's; empty: "default"
  std::string source;      // "context kind in /root/.kube/config", for messages
  std::vector<std::string> warnings;
};

struct ConnectionOptions {
  std::string kubeconfig;  // --kubeconfig; empty: $KUBECONFIG, ~/.kube/config, then the cluster
  std::string context;     // empty: current-context
};

// Finds out as kubectl does. Inside a pod, and with no kubeconfig, its ServiceAccount. Credentials
// are left out, with a warning, where the server is not https.
// Errors name the file and the field.
Result<Connection> FindConnection(const ConnectionOptions& options);

// Merges `paths` by kubectl's rules: what a file says first stays said, whole entries by name;
// relative paths are relative to their file. Files that are not there are passed over, but one
// must be.
Result<Connection> ReadKubeconfig(const std::vector<std::string>& paths,
                                  const std::string& context);

// From inside a pod. `directory`: of the ServiceAccount's token, ca.crt and namespace.
Result<Connection> InClusterConnection(const std::string& host, const std::string& port,
                                       const std::string& directory);

}  // namespace fairlead::kube
