#include "server/wire.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/mutex.h"

namespace fairlead::server {
namespace {

class OpenWire : public Wire {
 public:
  explicit OpenWire(int file) : file_(file) {}
  ssize_t Read(char* into, std::size_t room) override { return ::recv(file_, into, room, 0); }
  ssize_t Write(std::string_view bytes) override {
    return ::send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  bool IsToWait() const override {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  }
  void EndWriting() override { ::shutdown(file_, SHUT_WR); }

 private:
  const int file_;
};

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

// The handshake is part of the first read. Writing to a peer that is gone is SIGPIPE, which the
// program ignores (cli/app.cc).
class TlsWire : public Wire {
 public:
  TlsWire(SSL_CTX* context, int file) : file_(file), ssl_(SSL_new(context)) {
    broken_ = ssl_ == nullptr || SSL_set_fd(ssl_.get(), file) != 1;
    if (!broken_) SSL_set_accept_state(ssl_.get());
  }

  ssize_t Read(char* into, std::size_t room) override {
    if (broken_) return Broke();
    ERR_clear_error();
    return Take(SSL_read(ssl_.get(), into, static_cast<int>(std::min<std::size_t>(room, INT_MAX))));
  }
  ssize_t Write(std::string_view bytes) override {
    if (broken_ || !SSL_is_init_finished(ssl_.get())) return Broke();
    ERR_clear_error();
    return Take(SSL_write(ssl_.get(), bytes.data(),
                          static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX))));
  }
  bool IsToWait() const override { return waits_for_ != 0; }
  short WaitsFor() const override { return waits_for_; }
  bool HasMore() const override { return !broken_ && SSL_pending(ssl_.get()) > 0; }
  void EndWriting() override {
    if (!broken_ && SSL_is_init_finished(ssl_.get())) SSL_shutdown(ssl_.get());
    ::shutdown(file_, SHUT_WR);
  }

 private:
  ssize_t Broke() {
    waits_for_ = 0;
    return -1;
  }
  ssize_t Take(int result) {
    waits_for_ = 0;
    if (result > 0) return result;
    switch (SSL_get_error(ssl_.get(), result)) {
      case SSL_ERROR_WANT_READ:
        waits_for_ = POLLIN;
        return -1;
      case SSL_ERROR_WANT_WRITE:
        waits_for_ = POLLOUT;
        return -1;
      case SSL_ERROR_ZERO_RETURN:
        return 0;
      default:
        broken_ = true;
        return -1;
    }
  }

  const int file_;
  std::unique_ptr<SSL, FreeSsl> ssl_;
  bool broken_ = false;
  short waits_for_ = 0;
};

std::string LastError() {
  const unsigned long error = ERR_get_error();
  const char* reason = error == 0 ? nullptr : ERR_reason_error_string(error);
  return reason == nullptr ? "it is none" : reason;
}

using Context = std::shared_ptr<SSL_CTX>;

Result<Context> ReadContext(const std::string& certificate, const std::string& key) {
  ERR_clear_error();
  const Context context(SSL_CTX_new(TLS_server_method()), FreeSsl());
  if (context == nullptr) return Fail(fmt::format("TLS cannot be set up: {}", LastError()));
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                         SSL_OP_IGNORE_UNEXPECTED_EOF);
  if (SSL_CTX_use_certificate_chain_file(context.get(), certificate.c_str()) != 1) {
    return Fail(fmt::format("{}: cannot be read as a certificate: {}", certificate, LastError()));
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Fail(
        fmt::format("{}: cannot be read as the key of {}: {}", key, certificate, LastError()));
  }
  return context;
}

// A connection keeps what it was accepted with.
class TlsOf : public Tls {
 public:
  TlsOf(Files files, Context context)
      : files_(std::move(files)),
        watch_({files_.certificate, files_.key}, files_.pause),
        context_(std::move(context)) {}
  std::unique_ptr<Wire> Accept(int file) const override {
    return std::make_unique<TlsWire>(Now().get(), file);
  }

 private:
  Context Now() const {
    const MutexLock lock(mutex_);
    if (!watch_.Changed()) return context_;
    if (auto read = ReadContext(files_.certificate, files_.key)) {
      context_ = *std::move(read);
    } else if (files_.on_problem) {
      files_.on_problem(read.error().message + "; the certificate stays as it was");
    }
    return context_;
  }

  const Files files_;
  mutable Mutex mutex_;
  mutable FileWatch watch_ GUARDED_BY(mutex_);
  mutable Context context_ GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<Wire> PlainWire(int file) { return std::make_unique<OpenWire>(file); }

Result<std::shared_ptr<const Tls>> Tls::Make(Files files) {
  auto context = ReadContext(files.certificate, files.key);
  if (!context) return tl::unexpected(context.error());
  return std::make_shared<const TlsOf>(std::move(files), *std::move(context));
}

}  // namespace fairlead::server
