#include "cli/remote.h"

#include <cstdlib>
#include <deque>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/did_you_mean.h"
#include "cli/in_cluster.h"
#include "intake/intake.h"
#include "objects/read/input.h"
#include "objects/read/reader.h"
#include "server/client.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kDefaultServer = "http://127.0.0.1:8484";
constexpr std::string_view kFirstThatIsThere = "kubeconfig, else http://127.0.0.1:8484";

std::string EnvironmentText(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string() : std::string(text);
}

std::string UrlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    escaped += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return escaped;
}

}  // namespace

Option ServerOption(std::string& into) {
  return {.flags = "--server",
          .value = "URL",
          .help = "where to ask; else $FAIRLEAD_SERVER, kubeconfig, 127.0.0.1:8484",
          .into = &into};
}

std::string ServerUrl(const std::string& flag) {
  const std::string environment = EnvironmentText("FAIRLEAD_SERVER");
  static const bool kByKubeconfig = HasKubeconfig();
  const std::string url = !flag.empty()          ? flag
                          : !environment.empty() ? environment
                          : kByKubeconfig        ? std::string(kFirstThatIsThere)
                                                 : std::string(kDefaultServer);
  if (url == kFirstThatIsThere || ClusterServiceOf(url)) return url;
  // "localhost:8484" is what people write.
  const bool bare = url.find("://") == std::string::npos && url.find(':') != std::string::npos;
  return bare ? "http://" + url : url;
}

namespace {

Result<server::Response> SendTo(const std::string& server, const std::string& method,
                                const std::string& path_and_query, const std::string& body) {
  const std::string token = EnvironmentText("FAIRLEAD_TOKEN");
  if (const auto service = ClusterServiceOf(server)) {
    return SendThroughCluster(*service, method, path_and_query, body, token);
  }
  return server::Send(server, method, path_and_query, body,
                      {.token = token, .ca_file = EnvironmentText("FAIRLEAD_CA_FILE")});
}

// Where the cluster has none that answers, it is the one of this machine for good.
Result<server::Response> SendToFirst(const std::string& method, const std::string& path_and_query,
                                     const std::string& body) {
  static bool is_here = false;
  std::string why;
  if (!is_here) {
    auto response =
        SendThroughCluster({}, method, path_and_query, body, EnvironmentText("FAIRLEAD_TOKEN"));
    if (response) return response;
    why = response.error().message;
  }
  auto here = SendTo(std::string(kDefaultServer), method, path_and_query, body);
  is_here = is_here || here.has_value();
  if (here || why.empty()) return here;
  return Fail(fmt::format("{}; {}", why, here.error().message));
}

}  // namespace

Remote<json::value> Call(const std::string& server, const std::string& method,
                         const std::string& path_and_query, const std::string& body) {
  const Result<server::Response> response = server == kFirstThatIsThere
                                                ? SendToFirst(method, path_and_query, body)
                                                : SendTo(server, method, path_and_query, body);
  if (!response) return tl::unexpected(RemoteError{.message = response.error().message});
  boost::system::error_code error;
  json::value value = json::parse(response->body, error);
  if (error) {
    return tl::unexpected(RemoteError{
        .message = fmt::format("{} answered with status {} and no JSON: is it a Fairlead?", server,
                               response->status)});
  }
  if (response->status == 200) return value;
  RemoteError refusal{.message = std::string(show::TextAt(value, "message")),
                      .faults = {},
                      .status = response->status};
  for (const json::value& fault : show::ItemsAt(value, "faults")) {
    if (const json::string* line = fault.if_string()) refusal.faults.emplace_back(*line);
  }
  if (refusal.message.empty()) {
    refusal.message = fmt::format("{} answered with status {}", server, response->status);
  }
  return tl::unexpected(std::move(refusal));
}

namespace {

Result<json::object> FilesOf(const std::vector<std::string>& paths) {
  json::array files;
  for (const std::string& path : paths) {
    const auto inputs = objects::ListInputs(path);
    if (!inputs) return tl::unexpected(inputs.error());
    const bool of_directory = inputs->size() > 1 || inputs->front() != path;
    for (const std::string& file : *inputs) {
      const auto text = objects::LoadText(file);
      if (!text) return tl::unexpected(text.error());
      const std::string why =
          of_directory ? objects::WhyNoManifest(*text, file, intake::AllDecoders()) : "";
      if (!why.empty()) {
        show::Complain(fmt::format("warning: {} is passed over: {}", file, why));
        continue;
      }
      files.push_back(json::object{{"name", file}, {"text", text->view()}});
    }
  }
  return json::object{{"files", std::move(files)}};
}

}  // namespace

Remote<json::value> Upload(const std::string& server, const std::string& to,
                           const std::vector<std::string>& paths) {
  const Result<json::object> files = FilesOf(paths);
  if (files) return Call(server, "POST", to, json::serialize(*files));
  const Error& error = files.error();
  const std::string place = error.where.empty() ? "" : error.where + ": ";
  return tl::unexpected(RemoteError{.message = error.message, .faults = {place + error.message}});
}

int Complain(const RemoteError& error) {
  for (const std::string& fault : error.faults) show::ComplainAsIs(fault);
  if (error.faults.empty()) show::Complain(error.message);
  return show::kBadInput;
}

namespace {

// By the names that a server's configuration gave it; null: it has none, or does not answer.
const server::Kind* FindServed(const std::string& name, const std::string& server) {
  static std::deque<std::string> texts;
  static std::deque<server::Kind> served;
  const auto answer = Call(server, "GET", "/api/v1/kinds");
  if (!answer) return nullptr;
  const auto keep = [](std::string_view text) -> std::string_view {
    return texts.emplace_back(text);
  };
  const std::string wanted = LowerCase(name);
  for (const json::value& row : show::ItemsAt(*answer, "kinds")) {
    const std::string_view kind = show::TextAt(row, "kind"), plural = show::TextAt(row, "plural");
    if (wanted != plural && wanted != LowerCase(kind)) continue;
    return &served.emplace_back(server::Kind{.kind = keep(kind),
                                             .plural = keep(plural),
                                             .short_name = {},
                                             .api_version = keep(show::TextAt(row, "apiVersion")),
                                             .namespaced = true});
  }
  return nullptr;
}

}  // namespace

Result<const server::Kind*> KindNamed(const std::string& name, const std::string& server) {
  const server::Kind* kind = server::FindKind(name);
  if (kind == nullptr) kind = FindServed(name, server);
  if (kind != nullptr) return kind;
  std::vector<std::string> plurals;
  for (const server::Kind& known : server::AllKinds()) plurals.emplace_back(known.plural);
  std::string hint = DidYouMean(name, server::KindNames());
  if (hint.empty()) hint = fmt::format(", expected one of: {}", fmt::join(plurals, ", "));
  return Fail(fmt::format("there is no kind {}{}", name, hint));
}

std::string ApiPath(std::string_view collection, std::string_view name_space,
                    std::string_view name) {
  std::string path = fmt::format("/api/v1/{}", collection);
  for (const std::string_view part : {name_space, name}) {
    if (!part.empty()) path += "/" + UrlEscaped(part);
  }
  return path;
}

std::string WithQuery(std::string path, const std::map<std::string, std::string>& parameters) {
  char before = '?';
  for (const auto& [key, value] : parameters) {
    path += fmt::format("{}{}={}", std::exchange(before, '&'), key, UrlEscaped(value));
  }
  return path;
}

std::string ObjectLabel(std::string_view kind, std::string_view key) {
  std::string label(kind);
  for (char& c : label) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return fmt::format("{}/{}", label, key);
}

}  // namespace fairlead::cli
