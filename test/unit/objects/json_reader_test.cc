#include "objects/read/json_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "fuzz/values.h"
#include "objects/read/json_scan.h"
#include "objects/read/yaml_reader.h"

namespace fairlead::objects {
namespace {

using Strings = std::vector<std::string>;

PrintingSink ParseJson(const std::string& text, Keep keep = Keep::kRead) {
  PrintingSink sink;
  ReadJson(PaddedText(text), 0, keep, sink);
  return sink;
}

TEST(JsonReader, ReadsOneObjectAfterAnother) {
  JsonReader reader;
  const auto read = [&](const std::string& text, Keep keep = Keep::kAll) {
    PrintingSink sink;
    const bool good = reader.Read(PaddedText(text), "Pod", keep, sink);
    EXPECT_EQ(good, sink.fault.empty()) << text;
    return good ? sink.values : Strings{sink.fault};
  };
  EXPECT_EQ(read(" {\"a\":\"\\u00e9\"} \n"), (Strings{"{\"a\":\"\xc3\xa9\"}"}));
  EXPECT_EQ(read("{\"b\":[1]}"), (Strings{"{\"b\":[1]}"}));
  // It is read as a Pod though it does not say that it is one.
  EXPECT_EQ(read("{\"spec\":{\"volumes\":[{\"hostPath\":{}}],\"dnsConfig\":{}}}", Keep::kRead),
            (Strings{"{\"spec\":{\"volumes\":[{}]}}"}));
  for (const char* none : {"", "  ", "[]", "5", "{", "{}{}", "{} x"}) {
    EXPECT_NE(read(none).at(0).find("not valid JSON"), std::string::npos) << none;
  }
}

TEST(ReadJson, ReadsValues) {
  struct Case {
    std::string text;
    Strings values;
  };
  const Case cases[] = {
      {"{}", {"{}"}},
      {R"({"a":1,"b":[true,false,null,-1.5e3,"x"],"c":{"d":{}}})",
       {R"({"a":1,"b":[true,false,null,-1.5e3,"x"],"c":{"d":{}}})"}},
      {R"({"a\"b":"c\n\u00e9\ud83d\ude00"})",
       {"{\"a\\\"b\":\"c\\u000a\xc3\xa9\xf0\x9f\x98\x80\"}"}},
      {"{\"a\" : \"\"\n}\n", {R"({"a":""})"}},
      {R"({"a":1}{"b":2} {"c":3})", {R"({"a":1})", R"({"b":2})", R"({"c":3})"}},
      {"{\"a\":1}\n{\"b\":[{}]}\n\n", {R"({"a":1})", R"({"b":[{}]})"}},
      {R"({"items":[{"a":1},{"b":2}],"kind":"List"})",
       {R"({"a":1})", R"({"b":2})", R"({"items":[],"kind":"List"})"}},
      {R"({"items":{"a":1}})", {R"({"items":{"a":1}})"}},
      {R"({"a":9007199254740993,"b":1e400})", {R"({"a":9007199254740993,"b":1e400})"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const PrintingSink sink = ParseJson(c.text);
    EXPECT_EQ(sink.fault, "");
    EXPECT_EQ(sink.values, c.values);
  }
}

TEST(ReadJson, SaysWhatIsWrongAndWhere) {
  const std::string misplaced =
      "not valid JSON: found something else where a value, a comma, a colon or a closing bracket "
      "was expected";
  struct Case {
    std::string text;
    std::string fault;
  };
  const Case cases[] = {
      {"{\"a\":1",
       "1: not valid JSON: the text ends inside an object or array, expected a closing bracket"},
      {"{\"a\":\n[1,\n",
       "3: not valid JSON: the text ends inside an object or array, expected a closing bracket"},
      {"{\"a\":\n\"x",
       "2: not valid JSON: found a string without an end, expected a closing quote"},
      {"{\"a\":\n\"x\n\"}",
       "2: not valid JSON: the line ends inside a string, expected a closing quote"},
      {"{\n\"a\":1,\n}", "3: " + misplaced},
      {"{\n\"a\":1\n\"b\":2}", "3: " + misplaced},
      {"{\n\"a\" 1}", "2: " + misplaced},
      {"{\n\"a\":[1 2]}", "2: " + misplaced},
      {"{\"a\":\ntru}", "2: not valid JSON: found tru, expected a JSON value"},
      {"{\"a\":01}", "1: not valid JSON: found 01, expected a JSON value"},
      {"{\"a\":1.}", "1: not valid JSON: found 1., expected a JSON value"},
      {"{\"a\":nan}", "1: not valid JSON: found nan, expected a JSON value"},
      {"{\n\"a\":\"\\x\"}",
       "2: not valid JSON: found a string with an escape that JSON does not have"},
      {"{\"a\":\"\xff\"}", "1: not valid JSON: the text is not UTF-8"},
      {"[1]", "1: not valid JSON: found a list, expected an object with apiVersion and kind"},
      {"{\"a\":1,\n\"b\":2,\n\"a\":3}",
       "3: not valid JSON: found the key \"a\" a second time, first on line 1, expected each key "
       "once"},
      {"{\"a\":{\"b\":1,\"b\":2}}",
       "1: not valid JSON: found the key \"b\" a second time, first on line 1, expected each key "
       "once"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ParseJson(c.text).fault, c.fault);
  }
}

TEST(ReadJson, BoundsTheDepth) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(ParseJson(nested(kMaxDepth - 1)).fault, "");
  const std::string fault = "1: not valid JSON: found more than 128 nested values, expected fewer";
  EXPECT_EQ(ParseJson(nested(kMaxDepth)).fault, fault);
  EXPECT_EQ(ParseJson(nested(1000)).fault, fault);
  EXPECT_EQ(ParseJson(nested(1'000'000)).fault, fault);
}

TEST(ReadJson, StopsBeforeWhatIsNotJson) {
  PrintingSink sink;
  const PaddedText text("{\"a\":1}\n---\nb: 2\n");
  EXPECT_EQ(ReadJson(text, 0, Keep::kRead, sink), text.view().find('-'));
  EXPECT_EQ(sink.values, (Strings{R"({"a":1})"}));
}

TEST(ReadJson, GivesTheSameAsTheYamlReader) {
  // JSON is YAML, so both readers must agree on it.
  const std::string cases[] = {
      R"({"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","metadata":{"name":"p"}}]})",
      R"({"a":[[],{},"",null,true,0,-0.5,1e3,"true","1","~"],"b":{"c":{"d":["\u0041\t\\\/"]}}})",
      R"({"kind":"Pod","metadata":{"managedFields":[1]},"spec":{"containers":[{"env":[]}]}})",
      R"({"kind":"PodList","items":[{"spec":{"containers":[{"env":[1],"name":"c"}]}}]})",
      R"({"status":{"containerStatuses":[{"image":"x"}]},"kind":"Pod"})",
  };
  for (const std::string& text : cases) {
    SCOPED_TRACE(text);
    PrintingSink yaml;
    ReadYaml(text, 1, Keep::kRead, yaml);
    EXPECT_EQ(yaml.fault, "");
    EXPECT_EQ(ParseJson(text).values, yaml.values);
    EXPECT_EQ(ParseJson(text).lists, yaml.lists);
  }
}

TEST(LooksLikeJson, TellsFlowMappingsApart) {
  EXPECT_TRUE(LooksLikeJson("{\"a\":1}"));
  EXPECT_TRUE(LooksLikeJson("{ \n \"a\":1}"));
  EXPECT_TRUE(LooksLikeJson("{}"));
  EXPECT_TRUE(LooksLikeJson("[1]"));
  EXPECT_FALSE(LooksLikeJson("{a: 1}"));
  EXPECT_FALSE(LooksLikeJson("{"));
  EXPECT_FALSE(LooksLikeJson("---\n{\"a\":1}"));
  EXPECT_FALSE(LooksLikeJson(""));
}

TEST(IsJsonNumber, IsJsonsGrammar) {
  for (const char* text : {"0", "-0", "1", "10", "-1.5", "1e3", "1E+3", "0.5e-10"}) {
    EXPECT_TRUE(IsJsonNumber(text)) << text;
  }
  for (const char* text :
       {"", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "1 ", "1_0", "--1"}) {
    EXPECT_FALSE(IsJsonNumber(text)) << text;
  }
}

}  // namespace
}  // namespace fairlead::objects
