#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "objects/read/padded_text.h"

// Takes bodies apart that come in pieces cut anywhere. Nothing is kept but the object that is not
// complete yet.

namespace fairlead::kube {

// The largest object and the largest rest of a list that is taken: etcd takes 1.5 MiB.
inline constexpr std::size_t kMaxObjectBytes = std::size_t{32} << 20;

// Says whether to go on. The text is good during the call.
using OnText = std::function<bool(const objects::PaddedText& text)>;

enum class Fed { kMore, kStopped, kTooLarge };

// The lines of a watch: each one event. A line without its end is none.
class LineSplitter {
 public:
  Fed Feed(std::string_view bytes, const OnText& on_line);
  void Reset() { line_.Clear(); }

 private:
  objects::PaddedText line_;
};

// The elements of a list's `items`, and the rest of the list. It finds brackets and strings only:
// what is between them is the decoder's business.
class ListSplitter {
 public:
  Fed Feed(std::string_view bytes, const OnText& on_item);
  void Reset();

  // The list's closing bracket has come.
  bool complete() const { return complete_; }
  // The list without its items: {"kind":"PodList","metadata":{…},"items":[]}.
  const std::string& rest() const { return rest_; }

 private:
  const char* SkipInside(const char* at, const char* end);
  void TakeStructure(char c);
  bool AddToRest(std::string_view part);

  objects::PaddedText item_;
  std::string rest_;
  std::string key_;  // the last string at depth 1
  int depth_ = 0;
  bool in_string_ = false, escaped_ = false, in_items_ = false, complete_ = false;
};

}  // namespace fairlead::kube
