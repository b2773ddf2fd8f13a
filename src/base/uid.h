#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace fairlead {

// An object's uid, kept once for each of a million objects: in sixteen bytes where it is written as
// Kubernetes writes them ("2f9d6a1e-0b1c-4c3e-9f1a-6c8a7d3b5e21"), else as any text.
// Thread safety: as of a std::string.
class Uid {
 public:
  Uid() = default;
  explicit Uid(std::string_view text);
  Uid(const Uid& other) : high_(other.high_), low_(other.low_) {
    if (has_text()) SetText(*text_);
  }
  Uid(Uid&& other) noexcept
      : high_(std::exchange(other.high_, 0)), low_(std::exchange(other.low_, 0)) {}
  Uid& operator=(Uid other) noexcept {
    std::swap(high_, other.high_);
    std::swap(low_, other.low_);
    return *this;
  }
  ~Uid() {
    if (has_text()) delete text_;
  }

  bool empty() const { return high_ == 0 && low_ == 0; }
  std::string ToString() const;
  std::size_t Hash() const;

  friend bool operator==(const Uid& a, const Uid& b) {
    if (a.has_text() && b.has_text()) return *a.text_ == *b.text_;
    return a.high_ == b.high_ && a.low_ == b.low_;
  }
  friend bool operator==(const Uid& a, std::string_view b) { return a == Uid(b); }

 private:
  static constexpr std::uint64_t kText = ~std::uint64_t{0};
  bool has_text() const { return low_ == kText; }
  void SetText(std::string_view text) {
    text_ = new std::string(text);
    low_ = kText;
  }

  union {                      // NOLINTBEGIN(readability-identifier-naming): its members are ours
    std::uint64_t high_ = 0;   // the first sixteen digits
    const std::string* text_;  // owned, where low_ is kText
  };  // NOLINTEND(readability-identifier-naming)
  std::uint64_t low_ = 0;
};
static_assert(sizeof(Uid) == 16);

}  // namespace fairlead
