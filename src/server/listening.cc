#include "server/listening.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fairlead::server {
namespace {

constexpr int kBacklog = 128;

// Not SO_REUSEPORT: a second server on the port must fail.
int ListenAt(const addrinfo& at) {
  const int file = ::socket(at.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (file < 0) return -1;
  const int yes = 1;
  ::setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (::bind(file, at.ai_addr, at.ai_addrlen) == 0 && ::listen(file, kBacklog) == 0) return file;
  const int error = errno;
  ::close(file);
  errno = error;
  return -1;
}

}  // namespace

Result<int> Listen(const std::string& host, int port) {
  const auto failed = [&](const char* why) {
    return Fail(fmt::format("{}:{} cannot be listened on: {}", host, port, why));
  };
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  const std::string name = bracketed ? host.substr(1, host.size() - 2) : host;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int unknown = ::getaddrinfo(name.c_str(), fmt::to_string(port).c_str(), &hints, &found);
  if (unknown != 0) return failed(::gai_strerror(unknown));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    if (const int file = ListenAt(*each); file >= 0) return file;
  }
  return failed(std::strerror(errno));
}

int PortOf(int listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  // The port stands at the same place in both families.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

}  // namespace fairlead::server
