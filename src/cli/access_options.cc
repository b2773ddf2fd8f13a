#include "cli/access_options.h"

#include <utility>

namespace fairlead::cli {

void AddAccessOptions(AccessOptions& options, std::vector<Option>& into) {
  into.push_back({.flags = "--token-file",
                  .value = "FILE",
                  .help = "tokens, one a line: whoever asks has to have one",
                  .into = &options.token_file,
                  .completes = Completes::kFiles});
  into.push_back({.flags = "--tls-cert",
                  .value = "FILE",
                  .help = "a certificate (PEM): the page is https://",
                  .into = &options.tls_cert,
                  .completes = Completes::kFiles});
  into.push_back({.flags = "--tls-key",
                  .value = "FILE",
                  .help = "the key of --tls-cert",
                  .into = &options.tls_key,
                  .completes = Completes::kFiles});
  into.push_back({.flags = "--user-header",
                  .value = "NAME",
                  .help = "in which a proxy on this machine says who asks; with --page-host",
                  .into = &options.user_header});
  into.push_back({.flags = "--page-host",
                  .value = "NAME",
                  .help = "by which browsers reach that proxy; may be repeated",
                  .into = &options.page_hosts});
}

Result<host::PageAccess> PageAccessOf(const AccessOptions& options,
                                      const std::function<void(const std::string&)>& on_problem) {
  if (options.tls_cert.empty() != options.tls_key.empty()) {
    return Fail("--tls-cert and --tls-key go together");
  }
  if (!options.token_file.empty() && !options.user_header.empty()) {
    return Fail("--token-file and --user-header are two ways to the same: give one");
  }
  host::PageAccess access;
  if (!options.tls_cert.empty()) {
    auto tls = server::Tls::Make(
        {.certificate = options.tls_cert, .key = options.tls_key, .on_problem = on_problem});
    if (!tls) return tl::unexpected(tls.error());
    access.tls = *std::move(tls);
  }
  auto made = server::Access::Make({.token_file = options.token_file,
                                    .user_header = options.user_header,
                                    .hosts = options.page_hosts,
                                    .encrypted = access.tls != nullptr,
                                    .on_problem = on_problem});
  if (!made) return tl::unexpected(made.error());
  access.access = *std::move(made);
  access.user_header = options.user_header;
  return access;
}

}  // namespace fairlead::cli
