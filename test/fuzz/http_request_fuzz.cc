// Requests: whatever comes, what is held stays within the bounds, and how the bytes are cut makes
// no difference.

#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "server/http_request.h"

namespace {

using fairlead::server::RequestReader;

constexpr fairlead::server::RequestBounds kBounds{
    .head_bytes = 256, .headers = 6, .body_bytes = 64};

RequestReader Read(std::string_view text, std::size_t portion) {
  RequestReader reader(kBounds);
  for (std::size_t at = 0; at < text.size(); at += portion) {
    reader.Take(text.substr(at, portion));
    if (reader.state() == RequestReader::State::kHeadRead) reader.ReadBody();
    CHECK(reader.request().body.size() <= kBounds.body_bytes);
    CHECK(reader.held_bytes() <= kBounds.head_bytes + kBounds.body_bytes + 512 + portion);
  }
  return reader;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const RequestReader one = Read(text, 1), other = Read(text, 37);
  CHECK(one.state() == other.state());
  CHECK(one.request().body == other.request().body);
  CHECK(one.request().path == other.request().path);
  return 0;
}
