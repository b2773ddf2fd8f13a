#include "kube/streamed_get.h"

#include <utility>

#include <fmt/format.h>

namespace fairlead::kube {
namespace {

constexpr std::size_t kMaxErrorBytes = std::size_t{64} << 10;

}  // namespace

void StreamedGet::Open(Lane lane, std::string path, Duration silence) {
  Cancel();
  status_ = 0;
  retry_after_.reset();
  error_body_.clear();
  opened_ = last_byte_ = loop_.Now();
  silence_ = silence;
  call_ = loop_.Open({.method = Method::kGet, .lane = lane, .path = std::move(path), .timeout = {}},
                     *this);
  WatchSilence();
}

void StreamedGet::Cancel() {
  if (call_ != 0) loop_.Cancel(call_);
  if (silence_timer_ != 0) loop_.CancelTimer(silence_timer_);
  call_ = 0;
  silence_timer_ = 0;
}

// Looked at when the bound may be reached, not at every byte.
void StreamedGet::WatchSilence() {
  const Duration quiet = loop_.Now() - last_byte_;
  if (quiet < silence_) {
    silence_timer_ = loop_.After(silence_ - quiet, [this] {
      silence_timer_ = 0;
      WatchSilence();
    });
    return;
  }
  loop_.Cancel(call_);
  OnEnd(Outcome::kUnknown, fmt::format("no byte came for {}", FormatDuration(silence_)));
}

void StreamedGet::OnHeaders(int status, std::optional<Duration> retry_after) {
  last_byte_ = loop_.Now();
  status_ = status;
  retry_after_ = retry_after;
  if (status == 200) reader_.Accepted();
}

void StreamedGet::OnBytes(std::string_view bytes) {
  last_byte_ = loop_.Now();
  received_ += bytes.size();
  if (status_ == 200) {
    reader_.Take(bytes);
  } else {
    error_body_ += bytes.substr(0, kMaxErrorBytes - error_body_.size());
  }
}

void StreamedGet::OnEnd(Outcome outcome, std::string_view error) {
  call_ = 0;
  Cancel();
  End end{.accepted = status_ == 200,
          .whole = status_ == 200 && outcome == Outcome::kAnswered,
          .error = std::string(error),
          .refusal = {}};
  if (outcome != Outcome::kAnswered || end.accepted) {
    end.refusal = {.code = 0, .message = end.error};
  } else {
    end.refusal = ReadStatus(status_, error_body_);
    if (retry_after_) end.refusal.retry_after = retry_after_;
  }
  reader_.Ended(end);
}

}  // namespace fairlead::kube
