#include "cli/args.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/help.h"

namespace fairlead::cli {
namespace {

// Two commands with every kind of option.
class ArgsTest : public ::testing::Test {
 protected:
  ArgsTest() {
    commands_.push_back({.name = "fetch",
                         .positionals = {{.name = "NAME", .into = &name_, .required = false}},
                         .options = {{.flags = "-f,--filename", .value = "PATH", .into = &paths_},
                                     {.flags = "--speed", .value = "N", .into = &speed_},
                                     {.flags = "--all", .into = &all_}}});
    commands_.push_back(
        {.name = "queue list",
         .options = {
             {.flags = "-f,--filename", .value = "PATH", .into = &paths_, .required = true}}});
  }

  // The command's name, or the message.
  std::string Parse(std::vector<std::string> args) {
    const Result<Parsed> parsed = ParseArgs(args, commands_, global_);
    if (!parsed) return parsed.error().message;
    return parsed->command == nullptr ? "(" + parsed->group + ")" : parsed->command->name;
  }

  std::string name_, speed_ = "1";
  std::vector<std::string> paths_;
  bool all_ = false;
  std::vector<Command> commands_;
  GlobalOptions global_;
};

TEST_F(ArgsTest, GlobalOptionsStandAnywhere) {
  EXPECT_EQ(Parse({"-o", "json", "fetch"}), "fetch");
  EXPECT_EQ(global_.output, "json");
  EXPECT_EQ(Parse({"queue", "list", "-f", "x", "-o", "yaml"}), "queue list");
  EXPECT_EQ(global_.output, "yaml");
  EXPECT_EQ(Parse({"fetch", "--output=table"}), "fetch");
  EXPECT_EQ(global_.output, "table");
}

TEST_F(ArgsTest, Values) {
  EXPECT_EQ(Parse({"fetch", "-f", "a", "it", "--filename=b", "-f", "-", "--all"}), "fetch");
  EXPECT_EQ(paths_, (std::vector<std::string>{"a", "b", "-"}));
  EXPECT_EQ(name_, "it");
  EXPECT_EQ(speed_, "1");
  EXPECT_TRUE(all_);
  // A word that is a command elsewhere is a name here.
  EXPECT_EQ(Parse({"fetch", "queue"}), "fetch");
  EXPECT_EQ(name_, "queue");
}

TEST_F(ArgsTest, Groups) {
  EXPECT_EQ(Parse({}), "()");
  EXPECT_EQ(Parse({"queue"}), "(queue)");
  EXPECT_EQ(Parse({"queue", "list", "--help"}), "queue list");
  EXPECT_TRUE(global_.help);
}

TEST_F(ArgsTest, Faults) {
  EXPECT_EQ(Parse({"fetsh"}), "unknown command fetsh; did you mean fetch?");
  EXPECT_EQ(Parse({"queue", "lits"}), "unknown command queue lits; did you mean queue list?");
  EXPECT_EQ(Parse({"zebra"}), "unknown command zebra");
  EXPECT_EQ(Parse({"fetch", "--sped", "3"}), "unknown flag --sped; did you mean --speed?");
  EXPECT_EQ(Parse({"fetch", "--sped=3"}), "unknown flag --sped; did you mean --speed?");
  EXPECT_EQ(Parse({"fetch", "a", "b"}), "unexpected argument b");
  EXPECT_EQ(Parse({"fetch", "a", "/"}), "unexpected argument /; give each file its own -f");
  EXPECT_EQ(Parse({"fetch", "--speed", "1", "--speed", "2"}), "--speed is given twice");
  EXPECT_EQ(Parse({"fetch", "--speed"}), "--speed needs a value");
  EXPECT_EQ(Parse({"fetch", "--speed="}), "--speed needs a value");
  EXPECT_EQ(Parse({"queue", "list"}), "-f PATH is missing");
  EXPECT_EQ(Parse({"fetch", "-o", "jsn"}),
            "--output: jsn, expected one of: table, wide, json, yaml; did you mean json?");
}

TEST(Commands, AreWhole) {
  for (const Command& command : AllCommands()) {
    EXPECT_FALSE(command.summary.empty()) << command.name;
    EXPECT_GE(command.examples.size(), 2U) << command.name;
    EXPECT_TRUE(command.run) << command.name;
    for (const Option& option : command.options) {
      EXPECT_FALSE(option.help.empty()) << command.name << " " << option.flags;
    }
    // Help fits a terminal of 100 columns.
    const std::string help = CommandHelp(command, false);
    for (std::size_t at = 0; at < help.size();) {
      const std::size_t end = help.find('\n', at);
      EXPECT_LE(show::DisplayWidth(help.substr(at, end - at)), 100U) << help.substr(at, end - at);
      at = end + 1;
    }
  }
}

}  // namespace
}  // namespace fairlead::cli
