#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "kube/kubeconfig.h"

namespace fairlead::kube {

// What shows the server who we are.
struct Secret {
  std::string authorization;                   // of the header: "Bearer …"; empty: none is sent
  std::string client_certificate, client_key;  // PEM; empty: none
  std::optional<Duration> good_for;            // from when it was fetched; absent: for ever

  bool operator==(const Secret&) const = default;
};

// Keeps the secret of a connection fresh. A token's file is read again every minute, a plugin run
// again when its credential runs out; both when the server says that it does not know us (401).
// Thread safety: FetchSecret may run on another thread; the rest is one thread's.
class Credentials {
 public:
  explicit Credentials(Connection connection);

  const Connection& connection() const { return connection_; }
  // There is no secret, or it is about to run out.
  bool Due(Time now) const;
  // Another one may be had after a 401.
  bool renewable() const { return connection_.exec || !connection_.token_file.empty(); }
  // Fetching runs a program, which may take as long as a person to log in.
  bool slow() const { return connection_.exec.has_value(); }

  const Secret& secret() const { return secret_; }
  void Set(Secret secret, Time now);
  // Fetching failed: what there is goes on being used for a while, where there is something.
  // Returns whether there is.
  bool Keep(Time now);

 private:
  const Connection connection_;
  Secret secret_;
  bool fetched_ = false;
  Time due_ = Time::Max();
};

// Reads or runs what the connection says; blocks. `wall_now`: what expirations are compared with.
Result<Secret> FetchSecret(const Connection& connection, Time wall_now);

}  // namespace fairlead::kube
