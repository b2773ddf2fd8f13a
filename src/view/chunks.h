#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace fairlead::view {

inline constexpr std::size_t kChunkRows = 256;

// Pointers, so that a copy of a chunk counts one reference a row, whatever the row holds; null: not
// in use.
template <typename Row>
using Chunk = std::array<std::shared_ptr<const Row>, kChunkRows>;

template <typename Row>
const Row& RowIn(const Chunk<Row>& chunk, std::size_t i) {
  static const Row kUnused;
  const Row* row = chunk[i % kChunkRows].get();
  return row == nullptr ? kUnused : *row;
}

// The rows of a table as they were at one moment. Never changes; a copy costs a pointer. A row that
// is not in use is `Row()`. Thread safety: any number of threads may read it.
template <typename Row>
class Rows {
 public:
  using Spine = std::vector<std::shared_ptr<const Chunk<Row>>>;

  Rows() : spine_(std::make_shared<const Spine>()) {}
  explicit Rows(std::shared_ptr<const Spine> spine) : spine_(std::move(spine)) {}

  std::size_t size() const { return spine_->size() * kChunkRows; }  // rows, used or not
  const Row& operator[](std::size_t i) const { return RowIn<Row>(*(*spine_)[i / kChunkRows], i); }
  template <typename Look>
  void ForEachUsed(Look look) const {
    for (const auto& chunk : *spine_) {
      for (const auto& row : *chunk) {
        if (row != nullptr) look(*row);
      }
    }
  }

 private:
  std::shared_ptr<const Spine> spine_;
};

// The same rows, where they are kept. What is published shares its chunks with it; a chunk is
// copied when it is first changed after that, so that publishing costs what has changed.
// Thread safety: none; one thread owns it.
template <typename Row>
class RowTable {
 public:
  std::size_t size() const { return chunks_.size() * kChunkRows; }
  const Row& operator[](std::size_t i) const { return RowIn<Row>(*chunks_[i / kChunkRows], i); }

  // Makes it as long as to hold the row `i`.
  void Reach(std::size_t i) {
    while (i >= size()) {
      chunks_.push_back(std::make_shared<Chunk<Row>>());
      own_.push_back(true);
      changed_ = true;
    }
  }

  // REQUIRES: i < size().
  void Set(std::size_t i, Row row) {
    const std::size_t c = i / kChunkRows;
    if (!own_[c]) {
      chunks_[c] = std::make_shared<Chunk<Row>>(*chunks_[c]);
      own_[c] = true;
    }
    changed_ = true;
    (*chunks_[c])[i % kChunkRows] =
        row.in_use() ? std::make_shared<const Row>(std::move(row)) : nullptr;
  }

  bool changed() const { return changed_; }  // since the last Publish

  Rows<Row> Publish() {
    if (changed_) {
      published_ = Rows<Row>(
          std::make_shared<const typename Rows<Row>::Spine>(chunks_.begin(), chunks_.end()));
      own_.assign(chunks_.size(), false);
      changed_ = false;
    }
    return published_;
  }

 private:
  std::vector<std::shared_ptr<Chunk<Row>>> chunks_;
  std::vector<bool> own_;  // by chunk: nobody else has it
  bool changed_ = false;
  Rows<Row> published_;
};

}  // namespace fairlead::view
