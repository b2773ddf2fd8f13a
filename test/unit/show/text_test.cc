// What prints: tables, JSON, YAML, words.

#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "base/did_you_mean.h"
#include "intake/intake.h"
#include "objects/read/reader.h"
#include "show/document_text.h"
#include "show/human_text.h"
#include "show/long_table.h"
#include "show/output.h"
#include "show/progress.h"
#include "show/table.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

TEST(Table, AlignsByCharactersNotBytes) {
  Table table({"NAME", "VALUE", "LAST"});
  table.Add({"é", "", "x"});
  table.Add({"longer", "1", ""});
  EXPECT_EQ(table.Render(false),
            "NAME     VALUE   LAST\n"
            "é        -       x\n"
            "longer   1       -\n");
}

// As wide as it is where there is no terminal; else sentences are cut, and columns that can be
// missed are left out.
TEST(Table, FitsTheTerminal) {
  Table table({"NAMESPACE", "NAME", "QUEUE", "AGE", "REASON"});
  table.Add({"vision", "train-7", "vision", "5m", "there are too few GPUs for é all of them"});
  const auto within = [&](std::size_t width) { return table.Render({.width = width}); };
  EXPECT_EQ(within(0), table.Render(false));
  EXPECT_EQ(within(200), table.Render(false));
  EXPECT_EQ(within(70),
            "NAMESPACE   NAME      QUEUE    AGE   REASON\n"
            "vision      train-7   vision   5m    there are too few GPUs for é all…\n");
  EXPECT_EQ(within(60),
            "NAMESPACE   NAME      AGE   REASON\n"
            "vision      train-7   5m    there are too few GPUs for é al…\n");
  EXPECT_EQ(within(30),
            "NAMESPACE   NAME      REASON\n"
            "vision      train-7   there a…\n");
  for (std::size_t width = 20; width < 120; ++width) {
    const std::string text = within(width);
    EXPECT_LE(DisplayWidth(text.substr(0, text.find('\n'))), std::max<std::size_t>(width, 30));
  }
}

TEST(Table, LaterRowsStandBelowThoseBefore) {
  Table table({"NAME", "STATE"});
  table.Add({"a", "Running"});
  EXPECT_EQ(table.Render({.header = false, .widths = {6, 0}}), "a        Running\n");
  EXPECT_EQ(table.Widths(), (std::vector<std::size_t>{4, 7}));
}

TEST(Table, ColoursDoNotShiftColumns) {
  Table table({"A", "B"});
  table.Add({{"Running", Tone::kGood}, "x"});
  EXPECT_EQ(table.Render(true),
            "\x1b[2mA\x1b[0m         \x1b[2mB\x1b[0m\n\x1b[32mRunning\x1b[0m   x\n");
}

TEST(JsonText, LinesThatFitStayWhole) {
  const json::value value = {{"a", 1}, {"list", {1, "two", nullptr, true}}, {"half", 0.5}};
  EXPECT_EQ(JsonText(value), "{\"a\": 1, \"list\": [1, \"two\", null, true], \"half\": 0.5}\n");
  EXPECT_EQ(JsonText(json::object()), "{}\n");
  EXPECT_EQ(JsonText(json::array()), "[]\n");
}

TEST(JsonText, LongOnesTakeALineAMember) {
  const std::string wide(60, 'x');
  const json::value value = {{"a", {{"b", wide}, {"c", wide}}}, {"d", json::object()}};
  EXPECT_EQ(JsonText(value), "{\n  \"a\": {\n    \"b\": \"" + wide + "\",\n    \"c\": \"" + wide +
                                 "\"\n  },\n  \"d\": {}\n}\n");
  for (const std::size_t width : {1U, 100U, 112U, 113U, 114U, 115U, 116U, 117U, 118U, 119U, 120U}) {
    const json::array inner{std::string(width, 'x'), 1};
    const std::string text = JsonText(json::object{{"k", inner}, {"z", 1}});
    EXPECT_EQ(json::parse(text).at("k"), inner);
    EXPECT_EQ(text.find('\n') + 1 == text.size(), text.size() <= 120) << text;
  }
}

// Row by row as if it were one, with and without colours and a terminal.
TEST(LongTable, PrintsAsATableOfAllItsRows) {
  for (const int count : {0, 1, 9'000}) {
    Table whole({"NAME", "QUEUE", "REASON"});
    LongTable table({"NAME", "QUEUE", "REASON"});
    for (int i = 0; i < count; ++i) {
      const std::string text(static_cast<std::size_t>(i % 97), 'x');
      const std::vector<Cell> row = {
          {"a/p-" + std::to_string(i), i % 2 == 0 ? Tone::kGood : Tone::kPlain},
          i % 3 == 0 ? "" : "é\x01",
          text};
      whole.Add(row);
      table.Add(row);
    }
    for (const bool colour : {false, true}) {
      for (const std::size_t width : {std::size_t{0}, std::size_t{40}, std::size_t{80}}) {
        Output expected(Format::kTable, colour, nullptr, width);
        Output output(Format::kTable, colour, nullptr, width);
        expected.Print(whole);
        table.Print(output);
        EXPECT_EQ(output.text(), expected.text());
      }
    }
  }
}

// Of any length, as if they stood in the document.
TEST(LongLists, AreWrittenAsThoseOfTheDocument) {
  for (const int items : {0, 1, 3, 40, 30'000}) {
    json::array list;
    for (int i = 0; i < items; ++i) {
      const json::array steps(static_cast<std::size_t>(i % 60), json::value("a step"));
      list.push_back(json::object{{"number", i}, {"steps", steps}});
    }
    const json::value whole = {{"before", 1}, {"list", list}, {"after", {{"more", list}}}};
    const json::value hollow = {
        {"before", 1}, {"list", json::array()}, {"after", {{"more", json::array()}}}};
    const auto for_each = [&list](const LongList::Visit& visit) {
      for (const json::value& item : list) {
        if (!visit(item)) return;
      }
    };
    const LongList lists[] = {
        {.in_place_of = &hollow.at("list"), .for_each = for_each},
        {.in_place_of = &hollow.at("after").at("more"), .for_each = for_each}};
    std::string json, yaml;
    WriteJson(hollow, lists, [&json](std::string_view text) { json += text; });
    WriteYaml(hollow, lists, [&yaml](std::string_view text) { yaml += text; });
    EXPECT_EQ(json, JsonText(whole));
    EXPECT_EQ(yaml, YamlText(whole));
  }
}

TEST(YamlText, Shapes) {
  const json::value value = {{"kind", "List"},
                             {"items", {{{"a", 1}, {"b", {{"c", "d"}}}}, {{"e", json::array()}}}},
                             {"nested", {{1, 2}, {3}}},
                             {"none", nullptr},
                             {"empty", json::object()}};
  EXPECT_EQ(YamlText(value),
            "kind: List\n"
            "items:\n"
            "- a: 1\n"
            "  b:\n"
            "    c: d\n"
            "- e: []\n"
            "nested:\n"
            "- - 1\n"
            "  - 2\n"
            "- - 3\n"
            "none: null\n"
            "empty: {}\n");
}

TEST(YamlText, QuotesWhatWouldBeReadAsSomethingElse) {
  struct Row {
    std::string text;
    bool plain;
  };
  const std::vector<Row> rows = {
      {"vision", true}, {"500m", true},  {"16Gi", true},
      {"1.5Gi", true},  {"a: b", false}, {"a:b", true},
      {"a #b", false},  {"a#b", true},   {"ends:", false},
      {"ends ", false}, {"", false},     {"1", false},
      {"1.5", false},   {"1e3", false},  {"0x1F", false},
      {"0xA", false},   {"true", false}, {"No", false},
      {"y", false},     {"null", false}, {"~", false},
      {"-", false},     {"- a", false},  {"*a", false},
      {"&a", false},    {"!a", false},   {"%a", false},
      {"@a", false},    {"`a", false},   {"2026-01-01", false},
      {"12:30", false}, {"a\nb", false}, {"\xc3\xa9", false},
      {".5", false},    {"=", false},    {"<<", false},
      {"{a}", false},   {"[a]", false},  {"'a'", false},
      {"\"a\"", false}, {"a'b", true},   {"nvidia.com/gpu", true},
      {"1_000", false}, {"yes", false},  {"queue \"nlp\" may use 2 more", true},
  };
  for (const Row& row : rows) {
    const std::string yaml = YamlText(json::string(row.text));
    EXPECT_EQ(yaml == row.text + "\n", row.plain) << yaml;
  }
}

// Whatever a string is, the reader of manifests gets it back.
TEST(YamlText, ReadsBack) {
  const std::vector<std::string> values = {"500m",  "1", "true", "0x1F", "no: way", "#",
                                           "a\tb",  "é", "~",    " ",    "1e3",     "2026-01-01",
                                           "12:30", "y", "-",    "'",    "\"",      "\\"};
  for (const std::string& value : values) {
    const json::value object = {
        {"apiVersion", "v1"},
        {"kind", "Namespace"},
        {"metadata", {{"name", "n"}, {"annotations", {{"example.com/key", value}}}}}};
    objects::Manifest manifest;
    objects::ReadText(YamlText(object), "t", intake::AllDecoders(), manifest);
    ASSERT_TRUE(manifest.faults.empty()) << manifest.faults[0].ToString();
    EXPECT_EQ(objects::MetaOf(manifest.objects[0]).annotations[0].second, value);
  }
}

TEST(Words, Durations) {
  struct Row {
    std::int64_t seconds;
    std::string human, exact;
  };
  const std::vector<Row> rows = {
      {0, "0s", "0s"},
      {45, "45s", "45s"},
      {60, "1m", "1m"},
      {330, "5m30s", "5m30s"},
      {3600, "1h", "1h"},
      {5405, "1h30m", "1h30m5s"},
      {36000, "10h", "10h"},
      {90000, "1d1h", "25h"},
      {86400 * 10 + 7200, "10d", "242h"},
      {86400L * 400, "400d", "9600h"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(HumanDuration(Duration::Seconds(row.seconds)), row.human);
    EXPECT_EQ(ExactDuration(Duration::Seconds(row.seconds)), row.exact);
  }
  EXPECT_EQ(ExactDuration(Duration{61'500'000}), "1m1.5s");
  EXPECT_EQ(HumanAge("2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z"), "5m");
  EXPECT_EQ(HumanAge("never", "2026-01-01T00:05:00Z"), "");
}

TEST(Words, Numbers) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Grouped(-1234), "-1,234");
  EXPECT_EQ(Grouped(-123), "-123");
  EXPECT_EQ(Counted(1, "pod"), "1 pod");
  EXPECT_EQ(Counted(2000, "pod"), "2,000 pods");
  EXPECT_EQ(Counted(2, "class", "classes"), "2 classes");
}

TEST(Near, Names) {
  const std::vector<std::string> names = {"plan", "up", "validate", "queue shares", "simulate"};
  EXPECT_EQ(NearNames("plna", names), (std::vector<std::string>{"plan"}));
  EXPECT_EQ(NearNames("sim", names), (std::vector<std::string>{"simulate"}));
  EXPECT_EQ(NearNames("queue share", names), (std::vector<std::string>{"queue shares"}));
  EXPECT_TRUE(NearNames("zebra", names).empty());
  EXPECT_TRUE(NearNames("", {"a"}).size() <= 1);
  EXPECT_EQ(DidYouMean("abd", {"abc", "abe", "abf"}), "; did you mean abc, abe or abf?");
}

TEST(Output, DocumentsAndStreams) {
  Output yaml(Format::kYaml, false, nullptr);
  yaml.StreamDocument(json::object{{"a", 1}});
  yaml.StreamDocument(json::object{{"b", 2}});
  EXPECT_EQ(yaml.text(), "a: 1\n---\nb: 2\n");
  Output lines(Format::kJson, false, nullptr);
  lines.StreamDocument(json::object{{"a", 1}});
  EXPECT_EQ(lines.text(), "{\"a\":1}\n");
  Output table(Format::kTable, false, nullptr);
  table.Section("Title", Table({"A"}), "None.");
  EXPECT_EQ(table.text(), "\nNone.\n");
}

// What a tenant wrote is one part of one line, whatever he wrote.
TEST(Output, ControlCharactersAreShown) {
  const std::string evil = "1\n2026-01-01T00:00:00Z info: all is well\x1b[2J";
  const std::string shown = "1\\n2026-01-01T00:00:00Z info: all is well\\x1b[2J";
  Output output(Format::kTable, false, nullptr);
  output.Line(evil);
  Table table({"DETAIL"});
  table.Add({evil});
  output.Print(table);
  EXPECT_EQ(output.text(), shown + "\nDETAIL\n" + shown + "\n");
  Output coloured(Format::kTable, true, nullptr);
  coloured.Line(coloured.Painted("Pending", Tone::kWaiting) + " \x1b[33;5m" + evil);
  EXPECT_EQ(coloured.text(), "\x1b[33mPending\x1b[0m \\x1b[33;5m" + shown + "\n");
  testing::internal::CaptureStderr();
  ComplainAsIs(evil);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), shown + "\n");
}

TEST(Progress, Line) {
  const auto line = [](std::int64_t done, std::int64_t total, std::size_t width) {
    return ProgressLine("simulating", done, total, "steps", "+3h", 10'000, 0, width);
  };
  const std::string half = "simulating [████████████            ]  50%  15,000 of 30,000 steps";
  EXPECT_EQ(line(15'000, 30'000, 0), half + ", 1,500/s  +3h  10s left");
  EXPECT_EQ(line(15'000, 30'000, 91), half + ", 1,500/s  +3h  10s left");
  EXPECT_EQ(line(15'000, 30'000, 89), half + "  +3h  10s left");
  EXPECT_EQ(line(15'000, 30'000, 79), half + "  10s left");
  EXPECT_EQ(line(15'000, 30'000, 40), "simulating  15,000 of 30,000 steps  10s left");
  // No end is known; it is slow; nothing is done yet.
  EXPECT_EQ(line(15'000, 0, 0), "simulating  15,000 steps, 1,500/s  +3h");
  EXPECT_EQ(line(1, 4, 0),
            "simulating [██████                  ]  25%  1 of 4 steps  +3h  30s left");
  EXPECT_EQ(line(0, 4, 0), "simulating [                        ]   0%  0 of 4 steps  +3h");
}

TEST(Progress, CountsDownUntilTheNextOneIsDone) {
  const auto left = [](std::int64_t elapsed_ms, std::int64_t idle_ms) {
    return ProgressLine("", 2, 4, "runs", "", elapsed_ms, idle_ms, 20);
  };
  EXPECT_EQ(left(60'000, 0), "  2 of 4 runs  1m left");
  EXPECT_EQ(left(80'000, 20'000), "  2 of 4 runs  40s left");
  EXPECT_EQ(left(130'000, 70'000), "  2 of 4 runs");  // longer than foreseen
}

TEST(Progress, Bar) {
  EXPECT_EQ(ProgressBar(0, 10, 4), "[    ]");
  EXPECT_EQ(ProgressBar(5, 10, 4), "[██  ]");
  EXPECT_EQ(ProgressBar(10, 10, 4), "[████]");
  EXPECT_EQ(ProgressBar(99, 10, 4), "[████]");
  EXPECT_EQ(ProgressBar(1, 0, 4), "[    ]");
}

}  // namespace
}  // namespace fairlead::show
