#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/check.h"
#include "base/name_map.h"

namespace fairlead::intake {

// Rows found by name, each with a dense id that other rows may hold.
//
// - A row stays where it is until it is erased: references and ids are stable.
// - The id of an erased row is given out again; whoever holds ids erases them first.
// - ForEach goes by id, which is the order of arrival: nothing that is decided may depend on it.
//
// Row must be default-constructible and have a std::string or Text `name`, not empty in use.
// Cost: a lookup is one hash of the name; beside the rows ≈ 10 bytes each.
template <typename Row, typename RowId>
class Table {
 public:
  Table() : index_(0, Hash{this}, Equal{this}) {}
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  Row& operator[](RowId id) { return chunks_[id.value() / kChunk][id.value() % kChunk]; }
  const Row& operator[](RowId id) const {
    return chunks_[id.value() / kChunk][id.value() % kChunk];
  }

  // Invalid when there is none.
  RowId Find(std::string_view name) const {
    auto found = index_.find(name);
    return found == index_.end() ? RowId() : *found;
  }

  // The row of that name, made when there is none. Name: as the row's, which then is a copy of it,
  // or any other text. REQUIRES: `name` is not empty.
  template <typename Name>
  RowId Add(const Name& name) {
    DCHECK(!std::string_view(name).empty());
    if (RowId found = Find(name); found.valid()) return found;
    RowId id;
    if (free_.empty()) {
      id = RowId(used_++);
      if (id.value() / kChunk == chunks_.size()) {
        chunks_.push_back(std::make_unique<Row[]>(kChunk));
      }
    } else {
      id = free_.back();
      free_.pop_back();
    }
    (*this)[id].name = name;
    index_.insert(id);
    return id;
  }

  // REQUIRES: `id` is in use.
  void Erase(RowId id) {
    index_.erase(id);
    (*this)[id] = Row();
    free_.push_back(id);
  }

  bool InUse(RowId id) const { return id.value() < used_ && !(*this)[id].name.empty(); }
  std::size_t size() const { return index_.size(); }

  template <typename Visit>  // visit(RowId, Row&)
  void ForEach(Visit visit) {
    for (std::uint32_t i = 0; i < used_; ++i) {
      if (InUse(RowId(i))) visit(RowId(i), (*this)[RowId(i)]);
    }
  }
  template <typename Visit>  // visit(RowId, const Row&)
  void ForEach(Visit visit) const {
    for (std::uint32_t i = 0; i < used_; ++i) {
      if (InUse(RowId(i))) visit(RowId(i), (*this)[RowId(i)]);
    }
  }

 private:
  static constexpr std::uint32_t kChunk = 256;

  struct Hash {
    using is_transparent = void;
    const Table* table;
    std::size_t operator()(std::string_view name) const { return NameHash()(name); }
    std::size_t operator()(RowId id) const { return (*this)(std::string_view((*table)[id].name)); }
  };
  struct Equal {
    using is_transparent = void;
    const Table* table;
    bool operator()(RowId a, RowId b) const { return a == b; }
    bool operator()(std::string_view a, RowId b) const { return a == (*table)[b].name; }
    bool operator()(RowId a, std::string_view b) const { return (*table)[a].name == b; }
  };

  std::vector<std::unique_ptr<Row[]>> chunks_;
  std::vector<RowId> free_;
  std::uint32_t used_ = 0;  // ids given out so far
  boost::unordered_flat_set<RowId, Hash, Equal> index_;
};

}  // namespace fairlead::intake
