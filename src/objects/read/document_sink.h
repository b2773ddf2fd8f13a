#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "objects/read/document.h"

namespace fairlead::objects {

// Takes documents from a parser. The elements of a root's `items` are handed out one by one as they
// are complete, so that a list of any length needs the memory of one element; the root follows
// without them. A list's kind may stand before its items ("PodList" from the API) or behind them
// (kubectl sorts the keys).
class DocumentSink {
 public:
  virtual ~DocumentSink() = default;

  virtual void BeginDocument() = 0;
  // `list_kind` and `list_api_version`: the root's, where they came before; else empty. False: the
  // element must be kept until the document ends.
  virtual bool Item(const Value& item, std::string_view list_api_version,
                    std::string_view list_kind) = 0;
  virtual void EndDocument(const Value& root) = 0;
  // The text cannot be read on. At most once, and the last call.
  virtual void SyntaxFault(std::uint32_t line, std::string message) = 0;
};

// The kind of what a list of `kind` holds: "Pod" of "PodList"; empty where it does not say.
inline std::string_view ItemKind(std::string_view kind) {
  return kind.ends_with("List") ? kind.substr(0, kind.size() - 4) : std::string_view();
}

// Bounds on what a parser takes, beyond which it reports a fault.
inline constexpr int kMaxDepth = 128;
inline constexpr std::uint64_t kMaxAliasedValues = 10'000'000;

}  // namespace fairlead::objects
