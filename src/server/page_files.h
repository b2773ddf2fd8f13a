#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace fairlead::server {

// A file of the web page, as the build made it; or of the lab that `up --demo` shows:
// "demo/….yaml".
struct PageFile {
  std::string_view name;  // "app.0123456789ab.js"
  std::string_view content_type;
  std::string_view etag;  // of its content, with quotes
  std::string_view gzipped;
  std::size_t size = 0;    // before that
  bool immutable = false;  // its name changes with its content
};

// All of them; index.html is the page itself. Defined by web/build.mjs, see cmake/Web.cmake.
std::span<const PageFile> PageFiles();

}  // namespace fairlead::server
