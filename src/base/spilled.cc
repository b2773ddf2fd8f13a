#include "base/spilled.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"

namespace fairlead {
namespace {

int MakeFile() {
  const char* named = std::getenv("TMPDIR");
  std::string path = named != nullptr && *named != '\0' ? named : "/tmp";
  path += "/fairlead-XXXXXX";
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(path.c_str());
  return file;
}

std::byte* Map(std::size_t bytes, int flags, int file, std::size_t offset) {
  void* at =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, static_cast<off_t>(offset));
  return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

}  // namespace

SpilledPieces::~SpilledPieces() {
  for (const Piece& piece : pieces_) ::munmap(piece.at, piece.bytes);
  if (file_ >= 0) ::close(file_);
}

// A page that the disk has no room for must not be touched: so much is asked for beforehand.
bool SpilledPieces::Grow(std::size_t bytes) {
  if (file_ == kNotMade) file_ = MakeFile();
  if (file_ < 0) file_ = kNone;
  return file_ >= 0 &&
         ::posix_fallocate(file_, static_cast<off_t>(file_size_), static_cast<off_t>(bytes)) == 0;
}

std::byte* SpilledPieces::Add(std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  Piece piece{.bytes = (std::max(bytes, kBytes) + kPage - 1) / kPage * kPage};
  if (in_memory_ >= kMostInMemory && Grow(piece.bytes)) {
    piece.at = Map(piece.bytes, MAP_SHARED, file_, file_size_);
    piece.in_file = piece.at != nullptr;
  }
  if (piece.in_file) {
    file_size_ += piece.bytes;
    for (std::size_t i = 0; i < pieces_.size(); ++i) Release(i);
  } else {
    piece.at = Map(piece.bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    in_memory_ += piece.bytes;
  }
  CHECK(piece.at != nullptr);
  pieces_.push_back(piece);
  return piece.at;
}

void SpilledPieces::Release(std::size_t piece) const {
  const Piece& of = pieces_[piece];
  if (of.in_file) ::madvise(of.at, of.bytes, MADV_DONTNEED);
}

std::uint32_t SpilledTexts::Add(std::string_view text) {
  if (pieces_.size() == 0 || text.size() > bytes_ - used_) {
    bytes_ = std::max(text.size(), SpilledPieces::kBytes);
    pieces_.Add(bytes_);
    used_ = 0;
  }
  std::ranges::copy(std::as_bytes(std::span(text)), pieces_[pieces_.size() - 1] + used_);
  places_.push_back({.piece = static_cast<std::uint32_t>(pieces_.size() - 1),
                     .offset = static_cast<std::uint32_t>(used_),
                     .size = static_cast<std::uint32_t>(text.size())});
  used_ += text.size();
  return static_cast<std::uint32_t>(places_.size() - 1);
}

}  // namespace fairlead
