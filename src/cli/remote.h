#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/result.h"
#include "cli/command.h"
#include "server/kinds.h"

// What the commands share that speak to a Fairlead that runs, `up` or `run`.

namespace fairlead::cli {

// --server; --help shows where it comes from.
Option ServerOption(std::string& into);

// `flag`, else FAIRLEAD_SERVER, else, where there is a kubeconfig, the service of its context
// (cli/in_cluster.h) and what listens on this machine where that has none; else that.
std::string ServerUrl(const std::string& flag);

// A request that was not served: what to say, and the faults of the input, one a line.
struct RemoteError {
  std::string message;
  std::vector<std::string> faults;
  int status = 0;  // HTTP's; 0: there was no answer
};
inline constexpr int kNotThere = 404, kNotServed = 501;
template <typename T>
using Remote = tl::expected<T, RemoteError>;

// Sends and reads the JSON of the response; a refusal becomes its message.
Remote<boost::json::value> Call(const std::string& server, const std::string& method,
                                const std::string& path_and_query, const std::string& body = "");

// Posts the texts of these files, as they are, since the server reads them, and its messages name
// the files. What of a directory is no manifest is left out, and said.
Remote<boost::json::value> Upload(const std::string& server, const std::string& to,
                                  const std::vector<std::string>& paths);

// The faults as they are, or the message; on stderr. Returns the exit code for it.
int Complain(const RemoteError& error);

// A kind by any of its names, of those of `server` where it is none of ours; says which there are.
Result<const server::Kind*> KindNamed(const std::string& name, const std::string& server);

// "/api/v1/pods/vision/w-0"; empty parts are left out. Escapes what a path cannot hold.
std::string ApiPath(std::string_view collection, std::string_view name_space,
                    std::string_view name);

// "/api/v1/view/domains?by=rack": escapes the values.
std::string WithQuery(std::string path, const std::map<std::string, std::string>& parameters);

// "pod/vision/w-0", "queue/vision": how kubectl names an object in what it prints.
std::string ObjectLabel(std::string_view kind, std::string_view key);

}  // namespace fairlead::cli
