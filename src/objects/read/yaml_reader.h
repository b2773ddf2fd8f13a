#pragma once

#include <cstdint>
#include <string_view>

#include "objects/read/document_sink.h"
#include "objects/read/prune.h"

namespace fairlead::objects {

// Reads the YAML documents of `text`, whose first line is `first_line` of the input. Bounded by
// kMaxDepth and kMaxAliasedValues. A fault of syntax ends it.
void ReadYaml(std::string_view text, std::uint32_t first_line, Keep keep, DocumentSink& sink);

}  // namespace fairlead::objects
