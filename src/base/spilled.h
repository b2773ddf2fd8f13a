#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// What a long run notes of all that happened: rows that are added one after the other and seldom
// looked at before the end. They may come to more than memory should hold.

namespace fairlead {

// Pieces of memory. The first are the process's own; those after are pages of a file without a
// name, which the kernel writes out and takes back as it likes. It is in TMPDIR, else in /tmp, and
// gone with this, or the process. Where it cannot be made or grow, pieces are memory like the
// first.
class SpilledPieces {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 20;  // of a piece, at least

  SpilledPieces() = default;
  SpilledPieces(SpilledPieces&& other) noexcept
      : pieces_(std::exchange(other.pieces_, {})),
        in_memory_(std::exchange(other.in_memory_, 0)),
        file_size_(std::exchange(other.file_size_, 0)),
        file_(std::exchange(other.file_, kNotMade)) {}
  SpilledPieces& operator=(SpilledPieces&& other) noexcept {
    std::swap(pieces_, other.pieces_);
    std::swap(in_memory_, other.in_memory_);
    std::swap(file_size_, other.file_size_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~SpilledPieces();

  // One more, all zeros. Those before are not held by the process any longer than it looks at them.
  std::byte* Add(std::size_t bytes = kBytes);
  std::byte* operator[](std::size_t piece) const { return pieces_[piece].at; }
  std::size_t size() const { return pieces_.size(); }
  // It is not looked at any more for now.
  void Release(std::size_t piece) const;

 private:
  static constexpr std::size_t kMostInMemory = std::size_t{4} << 20;  // bytes
  static constexpr int kNotMade = -1, kNone = -2;
  struct Piece {
    std::byte* at = nullptr;
    std::size_t bytes = 0;
    bool in_file = false;
  };
  bool Grow(std::size_t bytes);

  std::vector<Piece> pieces_;
  std::size_t in_memory_ = 0, file_size_ = 0;  // bytes
  int file_ = kNotMade;
};

// Rows by number. Cost of a look: as of a vector, and a page from the file where it is not there.
template <typename Row>
class SpilledRows {
  static_assert(std::is_trivially_copyable_v<Row> && alignof(Row) <= 4096);
  static constexpr std::size_t kRows = SpilledPieces::kBytes / sizeof(Row);  // of a piece

 public:
  // In order. Pieces that it has passed are released.
  class Iterator {
   public:
    Iterator(const SpilledRows& rows, std::size_t at) : rows_(&rows), at_(at) {}
    const Row& operator*() const { return (*rows_)[at_]; }
    Iterator& operator++() {
      if (++at_ % kRows == 0) rows_->pieces_.Release(at_ / kRows - 1);
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const SpilledRows* rows_;
    std::size_t at_;
  };

  void push_back(const Row& row) {
    if (size_ % kRows == 0) pieces_.Add();
    ++size_;
    std::memcpy(static_cast<void*>(&(*this)[size_ - 1]), &row, sizeof(Row));
  }
  Row& operator[](std::size_t i) {
    return reinterpret_cast<Row*>(pieces_[i / kRows])[i % kRows];  // NOLINT: as memcpy made them
  }
  const Row& operator[](std::size_t i) const {
    return reinterpret_cast<const Row*>(pieces_[i / kRows])[i % kRows];  // NOLINT: likewise
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  SpilledPieces pieces_;
  std::size_t size_ = 0;
};

// Texts by number, from 0 on.
class SpilledTexts {
 public:
  std::uint32_t Add(std::string_view text);
  // Valid as long as this is there.
  std::string_view operator[](std::size_t i) const {
    const Place& place = places_[i];
    // NOLINTNEXTLINE: bytes are characters
    return {reinterpret_cast<const char*>(pieces_[place.piece]) + place.offset, place.size};
  }
  std::size_t size() const { return places_.size(); }
  // visit(text), in order; false: that was enough.
  template <typename Visit>
  void ForEach(Visit visit) const {
    std::uint32_t last = 0;
    for (const Place& place : places_) {
      if (place.piece != std::exchange(last, place.piece)) pieces_.Release(place.piece - 1);
      const std::byte* at = pieces_[place.piece] + place.offset;
      // NOLINTNEXTLINE: bytes are characters
      if (!visit(std::string_view(reinterpret_cast<const char*>(at), place.size))) return;
    }
  }

 private:
  struct Place {
    std::uint32_t piece = 0, offset = 0, size = 0;
  };
  SpilledPieces pieces_;
  SpilledRows<Place> places_;
  std::size_t used_ = 0, bytes_ = 0;  // of the last piece
};

}  // namespace fairlead
