#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "objects/read/padded_text.h"

namespace fairlead::objects {

// More than this is not read, inflated or not.
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;

// The files that `path` stands for, in the order to read them: itself, or below a directory every
// *.yaml, *.yml and *.json (.gz and .zst too) by name. Names that begin with a dot are left out, as
// Kubernetes puts the same files of a mounted ConfigMap there a second time.
Result<std::vector<std::string>> ListInputs(const std::string& path);

// The text of a file, or of standard input for "-". What is compressed by gzip or zstd, as its
// first bytes say, is inflated.
Result<PaddedText> LoadText(const std::string& path);

}  // namespace fairlead::objects
