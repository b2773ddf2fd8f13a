#include "objects/read/yaml_problem.h"

#include <algorithm>

namespace fairlead::objects {
namespace {

struct Wording {
  std::string_view problem;  // libyaml's
  std::string_view words;
};

constexpr Wording kWordings[] = {
    {"mapping values are not allowed in this context",
     "found a \": \" inside a value, expected one key on a line, or quotes around the value"},
    {"did not find expected key",
     "found something that is no key, expected \"key: value\" at the indentation of the lines "
     "before"},
    {"did not find expected '-' indicator",
     "found something that is no list element, expected \"- \" at the indentation of the list"},
    {"could not find expected ':'", "found a line without \": \", expected \"key: value\""},
    {"block sequence entries are not allowed in this context",
     "found a list element where none can stand, expected it on a line of its own"},
    {"mapping keys are not allowed in this context",
     "found a key where none can stand, expected a value"},
    {"did not find expected node content", "found no value, expected one"},
    {"did not find expected ',' or ']'",
     "found no comma or closing bracket, expected the list to go on or end"},
    {"did not find expected ',' or '}'",
     "found no comma or closing brace, expected the mapping to go on or end"},
    {"found unexpected end of stream",
     "the text ends inside a quoted string, expected a closing quote"},
    {"found unexpected document indicator",
     "the document ends inside a quoted string, expected a closing quote"},
    {"found unknown escape character",
     "found an escape that YAML does not have, expected one such as \\n, \\\" or \\u00e9"},
    {"did not find expected <document start>", "found more behind a document, expected \"---\""},
    {"control characters are not allowed", "found a control character, expected text"},
    {"found undefined tag handle", "found a tag (!…) that is not declared"},
    {"found a tab character where an indentation space is expected",
     "found a tab, expected spaces: YAML is not indented with tabs"},
    {"found a tab character that violates indentation",
     "found a tab, expected spaces: YAML is not indented with tabs"},
};

}  // namespace

bool YamlProblemBeganBefore(std::string_view problem) {
  return problem == "could not find expected ':'" || problem == "found unexpected end of stream" ||
         problem == "found unexpected document indicator";
}

std::string_view LineOfText(std::string_view text, std::size_t number) {
  for (; number > 0; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

std::string YamlProblem(std::string_view problem, std::string_view line, std::size_t column) {
  if (problem == "found character that cannot start any token") {
    const char found = column < line.size() ? line[column] : ' ';
    if (found == '\t') return "found a tab, expected spaces: YAML is not indented with tabs";
    return std::string("found a value that begins with ") + found + ", expected quotes around it";
  }
  if (problem.find("UTF-8") != std::string_view::npos) return "the text is not UTF-8";
  for (const Wording& row : kWordings) {
    if (row.problem == problem) return std::string(row.words);
  }
  return std::string(problem);
}

}  // namespace fairlead::objects
