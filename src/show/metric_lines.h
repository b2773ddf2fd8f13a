#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace fairlead::show {

// NAME="VALUE", whatever the value holds.
std::string Label(std::string_view name, std::string_view value);

// Lines of Prometheus' text format (0.0.4): Begin a metric, then Add its series.
class MetricLines {
 public:
  void Begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
  }
  // `suffix` belongs to the name ("_bucket"), `labels` are a list by commas.
  template <typename Value>
  void Add(const Value& value, std::string_view labels = {}, std::string_view suffix = {}) {
    text_ += labels.empty() ? fmt::format("{}{} {}\n", name_, suffix, value)
                            : fmt::format("{}{}{{{}}} {}\n", name_, suffix, labels, value);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_, name_;
};

}  // namespace fairlead::show
