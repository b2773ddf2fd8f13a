#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <curl/curl.h>

#include "kube/credentials.h"
#include "kube/loop.h"

// One request as libcurl carries it out.

namespace fairlead::kube {

struct FreeHeaders {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Headers = std::shared_ptr<curl_slist>;

// Of all requests of one content type, while the secret stays the same.
Headers MakeHeaders(const Connection& connection, const Secret& secret,
                    const std::string& content_type);

struct Transfer {
  CallId id = 0;
  Request request;
  std::function<void(Response)> fn;  // of Send
  Stream* stream = nullptr;          // of Open; null otherwise, or once cancelled

  CURL* easy = nullptr;  // while it is under way
  Headers headers, connect_to;
  std::shared_ptr<const Secret> secret;
  std::string url;
  Response response;
  Time started;                         // when it was given to libcurl
  ServerClock* server_clock = nullptr;  // is told the answer's Date
  std::optional<Time> date;
  bool headers_told = false;
  bool cancelled = false;  // from inside a callback of libcurl: to be taken out afterwards
  bool tried_again = false;
  bool too_large = false;
  bool may_renew = false;  // a 401 is ours to answer, by another secret
  char problem[CURL_ERROR_SIZE] = {};
};

// Sets all options of `easy` for `transfer`, which must stay where it is until it is done, as must
// `connection`.
void Prepare(CURL* easy, Transfer& transfer, const Connection& connection, Duration connect_timeout,
             const std::string& user_agent);

// What became of it: the status, the header Retry-After, or what went wrong.
void Conclude(Transfer& transfer, CURLcode code);

}  // namespace fairlead::kube
