#include "scenarios/story.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace fairlead::scenario {
namespace {

constexpr std::string_view kTables[] = {"nodes",     "topologies",    "queues",     "pods",
                                        "workloads", "classes",       "namespaces", "budgets",
                                        "quotas",    "configuration", "windows"};

std::vector<std::string> WordsOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Without the comment at its end.
std::string WithoutComment(const std::string& line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ')) return line.substr(0, i);
  }
  return line;
}

// "p{1..3}" → p1, p2, p3.
std::vector<std::string> Names(const std::string& pattern) {
  const std::size_t open = pattern.find('{');
  const std::size_t dots = pattern.find("..", open);
  const std::size_t close = pattern.find('}', open);
  if (open == std::string::npos || dots == std::string::npos || close == std::string::npos) {
    return {pattern};
  }
  std::vector<std::string> names;
  const int last = std::stoi(pattern.substr(dots + 2, close - dots - 2));
  for (int i = std::stoi(pattern.substr(open + 1, dots - open - 1)); i <= last; ++i) {
    names.push_back(pattern.substr(0, open) + std::to_string(i) + pattern.substr(close + 1));
  }
  return names;
}

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Result<std::vector<Story>> Run() {
    std::ifstream in(path_);
    if (!in) return Fail("cannot read " + path_);
    for (std::string line; std::getline(in, line);) {
      ++at_;
      if (section_ == "yaml" && (line.empty() || line[0] == ' ')) {
        Now().yaml.back().text += line.substr(std::min<std::size_t>(2, line.size())) + "\n";
        continue;
      }
      const std::string text = WithoutComment(line);
      if (WordsOf(text).empty()) continue;
      const bool good = text[0] == ' ' ? TakeLine(text) : TakeHead(text);
      if (!good) return Fail(path_ + ":" + std::to_string(at_) + ": " + fault_);
    }
    return std::move(stories_);
  }

 private:
  bool Fault(std::string text) {
    fault_ = std::move(text);
    return false;
  }

  // The step that is being told: a new one once the last has had its round.
  Step& Now() {
    std::vector<Step>& steps = stories_.back().steps;
    if (steps.empty() || steps.back().line != 0) steps.emplace_back();
    return steps.back();
  }

  bool TakeHead(const std::string& text) {
    const auto [head, rest] = Cut(text, ":");
    const std::string title = head.starts_with("then ") ? head.substr(5) : head;
    section_ = title.starts_with("round ") ? "round" : title;
    const std::vector<std::string> words = WordsOf(rest);
    if (section_ == "scenario") {
      stories_.push_back(
          {.file = path_, .name = Trimmed(rest), .why = "", .line = at_, .steps = {}});
      return true;
    }
    if (stories_.empty()) return Fault("expected `scenario: NAME` first");
    if (section_ == "why") {
      stories_.back().why = Trimmed(rest);
    } else if (section_ == "plans") {
      stories_.back().only_carried_out = Trimmed(rest) == "carried out";
    } else if (section_ == "victims") {
      stories_.back().may_be_unproven = Trimmed(rest) == "unproven";
    } else if (section_ == "yaml") {
      Now().yaml.push_back({.text = rest + "\n", .line = at_});
    } else if (section_ == "change") {
      Now();
    } else if (section_ == "round") {
      Step& step = Now();
      step.line = at_;
      if (title.starts_with("round at ")) step.at_seconds = std::stoll(title.substr(9));
    } else if (std::find(std::begin(kTables), std::end(kTables), section_) != std::end(kTables)) {
      Now();
      columns_ = words;
    } else {
      return Fault("unknown section " + section_);
    }
    return true;
  }

  bool TakeLine(const std::string& text) {
    if (section_ == "why") {
      stories_.back().why += " " + Trimmed(text);
      return true;
    }
    if (section_ == "change" || section_ == "round") {
      auto& lines = section_ == "change" ? Now().changes : stories_.back().steps.back().expected;
      std::vector<std::string> words = WordsOf(text);
      for (const std::string& name : words.size() > 1 ? Names(words[1]) : std::vector{words[0]}) {
        if (words.size() > 1) words[1] = name;
        lines.push_back({.words = words, .line = at_});
      }
      return true;
    }
    const std::vector<std::string> cells = WordsOf(text);
    if (cells.size() > columns_.size()) return Fault("more cells than columns");
    for (const std::string& name : Names(cells[0])) {
      Row row{.table = section_, .cells = {}, .line = at_};
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] != "-") row.cells[columns_[i]] = i == 0 ? name : cells[i];
      }
      Now().rows.push_back(std::move(row));
    }
    return true;
  }

  static std::string Trimmed(const std::string& text) {
    std::string out;
    for (const std::string& word : WordsOf(text)) out += (out.empty() ? "" : " ") + word;
    return out;
  }

  std::string path_, fault_, section_;
  int at_ = 0;
  std::vector<std::string> columns_;
  std::vector<Story> stories_;
};

}  // namespace

std::string_view Row::Of(std::string_view column) const {
  auto it = cells.find(column);
  return it == cells.end() ? std::string_view() : it->second;
}

std::string Line::Text() const {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return parts;
}

std::pair<std::string, std::string> Cut(std::string_view text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, at)), std::string(text.substr(at + separator.size()))};
}

Result<std::vector<Story>> ReadStories(const std::string& path) { return Reader(path).Run(); }

}  // namespace fairlead::scenario
