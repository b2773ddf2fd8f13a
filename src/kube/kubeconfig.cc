#include "kube/kubeconfig.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "kube/base64.h"
#include "kube/files.h"
#include "objects/read/field_reader.h"
#include "objects/read/yaml_reader.h"

namespace fairlead::kube {
namespace {

namespace fs = std::filesystem;
using objects::FieldReader;
using objects::Value;

constexpr const char* kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

// What the files say, before anything is followed. Of entries with one name the first counts.
struct Cluster {
  std::string where;  // "FILE: clusters[kind]"
  std::string server, tls_server_name, proxy_url, authority_file, authority_data;
  bool skip_verify = false;
};
struct User {
  std::string where;
  std::string certificate_file, certificate_data, key_file, key_data;
  std::string token, token_file, username, password, as, as_uid;
  std::vector<std::string> as_groups;
  std::optional<ExecPlugin> exec;
  bool has_auth_provider = false;
};
struct Context {
  std::string where, cluster, user, name_space;
};
struct Config {
  std::map<std::string, Cluster> clusters;
  std::map<std::string, User> users;
  std::map<std::string, Context> contexts;
  std::string current_context;
};

// Reads one file into a Config that may have entries already.
class ConfigReader : public objects::DocumentSink {
 public:
  ConfigReader(const std::string& path, Config& into) : path_(path), into_(into) {}

  objects::Manifest manifest;  // for its faults

 private:
  void BeginDocument() override {}
  bool Item(const Value&, std::string_view, std::string_view) override { return false; }
  void EndDocument(const Value& root) override;
  void SyntaxFault(std::uint32_t line, std::string message) override {
    manifest.faults.push_back({.file = path_, .line = line, .message = std::move(message)});
  }

  template <typename Entry>
  void ReadEntries(FieldReader& fields, const Value& root, std::string_view list,
                   std::string_view key, std::map<std::string, Entry>& into);
  void ReadEntry(FieldReader& fields, const Value& value, Cluster& cluster);
  void ReadEntry(FieldReader& fields, const Value& value, User& user);
  void ReadEntry(FieldReader& fields, const Value& value, Context& context);
  void ReadExec(FieldReader& fields, const Value& value, ExecPlugin& exec);
  void ReadPath(FieldReader& fields, const Value& parent, std::string_view key, std::string& out);
  void ReadData(FieldReader& fields, const Value& parent, std::string_view key, std::string& out);

  const std::string& path_;
  Config& into_;
};

void ConfigReader::EndDocument(const Value& root) {
  if (root.is_null()) return;
  FieldReader fields(root, "Config", objects::Scope::kCluster, path_, manifest);
  if (!fields.IsMapping(root)) return;
  if (into_.current_context.empty()) fields.String(&root, "current-context", into_.current_context);
  ReadEntries(fields, root, "clusters", "cluster", into_.clusters);
  ReadEntries(fields, root, "users", "user", into_.users);
  ReadEntries(fields, root, "contexts", "context", into_.contexts);
}

template <typename Entry>
void ConfigReader::ReadEntries(FieldReader& fields, const Value& root, std::string_view list,
                               std::string_view key, std::map<std::string, Entry>& into) {
  const Value* entries = fields.List(&root, list);
  if (entries == nullptr) return;
  for (const Value* item : entries->items()) {
    std::string name;
    if (!fields.IsMapping(*item) || !fields.String(item, "name", name)) continue;
    Entry entry;
    entry.where = fmt::format("{}: {}[{}]", path_, list, name);
    if (const Value* value = fields.Mapping(item, key)) ReadEntry(fields, *value, entry);
    into.try_emplace(name, std::move(entry));
  }
}

void ConfigReader::ReadPath(FieldReader& fields, const Value& parent, std::string_view key,
                            std::string& out) {
  if (!fields.String(&parent, key, out) || out.empty()) return;
  out = (fs::absolute(path_).parent_path() / out).lexically_normal().string();
}

void ConfigReader::ReadData(FieldReader& fields, const Value& parent, std::string_view key,
                            std::string& out) {
  std::string text;
  if (!fields.String(&parent, key, text)) return;
  std::optional<std::string> bytes = DecodeBase64(text);
  if (!bytes) return fields.Fault(*parent.Find(key), "found no base64, expected it");
  out = std::move(*bytes);
}

void ConfigReader::ReadEntry(FieldReader& fields, const Value& value, Cluster& cluster) {
  fields.String(&value, "server", cluster.server);
  fields.String(&value, "tls-server-name", cluster.tls_server_name);
  fields.String(&value, "proxy-url", cluster.proxy_url);
  fields.Bool(&value, "insecure-skip-tls-verify", cluster.skip_verify);
  ReadPath(fields, value, "certificate-authority", cluster.authority_file);
  ReadData(fields, value, "certificate-authority-data", cluster.authority_data);
}

void ConfigReader::ReadEntry(FieldReader& fields, const Value& value, User& user) {
  ReadPath(fields, value, "client-certificate", user.certificate_file);
  ReadData(fields, value, "client-certificate-data", user.certificate_data);
  ReadPath(fields, value, "client-key", user.key_file);
  ReadData(fields, value, "client-key-data", user.key_data);
  fields.String(&value, "token", user.token);
  ReadPath(fields, value, "tokenFile", user.token_file);
  fields.String(&value, "username", user.username);
  fields.String(&value, "password", user.password);
  fields.String(&value, "as", user.as);
  fields.String(&value, "as-uid", user.as_uid);
  if (const Value* groups = fields.List(&value, "as-groups")) {
    for (const Value* group : groups->items()) {
      fields.ReadString(*group, user.as_groups.emplace_back());
    }
  }
  if (const Value* exec = fields.Mapping(&value, "exec")) {
    ReadExec(fields, *exec, user.exec.emplace());
  }
  user.has_auth_provider = value.Find("auth-provider") != nullptr;
}

void ConfigReader::ReadEntry(FieldReader& fields, const Value& value, Context& context) {
  fields.String(&value, "cluster", context.cluster);
  fields.String(&value, "user", context.user);
  fields.String(&value, "namespace", context.name_space);
}

void ConfigReader::ReadExec(FieldReader& fields, const Value& value, ExecPlugin& exec) {
  if (fields.String(&value, "command", exec.command) &&
      exec.command.find('/') != std::string::npos) {
    ReadPath(fields, value, "command", exec.command);
  }
  if (exec.command.empty()) fields.Fault(value, "found no command, expected one");
  fields.String(&value, "apiVersion", exec.api_version);
  fields.String(&value, "installHint", exec.install_hint);
  fields.Bool(&value, "provideClusterInfo", exec.provide_cluster_info);
  constexpr std::string_view kVersions[] = {"client.authentication.k8s.io/v1",
                                            "client.authentication.k8s.io/v1beta1"};
  if (exec.api_version != kVersions[0] && exec.api_version != kVersions[1]) {
    fields.Fault(value, fmt::format("found apiVersion \"{}\", expected {} or {}", exec.api_version,
                                    kVersions[0], kVersions[1]));
  }
  std::string mode;
  if (fields.String(&value, "interactiveMode", mode) && mode == "Always") {
    fields.Fault(*value.Find("interactiveMode"),
                 "found Always, expected Never or IfAvailable: nobody is there to answer");
  }
  if (const Value* args = fields.List(&value, "args")) {
    for (const Value* arg : args->items()) fields.ReadString(*arg, exec.args.emplace_back());
  }
  if (const Value* env = fields.List(&value, "env")) {
    for (const Value* one : env->items()) {
      if (!fields.IsMapping(*one)) continue;
      auto& [name, text] = exec.env.emplace_back();
      fields.String(one, "name", name);
      fields.String(one, "value", text);
    }
  }
}

// `data` where there is some, else what is in `file`.
Result<std::string> DataOrFile(const std::string& data, const std::string& file,
                               const std::string& field) {
  if (!data.empty() || file.empty()) return data;
  Result<std::string> text = ReadFile(file);
  if (!text) return Fail(field + ": " + text.error().message);
  return text;
}

Result<void> Fill(const Cluster& from, Connection& into) {
  if (!from.server.starts_with("https://") && !from.server.starts_with("http://")) {
    return Fail(fmt::format("{}.cluster.server: found \"{}\", expected https://HOST:PORT",
                            from.where, from.server));
  }
  into.server = from.server;
  while (into.server.ends_with('/')) into.server.pop_back();
  into.tls_server_name = from.tls_server_name;
  into.proxy_url = from.proxy_url;
  into.skip_verify = from.skip_verify;
  if (from.skip_verify) {
    into.warnings.push_back(
        fmt::format("{}: insecure-skip-tls-verify is set: whoever is in between can be the server",
                    from.where));
  }
  Result<std::string> authority = DataOrFile(from.authority_data, from.authority_file,
                                             from.where + ".cluster.certificate-authority");
  if (!authority) return tl::unexpected(authority.error());
  into.authority = std::move(*authority);
  return {};
}

Result<void> Fill(const User& from, Connection& into) {
  if (from.has_auth_provider) {
    return Fail(from.where +
                ".user.auth-provider: found one, expected exec: Kubernetes took "
                "auth providers out in 1.26");
  }
  const auto certificate = DataOrFile(from.certificate_data, from.certificate_file,
                                      from.where + ".user.client-certificate");
  if (!certificate) return tl::unexpected(certificate.error());
  const auto key = DataOrFile(from.key_data, from.key_file, from.where + ".user.client-key");
  if (!key) return tl::unexpected(key.error());
  if (certificate->empty() != key->empty()) {
    return Fail(fmt::format("{}.user: found a client {} alone, expected certificate and key",
                            from.where, key->empty() ? "certificate" : "key"));
  }
  into.client_certificate = *certificate;
  into.client_key = *key;
  into.token = from.token;
  into.token_file = from.token_file;
  into.username = from.username;
  into.password = from.password;
  into.exec = from.exec;
  into.as = from.as;
  into.as_uid = from.as_uid;
  into.as_groups = from.as_groups;
  return {};
}

bool HasCredentials(const User& user) {
  return user.exec || !user.token.empty() || !user.token_file.empty() || !user.username.empty() ||
         !user.certificate_data.empty() || !user.certificate_file.empty();
}

// As client-go: over http:// anybody in between could read them. Who is impersonated is no secret,
// and would be missed.
void LeaveOutCredentials(User& user, Connection& into) {
  if (!HasCredentials(user)) return;
  into.warnings.push_back(
      fmt::format("{}.user: its credentials are not used, as {} is not https: anybody in between "
                  "could read them",
                  user.where, into.server));
  user = {.where = user.where, .as = user.as, .as_uid = user.as_uid, .as_groups = user.as_groups};
}

template <typename Entry>
Result<const Entry*> Named(const std::map<std::string, Entry>& entries, const std::string& name,
                           const std::string& what) {
  const auto found = entries.find(name);
  if (found != entries.end()) return &found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, entry] : entries) names.push_back(known);
  return Fail(
      fmt::format("{}: found \"{}\", expected one of: {}", what, name, fmt::join(names, ", ")));
}

Result<Connection> Follow(const Config& config, const std::string& context_name,
                          const std::string& files) {
  const std::string& name = context_name.empty() ? config.current_context : context_name;
  if (name.empty()) return Fail(files + ": current-context: found none, expected one");
  const auto context = Named(config.contexts, name, files + ": current-context");
  if (!context) return tl::unexpected(context.error());
  Connection connection;
  connection.name_space = (*context)->name_space;
  connection.source = fmt::format("context {} in {}", name, files);
  const auto cluster =
      Named(config.clusters, (*context)->cluster, (*context)->where + ".context.cluster");
  if (!cluster) return tl::unexpected(cluster.error());
  if (auto filled = Fill(**cluster, connection); !filled) return tl::unexpected(filled.error());
  if ((*context)->user.empty()) return connection;
  const auto user = Named(config.users, (*context)->user, (*context)->where + ".context.user");
  if (!user) return tl::unexpected(user.error());
  User known = **user;
  if (!connection.server.starts_with("https://")) LeaveOutCredentials(known, connection);
  if (auto filled = Fill(known, connection); !filled) return tl::unexpected(filled.error());
  return connection;
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

Result<Connection> ReadKubeconfig(const std::vector<std::string>& paths,
                                  const std::string& context) {
  Config config;
  std::string files;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (path.empty() || (paths.size() > 1 && !fs::exists(path, ignored))) continue;
    const Result<std::string> text = ReadFile(path);
    if (!text) return tl::unexpected(text.error());
    ConfigReader reader(path, config);
    objects::ReadYaml(*text, 1, objects::Keep::kAll, reader);
    if (!reader.manifest.faults.empty()) return Fail(reader.manifest.faults[0].ToString());
    files += (files.empty() ? "" : ":") + path;
  }
  if (files.empty()) return Fail(fmt::format("{}: found no file", fmt::join(paths, ":")));
  return Follow(config, context, files);
}

Result<Connection> InClusterConnection(const std::string& host, const std::string& port,
                                       const std::string& directory) {
  if (host.empty() || port.empty()) {
    return Fail(
        "found no KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, expected them "
        "inside a pod");
  }
  Connection connection;
  const bool v6 = host.find(':') != std::string::npos;
  connection.server = fmt::format("https://{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port);
  connection.token_file = directory + "/token";
  connection.source = "the ServiceAccount in " + directory;
  Result<std::string> authority = ReadFile(directory + "/ca.crt");
  if (!authority) return tl::unexpected(authority.error());
  connection.authority = std::move(*authority);
  const Result<std::string> token = ReadFile(connection.token_file);
  if (!token) return tl::unexpected(token.error());
  connection.name_space = ReadFile(directory + "/namespace").value_or("");
  return connection;
}

Result<Connection> FindConnection(const ConnectionOptions& options) {
  if (!options.kubeconfig.empty()) return ReadKubeconfig({options.kubeconfig}, options.context);
  const std::string list = Environment("KUBECONFIG");
  if (!list.empty()) {
    std::vector<std::string> paths;
    std::stringstream parts(list);
    for (std::string path; std::getline(parts, path, ':');) paths.push_back(path);
    return ReadKubeconfig(paths, options.context);
  }
  const std::string home = Environment("HOME") + "/.kube/config";
  std::error_code ignored;
  if (fs::exists(home, ignored)) return ReadKubeconfig({home}, options.context);
  const std::string host = Environment("KUBERNETES_SERVICE_HOST");
  if (host.empty()) {
    return Fail(
        fmt::format("found no cluster to speak to: neither --kubeconfig nor KUBECONFIG nor "
                    "{} is there, and this is no pod",
                    home));
  }
  return InClusterConnection(host, Environment("KUBERNETES_SERVICE_PORT"), kServiceAccount);
}

}  // namespace fairlead::kube
