#pragma once

#include <initializer_list>
#include <utility>

#include "base/rare.h"
#include "objects/meta.h"

namespace fairlead::objects {

// Labels that are copied by pointer: of a node, which several keep. They read as Labels; whoever
// edits them has his own. Thread safety: as of a SharedOptional.
class SharedLabels {
 public:
  SharedLabels() = default;
  // As Labels these are implicit.
  SharedLabels(Labels labels) {  // NOLINT
    if (!labels.empty()) labels_ = std::move(labels);
  }
  SharedLabels(std::initializer_list<Labels::value_type> labels) : SharedLabels(Labels(labels)) {}

  operator const Labels&() const { return labels_ ? *labels_ : kNone; }  // NOLINT
  const Labels& operator*() const { return *this; }
  Labels& Edit() {
    if (!labels_) labels_.emplace();
    return *labels_.operator->();
  }

  friend bool operator==(const SharedLabels& a, const SharedLabels& b) {
    return a.labels_ == b.labels_ || *a == *b;  // none, and none any more
  }

 private:
  static inline const Labels kNone;
  SharedOptional<Labels> labels_;
};

}  // namespace fairlead::objects
