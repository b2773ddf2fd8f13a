#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace fairlead {

// An optional value that is nearly always absent: one pointer then, where std::optional takes the
// room of the value. A value all the same: copies are deep, and it compares by what it holds.
// Thread safety: as the value. Cost: an allocation a value.
template <typename T>
class Rare {
 public:
  Rare() = default;
  Rare(std::nullopt_t) {}                                           // NOLINT: as optional
  Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT
  Rare(std::optional<T> value) {                                    // NOLINT
    if (value) value_ = std::make_unique<T>(*std::move(value));
  }
  Rare(const Rare& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Rare(Rare&& other) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) *this = Rare(other);
    return *this;
  }
  Rare& operator=(Rare&& other) noexcept = default;
  ~Rare() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *value_; }  // REQUIRES: has_value()
  T& operator*() { return *value_; }
  const T* operator->() const { return value_.get(); }
  T* operator->() { return value_.get(); }

  friend bool operator==(const Rare& a, const Rare& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b);
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace fairlead
