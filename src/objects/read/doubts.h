#pragma once

#include <string_view>

#include "objects/read/document.h"
#include "objects/read/reader.h"

namespace fairlead::objects {

// Adds to `into.doubts` what of a document can be read and was hardly meant so: labels and
// annotations under fairlead.dev/ that are none of ours, and fields of a Kubernetes object which
// are named nearly as one that there is (`shedulerName`, `request`). Names that are like none are
// left alone: Kubernetes gets new ones every year. Cost: a look-up for each field of its pods'
// specs.
void FindDoubts(const Value& document, std::string_view kind, std::string_view file,
                Manifest& into);

}  // namespace fairlead::objects
