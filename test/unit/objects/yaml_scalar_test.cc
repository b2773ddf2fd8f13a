#include "objects/read/yaml_scalar.h"

#include <string>

#include <gtest/gtest.h>

namespace fairlead::objects {
namespace {

using Kind = Value::Kind;

TEST(ResolvePlain, IsYaml11AsKubectlReadsIt) {
  struct Case {
    std::string text;
    Kind kind;
    std::string canonical = {};
  };
  const Case cases[] = {
      {"", Kind::kNull},
      {"~", Kind::kNull},
      {"null", Kind::kNull},
      {"NULL", Kind::kNull},
      {"nUll", Kind::kString},
      {"nullable", Kind::kString},
      {"true", Kind::kBool},
      {"True", Kind::kBool},
      {"tRUE", Kind::kString},
      {"yes", Kind::kBool},
      {"y", Kind::kString},
      {"N", Kind::kString},
      {"on", Kind::kBool},
      {"OFF", Kind::kBool},
      {"yess", Kind::kString},
      {"once", Kind::kString},
      {"0", Kind::kNumber},
      {"-12", Kind::kNumber},
      {"1.5", Kind::kNumber},
      {"1e3", Kind::kNumber},
      {"1.5e-3", Kind::kNumber},
      {"+5", Kind::kNumber, "5"},
      {".5", Kind::kNumber, "0.5"},
      {"-.5", Kind::kNumber, "-0.5"},
      {"5.", Kind::kNumber, "5"},
      {"5.e3", Kind::kNumber, "5e3"},
      {"1_000", Kind::kNumber, "1000"},
      {"0x1F", Kind::kNumber, "31"},
      {"-0x10", Kind::kNumber, "-16"},
      {"0b101", Kind::kNumber, "5"},
      {"0o17", Kind::kNumber, "15"},
      {"0755", Kind::kNumber, "493"},
      {"09", Kind::kNumber, "9"},
      {"00", Kind::kNumber, "0"},
      {"0.50", Kind::kNumber},
      {".inf", Kind::kNumber},
      {"-.Inf", Kind::kNumber},
      {".NaN", Kind::kNumber},
      {"0x", Kind::kString},
      {"0xg", Kind::kString},
      {".", Kind::kString},
      {"..", Kind::kString},
      {"-", Kind::kString},
      {"+", Kind::kString},
      {"-x", Kind::kString},
      {"1.2.3", Kind::kString},
      {"10.0.0.1", Kind::kString},
      {"1e", Kind::kString},
      {"e3", Kind::kString},
      {"100m", Kind::kString},
      {"64Gi", Kind::kString},
      {"12:30", Kind::kString},
      {"2026-01-01", Kind::kString},
      {"2026-01-01T00:00:00Z", Kind::kString},
      {"--config=x", Kind::kString},
      {"2182e980", Kind::kString},  // beyond a double: a hash
      {"1e308", Kind::kNumber},
      {"12e308", Kind::kString},
      {"1e-99999999999999999999", Kind::kNumber},
      {"1e99999999999999999999", Kind::kString},
      {"99999999999999999999999999", Kind::kNumber},
      {"_1", Kind::kString},
      {"vision", Kind::kString},
      {"\xc3\xa9", Kind::kString},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const PlainScalar scalar = ResolvePlain(c.text);
    EXPECT_EQ(scalar.kind, c.kind);
    EXPECT_EQ(scalar.canonical, c.canonical);
  }
  EXPECT_TRUE(ResolvePlain("On").truth);
  EXPECT_FALSE(ResolvePlain("no").truth);
}

}  // namespace
}  // namespace fairlead::objects
