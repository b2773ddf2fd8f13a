#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named_rows.h"
#include "base/uid.h"
#include "kube/reflector.h"

namespace fairlead::kube {

// What a reflector has told of: name, uid and version of each object. It says what an event or a
// list's item means for the sink.
//
// An object is its uid: one that was deleted and made again under its name is another.
// Thread safety: none.
class KnownObjects {
 public:
  enum class News : std::uint8_t {
    kNone,         // older than what is known, or the same again
    kChanged,      // there was none of the name, or the same object
    kReplacement,  // there was another of the name: it is gone
  };

  // What an ADDED or MODIFIED event says when all up to `reached` has been told.
  News Judge(const ObjectRef& ref, std::string_view reached);

  // A list is authoritative: only the very same version is no news. Its items count as seen.
  void BeginList() { list_ = (list_ + 1) & kLists; }
  News JudgeItem(const ObjectRef& ref);
  // Forgets those that the list did not have, and hands them out by key.
  std::vector<ObjectRef> EndList();

  // Remembers the object as it is now. kRefused: it could not be read; where the sink had it, it
  // still has. Returns its key, to be shared by whoever keeps it as well; good until it is
  // forgotten.
  enum class As : std::uint8_t { kTold, kRefused };
  const Text& Put(const ObjectRef& ref, As as);

  // Forgets the one under the name of `ref`, and hands it out; where `uid` is not empty, only the
  // one that has it. Absent: there is none, or the sink never had it.
  std::optional<ObjectRef> Take(const ObjectRef& ref, std::string_view uid);
  // All of them, by key.
  std::vector<ObjectRef> TakeAll();

  std::size_t size() const { return objects_.size(); }

 private:
  // A version as the server writes it. Nearly always that is a number; what is none is only
  // compared, and is its hash.
  class Version {
   public:
    Version() = default;
    explicit Version(std::string_view text);
    std::string ToString() const;  // empty: it is no number
    bool operator==(const Version&) const = default;

   private:
    static constexpr std::int64_t kNone = -1;
    std::int64_t value_ = kNone;  // below kNone: a hash
  };
  struct Entry {
    Uid uid;
    Version version;
    std::uint32_t list : 31 = 0;  // the last one that had it
    bool told : 1 = false;        // the sink has it
  };
  static bool IsSame(std::string_view version, const Version& known);
  static ObjectRef RefOf(std::string_view key, const Entry& entry);
  std::string_view KeyOf(const ObjectRef& ref);  // good until the next call

  NamedRows<Entry> objects_;  // by "namespace/name"
  static constexpr std::uint32_t kLists = (1U << 31) - 1;
  std::uint32_t list_ = 0;
  std::string key_;  // so that a look-up does not allocate
};

}  // namespace fairlead::kube
