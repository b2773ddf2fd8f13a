#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace fairlead::view {

inline constexpr std::size_t kChunkRows = 256;

template <typename Row>
using Chunk = std::array<Row, kChunkRows>;

// The rows of a table as they were at one moment. Never changes; a copy costs a pointer. A row that
// is not in use is `Row()`. Thread safety: any number of threads may read it.
template <typename Row>
class Rows {
 public:
  using Spine = std::vector<std::shared_ptr<const Chunk<Row>>>;

  Rows() : spine_(std::make_shared<const Spine>()) {}
  explicit Rows(std::shared_ptr<const Spine> spine) : spine_(std::move(spine)) {}

  std::size_t size() const { return spine_->size() * kChunkRows; }  // rows, used or not
  const Row& operator[](std::size_t i) const {
    return (*(*spine_)[i / kChunkRows])[i % kChunkRows];
  }
  template <typename Look>
  void ForEachUsed(Look look) const {
    for (const auto& chunk : *spine_) {
      for (const Row& row : *chunk) {
        if (row.in_use()) look(row);
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
  const Row& operator[](std::size_t i) const { return (*chunks_[i / kChunkRows])[i % kChunkRows]; }

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
    (*chunks_[c])[i % kChunkRows] = std::move(row);
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
