#pragma once

#include <cstddef>
#include <memory>

#include "objects/document_sink.h"
#include "objects/padded_text.h"
#include "objects/prune.h"

namespace fairlead::objects {

// Reads the JSON documents that stand one behind the other in `text` from `offset` on, up to the
// end or to what is not JSON, and returns where it stopped. After a fault that is npos.
//
// Strings without escapes are views of the text; lines are counted when somebody asks. What is not
// kept is stepped over, so its values are checked by brackets and quotes only.
std::size_t ReadJson(const PaddedText& text, std::size_t offset, Keep keep, DocumentSink& sink);

}  // namespace fairlead::objects
