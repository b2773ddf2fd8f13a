#include "objects/landing.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/integer.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kBetween = "; ";

// Up to the next space, which goes along.
std::string_view TakeWord(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool TakeWord(std::string_view& text, std::string_view expected) {
  return TakeWord(text) == expected;
}

std::optional<Landing> Parse(std::string_view text) {
  Landing landing;
  const std::string_view owner = TakeWord(text);
  const std::size_t colon = std::min(owner.find(':'), owner.size());
  landing.owner = owner.substr(0, colon);
  landing.pod_set = owner.substr(std::min(colon + 1, owner.size()));
  const std::string_view pod = TakeWord(text);
  if (landing.owner.empty() || pod.size() < 2 || pod.front() != '(') return std::nullopt;
  landing.pod = pod.substr(1, pod.size() - 2);
  if (!TakeWord(text, "on")) return std::nullopt;
  landing.node = TakeWord(text);
  for (const auto& [word, into] :
       {std::pair<std::string_view, Time*>{"since", &landing.since}, {"until", &landing.until}}) {
    if (!TakeWord(text, word)) return std::nullopt;
    const Result<Time> time = ParseTime(TakeWord(text));
    if (!time) return std::nullopt;
    *into = *time;
  }
  if (!TakeWord(text, "in")) return std::nullopt;
  landing.queue = TakeWord(text);
  if (!TakeWord(text, "for")) return std::nullopt;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view each = text.substr(0, end);
    const std::size_t equals = each.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const auto amount = ParseInteger<std::int64_t>(each.substr(equals + 1));
    if (!amount || *amount < 0) return std::nullopt;
    landing.requests.emplace_back(each.substr(0, equals), *amount);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::sort(landing.requests);
  return landing;
}

}  // namespace

std::string TextOf(const Landings& landings) {
  std::string text;
  for (const Landing& each : landings) {
    text += fmt::format("{}{}{}{} ({}) on {} since {} until {} in {} for ",
                        text.empty() ? "" : kBetween, each.owner, each.pod_set.empty() ? "" : ":",
                        each.pod_set, each.pod, each.node, FormatTime(each.since),
                        FormatTime(each.until), each.queue);
    for (const auto& [resource, amount] : each.requests) {
      text += fmt::format("{}{}={}", text.ends_with(' ') ? "" : ",", resource, amount);
    }
  }
  return text;
}

Landings ParseLandings(std::string_view text) {
  Landings landings;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(kBetween), text.size());
    if (auto landing = Parse(text.substr(0, end))) landings.push_back(*std::move(landing));
    text.remove_prefix(std::min(end + kBetween.size(), text.size()));
  }
  return landings;
}

}  // namespace fairlead::objects
