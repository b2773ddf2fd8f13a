#pragma once

#include <string>

#include "base/result.h"

namespace fairlead::kube {

// All of a small file: a kubeconfig, a token, a certificate; at most 16 MiB. Errors name it.
Result<std::string> ReadFile(const std::string& path);

}  // namespace fairlead::kube
