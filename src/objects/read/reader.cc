#include "objects/read/reader.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "objects/read/doubts.h"
#include "objects/read/field_reader.h"
#include "objects/read/input.h"
#include "objects/read/json_reader.h"
#include "objects/read/json_scan.h"
#include "objects/read/padded_text.h"
#include "objects/read/yaml_reader.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kGroup = "fairlead.dev/";
constexpr std::string_view kYunikornQueues = "partitions";  // the root of its queues.yaml

// A name of two million letters says no more than its beginning.
std::string Bounded(std::string_view text) {
  constexpr std::size_t kMost = 1000, kShown = 200;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kShown;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a letter
  return fmt::format("{}… ({} bytes)", text.substr(0, end), text.size());
}

bool NameAKind(const Value& document) {
  return document.Find("kind") != nullptr || document.Find("apiVersion") != nullptr;
}

// Decodes what a parser hands out and keeps what came of it.
class ManifestSink : public DocumentSink {
 public:
  ManifestSink(const std::string& file, const DecoderTable& decoders, Manifest& into)
      : file_(file), decoders_(decoders), into_(into) {}

  void BeginDocument() override;
  bool Item(const Value& item, std::string_view list_api_version,
            std::string_view list_kind) override;
  void EndDocument(const Value& root) override;
  void SyntaxFault(std::uint32_t line, std::string message) override {
    found_.any = true;
    AddFault(line, "", std::move(message));
  }

  // What the text was, as a whole.
  struct Found {
    bool any = false;     // anything but blanks and comments
    bool object = false;  // something with an apiVersion or a kind
  };
  const Found& found() const { return found_; }

 private:
  void Decode(const Value& document);
  void DecodeAs(const Value& document, std::string_view api_version, std::string_view kind);
  void DecodeItem(const Value& item, std::string_view list_api_version, std::string_view list_kind);
  void WarnUnknown(std::uint32_t line, std::string_view api_version, std::string_view kind);
  void AddFault(std::uint32_t line, std::string field, std::string message) {
    into_.faults.push_back({.file = file_,
                            .line = line,
                            .object = "",
                            .field = std::move(field),
                            .message = std::move(message)});
  }

  const std::string& file_;
  const DecoderTable& decoders_;
  Manifest& into_;
  const DecoderRow* last_row_ = nullptr;
  Found found_;
  // Of the document that is being read.
  std::size_t objects_before_ = 0, faults_before_ = 0, warnings_before_ = 0;
  bool streamed_ = false;
  std::vector<const Value*> held_;
};

void ManifestSink::BeginDocument() {
  objects_before_ = into_.objects.size();
  faults_before_ = into_.faults.size();
  warnings_before_ = into_.warnings.size();
  streamed_ = false;
  held_.clear();
}

bool ManifestSink::Item(const Value& item, std::string_view list_api_version,
                        std::string_view list_kind) {
  streamed_ = true;
  const bool known = !list_kind.empty() && !list_api_version.empty();
  if (!known && !NameAKind(item)) {
    held_.push_back(&item);
    return false;
  }
  DecodeItem(item, list_api_version, list_kind);
  return true;
}

void ManifestSink::EndDocument(const Value& root) {
  if (root.is_null()) return;
  found_.any = true;
  found_.object |= streamed_ || NameAKind(root) || root.Find(kYunikornQueues) != nullptr;
  const Value* kind = root.Find("kind");
  const bool is_list = kind != nullptr && kind->text().ends_with("List") &&
                       (streamed_ || root.Find("items") != nullptr);
  if (!is_list) {
    // Its `items` were none of ours after all.
    into_.objects.erase(into_.objects.begin() + static_cast<std::ptrdiff_t>(objects_before_),
                        into_.objects.end());
    into_.faults.resize(faults_before_);
    into_.warnings.resize(warnings_before_);
    Decode(root);
    return;
  }
  const Value* api_version = root.Find("apiVersion");
  for (const Value* item : held_) {
    DecodeItem(*item, api_version == nullptr ? "" : api_version->text(), kind->text());
  }
  const Value* items = root.Find("items");
  if (items != nullptr && items->kind() != Value::Kind::kSequence) {
    AddFault(items->line(), "items", "found " + Describe(*items) + ", expected a list");
  }
}

void ManifestSink::DecodeItem(const Value& item, std::string_view list_api_version,
                              std::string_view list_kind) {
  const std::string_view kind = ItemKind(list_kind);
  if (NameAKind(item) || kind.empty() || item.kind() != Value::Kind::kMapping) {
    Decode(item);
  } else {
    DecodeAs(item, list_api_version, kind);
  }
}

void ManifestSink::Decode(const Value& document) {
  if (document.kind() != Value::Kind::kMapping) {
    AddFault(document.line(), "",
             "found " + Describe(document) + ", expected an object with apiVersion and kind");
    return;
  }
  std::string_view names[2];
  const std::string_view fields[] = {"apiVersion", "kind"};
  for (std::size_t i = 0; i < 2; ++i) {
    const Value* value = document.Find(fields[i]);
    if (value == nullptr && document.Find(kYunikornQueues) != nullptr) {
      AddFault(document.line(), std::string(kYunikornQueues),
               "found the queues of YuniKorn, expected an object with apiVersion and kind: write "
               "each queue as a Queue, as docs/from-yunikorn.md says");
      return;
    }
    if (value == nullptr || value->kind() != Value::Kind::kString || value->text().empty()) {
      AddFault(value == nullptr ? document.line() : value->line(), std::string(fields[i]),
               value == nullptr ? "found none, expected one"
                                : "found " + Describe(*value) + ", expected a name");
      return;
    }
    names[i] = value->text();
  }
  const Value* items = document.Find("items");
  if (names[1].ends_with("List") && items != nullptr) {
    for (const Value* item : items->items()) DecodeItem(*item, names[0], names[1]);
    return;
  }
  DecodeAs(document, names[0], names[1]);
}

void ManifestSink::DecodeAs(const Value& document, std::string_view api_version,
                            std::string_view kind) {
  const auto matches = [&](const DecoderRow& row) {
    return row.kind == kind && row.api_version == api_version;
  };
  if (last_row_ == nullptr || !matches(*last_row_)) {
    const auto found = std::find_if(decoders_.begin(), decoders_.end(), matches);
    if (found == decoders_.end()) {
      WarnUnknown(document.line(), api_version, kind);
      return;
    }
    last_row_ = &*found;
  }
  const std::size_t faults = into_.faults.size();
  last_row_->decode(document, file_, into_);
  if (into_.faults.size() == faults) FindDoubts(document, kind, file_, into_);
}

void ManifestSink::WarnUnknown(std::uint32_t line, std::string_view api_version,
                               std::string_view kind) {
  const auto same_kind = std::find_if(decoders_.begin(), decoders_.end(),
                                      [&](const DecoderRow& row) { return row.kind == kind; });
  if (api_version.starts_with(kGroup) && same_kind != decoders_.end()) {
    AddFault(line, "apiVersion",
             "found \"" + std::string(api_version) + "\", expected \"" +
                 std::string(same_kind->api_version) + "\"");
    return;
  }
  std::vector<std::string_view> kinds;
  for (const DecoderRow& row : decoders_) {
    if (row.api_version == api_version) kinds.push_back(row.kind);
  }
  const std::string_view nearest = NearestName(kind, kinds);
  if (api_version.starts_with(kGroup) && !nearest.empty()) {
    AddFault(line, "kind", fmt::format("found \"{}\", expected \"{}\"", kind, nearest));
    return;
  }
  const std::string warning = fmt::format(
      "objects of kind {} ({}) are skipped: fairlead does not read them{}", Bounded(kind),
      Bounded(api_version), nearest.empty() ? "" : fmt::format(" (it does read kind {})", nearest));
  constexpr std::size_t kMaxWarnings = 100;
  const auto& warnings = into_.warnings;
  if (warnings.size() >= kMaxWarnings) return;
  if (std::find(warnings.begin(), warnings.end(), warning) != warnings.end()) return;
  into_.warnings.push_back(warning);
}

ManifestSink::Found ReadPadded(const PaddedText& text, const std::string& file,
                               const DecoderTable& decoders, Manifest& into, Keep keep) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  ManifestSink sink(file, decoders, into);
  const std::string_view all = text.view();
  std::size_t offset = all.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t first = all.find_first_not_of(" \t\r\n", offset);
  if (first == std::string_view::npos) return sink.found();
  if (LooksLikeJson(all.substr(first))) {
    offset = ReadJson(text, first, keep, sink);
    if (offset == std::string_view::npos || offset >= all.size()) return sink.found();
  }
  const auto lines =
      std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  ReadYaml(all.substr(offset), static_cast<std::uint32_t>(lines) + 1, keep, sink);
  return sink.found();
}

// Of Helm or another program: "{{ .Values.name }}" is none of YAML.
bool LooksLikeTemplate(std::string_view text) { return text.find("{{") != std::string_view::npos; }

constexpr std::string_view kRenderFirst =
    "it looks like a template, which has to be rendered first";

// Why one of a directory's files is no manifest; empty: it is one, right or wrong.
std::string WhyPassedOver(std::string_view text, ManifestSink::Found found, bool has_faults) {
  if (!found.any) return "it holds nothing";
  if (!has_faults) return {};
  if (LooksLikeTemplate(text)) return std::string(kRenderFirst);
  return found.object ? "" : "it holds no object with apiVersion and kind";
}

// Reads one of a directory's files, unless it is none of ours.
void ReadOneOfMany(const PaddedText& text, const std::string& file, const DecoderTable& decoders,
                   Manifest& into, Keep keep) {
  const std::size_t objects = into.objects.size(), faults = into.faults.size(),
                    doubts = into.doubts.size();
  const auto found = ReadPadded(text, file, decoders, into, keep);
  const std::string why = WhyPassedOver(text.view(), found, into.faults.size() > faults);
  if (why.empty()) return;
  into.objects.resize(objects);
  into.faults.resize(faults);
  into.doubts.resize(doubts);
  into.passed_over.push_back({file, why});
}

void ReadGiven(const PaddedText& text, const std::string& file, const DecoderTable& decoders,
               Manifest& into, Keep keep) {
  const std::size_t faults = into.faults.size();
  const auto found = ReadPadded(text, file, decoders, into, keep);
  if (!found.any) {
    into.faults.push_back({.file = file,
                           .line = 0,
                           .object = {},
                           .field = {},
                           .message = "found nothing in it, expected manifests"});
  } else if (into.faults.size() > faults && LooksLikeTemplate(text.view())) {
    into.faults[faults].message += fmt::format("; {}", kRenderFirst);
  }
}

}  // namespace

std::string Fault::ToString() const {
  std::string text = file;
  if (line != 0) text += fmt::format(":{}", line);
  for (const std::string* part : {&object, &field, &message}) {
    if (part->empty()) continue;
    if (!text.empty()) text += ": ";
    text += Bounded(*part);
  }
  return text;
}

void ReadText(std::string_view text, const std::string& file, const DecoderTable& decoders,
              Manifest& into, Keep keep) {
  ReadPadded(PaddedText(text), file, decoders, into, keep);
}

void ReadPath(const std::string& path, const DecoderTable& decoders, Manifest& into, Keep keep) {
  const auto fault = [&](const std::string& file, const Error& error) {
    into.faults.push_back(
        {.file = file, .line = 0, .object = "", .field = "", .message = error.message});
  };
  const Result<std::vector<std::string>> files = ListInputs(path);
  if (!files) return fault(path, files.error());
  for (const std::string& file : *files) {
    const std::string shown = file == "-" ? "<stdin>" : file;
    const Result<PaddedText> text = LoadText(file);
    if (!text) {
      fault(shown, text.error());
      continue;
    }
    const bool of_directory = files->size() > 1 || file != path;
    (of_directory ? ReadOneOfMany : ReadGiven)(*text, shown, decoders, into, keep);
  }
}

std::string WhyNoManifest(const PaddedText& text, const std::string& file,
                          const DecoderTable& decoders) {
  Manifest manifest;
  const auto found = ReadPadded(text, file, decoders, manifest, Keep::kRead);
  return WhyPassedOver(text.view(), found, !manifest.faults.empty());
}

void CheckDuplicates(Manifest& manifest) {
  using Name = std::tuple<std::string_view, std::string_view, std::string_view>;
  boost::unordered_flat_map<Name, const Meta*> seen;
  seen.reserve(manifest.objects.size());
  for (const Object& object : manifest.objects) {
    const Meta& meta = MetaOf(object);
    const auto* workload = std::get_if<Workload>(&object);
    const std::string_view kind = workload != nullptr && !workload->dialect_kind.empty()
                                      ? std::string_view(workload->dialect_kind)
                                      : QualifiedKindOf(object);
    const auto [first, inserted] = seen.try_emplace({kind, meta.name_space, meta.name}, &meta);
    if (inserted) continue;
    const std::size_t colon = meta.source.rfind(':');
    const bool qualified =
        std::holds_alternative<PodGroup>(object) || std::holds_alternative<Topology>(object);
    const std::string_view shown = qualified ? KindOf(object) : kind;
    Fault fault{
        .file = meta.source.substr(0, colon),
        .line = 0,
        .object = meta.name.empty() ? std::string(shown) : fmt::format("{} {}", shown, meta.Key()),
        .field = "metadata.name",
        .message = "found a name that is taken, by the one at " + first->second->source +
                   ", expected another"};
    if (colon != std::string::npos) {
      for (const char digit : meta.source.substr(colon + 1)) {
        fault.line = fault.line * 10 + static_cast<std::uint32_t>(digit - '0');
      }
    }
    manifest.faults.push_back(std::move(fault));
  }
}

}  // namespace fairlead::objects
