#include "objects/read/decode.h"

namespace fairlead::objects {

void ReadRunTime(FieldReader& fields, const Value* parent, std::string_view key,
                 std::optional<Duration>& out) {
  std::optional<Duration> read;
  if (!fields.Duration(parent, key, read)) return;
  if (*read <= Duration()) {
    fields.Unexpected(*parent->Find(key), "a duration above 0 such as 24h");
    return;
  }
  out = read;
}

}  // namespace fairlead::objects
