#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fairlead::state {

// What rounds decide of few rows and the cluster then shows of them: as a round decided it last,
// until the cluster shows that; then as it shows it.
template <typename T>
class Decided {
 public:
  // As the cluster shows it, and as a round decided; null: nothing. Each returns whether anything
  // is left to be kept of the row.
  bool Show(std::uint32_t row, const T* shown) {
    if (shown == nullptr && !rows_.contains(row)) return false;
    Kept& kept = rows_[row];
    kept.shown = shown != nullptr;
    const bool as_decided = shown == nullptr ? !kept.is : kept.is && *kept.is == *shown;
    if (as_decided) kept.to_be_shown = false;
    if (!kept.to_be_shown) kept.is = shown == nullptr ? std::nullopt : std::optional(*shown);
    return Keep(row);
  }
  bool Decide(std::uint32_t row, const T* decided) {
    if (decided == nullptr && !rows_.contains(row)) return false;
    Kept& kept = rows_[row];
    kept.is = decided == nullptr ? std::nullopt : std::optional(*decided);
    kept.to_be_shown = true;
    return Keep(row);
  }
  void Erase(std::uint32_t row) { rows_.erase(row); }

  const T* Of(std::uint32_t row) const {  // null: nothing
    const auto at = rows_.find(row);
    return at == rows_.end() || !at->second.is ? nullptr : &*at->second.is;
  }
  // Those that have something, by number.
  template <typename RowId>
  std::vector<RowId> All() const {
    std::vector<RowId> all;
    for (const auto& [row, kept] : rows_) {
      if (kept.is) all.emplace_back(row);
    }
    return all;
  }
  bool empty() const { return rows_.empty(); }

 private:
  struct Kept {
    std::optional<T> is;
    bool shown = false;        // the cluster shows one
    bool to_be_shown = false;  // it is as decided, and the cluster does not show that yet
  };
  bool Keep(std::uint32_t row) {
    const Kept& kept = rows_.at(row);
    if (kept.is || kept.shown) return true;
    rows_.erase(row);
    return false;
  }
  std::map<std::uint32_t, Kept> rows_;  // few
};

}  // namespace fairlead::state
