#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.h"
#include "objects/meta.h"
#include "objects/read/document.h"
#include "objects/read/reader.h"

namespace fairlead::objects {

enum class Scope : std::uint8_t { kCluster, kNamespaced };

// Reads the fields of one object and reports what is wrong with them, with line, object and path.
//
//   const Value* spec = fields.Mapping(&document, "spec");
//   fields.String(spec, "queueName", workload.queue_name);
//   if (fields.ok()) into.objects.emplace_back(std::move(workload));
//
// - A parent may be null: everything in it is absent. A null value is absent too.
// - An absent field leaves `out` as it is, a wrong one too, and is reported.
// - Paths are looked up when a fault is reported: reading what is right costs nothing for them.
class FieldReader {
 public:
  FieldReader(const Value& document, std::string_view kind, Scope scope, std::string_view file,
              Manifest& into)
      : document_(document), kind_(kind), scope_(scope), file_(file), into_(into) {}

  bool ok() const { return faults_ == 0; }
  int faults() const { return faults_; }  // so far, shown or not
  Scope scope() const { return scope_; }
  std::string_view file() const { return file_; }
  std::size_t object_count() const { return into_.objects.size(); }  // read before this one

  // `message` says what was found and what was expected.
  void Fault(const Value& at, std::string message);
  void FaultBelow(const Value& parent, std::string_view key, std::string message);
  void Unexpected(const Value& found, std::string_view expected);
  // A field that has to be there.
  void Missing(const Value& parent, std::string_view key, std::string_view expected);
  // The same of the object's spec, which may be missing as a whole: null.
  void MissingInSpec(const Value* spec, std::string_view key, std::string_view expected);

  const Value* Mapping(const Value* parent, std::string_view key);
  const Value* List(const Value* parent, std::string_view key);
  bool IsMapping(const Value& value);  // else reported

  // False: absent, or wrong and reported.
  bool String(const Value* parent, std::string_view key, std::string& out);
  bool Bool(const Value* parent, std::string_view key, bool& out);
  bool Time(const Value* parent, std::string_view key, std::optional<fairlead::Time>& out);
  // Not negative.
  bool Duration(const Value* parent, std::string_view key, fairlead::Duration& out);
  bool Duration(const Value* parent, std::string_view key, std::optional<fairlead::Duration>& out);
  // `Out` is a std::int32_t, a std::int64_t or an optional one.
  template <typename Out>
  bool Integer(const Value* parent, std::string_view key, Out& out, std::int64_t min = kLowest<Out>,
               std::int64_t max = kHighest<Out>) {
    const Value* value = Get(parent, key);
    std::int64_t number = 0;
    if (value == nullptr || !ReadInteger(*value, min, max, number)) return false;
    out = static_cast<Number<Out>>(number);
    return true;
  }
  bool Count(const Value* parent, std::string_view key, std::optional<std::int32_t>& out) {
    return Integer(parent, key, out, 0);
  }
  // A whole number of seconds.
  bool Seconds(const Value* parent, std::string_view key, std::optional<fairlead::Duration>& out);
  // One of a few names.
  template <typename E, std::size_t kSize>
  bool Enum(const Value* parent, std::string_view key,
            const std::pair<std::string_view, E> (&names)[kSize], E& out) {
    std::array<std::string_view, kSize> words;
    for (std::size_t i = 0; i < kSize; ++i) words[i] = names[i].first;
    const Value* value = Get(parent, key);
    const std::size_t found = value == nullptr ? kSize : ReadWord(*value, words);
    if (found == kSize) return false;
    out = names[found].second;
    return true;
  }
  // The place of a string among `words`; their number where it is none and was reported.
  std::size_t ReadWord(const Value& value, std::span<const std::string_view> words);

  // A map of strings; sorted.
  void Strings(const Value* mapping, Labels& out);
  // A scalar's text; reported where it is not a string.
  bool ReadString(const Value& value, std::string& out);
  bool ReadDuration(const Value& value, fairlead::Duration& out);
  bool ReadInteger(const Value& value, std::int64_t min, std::int64_t max, std::int64_t& out);

  // Reports members that have none of these names. For our own kinds: Kubernetes' may be newer.
  void Known(const Value* mapping, std::initializer_list<std::string_view> names);

  static const Value* Get(const Value* parent, std::string_view key) {
    return parent == nullptr ? nullptr : parent->Find(key);
  }

 private:
  template <typename T>
  struct Unwrap {
    using Type = T;
  };
  template <typename T>
  struct Unwrap<std::optional<T>> {
    using Type = T;
  };
  template <typename Out>
  using Number = typename Unwrap<Out>::Type;
  template <typename Out>
  static constexpr std::int64_t kLowest = std::numeric_limits<Number<Out>>::min();
  template <typename Out>
  static constexpr std::int64_t kHighest = std::numeric_limits<Number<Out>>::max();

  // Whether the fault that is about to be reported is shown. Costs nothing where it is not: an
  // object can be wrong in a million places.
  bool CountFault(const Value& at);
  void Report(std::uint32_t line, std::string path, std::string message);
  std::string ObjectName() const;

  const Value& document_;
  std::string_view kind_;
  Scope scope_;
  std::string_view file_;
  Manifest& into_;
  int faults_ = 0;
};

// "spec.podSets[1].count": where `target` is in `document`.
std::string PathOf(const Value& document, const Value& target);

// The name of `names` that `name` may have been meant as; empty where none is near.
std::string_view NearestName(std::string_view name, std::span<const std::string_view> names);

}  // namespace fairlead::objects
