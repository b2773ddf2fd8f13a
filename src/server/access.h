#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "server/api.h"
#include "server/file_watch.h"
#include "server/secrets.h"

namespace fairlead::server {

// Who may ask. By default programs of this machine and its own page alone: a Host that is not
// loopback (a name rebound to 127.0.0.1) is refused with 403. Beyond that, one of
//   tokens        whoever has one: `Authorization: Bearer TOKEN`, or `X-Fairlead-Token: TOKEN`
//   where
//                 an API server on the way keeps the former; or in a browser a log-in, which gives
//                 a cookie for twelve hours. Everybody else is refused with 401, also on this
//                 machine; but files of the page and the probes are for everybody.
//   a proxy       that lets in whom it knows, and says who in a header: for requests to one of
//                 `hosts`, by which browsers reach it.
// The token file is read again when it changes; while it is faulty the tokens stay that it had.
// Pages of other sites, or of other ports, are refused with 403 in either case (Origin).
//
// Thread safety: any number of threads.
class Access {
 public:
  struct Options {
    std::string token_file;          // empty: no tokens
    std::string user_header;         // empty: no proxy
    std::vector<std::string> hosts;  // of the proxy, without ports
    bool encrypted = false;          // the cookie is sent by https:// alone
    FileWatch::Pause pause = FileWatch::kPause;
    // Is told why a token file that changed was not taken; on any thread.
    std::function<void(const std::string&)> on_problem = nullptr;
  };
  Access() : key_(RandomKey()) {}
  // Error: the file cannot be read, has no token, or one that is too short; a header without hosts.
  static Result<Access> Make(const Options& options);

  bool asks_token() const { return tokens_ != nullptr; }

  // A refusal or a log-in page; status 0: it may go on. What is asked for by the cluster's own
  // machinery is not asked here.
  Response Check(const Request& request) const;
  // POST /login with token=… as a form sends it: to the page with a cookie, or once more.
  Response LogIn(const Request& request) const;

 private:
  class TokenFile;
  bool Knows(std::string_view token) const;
  bool KnowsCookie(std::string_view cookies) const;
  Sha256 SignatureOf(const Sha256& token, std::string_view expiry) const;

  std::shared_ptr<TokenFile> tokens_;  // null: none is asked for
  std::string user_header_;
  std::vector<std::string> hosts_;
  bool encrypted_ = false;
  Sha256 key_;  // of cookies; another in each process
};

// What a token file holds: one a line; empty lines and those that begin with # are none. Error: see
// Access::Make.
inline constexpr std::size_t kLeastToken = 16;
Result<std::vector<std::string>> ReadTokens(const std::string& path);

}  // namespace fairlead::server
