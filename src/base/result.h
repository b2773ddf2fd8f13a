#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace fairlead {

// What went wrong, for a person: lower case, no final period, naming the object, saying what was
// found and what was expected. `where` is "FILE:LINE" when a place in the input is known.
struct [[nodiscard]] Error {
  std::string message;
  std::string where = {};
};

// A value, or the reason why there is none. Errors are values: nothing of ours throws.
template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> Fail(std::string message) {
  return tl::unexpected<Error>(Error{.message = std::move(message)});
}

}  // namespace fairlead
