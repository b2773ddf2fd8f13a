#include "objects/read/inflate.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <zlib.h>
#include <zstd.h>

namespace fairlead::objects {
namespace {

constexpr std::size_t kInflateBytes = 1 << 20;

tl::unexpected<Error> TooLarge(std::size_t max_bytes) {
  return Fail("found more than " + std::to_string(max_bytes) +
              " bytes after inflating, expected fewer");
}

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

bool IsZstd(std::string_view bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }

Result<PaddedText> InflateGzip(std::string_view bytes, std::size_t max_bytes) {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return Fail("no memory to inflate into");
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, inflateEnd);
  PaddedText text;
  int state = Z_OK;
  while (!bytes.empty() || state != Z_STREAM_END) {
    if (state == Z_STREAM_END) {
      // Behind a member: the next one, or nothing of ours (some tools pad with zeros).
      if (!IsGzip(bytes)) break;
      inflateReset(&stream);
    }
    const std::size_t take = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(take);
    stream.next_out = reinterpret_cast<Bytef*>(text.Room(kInflateBytes));
    stream.avail_out = kInflateBytes;
    state = inflate(&stream, Z_NO_FLUSH);
    text.Grow(kInflateBytes - stream.avail_out);
    bytes.remove_prefix(take - stream.avail_in);
    if (text.size() > max_bytes) return TooLarge(max_bytes);
    if (state == Z_BUF_ERROR && bytes.empty()) return Fail("the gzip data is cut off");
    if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) {
      return Fail("the gzip data is broken");
    }
  }
  return text;
}

Result<PaddedText> InflateZstd(std::string_view bytes, std::size_t max_bytes) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             ZSTD_freeDStream);
  if (stream == nullptr) return Fail("no memory to inflate into");
  PaddedText text;
  ZSTD_inBuffer in{.src = bytes.data(), .size = bytes.size(), .pos = 0};
  std::size_t left = 0;
  bool full = false;
  while (in.pos < in.size || full) {
    ZSTD_outBuffer out{.dst = text.Room(kInflateBytes), .size = kInflateBytes, .pos = 0};
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left) != 0) return Fail("the zstd data is broken");
    text.Grow(out.pos);
    full = out.pos == out.size;
    if (text.size() > max_bytes) return TooLarge(max_bytes);
  }
  if (left != 0) return Fail("the zstd data is cut off");
  return text;
}

}  // namespace fairlead::objects
