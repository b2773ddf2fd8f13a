#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead {

// A running 64-bit digest (FNV-1a) to compare two runs. Not for security.
class Digest {
 public:
  void Add(std::string_view bytes);  // length-prefixed, so that "ab","c" differs from "a","bc"
  void Add(std::int64_t number);
  std::string Hex() const;  // 16 lower-case digits
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

}  // namespace fairlead
