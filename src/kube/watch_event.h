#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "objects/read/padded_text.h"

namespace fairlead::kube {

struct WatchEvent {
  enum class Type : std::uint8_t { kAdded, kModified, kDeleted, kBookmark, kError };
  Type type = Type::kError;
  std::string_view object;  // its JSON, as it stands in the line
};

// Whether the object of a bookmark says that all objects of a list that was asked for as events
// have come.
bool EndsInitialEvents(std::string_view bookmark);

// Takes a line of a watch apart: {"type":"ADDED","object":{…}}. The object is not looked into.
// Thread safety: none.
class WatchEventReader {
 public:
  WatchEventReader();
  ~WatchEventReader();

  // The event is good as long as `line`. Errors: no JSON, no object, a type that nobody knows.
  Result<WatchEvent> Read(const objects::PaddedText& line);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace fairlead::kube
