#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

// What is large and rare lies behind a pointer that is nearly always null, so that what holds it
// stays small: it is copied and compared as a value.

namespace fairlead {

// A T that nearly every holder leaves as T() is. It reads as a T always.
template <typename T>
class Rare {
 public:
  Rare() = default;
  Rare(const Rare& other) { *this = other; }
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  const T& operator*() const { return value_ ? *value_ : kNone; }
  const T* operator->() const { return &**this; }
  // To change it. Costs an allocation the first time.
  T& Edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

  friend bool operator==(const Rare& a, const Rare& b) {
    return (!a.value_ && !b.value_) || *a == *b;
  }

 private:
  static const T kNone;
  std::unique_ptr<T> value_;
};

template <typename T>
#ifndef __clang__  // it does not take libstdc++ 12's empty string for a constant
constinit
#endif
    const T Rare<T>::kNone{};

// An optional T that is nearly always absent.
template <typename T>
class RareOptional {
 public:
  RareOptional() = default;
  // As std::optional<T> these are implicit.
  RareOptional(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT
  RareOptional(std::optional<T> value) {                                    // NOLINT
    if (value) value_ = std::make_unique<T>(*std::move(value));
  }
  RareOptional(const RareOptional& other) { *this = other; }
  RareOptional(RareOptional&&) noexcept = default;
  RareOptional& operator=(const RareOptional& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  RareOptional& operator=(RareOptional&&) noexcept = default;
  RareOptional& operator=(T value) {
    value_ = std::make_unique<T>(std::move(value));
    return *this;
  }
  ~RareOptional() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *value_; }  // REQUIRES: has_value(), as the next
  const T* operator->() const { return value_.get(); }
  const T* get() const { return value_.get(); }  // null: absent
  std::optional<T> Copy() const { return value_ ? std::optional<T>(*value_) : std::nullopt; }
  void reset() { value_.reset(); }

  friend bool operator==(const RareOptional& a, const RareOptional& b) {
    return a.value_ && b.value_ ? *a == *b : a.has_value() == b.has_value();
  }

 private:
  std::unique_ptr<T> value_;
};

// An optional T that many holders have alike: those that were copied share it until one of them is
// changed, which then has its own. Thread safety: as of a std::shared_ptr.
template <typename T>
class SharedOptional {
 public:
  SharedOptional() = default;
  SharedOptional(T value) : value_(std::make_shared<T>(std::move(value))) {}  // NOLINT

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *value_; }  // REQUIRES: has_value(), as the next
  const T* operator->() const { return value_.get(); }
  T* operator->() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return value_.get();
  }
  T& emplace() { return *(value_ = std::make_shared<T>()); }
  void reset() { value_.reset(); }

  friend bool operator==(const SharedOptional& a, const SharedOptional& b) {
    if (a.value_ == b.value_) return true;
    return a.value_ && b.value_ && *a.value_ == *b.value_;
  }

 private:
  std::shared_ptr<T> value_;
};

// A list that many holders have alike, and copy by pointer: it reads as the list, and whoever edits
// it has his own. Thread safety: as of a SharedOptional.
template <typename List>
class SharedList {
 public:
  SharedList() = default;
  // As lists these are implicit.
  SharedList(List list) {  // NOLINT
    if (!list.empty()) list_ = std::move(list);
  }
  SharedList(std::initializer_list<typename List::value_type> list) : SharedList(List(list)) {}

  operator const List&() const { return list_ ? *list_ : kNone; }  // NOLINT
  const List& operator*() const { return *this; }
  List& Edit() {
    if (!list_) list_.emplace();
    return *list_.operator->();
  }

  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.list_ == b.list_ || *a == *b;  // none, and none any more
  }

 private:
  static inline const List kNone;
  SharedOptional<List> list_;
};

}  // namespace fairlead
