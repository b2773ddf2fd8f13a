#include "objects/read/yaml_reader.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <yaml.h>

#include "objects/read/document_builder.h"
#include "objects/read/prune.h"
#include "objects/read/yaml_problem.h"
#include "objects/read/yaml_scalar.h"

namespace fairlead::objects {
namespace {

// libyaml's event, released with the variable.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&raw_); }
  bool Next(yaml_parser_t& parser) {
    yaml_event_delete(&raw_);
    return yaml_parser_parse(&parser, &raw_) != 0;
  }
  const yaml_event_t& raw() const { return raw_; }
  yaml_event_type_t type() const { return raw_.type; }
  std::uint32_t line() const { return static_cast<std::uint32_t>(raw_.start_mark.line); }

 private:
  yaml_event_t raw_{};
};

std::string_view ViewOf(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// Whether an & stands where an anchor can begin; inside of words, as in URLs, it is none.
bool MayHaveAnchors(std::string_view text) {
  constexpr std::string_view kBefore = " \t\r\n[{,:";
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    if (at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos) return true;
  }
  return false;
}

// Builds values from libyaml's events, with a stack of the collections that are not complete.
class YamlParser {
 public:
  YamlParser(std::string_view text, std::uint32_t first_line, Keep keep, DocumentSink& sink)
      : text_(text),
        first_line_(first_line),
        keep_(MayHaveAnchors(text) ? Keep::kAll : keep),
        builder_(arena_, nullptr),
        sink_(sink) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  YamlParser(const YamlParser&) = delete;
  YamlParser& operator=(const YamlParser&) = delete;
  ~YamlParser() { yaml_parser_delete(&parser_); }

  void Read() {
    while (Next() && event_.type() != YAML_STREAM_END_EVENT && OnEvent()) {
    }
  }

 private:
  // A collection that is not complete.
  struct Frame {
    bool mapping = false;
    bool streaming = false;  // its elements go to the sink
    bool merges = false;     // has a plain key "<<"
    bool has_key = false;
    Region region = Region::kRoot;
    int height = 0;  // of its deepest child
    std::uint32_t line = 0;
    std::size_t mark = 0;
    std::uint64_t values_before = 0;
    std::string anchor = {};
    std::string_view key = {};
    std::uint32_t key_line = 0;
  };
  // What an alias stands for.
  struct Anchor {
    const Value* value = nullptr;
    int height = 0;
    std::uint64_t values = 0;
  };

  bool Next();
  bool OnEvent();
  bool OnDocumentStart();
  bool OnScalar();
  bool OnAlias();
  bool OnStart(bool mapping);
  bool OnEnd();
  bool SkipNode();
  bool TooDeep();
  bool TakeKey();
  bool Attach(const Value* value, int height);
  void AttachItem(const Value* item);
  bool Merge(const Frame& frame);
  const Value* ScalarOf(const yaml_event_t& event);
  bool Fail(std::uint32_t line, std::string message);

  // The region of the value that comes next.
  Region NextRegion() const {
    if (frames_.empty()) return RootOf("", keep_);
    const Frame& frame = frames_.back();
    return frame.mapping ? Below(frame.region, frame.key) : frame.region;
  }
  std::uint32_t Line() const { return event_.line() + first_line_; }

  yaml_parser_t parser_{};
  Event event_;
  std::string_view text_;
  std::uint32_t first_line_;
  Keep keep_;  // all, where there may be anchors: what nobody reads may be aliased where it is
  Arena arena_;
  DocumentBuilder builder_;
  DocumentSink& sink_;
  std::vector<Frame> frames_;
  std::map<std::string, Anchor, std::less<>> anchors_;
  std::uint64_t values_ = 0;   // of the document, aliases expanded
  std::uint64_t aliased_ = 0;  // those that aliases stand for
  Arena::Mark free_;           // the memory of list elements begins here
  std::string_view list_kind_, list_api_version_;
};

bool YamlParser::Next() {
  if (event_.Next(parser_)) return true;
  const std::string_view problem = parser_.problem == nullptr ? "out of memory" : parser_.problem;
  const yaml_mark_t& mark =
      YamlProblemBeganBefore(problem) ? parser_.context_mark : parser_.problem_mark;
  std::size_t line = mark.line;
  std::size_t column = mark.column;
  if (parser_.error == YAML_READER_ERROR) {
    // Here libyaml gives an offset alone.
    const std::string_view before = text_.substr(0, parser_.problem_offset);
    line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    column = 0;
  }
  const std::string words = YamlProblem(problem, LineOfText(text_, line), column);
  return Fail(static_cast<std::uint32_t>(line) + first_line_, "not valid YAML: " + words);
}

bool YamlParser::OnEvent() {
  switch (event_.type()) {
    case YAML_DOCUMENT_START_EVENT:
      return OnDocumentStart();
    case YAML_SCALAR_EVENT:
      return OnScalar();
    case YAML_ALIAS_EVENT:
      return OnAlias();
    case YAML_SEQUENCE_START_EVENT:
      return OnStart(false);
    case YAML_MAPPING_START_EVENT:
      return OnStart(true);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      return OnEnd();
    default:
      return true;
  }
}

bool YamlParser::OnDocumentStart() {
  arena_.Rewind({});
  anchors_.clear();
  values_ = aliased_ = 0;
  list_kind_ = list_api_version_ = {};
  sink_.BeginDocument();
  return true;
}

bool YamlParser::TakeKey() {
  Frame& frame = frames_.back();
  if (event_.type() != YAML_SCALAR_EVENT) {
    return Fail(Line(), "found a list or mapping as a key, expected a name");
  }
  const auto& scalar = event_.raw().data.scalar;
  frame.key = builder_.Keep({reinterpret_cast<const char*>(scalar.value), scalar.length});
  frame.key_line = Line();
  frame.has_key = true;
  frame.merges |= frame.key == "<<" && scalar.style == YAML_PLAIN_SCALAR_STYLE;
  return true;
}

bool YamlParser::SkipNode() {
  int depth = 0;
  do {
    switch (event_.type()) {
      case YAML_SEQUENCE_START_EVENT:
      case YAML_MAPPING_START_EVENT:
        if (++depth + static_cast<int>(frames_.size()) > kMaxDepth) return TooDeep();
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        --depth;
        break;
      case YAML_ALIAS_EVENT:
        return OnAlias();  // of nothing, for there are no anchors
      default:
        break;
    }
    if (depth > 0 && !Next()) return false;
  } while (depth > 0);
  frames_.back().has_key = false;  // only members are skipped
  return true;
}

bool YamlParser::TooDeep() {
  return Fail(Line(),
              "found more than " + std::to_string(kMaxDepth) + " nested values, expected fewer");
}

bool YamlParser::OnScalar() {
  if (!frames_.empty() && frames_.back().mapping && !frames_.back().has_key) return TakeKey();
  if (NextRegion() == Region::kSkipped) return SkipNode();
  const Value* value = ScalarOf(event_.raw());
  ++values_;
  if (event_.raw().data.scalar.anchor != nullptr) {
    anchors_.insert_or_assign(std::string(ViewOf(event_.raw().data.scalar.anchor)),
                              Anchor{.value = value, .height = 0, .values = 1});
  }
  return Attach(value, 0);
}

const Value* YamlParser::ScalarOf(const yaml_event_t& event) {
  const auto& scalar = event.data.scalar;
  const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
  const std::uint32_t line = Line();
  const std::string_view tag = ViewOf(scalar.tag);
  // A tag of YAML's own other than !!str asks for the value that the text has.
  const bool plain = tag.empty() ? scalar.plain_implicit != 0
                                 : tag.starts_with("tag:yaml.org,2002:") && tag != YAML_STR_TAG;
  if (!plain) return builder_.Scalar(Value::Kind::kString, builder_.Keep(text), line);
  const PlainScalar resolved = ResolvePlain(text);
  const std::string_view kept =
      builder_.Keep(resolved.canonical.empty() ? text : std::string_view(resolved.canonical));
  if (resolved.kind == Value::Kind::kBool) return builder_.Bool(resolved.truth, kept, line);
  return builder_.Scalar(resolved.kind, kept, line);
}

bool YamlParser::OnAlias() {
  if (!frames_.empty() && frames_.back().mapping && !frames_.back().has_key) return TakeKey();
  const std::string_view name = ViewOf(event_.raw().data.alias.anchor);
  const auto found = anchors_.find(name);
  if (found == anchors_.end()) {
    return Fail(Line(), "found the alias *" + std::string(name) + ", expected &" +
                            std::string(name) + " on a complete value before it");
  }
  const Anchor& anchor = found->second;
  values_ += anchor.values;
  aliased_ += anchor.values;
  if (aliased_ > kMaxAliasedValues) {
    return Fail(Line(), "found aliases that stand for more than " +
                            std::to_string(kMaxAliasedValues) + " values, expected fewer");
  }
  if (static_cast<int>(frames_.size()) + anchor.height > kMaxDepth) {
    return Fail(Line(), "found more than " + std::to_string(kMaxDepth) +
                            " nested values behind an alias, expected fewer");
  }
  return Attach(anchor.value, anchor.height);
}

bool YamlParser::OnStart(bool mapping) {
  if (!frames_.empty() && frames_.back().mapping && !frames_.back().has_key) return TakeKey();
  if (frames_.size() >= kMaxDepth) return TooDeep();
  const Region region = NextRegion();
  if (region == Region::kSkipped) return SkipNode();
  Frame frame{.mapping = mapping, .region = region, .line = Line(), .values_before = values_};
  frame.mark = mapping ? builder_.MemberMark() : builder_.ItemMark();
  frame.anchor = ViewOf(mapping ? event_.raw().data.mapping_start.anchor
                                : event_.raw().data.sequence_start.anchor);
  if (!mapping && frames_.size() == 1 && frames_[0].mapping && frames_[0].key == "items") {
    frame.streaming = true;
    frame.region = RootOf(ItemKind(list_kind_), keep_);
    free_ = arena_.mark();
  }
  ++values_;
  frames_.push_back(std::move(frame));
  return true;
}

bool YamlParser::OnEnd() {
  Frame& frame = frames_.back();
  const Value* value = nullptr;
  if (frame.mapping) {
    if (frame.merges && !Merge(frame)) return false;
    const auto duplicate = builder_.FindDuplicate(frame.mark);
    if (duplicate.second != nullptr) {
      return Fail(duplicate.second->place,
                  DuplicateKeyMessage(duplicate.second->key, duplicate.first->place));
    }
    value = builder_.Mapping(frame.mark, frame.line);
  } else {
    value = builder_.Sequence(frame.mark, frame.line);
  }
  const int height = frame.height + 1;
  if (!frame.anchor.empty()) {
    anchors_.insert_or_assign(
        frame.anchor,
        Anchor{.value = value, .height = height, .values = values_ - frame.values_before});
  }
  frames_.pop_back();
  return Attach(value, height);
}

// Hands a complete value to the collection that it belongs to, or to the sink.
bool YamlParser::Attach(const Value* value, int height) {
  if (frames_.empty()) {
    sink_.EndDocument(*value);
    return true;
  }
  Frame& frame = frames_.back();
  frame.height = std::max(frame.height, height);
  if (frame.streaming) {
    AttachItem(value);
  } else if (!frame.mapping) {
    builder_.AddItem(value);
  } else {
    if (frame.key == "kind" && frame.region == Region::kRoot)
      frame.region = RootOf(value->text(), keep_);
    if (frames_.size() == 1 && frame.key == "kind") list_kind_ = value->text();
    if (frames_.size() == 1 && frame.key == "apiVersion") list_api_version_ = value->text();
    builder_.AddMember(frame.key, frame.key_line, value);
    frame.has_key = false;
  }
  return true;
}

void YamlParser::AttachItem(const Value* item) {
  // An anchored value may come up again in a later element.
  const bool done = sink_.Item(*item, list_api_version_, list_kind_);
  if (done && anchors_.empty()) {
    arena_.Rewind(free_);
  } else {
    free_ = arena_.mark();
  }
}

// "<<: *defaults" and "<<: [*a, *b]": the members of those mappings that have no member here yet.
bool YamlParser::Merge(const Frame& frame) {
  std::vector<Value::Member> merged;
  std::set<std::string_view> keys;
  std::vector<const Value*> sources;
  for (const Value::Member& member : builder_.MembersSince(frame.mark)) {
    if (member.key != "<<") {
      merged.push_back(member);
      keys.insert(member.key);
      continue;
    }
    const auto items = member.value->items();
    sources.insert(sources.end(), items.begin(), items.end());
    if (member.value->kind() != Value::Kind::kSequence) sources.push_back(member.value);
  }
  for (const Value* source : sources) {
    if (source->kind() != Value::Kind::kMapping) {
      return Fail(source->line(),
                  "found " + Describe(*source) + " under the merge key \"<<\", expected a mapping");
    }
    for (const Value::Member& member : source->members()) {
      if (keys.insert(member.key).second) merged.push_back(member);
    }
  }
  builder_.ReplaceMembers(frame.mark, merged);
  return true;
}

bool YamlParser::Fail(std::uint32_t line, std::string message) {
  builder_.Clear();
  frames_.clear();
  sink_.SyntaxFault(line, std::move(message));
  return false;
}

}  // namespace

void ReadYaml(std::string_view text, std::uint32_t first_line, Keep keep, DocumentSink& sink) {
  YamlParser(text, first_line, keep, sink).Read();
}

}  // namespace fairlead::objects
