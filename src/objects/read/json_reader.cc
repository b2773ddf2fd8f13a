#include "objects/read/json_reader.h"

#include <cstring>
#include <string>
#include <utility>

#include <simdjson.h>

#include "objects/read/document_builder.h"
#include "objects/read/json_scan.h"
#include "objects/read/prune.h"

namespace fairlead::objects {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

std::string InPlainWords(error_code error) {
  switch (error) {
    case simdjson::UTF8_ERROR:
      return "the text is not UTF-8";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return "the text ends inside an object or array, expected a closing bracket";
    case simdjson::STRING_ERROR:
      return "found a string with an escape that JSON does not have";
    case simdjson::TAPE_ERROR:
      return "found something else where a value, a comma, a colon or a closing bracket was "
             "expected";
    default:
      return simdjson::error_message(error);
  }
}

// One JSON document: walks simdjson's tokens and makes values of what is kept.
class JsonDocument {
 public:
  JsonDocument(ondemand::parser& parser, const PaddedText& text, const LineIndex& lines,
               Arena& arena, Keep keep, DocumentSink& sink)
      : parser_(parser),
        text_(text),
        lines_(lines),
        builder_(arena, &lines),
        keep_(keep),
        sink_(sink) {}

  // Reads the document that begins at `begin`: `alone` in the text, as it seems, or with others
  // behind it. Returns where it ended, or npos after a fault.
  std::size_t Read(std::size_t begin, bool alone, std::string_view kind = {});

 private:
  bool Start(std::size_t begin, std::size_t end, ondemand::object& root);
  bool BuildRoot(ondemand::object root, std::string_view kind, std::uint32_t place);
  bool StreamItems(ondemand::value value, const Value*& placeholder);
  bool Build(ondemand::value value, Region region, int depth, const Value*& built);
  bool BuildObject(ondemand::value value, Region region, int depth, std::uint32_t place,
                   const Value*& built);
  bool BuildArray(ondemand::value value, Region region, int depth, std::uint32_t place,
                  const Value*& built);
  bool BuildScalar(ondemand::value value, std::string_view token, std::uint32_t place,
                   const Value*& built);
  bool TakeField(simdjson::simdjson_result<ondemand::field> result, ondemand::field& field,
                 std::string_view& key, std::uint32_t& place);
  bool TokenOf(ondemand::value value, std::string_view& token);
  bool CheckKeys(std::size_t mark);

  std::uint32_t PlaceOf(const char* at) const {
    return static_cast<std::uint32_t>(at - text_.view().data());
  }
  std::uint32_t PlaceOf(std::string_view part) const { return PlaceOf(part.begin()); }
  bool Fail(error_code error);
  bool FailAt(std::uint32_t place, std::string message);

  ondemand::parser& parser_;
  const PaddedText& text_;
  const LineIndex& lines_;
  DocumentBuilder builder_;
  Keep keep_;
  DocumentSink& sink_;
  ondemand::document document_;
  error_code error_ = simdjson::SUCCESS;
  std::size_t end_ = 0;  // of what simdjson was given
  std::string_view list_kind_, list_api_version_;
};

bool JsonDocument::Start(std::size_t begin, std::size_t end, ondemand::object& root) {
  end_ = end;
  const char* front = text_.view().data() + begin;
  const std::size_t readable = text_.size() - begin + PaddedText::kPadding;
  error_ = parser_.iterate(front, end - begin, readable).get(document_);
  if (error_ == simdjson::SUCCESS) error_ = document_.get_object().get(root);
  return error_ == simdjson::SUCCESS;
}

std::size_t JsonDocument::Read(std::size_t begin, bool alone, std::string_view kind) {
  const std::string_view text = text_.view();
  const auto place = static_cast<std::uint32_t>(begin);
  sink_.BeginDocument();
  if (text[begin] == '[') {
    FailAt(place, "found a list, expected an object with apiVersion and kind");
    return std::string_view::npos;
  }
  ondemand::object root;
  std::size_t end = text.size();
  if (!alone || !Start(begin, end, root)) {
    // Something stands behind the document, or it is broken: find out where it ends.
    const JsonExtent extent = FindJsonExtent(text.substr(begin));
    if (!extent.problem.empty()) {
      FailAt(static_cast<std::uint32_t>(begin + extent.fault), extent.problem);
      return std::string_view::npos;
    }
    end = begin + extent.end;
    if (!Start(begin, end, root)) {
      FailAt(place, InPlainWords(error_));
      return std::string_view::npos;
    }
  }
  if (!BuildRoot(root, kind, place)) return std::string_view::npos;
  const char* behind = nullptr;
  // At the end of what simdjson was given there is no location any more.
  if (document_.current_location().get(behind) != simdjson::SUCCESS) return end;
  return PlaceOf(behind);
}

bool JsonDocument::BuildRoot(ondemand::object root, std::string_view kind, std::uint32_t place) {
  const std::size_t mark = builder_.MemberMark();
  Region region = RootOf(kind, keep_);
  for (auto result : root) {
    ondemand::field field;
    std::string_view key;
    std::uint32_t key_place = 0;
    if (!TakeField(std::move(result), field, key, key_place)) return false;
    const Region below = Below(region, key);
    if (below == Region::kSkipped) continue;
    const Value* built = nullptr;
    std::string_view token;
    if (!TokenOf(field.value(), token)) return false;
    if (key == "items" && token.front() == '[') {
      if (!StreamItems(field.value(), built)) return false;
    } else if (!Build(field.value(), below, 1, built)) {
      return false;
    }
    if (key == "kind") {
      list_kind_ = built->text();
      region = RootOf(list_kind_, keep_);
    } else if (key == "apiVersion") {
      list_api_version_ = built->text();
    }
    builder_.AddMember(key, key_place, built);
  }
  if (!CheckKeys(mark)) return false;
  sink_.EndDocument(*builder_.Mapping(mark, place));
  return true;
}

bool JsonDocument::StreamItems(ondemand::value value, const Value*& placeholder) {
  const Region region = RootOf(ItemKind(list_kind_), keep_);
  const std::uint32_t place = PlaceOf(value.raw_json_token());
  placeholder = builder_.Sequence(builder_.ItemMark(), place);
  ondemand::array items;
  if (const error_code error = value.get_array().get(items)) return Fail(error);
  Arena::Mark free = builder_.arena().mark();
  for (auto result : items) {
    ondemand::value item;
    if (const error_code error = std::move(result).get(item)) return Fail(error);
    const Value* built = nullptr;
    if (!Build(item, region, 2, built)) return false;
    if (sink_.Item(*built, list_api_version_, list_kind_)) {
      builder_.arena().Rewind(free);
    } else {
      free = builder_.arena().mark();
    }
  }
  return true;
}

bool JsonDocument::Build(ondemand::value value, Region region, int depth, const Value*& built) {
  std::string_view token;
  if (!TokenOf(value, token)) return false;
  const std::uint32_t place = PlaceOf(token);
  switch (token.front()) {
    case '{':
    case '[':
      if (depth >= kMaxDepth) {
        return FailAt(place, "found more than " + std::to_string(kMaxDepth) +
                                 " nested values, expected fewer");
      }
      return token.front() == '{' ? BuildObject(value, region, depth, place, built)
                                  : BuildArray(value, region, depth, place, built);
    default:
      return BuildScalar(value, token, place, built);
  }
}

bool JsonDocument::BuildObject(ondemand::value value, Region region, int depth, std::uint32_t place,
                               const Value*& built) {
  const bool is_root = region == Region::kRoot;
  const std::size_t mark = builder_.MemberMark();
  ondemand::object object;
  if (const error_code error = value.get_object().get(object)) return Fail(error);
  for (auto result : object) {
    ondemand::field field;
    std::string_view key;
    std::uint32_t key_place = 0;
    if (!TakeField(std::move(result), field, key, key_place)) return false;
    const Region below = Below(region, key);
    if (below == Region::kSkipped) continue;
    const Value* member = nullptr;
    if (!Build(field.value(), below, depth + 1, member)) return false;
    if (is_root && key == "kind") region = RootOf(member->text(), keep_);
    builder_.AddMember(key, key_place, member);
  }
  if (!CheckKeys(mark)) return false;
  built = builder_.Mapping(mark, place);
  return true;
}

bool JsonDocument::BuildArray(ondemand::value value, Region region, int depth, std::uint32_t place,
                              const Value*& built) {
  const std::size_t mark = builder_.ItemMark();
  ondemand::array array;
  if (const error_code error = value.get_array().get(array)) return Fail(error);
  for (auto result : array) {
    ondemand::value element;
    if (const error_code error = std::move(result).get(element)) return Fail(error);
    const Value* item = nullptr;
    if (!Build(element, region, depth + 1, item)) return false;
    builder_.AddItem(item);
  }
  built = builder_.Sequence(mark, place);
  return true;
}

bool JsonDocument::BuildScalar(ondemand::value value, std::string_view token, std::uint32_t place,
                               const Value*& built) {
  token = token.substr(0, token.find_last_not_of(kJsonSpace) + 1);
  if (token.front() == '"') {
    std::string_view text;
    // Either way the string is taken from simdjson: what is left to be skipped is checked less.
    if (token.size() >= 2 && token.back() == '"' && token.find('\\') == std::string_view::npos) {
      text = token.substr(1, token.size() - 2);
      if (const error_code error = value.get_raw_json_string().error()) return Fail(error);
    } else if (const error_code error = value.get_string().get(text)) {
      return Fail(error);
    }
    built = builder_.Scalar(Value::Kind::kString, text, place);
  } else if (token == "true" || token == "false") {
    built = builder_.Bool(token == "true", token, place);
  } else if (token == "null") {
    built = builder_.Scalar(Value::Kind::kNull, token, place);
  } else if (IsJsonNumber(token)) {
    built = builder_.Scalar(Value::Kind::kNumber, token, place);
  } else {
    return FailAt(place, "found " + std::string(token.substr(0, 32)) + ", expected a JSON value");
  }
  return true;
}

// The text of a value's first token. Behind the last token of a broken document simdjson has no
// valid one: it leaves finding that out to the caller.
bool JsonDocument::TokenOf(ondemand::value value, std::string_view& token) {
  token = value.raw_json_token();
  const std::size_t place = PlaceOf(token);
  if (place < end_ && token.size() <= end_ - place && !token.empty()) return true;
  return Fail(simdjson::INCOMPLETE_ARRAY_OR_OBJECT);
}

bool JsonDocument::TakeField(simdjson::simdjson_result<ondemand::field> result,
                             ondemand::field& field, std::string_view& key, std::uint32_t& place) {
  if (const error_code error = std::move(result).get(field)) return Fail(error);
  const char* raw = field.key().raw();
  place = PlaceOf(raw) - 1;
  const std::size_t left = text_.size() - PlaceOf(raw);
  const auto* quote = static_cast<const char*>(std::memchr(raw, '"', left));
  if (quote == nullptr) return Fail(simdjson::UNCLOSED_STRING);
  key = {raw, static_cast<std::size_t>(quote - raw)};
  if (key.find('\\') == std::string_view::npos) return true;
  if (const error_code error = field.unescaped_key().get(key)) return Fail(error);
  return true;
}

bool JsonDocument::CheckKeys(std::size_t mark) {
  const DocumentBuilder::Duplicate duplicate = builder_.FindDuplicate(mark);
  if (duplicate.second == nullptr) return true;
  return FailAt(duplicate.second->place,
                DuplicateKeyMessage(duplicate.second->key, lines_.LineAt(duplicate.first->place)));
}

bool JsonDocument::Fail(error_code error) {
  const char* at = nullptr;
  std::size_t place = text_.size();
  if (document_.current_location().get(at) == simdjson::SUCCESS) place = PlaceOf(at);
  return FailAt(static_cast<std::uint32_t>(place), InPlainWords(error));
}

bool JsonDocument::FailAt(std::uint32_t place, std::string message) {
  builder_.Clear();
  sink_.SyntaxFault(lines_.LineAt(place), "not valid JSON: " + std::move(message));
  return false;
}

}  // namespace

std::size_t ReadJson(const PaddedText& text, std::size_t offset, Keep keep, DocumentSink& sink) {
  const LineIndex lines(text.view());
  ondemand::parser parser;
  Arena arena;
  for (bool first = true;; first = false) {
    arena.Rewind({});
    offset = JsonDocument(parser, text, lines, arena, keep, sink).Read(offset, first);
    if (offset == std::string_view::npos) return offset;
    offset = text.view().find_first_not_of(kJsonSpace, offset);
    if (offset == std::string_view::npos) return text.size();
    if (!LooksLikeJson(text.view().substr(offset))) return offset;
  }
}

struct JsonReader::Memory {
  ondemand::parser parser;
  Arena arena;
};

JsonReader::JsonReader() : memory_(std::make_unique<Memory>()) {}
JsonReader::~JsonReader() = default;

bool JsonReader::Read(const PaddedText& text, std::string_view kind, Keep keep,
                      DocumentSink& sink) {
  const LineIndex lines(text.view());
  memory_->arena.Rewind({});
  const std::size_t begin = text.view().find_first_not_of(kJsonSpace);
  if (begin == std::string_view::npos || text.view()[begin] != '{') {
    sink.SyntaxFault(1, "not valid JSON: found no object, expected one");
    return false;
  }
  JsonDocument document(memory_->parser, text, lines, memory_->arena, keep, sink);
  const std::size_t end = document.Read(begin, true, kind);
  if (end == std::string_view::npos) return false;
  if (text.view().find_first_not_of(kJsonSpace, end) == std::string_view::npos) return true;
  sink.SyntaxFault(lines.LineAt(static_cast<std::uint32_t>(end)),
                   "not valid JSON: found more behind the object, expected its end");
  return false;
}

}  // namespace fairlead::objects
