#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fairlead {

// Small numbers, each once: a bit for each up to the largest, and one for each 64 of them that has
// any. Cost: of adding and dropping one, nothing; of going through, the members, and a 4,096th of
// the largest number.
class NumberSet {
 public:
  void Add(std::uint32_t number) {
    const std::size_t word = number / kBits;
    if (word >= words_.size()) {
      words_.resize(word + 1);
      any_.resize(word / kBits + 1);
    }
    words_[word] |= BitOf(number);
    any_[word / kBits] |= BitOf(word);
  }
  void Drop(std::uint32_t number) {
    const std::size_t word = number / kBits;
    if (word >= words_.size()) return;
    words_[word] &= ~BitOf(number);
    if (words_[word] == 0) any_[word / kBits] &= ~BitOf(word);
  }
  // Calls visit(number) for each, from the smallest, until it returns true. Whether it did.
  // REQUIRES: meanwhile none is added or dropped.
  template <typename Visit>
  bool Any(Visit visit) const {
    return AnyBit(any_, 0, any_.size(), [&](std::size_t word) {
      return AnyBit(words_, word, word + 1,
                    [&](std::size_t number) { return visit(static_cast<std::uint32_t>(number)); });
    });
  }

 private:
  static constexpr std::size_t kBits = 64;
  static std::uint64_t BitOf(std::size_t number) { return std::uint64_t{1} << (number % kBits); }
  template <typename Visit>
  static bool AnyBit(const std::vector<std::uint64_t>& words, std::size_t from, std::size_t to,
                     Visit visit) {
    for (std::size_t i = from; i < to; ++i) {
      for (std::uint64_t left = words[i]; left != 0; left &= left - 1) {
        if (visit(i * kBits + static_cast<std::size_t>(std::countr_zero(left)))) return true;
      }
    }
    return false;
  }

  std::vector<std::uint64_t> words_;  // by a 64th of the number
  std::vector<std::uint64_t> any_;    // by a 64th of that: whether the word is not 0
};

}  // namespace fairlead
