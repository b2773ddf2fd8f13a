#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "objects/read/document_sink.h"
#include "objects/read/padded_text.h"
#include "objects/read/prune.h"

namespace fairlead::objects {

// Reads the JSON documents that stand one behind the other in `text` from `offset` on, up to the
// end or to what is not JSON, and returns where it stopped. After a fault that is npos.
//
// Strings without escapes are views of the text; lines are counted when somebody asks. What is not
// kept is stepped over, so its values are checked by brackets and quotes only.
std::size_t ReadJson(const PaddedText& text, std::size_t offset, Keep keep, DocumentSink& sink);

// Reads one JSON document after another, each in the memory of the one before: for what comes
// singly, from a watch or as an item of a list. Values and views are good inside the sink's calls.
class JsonReader {
 public:
  JsonReader();
  ~JsonReader();

  // Reads the one document in `text`. `kind`: of the object, where it does not say so itself.
  // False: it is none, or there is more; the sink was told so.
  bool Read(const PaddedText& text, std::string_view kind, Keep keep, DocumentSink& sink);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace fairlead::objects
