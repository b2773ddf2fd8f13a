#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "host/serving.h"

namespace fairlead::cli {

// Who may see the page and its answers: what `up` and `run` are given.
struct AccessOptions {
  std::string token_file;
  std::string tls_cert, tls_key;
  std::string user_header;
  std::vector<std::string> page_hosts;
};

// --token-file, --tls-cert, --tls-key, --user-header, --page-host.
void AddAccessOptions(AccessOptions& options, std::vector<Option>& into);

// `on_problem` is told, on any thread, of files that changed and are faulty. Error: a flag without
// the one that it needs, a file that cannot be read or holds something else.
Result<host::PageAccess> PageAccessOf(const AccessOptions& options,
                                      const std::function<void(const std::string&)>& on_problem);

}  // namespace fairlead::cli
