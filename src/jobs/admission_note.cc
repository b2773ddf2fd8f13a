#include "jobs/admission_note.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/integer.h"

namespace fairlead::jobs {
namespace {

std::optional<std::int32_t> CountIn(std::string_view text) {
  const auto count = ParseInteger<std::int32_t>(text);
  return count && *count >= 0 ? count : std::nullopt;
}

// "worker=4/8"; false: it is none of ours.
bool ReadPodSet(std::string_view text, AdmissionNote& note) {
  const std::size_t equals = text.find('='), slash = text.find('/');
  if (equals == std::string_view::npos || slash == std::string_view::npos || slash < equals) {
    return false;
  }
  const auto admitted = CountIn(text.substr(equals + 1, slash - equals - 1));
  const auto asked = CountIn(text.substr(slash + 1));
  if (!admitted || !asked || *admitted > *asked) return false;
  const std::string name(text.substr(0, equals));
  note.admitted.push_back({.name = name, .count = *admitted});
  note.asked.push_back({.name = name, .count = *asked});
  return true;
}

}  // namespace

void WriteNote(objects::Object& job, const AdmissionNote& note) {
  std::string text;
  for (const objects::PodSetAssignment& set : note.admitted) {
    text += fmt::format("{}{}={}/{}", text.empty() ? "" : ",", set.name, set.count,
                        CountOf(note.asked, set.name).value_or(set.count));
  }
  ClearNote(job);
  objects::Labels& annotations = objects::MetaOf(job).annotations;
  const auto at =
      std::lower_bound(annotations.begin(), annotations.end(), kAdmittedAnnotation,
                       [](const auto& entry, std::string_view key) { return entry.first < key; });
  annotations.emplace(at, kAdmittedAnnotation, std::move(text));
}

void ClearNote(objects::Object& job) {
  std::erase_if(objects::MetaOf(job).annotations,
                [](const auto& entry) { return entry.first == kAdmittedAnnotation; });
}

std::optional<AdmissionNote> NoteOf(const objects::Object& job) {
  const std::string* text =
      objects::FindLabel(objects::MetaOf(job).annotations, kAdmittedAnnotation);
  if (text == nullptr) return std::nullopt;
  AdmissionNote note;
  std::string_view left = *text;
  while (!left.empty()) {
    const std::size_t comma = left.find(',');
    if (!ReadPodSet(left.substr(0, comma), note)) return AdmissionNote();
    left.remove_prefix(comma == std::string_view::npos ? left.size() : comma + 1);
  }
  return note;
}

}  // namespace fairlead::jobs
