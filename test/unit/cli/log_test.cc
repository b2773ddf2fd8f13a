#include "cli/log.h"

#include <string>

#include <gtest/gtest.h>

namespace fairlead::cli {
namespace {

TEST(Log, OneMessageIsOneLine) {
  for (const char* format : {"text", "json"}) {
    testing::internal::CaptureStderr();
    MakeLog(format)->info("{}", "Pod a/p: cpu: found \"1\n2026-01-01T00:00:00Z info: x\x1b[2J\"");
    const std::string line = testing::internal::GetCapturedStderr();
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    EXPECT_EQ(line.find('\x1b'), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace fairlead::cli
