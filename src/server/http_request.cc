#include "server/http_request.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/integer.h"

namespace fairlead::server {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::size_t kMostChunkLine = 256;  // its size and its extensions

bool IsTokenCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}
bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsTokenCharacter);
}
bool IsControl(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "a%20b"; in a query '+' is a space too.
std::optional<std::string> Unescaped(std::string_view text, bool plus_is_space) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += plus_is_space && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    plain += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return plain;
}

}  // namespace

bool ReadQuery(std::string_view text, std::map<std::string, std::string>& into) {
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const auto name = Unescaped(part.substr(0, equals), true);
    const auto value = equals == std::string_view::npos ? std::optional<std::string>(std::string())
                                                        : Unescaped(part.substr(equals + 1), true);
    if (!name || !value) return false;
    into.emplace(*name, *value);
  }
  return true;
}

RequestReader::State RequestReader::Refuse(int status, std::string message) {
  refusal_ = {.status = status, .message = std::move(message)};
  pending_ = {};
  request_.body = {};
  return state_ = State::kRefused;
}

RequestReader::State RequestReader::Take(std::string_view bytes) {
  if (state_ == State::kDone || state_ == State::kRefused) return state_;
  pending_ += bytes;
  return state_ == State::kHead ? ReadHead() : state_ == State::kBody ? Go() : state_;
}

// How much stands before `end` at least, wherever it will be found.
std::size_t RequestReader::BeforeEnd(std::string_view end) const {
  return std::max(pending_.size(), at_ + end.size() - 1) - (end.size() - 1);
}

RequestReader::State RequestReader::ReadHead() {
  const std::size_t from = looked_ < kHeadEnd.size() ? 0 : looked_ - kHeadEnd.size();
  const std::size_t end = pending_.find(kHeadEnd, from);
  looked_ = pending_.size();
  if (std::min(end, BeforeEnd(kHeadEnd)) > bounds_.head_bytes) {
    return Refuse(431, fmt::format("the request line and headers are longer than {} bytes",
                                   bounds_.head_bytes));
  }
  if (end == std::string::npos) return state_;
  std::string_view head = std::string_view(pending_).substr(0, end);
  std::size_t headers = 0;
  for (bool first = true; first || !head.empty(); first = false) {
    const std::size_t line_end = head.find(kLineEnd);
    const std::string_view line = head.substr(0, line_end);
    head = line_end == std::string_view::npos ? "" : head.substr(line_end + kLineEnd.size());
    if (std::ranges::any_of(line, IsControl)) {
      return Refuse(400, "found a control character in the headers, expected none");
    }
    if (!first && ++headers > bounds_.headers) {
      return Refuse(431, fmt::format("found more than {} headers", bounds_.headers));
    }
    if (!(first ? ReadLine(line) : ReadHeader(line))) return state_;
  }
  if (chunked_ && has_length_) return Refuse(400, "found a Content-Length of a chunked body");
  at_ = end + kHeadEnd.size();
  return state_ = State::kHeadRead;
}

bool RequestReader::ReadLine(std::string_view line) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || !IsToken(line.substr(0, first))) {
    Refuse(400, "found no request line, expected METHOD PATH HTTP/1.1");
    return false;
  }
  const std::string_view version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    Refuse(505, "found another protocol, expected HTTP/1.1");
    return false;
  }
  request_.method = line.substr(0, first);
  return ReadTarget(line.substr(first + 1, last - first - 1));
}

bool RequestReader::ReadTarget(std::string_view target) {
  const std::size_t question = target.find('?');
  const auto path = Unescaped(target.substr(0, question), false);
  const std::string_view query =
      question == std::string_view::npos ? "" : target.substr(question + 1);
  if (!target.starts_with('/') || target.find(' ') != std::string_view::npos) {
    Refuse(400, "found no path in the request line, expected one that begins with /");
    return false;
  }
  if (!path || !ReadQuery(query, request_.query)) {
    Refuse(400, "found a % in the request line that no two hexadecimal digits follow");
    return false;
  }
  request_.path = *path;
  return true;
}

bool RequestReader::ReadHeader(std::string_view line) {
  const auto refuse = [this](int status, const char* message) {
    Refuse(status, message);
    return false;
  };
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) {
    return refuse(400, "found a malformed header, expected NAME: VALUE");
  }
  const std::string name = LowerCase(line.substr(0, colon));
  const std::string_view value = Trimmed(line.substr(colon + 1));
  if (name == "host") {
    if (std::exchange(has_host_, true)) return refuse(400, "found two Host headers, expected one");
    request_.host = value;
  } else if (name == "origin") {
    if (!request_.origin.empty()) return refuse(400, "found two Origin headers, expected one");
    request_.origin = value;
  } else if (name == "content-length") {
    const auto length = ParseInteger<std::uint64_t>(value, 10);
    if (has_length_ || !length) return refuse(400, "expected one number as the Content-Length");
    has_length_ = true;
    left_ = *length;
  } else if (name == "transfer-encoding") {
    if (chunked_ || LowerCase(value) != "chunked") {
      return refuse(501, "found a Transfer-Encoding, expected none but chunked");
    }
    chunked_ = true;
  } else if (name == "content-encoding") {
    if (LowerCase(value) != "identity") return refuse(415, "encoded bodies are not read");
  } else if (name == "expect") {
    wants_continue_ = LowerCase(value) == "100-continue";
  } else if (name == "accept") {
    request_.accept = value;
  } else if (name == "accept-encoding") {
    request_.accept_encoding = value;
  } else if (name == "if-none-match") {
    request_.if_none_match = value;
  } else if (name == "authorization") {
    if (!request_.authorization.empty()) {
      return refuse(400, "found two Authorization headers, expected one");
    }
    request_.authorization = value;
  } else if (name == "x-fairlead-token") {
    if (!request_.own_token.empty()) {
      return refuse(400, "found two X-Fairlead-Token headers, expected one");
    }
    request_.own_token = value;
  } else if (name == "cookie") {
    request_.cookie += (request_.cookie.empty() ? "" : "; ") + std::string(value);
  }
  if (!bounds_.kept_header.empty() && name == bounds_.kept_header &&
      !request_.others.emplace(name, value).second) {
    return refuse(400, "found two headers of who asks, expected one");
  }
  return true;
}

RequestReader::State RequestReader::ReadBody() {
  state_ = State::kBody;
  return Go();
}

RequestReader::State RequestReader::Go() {
  const State state = chunked_ ? GoByChunks() : GoByLength();
  pending_.erase(0, std::exchange(at_, 0));
  return state;
}

RequestReader::State RequestReader::GoByLength() {
  if (left_ + request_.body.size() > bounds_.body_bytes) {
    return Refuse(413, fmt::format("the body is larger than {} bytes", bounds_.body_bytes));
  }
  const std::size_t length = std::min<std::uint64_t>(left_, pending_.size() - at_);
  request_.body.append(pending_, at_, length);
  at_ += length;
  left_ -= length;
  return state_ = left_ == 0 ? State::kDone : State::kBody;
}

bool RequestReader::NextLine(std::string_view& line) {
  const std::size_t end = pending_.find(kLineEnd, at_);
  if (std::min(end, BeforeEnd(kLineEnd)) - at_ > kMostChunkLine) {
    Refuse(400, "found too long a line in a chunked body");
    return false;
  }
  if (end == std::string::npos) return false;
  line = std::string_view(pending_).substr(at_, end - at_);
  at_ = end + kLineEnd.size();
  return true;
}

RequestReader::State RequestReader::GoByChunks() {
  for (std::string_view line;;) {
    switch (chunk_) {
      case Chunk::kSize: {
        if (!NextLine(line)) return state_;
        const auto size = ParseInteger<std::uint64_t>(Trimmed(line.substr(0, line.find(';'))), 16);
        if (!size) return Refuse(400, "found no size of a chunk, expected a hexadecimal number");
        if (*size > bounds_.body_bytes - request_.body.size()) {
          return Refuse(413, fmt::format("the body is larger than {} bytes", bounds_.body_bytes));
        }
        left_ = *size;
        chunk_ = left_ == 0 ? Chunk::kTrailer : Chunk::kData;
        break;
      }
      case Chunk::kData: {
        const std::size_t length = std::min<std::uint64_t>(left_, pending_.size() - at_);
        request_.body.append(pending_, at_, length);
        at_ += length;
        left_ -= length;
        if (left_ > 0) return state_;
        chunk_ = Chunk::kDataEnd;
        break;
      }
      case Chunk::kDataEnd:
        if (!NextLine(line)) return state_;
        if (!line.empty()) return Refuse(400, "found more in a chunk than its size says");
        chunk_ = Chunk::kSize;
        break;
      case Chunk::kTrailer:
        if (!NextLine(line)) return state_;
        if (line.empty()) return state_ = State::kDone;
        trailer_bytes_ += line.size();
        if (trailer_bytes_ > bounds_.head_bytes) return Refuse(431, "found too many trailers");
        break;
    }
  }
}

}  // namespace fairlead::server
