#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/name_map.h"
#include "base/text.h"

namespace fairlead {

// Rows by name, in no order, for what there is a million of: a row stays where it is until it is
// erased, and shares its name with whoever gave it as a Text. Beside the row and the name it costs
// some 20 bytes.
// Thread safety: none. Cost: a hash of the name, and a look at one row.
template <typename Row>
class NamedRows {
 public:
  NamedRows() = default;
  NamedRows(NamedRows&&) noexcept = default;
  NamedRows& operator=(NamedRows&&) noexcept = default;

  // Null: there is none of that name.
  Row* Find(std::string_view name) {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &(*found)->row;
  }
  const Row* Find(std::string_view name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &(*found)->row;
  }
  bool contains(std::string_view name) const { return rows_.contains(name); }

  // A row and the name that it keeps.
  struct Named {
    Text name;
    Row row{};
  };
  // Those of that name, and whether they are new: then the row is Row(). Name: a Text, which is
  // shared, or any other text.
  template <typename Name>
  std::pair<Named*, bool> AddNamed(const Name& name) {
    const auto found = rows_.find(std::string_view(name));
    if (found != rows_.end()) return {found->get(), false};
    return {rows_.insert(std::make_unique<Named>(name)).first->get(), true};
  }
  template <typename Name>
  std::pair<Row*, bool> Add(const Name& name) {
    const auto [named, fresh] = AddNamed(name);
    return {&named->row, fresh};
  }
  template <typename Name>
  Row& operator[](const Name& name) {
    return *Add(name).first;
  }

  // False: there was none.
  bool Erase(std::string_view name) { return rows_.erase(name) > 0; }
  // Erases those of which `is_over(name, row)` says so.
  template <typename IsOver>
  void EraseIf(IsOver is_over) {
    boost::unordered::erase_if(
        rows_, [&](const auto& named) { return is_over(named->name.view(), named->row); });
  }
  std::size_t size() const { return rows_.size(); }

 private:
  using Ptr = std::unique_ptr<Named>;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return NameHash()(name); }
    std::size_t operator()(const Ptr& named) const { return (*this)(named->name); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Ptr& a, const Ptr& b) const { return a->name == b->name; }
    bool operator()(std::string_view a, const Ptr& b) const { return b->name == a; }
    bool operator()(const Ptr& a, std::string_view b) const { return a->name == b; }
  };

  boost::unordered_flat_set<Ptr, Hash, Equal> rows_;
};

}  // namespace fairlead
