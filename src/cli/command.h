#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "show/output.h"

// What a command is, as data: the parser, the help and the shells' completion are made from it, so
// that they cannot disagree. A command is one file, cmd_*.cc, and one line in commands.h.

namespace fairlead::cli {

// What completion offers for a value.
enum class Completes : std::uint8_t { kNothing, kFiles, kKinds };

struct Option {
  std::string flags;  // "-f,--filename": the long name last
  std::string value;  // "PATH", as help shows it; empty: a switch
  std::string help;
  // Where it is stored; what stands there before is the default. A vector: may be repeated.
  std::variant<bool*, std::string*, std::vector<std::string>*> into;
  // The values there are; empty: any. One that ends in "=" takes anything behind that.
  std::vector<std::string> choices = {};
  Completes completes = Completes::kNothing;
  bool required = false;
  bool hidden = false;  // an alias: parsed, not shown
};

struct Positional {
  std::string name;  // "NS/NAME"
  std::string help;
  std::variant<std::string*, std::vector<std::string>*> into;  // a vector: one or more, the last
  bool required = true;
  Completes completes = Completes::kNothing;
};

struct Example {
  std::string what;     // "What would happen next with a saved state"
  std::string command;  // "kubectl get … -o yaml | fairlead plan -f -"
};

struct Command {
  std::string name;     // "plan", "queue shares": words by one space
  std::string summary;  // one line, for the list of commands
  std::string about;    // a paragraph or two for its own help; lines of at most 80 columns
  std::vector<Example> examples;
  std::vector<Positional> positionals;
  std::vector<Option> options;
  std::function<int(show::Output&)> run;       // returns the exit code
  std::vector<std::string> more_formats = {};  // of -o, beside those that every command has
};

// Options that every command has: -o, and -h which help shows.
struct GlobalOptions {
  std::string output = "table";
  bool help = false;
};
std::vector<Option> GlobalOptionsInto(GlobalOptions& global,
                                      const std::vector<std::string>& more_formats = {});

// "--filename" of "-f,--filename".
std::string LongFlag(const Option& option);

}  // namespace fairlead::cli
