#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "kube/loop.h"
#include "kube/status.h"

namespace fairlead::kube {

// One GET after another, whose answer is read as it comes, and which ends by itself when nothing
// comes for too long: a connection whose other end is gone says nothing.
// Thread safety: the loop's thread only.
class StreamedGet : private Stream {
 public:
  // How one ended that was not cancelled.
  struct End {
    bool accepted = false;  // the server had answered 200
    bool whole = false;     // and the body is all there
    std::string error;      // what happened to the body, for a person; empty: it ended as HTTP says
    Status refusal;         // of one that was not whole
  };
  // Is called back. It may open another, or cancel, from inside.
  class Reader {
   public:
    virtual ~Reader() = default;
    virtual void Accepted() = 0;                    // the server answers 200
    virtual void Take(std::string_view bytes) = 0;  // of such an answer, cut anywhere
    virtual void Ended(const End& end) = 0;
  };

  // Adds to `received` the bytes of every answer.
  StreamedGet(Loop& loop, Reader& reader, std::uint64_t& received)
      : loop_(loop), reader_(reader), received_(received) {}
  ~StreamedGet() override { Cancel(); }
  StreamedGet(const StreamedGet&) = delete;
  StreamedGet& operator=(const StreamedGet&) = delete;

  // Cancels the one under way.
  void Open(Lane lane, std::string path, Duration silence);
  void Cancel();
  bool open() const { return call_ != 0; }
  // From now on the answer may be silent for so long.
  void Expect(Duration silence) { silence_ = silence; }
  Duration age() const { return loop_.Now() - opened_; }  // since the last Open

 private:
  void OnHeaders(int status, std::optional<Duration> retry_after) override;
  void OnBytes(std::string_view bytes) override;
  void OnEnd(Outcome outcome, std::string_view error) override;
  void WatchSilence();

  Loop& loop_;
  Reader& reader_;
  std::uint64_t& received_;
  CallId call_ = 0;
  TimerId silence_timer_ = 0;
  Duration silence_;
  Time opened_, last_byte_;
  int status_ = 0;
  std::optional<Duration> retry_after_;
  std::string error_body_;
};

}  // namespace fairlead::kube
