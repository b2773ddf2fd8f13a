#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/result.h"
#include "server/file_watch.h"

namespace fairlead::server {

// The bytes of one connection, plain or encrypted, over a socket that does not wait. Thread safety:
// none.
class Wire {
 public:
  virtual ~Wire() = default;
  // As recv and send: how many; 0: the other side has ended; −1: none now where IsToWait() says so,
  // else it broke.
  virtual ssize_t Read(char* into, std::size_t room) = 0;
  virtual ssize_t Write(std::string_view bytes) = 0;
  virtual bool IsToWait() const = 0;  // of the last of these two
  // POLLIN or POLLOUT: what the last one that is to wait waits for; 0: what was asked.
  virtual short WaitsFor() const { return 0; }
  virtual bool HasMore() const { return false; }  // that can be read without waiting for any
  virtual void EndWriting() = 0;
};

// For an open socket, which stays the caller's.
std::unique_ptr<Wire> PlainWire(int file);

// A certificate and its key: TLS 1.2 and 1.3. The files are read again when they change: who
// connects then is shown what they hold; while they are faulty it stays what they held. Thread
// safety: any number of threads.
class Tls {
 public:
  virtual ~Tls() = default;
  // Of PEM files; the certificate with those that it leads to. Error: they cannot be read, or do
  // not belong to each other.
  struct Files {
    std::string certificate, key;
    FileWatch::Pause pause = FileWatch::kPause;
    std::function<void(const std::string&)> on_problem = nullptr;  // why it stays; on any thread
  };
  static Result<std::shared_ptr<const Tls>> Make(Files files);
  virtual std::unique_ptr<Wire> Accept(int file) const = 0;
};

}  // namespace fairlead::server
