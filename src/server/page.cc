#include "server/page.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "objects/read/inflate.h"
#include "server/page_files.h"

namespace fairlead::server {
namespace {

constexpr std::string_view kAssets = "/assets/";
constexpr std::string_view kPage = "index.html";

// Scripts, styles and requests of our own only: nothing inline, nothing from elsewhere, no frames.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PageFile* Find(std::string_view name) {
  const auto files = PageFiles();
  const auto found = std::ranges::find(files, name, &PageFile::name);
  return found == files.end() ? nullptr : &*found;
}

const PageFile* FileFor(const Request& request) {
  const std::string_view path = request.path;
  std::string_view name;
  if (path == "/" && request.accept.find("text/html") != std::string::npos) name = kPage;
  if (path.starts_with(kAssets)) name = path.substr(kAssets.size());
  if (name.empty() || (name == kPage && path != "/")) return nullptr;
  return Find(name);
}

// "gzip, deflate, br" does, "gzip;q=0" does not.
bool AcceptsGzip(std::string_view accepted) {
  const std::size_t at = accepted.find("gzip");
  if (at == std::string_view::npos) return false;
  const std::string_view rest = accepted.substr(at, accepted.find(',', at) - at);
  const std::size_t weight = rest.find("q=");
  return weight == std::string_view::npos ||
         rest.substr(weight + 2).find_first_of("123456789") != std::string_view::npos;
}

}  // namespace

std::optional<Response> ServePage(const Request& request) {
  const PageFile* file = FileFor(request);
  if (file == nullptr) return std::nullopt;
  Response response{
      .content_type = std::string(file->content_type),
      .etag = std::string(file->etag),
      .cache_control = file->immutable ? "public, max-age=31536000, immutable" : "no-cache",
      .policy = std::string(kPolicy)};
  if (AcceptsGzip(request.accept_encoding)) {
    response.body = file->gzipped;
    response.content_encoding = "gzip";
    return response;
  }
  response.body = PageText(file->name);
  return response;
}

std::string StyleSheet() {
  for (const PageFile& file : PageFiles()) {
    const bool is_page = file.name.starts_with("app.") && file.name.ends_with(".css");
    if (is_page) return std::string(kAssets) + std::string(file.name);
  }
  return {};
}

std::string PageText(std::string_view name) {
  const PageFile* file = Find(name);
  if (file == nullptr) return {};
  const auto text = objects::InflateGzip(file->gzipped, file->size);
  return text ? std::string(text->view()) : std::string();
}

}  // namespace fairlead::server
