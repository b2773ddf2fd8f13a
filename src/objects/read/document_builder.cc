#include "objects/read/document_builder.h"

#include <algorithm>

namespace fairlead::objects {
namespace {

// One of 64 bits by a key's length and ends: keys that differ in it differ.
std::uint64_t Fingerprint(std::string_view key) {
  if (key.empty()) return 1;
  const std::size_t front = static_cast<unsigned char>(key.front());
  const std::size_t back = static_cast<unsigned char>(key.back());
  return std::uint64_t{1} << ((key.size() * 7 + front * 5 + back) & 63);
}

}  // namespace

const Value* DocumentBuilder::Bool(bool truth, std::string_view text, std::uint32_t place) {
  Value* value = New(Value::Kind::kBool, place);
  value->truth_ = truth;
  value->content_.text = text.data();
  value->size_ = static_cast<std::uint32_t>(text.size());
  return value;
}

const Value* DocumentBuilder::Sequence(std::size_t mark, std::uint32_t place) {
  Value* value = New(Value::Kind::kSequence, place);
  const std::size_t size = items_.size() - mark;
  const Value** items = arena_.Allocate<const Value*>(size);
  std::copy(items_.begin() + static_cast<std::ptrdiff_t>(mark), items_.end(), items);
  items_.resize(mark);
  value->content_.items = items;
  value->size_ = static_cast<std::uint32_t>(size);
  return value;
}

const Value* DocumentBuilder::Mapping(std::size_t mark, std::uint32_t place) {
  Value* value = New(Value::Kind::kMapping, place);
  const std::size_t size = members_.size() - mark;
  auto* members = arena_.Allocate<Value::Member>(size);
  std::copy(members_.begin() + static_cast<std::ptrdiff_t>(mark), members_.end(), members);
  members_.resize(mark);
  value->content_.members = members;
  value->size_ = static_cast<std::uint32_t>(size);
  return value;
}

DocumentBuilder::Duplicate DocumentBuilder::FindDuplicate(std::size_t mark) const {
  constexpr std::size_t kFew = 32;
  const std::span<const Value::Member> members = MembersSince(mark);
  if (members.size() <= kFew) {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::uint64_t bit = Fingerprint(members[i].key);
      for (std::size_t j = 0; (seen & bit) != 0 && j < i; ++j) {
        if (members[j].key == members[i].key) return {&members[j], &members[i]};
      }
      seen |= bit;
    }
    return {};
  }
  std::vector<const Value::Member*> sorted;
  sorted.reserve(members.size());
  for (const Value::Member& member : members) sorted.push_back(&member);
  // Of equal keys the first in the input comes first: both are elements of one array.
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return a->key != b->key ? a->key < b->key : a < b;
  });
  const auto found = std::adjacent_find(
      sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key == b->key; });
  if (found == sorted.end()) return {};
  return {found[0], found[1]};
}

void DocumentBuilder::ReplaceMembers(std::size_t mark, std::span<const Value::Member> members) {
  members_.resize(mark);
  members_.insert(members_.end(), members.begin(), members.end());
}

std::string DuplicateKeyMessage(std::string_view key, std::uint32_t first_line) {
  return "found the key \"" + std::string(key.substr(0, 64)) + "\" a second time, first on line " +
         std::to_string(first_line) + ", expected each key once";
}

void DocumentBuilder::Clear() {
  items_.clear();
  members_.clear();
}

}  // namespace fairlead::objects
