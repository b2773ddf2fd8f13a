#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/name_map.h"

namespace fairlead {

// Rows by name, in no order, for what there is a million of: a row and its name are one block of
// memory, which stays where it is until it is erased. Beside the row it costs the name's bytes and
// some 16 more.
// Thread safety: none. Cost: a hash of the name, and a look at one row.
template <typename Row>
class NamedRows {
 public:
  NamedRows() = default;
  NamedRows(NamedRows&&) noexcept = default;
  NamedRows& operator=(NamedRows&&) noexcept = default;

  // Null: there is none of that name.
  Row* Find(std::string_view name) {
    const auto found = blocks_.find(name);
    return found == blocks_.end() ? nullptr : &(*found)->row;
  }
  const Row* Find(std::string_view name) const {
    const auto found = blocks_.find(name);
    return found == blocks_.end() ? nullptr : &(*found)->row;
  }
  bool contains(std::string_view name) const { return blocks_.contains(name); }

  // The row of that name, and whether it is new: then it is Row().
  std::pair<Row*, bool> Add(std::string_view name) {
    if (Row* row = Find(name)) return {row, false};
    return {&(*blocks_.insert(Block::Make(name)).first)->row, true};
  }
  Row& operator[](std::string_view name) { return *Add(name).first; }

  // False: there was none.
  bool Erase(std::string_view name) { return blocks_.erase(name) > 0; }
  // Erases those of which `is_over(name, row)` says so.
  template <typename IsOver>
  void EraseIf(IsOver is_over) {
    boost::unordered::erase_if(
        blocks_, [&](const auto& block) { return is_over(block->name(), block->row); });
  }
  std::size_t size() const { return blocks_.size(); }

 private:
  struct Block {
    struct Free {
      void operator()(Block* block) const {
        block->~Block();
        ::operator delete(block);
      }
    };
    using Ptr = std::unique_ptr<Block, Free>;
    static Ptr Make(std::string_view name) {
      void* memory = ::operator new(std::max(sizeof(Block), kHead + name.size()));
      Ptr block(new (memory) Block());
      block->size = static_cast<std::uint32_t>(name.size());
      std::copy(name.begin(), name.end(), reinterpret_cast<char*>(block.get()) + kHead);
      return block;
    }
    std::string_view name() const { return {reinterpret_cast<const char*>(this) + kHead, size}; }
    // Where the name begins: at once behind its size, be there padding or not.
    static constexpr std::size_t kHead = (sizeof(Row) + 3) / 4 * 4 + sizeof(std::uint32_t);

    Row row;
    std::uint32_t size = 0;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return NameHash()(name); }
    std::size_t operator()(const typename Block::Ptr& block) const {
      return (*this)(block->name());
    }
  };
  struct Equal {
    using is_transparent = void;
    using Ptr = typename Block::Ptr;
    bool operator()(const Ptr& a, const Ptr& b) const { return a->name() == b->name(); }
    bool operator()(std::string_view a, const Ptr& b) const { return a == b->name(); }
    bool operator()(const Ptr& a, std::string_view b) const { return a->name() == b; }
  };

  boost::unordered_flat_set<typename Block::Ptr, Hash, Equal> blocks_;
};

}  // namespace fairlead
