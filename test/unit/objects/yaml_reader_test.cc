#include "objects/read/yaml_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "fuzz/values.h"

namespace fairlead::objects {
namespace {

using Strings = std::vector<std::string>;

PrintingSink ParseYaml(const std::string& text, Keep keep = Keep::kRead) {
  PrintingSink sink;
  ReadYaml(text, 1, keep, sink);
  return sink;
}

TEST(ReadYaml, ReadsValues) {
  struct Case {
    std::string text;
    Strings values;
  };
  const Case cases[] = {
      {"", {}},
      {"# nothing\n", {}},
      {"---\n", {"null"}},
      {"a: 1\nb: [x, 'y', \"z\\n\"]\n", {R"({"a":1,"b":["x","y","z\u000a"]})"}},
      {"a: true\nb: 'true'\nc: yes\nd: ~\ne:\n",
       {R"({"a":true,"b":"true","c":true,"d":null,"e":null})"}},
      {"a: 0x1f\nb: !!str 12\nc: !!int '7'\nd: ! 5\n", {R"({"a":31,"b":"12","c":7,"d":"5"})"}},
      {"a: |\n  x\n  y\nb: >-\n  x\n  y\n", {R"({"a":"x\u000ay\u000a","b":"x y"})"}},
      {"a: one\n  two\nb: 'three\n  four'\n", {R"({"a":"one two","b":"three four"})"}},
      {"a: 1\n---\nb: 2\n...\n---\n{c: 3}\n", {R"({"a":1})", R"({"b":2})", R"({"c":3})"}},
      {"a: 1\r\nb:\r\n- 2\r\n- 3\r\n", {R"({"a":1,"b":[2,3]})"}},
      {"\xef\xbb\xbf"
       "a: 1\n",
       {R"({"a":1})"}},
      {"%YAML 1.1\n---\na: 1\n", {R"({"a":1})"}},
      {"1: a\ntrue: b\n", {R"({"1":"a","true":"b"})"}},
      {"- 1\n- - 2\n  - 3\n- {}\n- []\n", {"[1,[2,3],{},[]]"}},
      {"a: &x {b: 1}\nc: *x\nd: [*x, *x]\n",
       {R"({"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":1}]})"}},
      {"a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", {R"({"a":{"b":1,"c":2},"d":{"c":3,"b":1}})"}},
      {"x: &x {b: 1}\ny: &y {b: 2, c: 3}\nz: {<<: [*x, *y]}\n",
       {R"({"x":{"b":1},"y":{"b":2,"c":3},"z":{"b":1,"c":3}})"}},
      {"a: {'<<': 1}\n", {R"({"a":{"<<":1}})"}},
      {"a: &x 1\n---\nb: http://h/?a=1&b=2\n", {R"({"a":1})", R"({"b":"http://h/?a=1&b=2"})"}},
      {"\"a b\": \"\\u00e9\\x41\"\n",
       {"{\"a b\":\"\xc3\xa9"
        "A\"}"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const PrintingSink sink = ParseYaml(c.text);
    EXPECT_EQ(sink.fault, "");
    EXPECT_EQ(sink.values, c.values);
  }
}

TEST(ReadYaml, SaysWhatIsWrongAndWhere) {
  const std::string tab =
      "not valid YAML: found a tab, expected spaces: YAML is not indented with tabs";
  struct Case {
    std::string text;
    std::string fault;
  };
  const Case cases[] = {
      {"a: 1\n\tb: 2\n", "2: " + tab},
      {"a:\n\t- b\n", "2: " + tab},
      {"a: b: c\n",
       "1: not valid YAML: found a \": \" inside a value, expected one key on a line, or quotes "
       "around the value"},
      {"a: 1\n b: 2\n",
       "2: not valid YAML: found a \": \" inside a value, expected one key on a line, or quotes "
       "around the value"},
      {"a:\n  b: 1\n c: 2\n",
       "3: not valid YAML: found something that is no key, expected \"key: value\" at the "
       "indentation of the lines before"},
      {"a:\n- 1\n- 2\n b\nc\n",
       "5: not valid YAML: found a line without \": \", expected \"key: value\""},
      {"a: [1, 2\nb: 3\n",
       "2: not valid YAML: found no comma or closing bracket, expected the list to go on or end"},
      {"a: {b: 1\n",
       "2: not valid YAML: found no comma or closing brace, expected the mapping to go on or end"},
      {"a: 'x\nb: 1\n",
       "1: not valid YAML: the text ends inside a quoted string, expected a closing quote"},
      {"a: \"\\q\"\n",
       "1: not valid YAML: found an escape that YAML does not have, expected one such as \\n, \\\" "
       "or \\u00e9"},
      {"a: @b\n", "1: not valid YAML: found a value that begins with @, expected quotes around it"},
      {"a: `b`\n",
       "1: not valid YAML: found a value that begins with `, expected quotes around it"},
      {"a: 1\nb: \x01\n", "2: not valid YAML: found a control character, expected text"},
      {"a: 1\nb: \xff\n", "2: not valid YAML: the text is not UTF-8"},
      {"a: !x!y 1\n", "1: not valid YAML: found a tag (!…) that is not declared"},
      {"a: 1\nb: 2\na: 3\n",
       "3: found the key \"a\" a second time, first on line 1, expected each key once"},
      {"a: {b: 1, b: 2}\n",
       "1: found the key \"b\" a second time, first on line 1, expected each key once"},
      {"a: *x\n", "1: found the alias *x, expected &x on a complete value before it"},
      {"a: &x [*x]\n", "1: found the alias *x, expected &x on a complete value before it"},
      {"&x a: 1\n---\nb: *x\n", "3: found the alias *x, expected &x on a complete value before it"},
      {"[a]: 1\n", "1: found a list or mapping as a key, expected a name"},
      {"a: {<<: 1}\n", "1: found number 1 under the merge key \"<<\", expected a mapping"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ParseYaml(c.text).fault, c.fault);
  }
}

TEST(ReadYaml, BoundsTheDepth) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_EQ(ParseYaml(nested(kMaxDepth)).fault, "");
  EXPECT_EQ(ParseYaml(nested(kMaxDepth + 1)).fault,
            "1: found more than 128 nested values, expected fewer");
  EXPECT_EQ(ParseYaml(nested(1000)).fault, "1: found more than 128 nested values, expected fewer");
  std::string block;
  for (std::size_t i = 0; i < 1000; ++i) block += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(ParseYaml(block).fault, "129: found more than 128 nested values, expected fewer");
  const std::string skipped = "kind: Pod\nmetadata: {managedFields: " + nested(1000) + "}\n";
  EXPECT_EQ(ParseYaml(skipped).fault, "2: found more than 128 nested values, expected fewer");
}

TEST(ReadYaml, BoundsTheDepthBehindAliases) {
  // Each line wraps the one before: 200 deep, though no line is more than one deep.
  std::string text = "a0: &a0 []\n";
  for (int i = 1; i < 200; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            "]\n";
  }
  EXPECT_EQ(ParseYaml(text).fault,
            "128: found more than 128 nested values behind an alias, expected fewer");
}

TEST(ReadYaml, BoundsWhatAliasesStandFor) {
  // Nine lists of nine of the one before: 9^9 values, were they written out.
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int j = 1; j < 9; ++j) text += ", " + alias;
    text += "]\n";
  }
  EXPECT_EQ(ParseYaml(text).fault,
            "8: found aliases that stand for more than 10000000 values, expected fewer");
}

TEST(ReadYaml, HandsOutListElementsOneByOne) {
  const PrintingSink sink = ParseYaml("apiVersion: v1\nitems:\n- {a: 1}\n- {a: 2}\nkind: List\n");
  EXPECT_EQ(sink.values, (Strings{R"({"a":1})", R"({"a":2})",
                                  R"({"apiVersion":"v1","items":[],"kind":"List"})"}));
  EXPECT_EQ(sink.lists, (Strings{"v1 ", "v1 "}));
  EXPECT_EQ(ParseYaml("kind: PodList\napiVersion: v1\nitems: [{a: 1}]\n").lists,
            (Strings{"v1 PodList"}));
}

TEST(ReadYaml, KeepsAnchorsFromOneElementToTheNext) {
  const PrintingSink sink = ParseYaml("items:\n- a: &x [1, 2]\n- b: *x\n- {c: *x}\n");
  EXPECT_EQ(sink.values,
            (Strings{R"({"a":[1,2]})", R"({"b":[1,2]})", R"({"c":[1,2]})", R"({"items":[]})"}));
}

TEST(ReadYaml, LeavesOutWhatNobodyReads) {
  const std::string text =
      "kind: Pod\nmetadata: {name: p, managedFields: [{a: 1}]}\n"
      "spec: {containers: [{image: x, name: c, env: [{name: A}]}]}\n";
  EXPECT_EQ(
      ParseYaml(text).values,
      (Strings{R"({"kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c"}]}})"}));
  EXPECT_NE(ParseYaml(text, Keep::kAll).values[0].find("managedFields"), std::string::npos);
  EXPECT_NE(ParseYaml(text, Keep::kAll).values[0].find("\"env\":[{\"name\":\"A\"}]"),
            std::string::npos);
}

}  // namespace
}  // namespace fairlead::objects
