#pragma once

#include <initializer_list>
#include <memory>
#include <utility>

#include "objects/meta.h"

namespace fairlead::objects {

// Labels that are copied by pointer: of a node, which several keep. They read as Labels; whoever
// edits them has his own. Thread safety: as of a std::shared_ptr.
class SharedLabels {
 public:
  SharedLabels() = default;
  // As Labels these are implicit.
  SharedLabels(Labels labels)  // NOLINT
      : labels_(labels.empty() ? nullptr : std::make_shared<Labels>(std::move(labels))) {}
  SharedLabels(std::initializer_list<Labels::value_type> labels) : SharedLabels(Labels(labels)) {}

  operator const Labels&() const { return labels_ ? *labels_ : kNone; }  // NOLINT
  const Labels& operator*() const { return *this; }
  Labels& Edit() {
    if (labels_ == nullptr) {
      labels_ = std::make_shared<Labels>();
    } else if (labels_.use_count() > 1) {
      labels_ = std::make_shared<Labels>(*labels_);
    }
    return *labels_;
  }

  friend bool operator==(const SharedLabels& a, const SharedLabels& b) {
    return a.labels_ == b.labels_ || *a == *b;
  }

 private:
  static inline const Labels kNone;
  std::shared_ptr<Labels> labels_;
};

}  // namespace fairlead::objects
