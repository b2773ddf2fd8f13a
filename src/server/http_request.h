#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/api.h"

namespace fairlead::server {

// How large a request may be.
struct RequestBounds {
  std::size_t head_bytes = 32 << 10;  // request line and headers, and trailers again
  std::size_t headers = 64;
  std::size_t body_bytes = 100 << 20;
  std::string kept_header = {};  // in lower case: kept in Request::others, at most once
};

// Reads one request of HTTP/1.1 as its bytes come, cut anywhere, and never holds more of it than
// `bounds` allow: a chunked body is counted while it comes.
//
// It is strict: what two readers could take for two different requests is refused (two Hosts, two
// lengths, a length beside chunks, lines without CRLF, folded headers).
//
//   RequestReader reader(bounds);
//   while (reader.state() == kHead) reader.Take(bytes);      // until its path is known
//   reader.ReadBody();  while (reader.state() == kBody) reader.Take(bytes);
//
// Thread safety: none.
class RequestReader {
 public:
  enum class State : std::uint8_t {
    kHead,
    kHeadRead,  // the body is left unread unless ReadBody is called
    kBody,
    kDone,
    kRefused,  // see refusal()
  };

  explicit RequestReader(const RequestBounds& bounds) : bounds_(bounds) {}

  // The next bytes. What comes before ReadBody and belongs to the body is kept.
  State Take(std::string_view bytes);
  // REQUIRES: kHeadRead.
  State ReadBody();

  State state() const { return state_; }
  bool wants_continue() const { return wants_continue_; }  // it waits for "100 Continue"
  std::size_t held_bytes() const { return pending_.size() + request_.body.size(); }
  const Request& request() const { return request_; }
  Request TakeRequest() { return std::move(request_); }
  // With a status of 4xx or 5xx and a message. REQUIRES: kRefused.
  const Refusal& refusal() const { return refusal_; }

 private:
  enum class Chunk : std::uint8_t { kSize, kData, kDataEnd, kTrailer };

  State Refuse(int status, std::string message);
  std::size_t BeforeEnd(std::string_view end) const;
  State ReadHead();
  bool ReadLine(std::string_view line);    // the request line
  bool ReadHeader(std::string_view line);  // "Name: value"
  bool ReadTarget(std::string_view target);
  State Go();
  State GoByLength();
  State GoByChunks();
  // The next line of a chunked body, without its end; false: it has not all come, or is refused.
  bool NextLine(std::string_view& line);

  RequestBounds bounds_;
  State state_ = State::kHead;
  Request request_;
  Refusal refusal_;
  std::string pending_;     // came, and is not taken yet
  std::size_t at_ = 0;      // of pending_: taken so far
  std::size_t looked_ = 0;  // of pending_: no end of the head before it
  bool has_length_ = false, chunked_ = false, wants_continue_ = false, has_host_ = false;
  std::uint64_t left_ = 0;  // of the body, or of the chunk
  Chunk chunk_ = Chunk::kSize;
  std::size_t trailer_bytes_ = 0;
};

// "a=1&b=x%20y" in parts; a value begins after the first '='. Of one name the first counts. False:
// an escape is malformed.
bool ReadQuery(std::string_view text, std::map<std::string, std::string>& into);

}  // namespace fairlead::server
