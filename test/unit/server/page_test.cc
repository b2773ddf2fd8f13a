#include "server/page.h"

#include <string>

#include <gtest/gtest.h>

#include "objects/read/inflate.h"
#include "server/page_files.h"

namespace fairlead::server {
namespace {

Request For(const std::string& path, const std::string& accept = "text/html,*/*;q=0.8",
            const std::string& encoding = "") {
  return {.method = "GET",
          .path = path,
          .query = {},
          .body = "",
          .host = "127.0.0.1:8484",
          .origin = "",
          .accept = accept,
          .accept_encoding = encoding};
}

// The name of the script that the page loads: "app.HASH.js".
std::string ScriptOf(const std::string& page) {
  const std::size_t begin = page.rfind("/assets/app.");  // behind the style
  const std::size_t end = page.find(".js\"", begin);
  return begin == std::string::npos || end == std::string::npos
             ? ""
             : page.substr(begin, end + 3 - begin);
}

TEST(Page, IsForThoseWhoAcceptHtml) {
  const auto page = ServePage(For("/"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->content_type, "text/html; charset=utf-8");
  EXPECT_TRUE(page->body.starts_with("<!doctype html>"));
  EXPECT_EQ(page->cache_control, "no-cache");
  EXPECT_FALSE(ServePage(For("/", "*/*")));
  EXPECT_FALSE(ServePage(For("/", "application/json")));
  EXPECT_FALSE(ServePage(For("/queues")));
}

TEST(Page, ItsScriptNeverChanges) {
  const std::string script = ScriptOf(ServePage(For("/"))->body);
  ASSERT_NE(script, "");
  const auto answer = ServePage(For(script));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->content_type, "text/javascript; charset=utf-8");
  EXPECT_NE(answer->cache_control.find("immutable"), std::string::npos);
  EXPECT_GT(answer->body.size(), 10'000u);
  EXPECT_EQ(answer->content_encoding, "");
}

TEST(Page, RunsNothingInlineAndNothingFromElsewhere) {
  const auto page = ServePage(For("/"));
  for (const char* rule :
       {"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"}) {
    EXPECT_NE(page->policy.find(rule), std::string::npos) << rule;
  }
  EXPECT_EQ(page->policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(page->body.find("<style"), std::string::npos);
  EXPECT_EQ(page->body.find(" style="), std::string::npos);
  EXPECT_EQ(page->body.find("http:"), page->body.find("http://www.w3.org/2000/svg"));
}

TEST(Page, IsSentGzippedToThoseWhoAcceptThat) {
  const std::string plain = ServePage(For("/assets/licences.txt"))->body;
  for (const char* encoding : {"gzip", "br, gzip", "deflate, gzip;q=0.5, br"}) {
    const auto packed = ServePage(For("/assets/licences.txt", "*/*", encoding));
    EXPECT_EQ(packed->content_encoding, "gzip") << encoding;
    EXPECT_LT(packed->body.size(), plain.size());
    const auto text = objects::InflateGzip(packed->body, plain.size());
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(text->view(), plain);
  }
  for (const char* encoding : {"", "br", "identity", "gzip;q=0", "gzip;q=0.0, br"}) {
    EXPECT_EQ(ServePage(For("/assets/licences.txt", "*/*", encoding))->body, plain) << encoding;
  }
}

TEST(Page, NamesTheLicencesOfWhatItContains) {
  const std::string text = ServePage(For("/assets/licences.txt"))->body;
  for (const char* part : {"preact 10.", "uplot 1.", "MIT", "Apache License"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(Page, UnknownAssetsAreNotThere) {
  for (const char* path : {"/assets/", "/assets/app.js", "/assets/index.html", "/assets/../page",
                           "/assets/app.0123456789ab.js"}) {
    EXPECT_FALSE(ServePage(For(path))) << path;
  }
}

TEST(Page, EveryFileHasATagOfItsOwn) {
  ASSERT_GE(PageFiles().size(), 4u);
  for (const PageFile& file : PageFiles()) {
    EXPECT_GE(file.etag.size(), 10u) << file.name;
    EXPECT_TRUE(file.etag.starts_with('"') && file.etag.ends_with('"')) << file.name;
    EXPECT_EQ(file.immutable, file.name.starts_with("app.")) << file.name;
  }
}

}  // namespace
}  // namespace fairlead::server
