// The configuration's jobKinds: rows of objects/job_rows.h as a platform team writes them.
//
//   - group: batch.example.com
//     versions: [v1]
//     kind: Simulation
//     plural: simulations
//     suspend: spec.paused
//     podSets:
//       - {name: solver, count: [spec.solver.groups, spec.solver.perGroup],
//          min: spec.solver.minGroups, countWritable: true, template: spec.solver.template}
//
// What is wrong with a row is told here, by its path; what is wrong with an object of that kind is
// told where the object is read, by the object's path.

#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kFactorForms =
    "a number above 0, a path, {path, default}, {least: […]}, {most: […]}, {within: [min, value, "
    "max]} or {less: [value, by]}";

class RowReader {
 public:
  RowReader(FieldReader& fields, const Value& row) : fields_(fields), row_(row) {}

  void Read(JobRow& out) {
    fields_.Known(&row_,
                  {"group", "versions", "kind", "plural", "letGoBy", "suspend", "priorityClass",
                   "finished", "podLabels", "deadline", "minTotal", "groups", "order", "podSets"});
    Text(row_, "group", out.group);
    Words(row_, "versions", out.versions);
    Text(row_, "kind", out.kind);
    Text(row_, "plural", out.plural);
    ReadLetGo(out);
    ReadPriorityClass(out);
    ReadFinished(out.finished);
    ReadPodLabels(fields_.Mapping(&row_, "podLabels"), out.pod_labels);
    Path(row_, "deadline", out.deadline, Each::kNo);
    Path(row_, "minTotal", out.min_total, Each::kNo);
    Path(row_, "groups", out.groups, Each::kNo);
    ReadOrder(fields_.Mapping(&row_, "order"), out.order);
    ReadPodSets(out);
    if (out.pod_sets.empty()) return;
    CheckPodLabels(out);
    if (out.is_let_go_by_pods()) {
      CheckLetGoByPods(out);
    } else {
      CheckSuspended(out);
    }
  }

 private:
  enum class Each : std::uint8_t { kNo, kMay };
  enum class Need : std::uint8_t { kNo, kYes };

  void Text(const Value& parent, std::string_view key, std::string& out) {
    const Value* value = parent.Find(key);
    if (value == nullptr) return fields_.Missing(parent, key, "a text");
    if (fields_.ReadString(*value, out) && out.empty()) fields_.Unexpected(*value, "a text");
  }

  void Words(const Value& parent, std::string_view key, std::vector<std::string>& out) {
    const Value* list = fields_.List(&parent, key);
    if (list == nullptr || list->items().empty()) {
      if (parent.Find(key) == nullptr || list != nullptr) {
        fields_.Missing(parent, key, "a list of one or more");
      }
      return;
    }
    for (const Value* item : list->items()) {
      std::string word;
      if (fields_.ReadString(*item, word)) out.push_back(std::move(word));
    }
  }

  bool PathIn(const Value& value, FieldPath& out, Each each) {
    std::string text;
    if (!fields_.ReadString(value, text)) return false;
    Result<FieldPath> path = FieldPath::Parse(text);
    if (!path || path->empty()) {
      fields_.Fault(value, path ? "found an empty path, expected field names joined by dots"
                                : path.error().message);
      return false;
    }
    if (path->is_of_each() && (each == Each::kNo || path->List() != of_list_)) {
      const std::string why = each == Each::kNo  ? "it is a field of the whole object"
                              : of_list_.empty() ? "the name of its pod set has none"
                                                 : "that of its name is " + of_list_.text() + "[*]";
      fields_.Fault(value,
                    fmt::format("found the path \"{}\", expected no such [*]: {}", text, why));
      return false;
    }
    out = *std::move(path);
    return true;
  }

  bool Path(const Value& parent, std::string_view key, FieldPath& out, Each each,
            Need need = Need::kNo) {
    const Value* value = parent.Find(key);
    if (value == nullptr) {
      if (need == Need::kYes) fields_.Missing(parent, key, "the path of a field");
      return false;
    }
    return PathIn(*value, out, each);
  }

  // One path, or several.
  void Paths(const Value& value, std::vector<FieldPath>& out, Each each) {
    if (value.kind() != Value::Kind::kSequence) {
      PathIn(value, out.emplace_back(), each);
      return;
    }
    for (const Value* item : value.items()) PathIn(*item, out.emplace_back(), each);
  }

  void ReadPriorityClass(JobRow& out) {
    if (const Value* value = row_.Find("priorityClass")) {
      Paths(*value, out.priority_class, Each::kNo);
    }
  }

  void ReadLetGo(JobRow& out) {
    constexpr std::pair<std::string_view, JobRow::LetGoBy> kWays[] = {
        {"suspend", JobRow::LetGoBy::kSuspend}, {"pods", JobRow::LetGoBy::kPods}};
    const bool told = fields_.Enum(&row_, "letGoBy", kWays, out.let_go_by);
    const bool suspended = !out.is_let_go_by_pods() && (told || row_.Find("letGoBy") == nullptr);
    Path(row_, "suspend", out.suspend, Each::kNo, suspended ? Need::kYes : Need::kNo);
  }

  void ReadOrder(const Value* order, JobRow::Order& out) {
    if (order == nullptr) return;
    fields_.Known(order, {"path", "values"});
    Path(*order, "path", out.path, Each::kNo, Need::kYes);
    Words(*order, "values", out.values);
  }

  void ReadFinished(JobRow::Finished& out) {
    const Value* finished = fields_.Mapping(&row_, "finished");
    if (finished == nullptr) return;
    fields_.Known(finished, {"conditions", "path", "values", "succeeded"});
    out = {};
    const bool by_path = finished->Find("path") != nullptr;
    if (by_path == (finished->Find("conditions") != nullptr)) {
      fields_.Fault(*finished, "found both or none of conditions and path, expected one of them");
      return;
    }
    if (by_path) {
      Path(*finished, "path", out.path, Each::kNo);
      Words(*finished, "values", out.values);
    } else {
      Words(*finished, "conditions", out.conditions);
    }
    Words(*finished, "succeeded", out.succeeded);
    const std::vector<std::string>& ends = by_path ? out.values : out.conditions;
    for (const std::string& word : out.succeeded) {
      if (std::ranges::find(ends, word) != ends.end()) continue;
      fields_.FaultBelow(*finished, "succeeded",
                         fmt::format("found {}, expected one of those by which it ends", word));
    }
  }

  void ReadPodLabels(const Value* labels, JobRow::PodLabels& out) {
    if (labels == nullptr) return;
    fields_.Known(labels, {"job", "podSet", "values", "group"});
    fields_.String(labels, "job", out.job);
    fields_.String(labels, "podSet", out.pod_set);
    fields_.String(labels, "group", out.group);
    out.whoever_owns = !out.job.empty();
    if (const Value* values = fields_.Mapping(labels, "values")) {
      for (const Value::Member& member : values->members()) {
        fields_.ReadString(*member.value, out.values[std::string(member.key)]);
      }
    }
  }

  void ReadPodSets(JobRow& out) {
    const Value* list = fields_.List(&row_, "podSets");
    if (list == nullptr || list->items().empty()) {
      if (list != nullptr || row_.Find("podSets") == nullptr) {
        fields_.Missing(row_, "podSets", "a list of one or more");
      }
      return;
    }
    for (const Value* item : list->items()) {
      if (!fields_.IsMapping(*item)) continue;
      JobRow::PodSet set;
      ReadPodSet(*item, set);
      const auto same = [&](const JobRow::PodSet& other) {
        return !set.name.empty() && other.name == set.name;
      };
      if (std::ranges::any_of(out.pod_sets, same)) {
        fields_.FaultBelow(*item, "name",
                           fmt::format("found {} a second time, expected it once", set.name));
      }
      out.pod_sets.push_back(std::move(set));
    }
  }

  void ReadPodSet(const Value& item, JobRow::PodSet& out) {
    fields_.Known(&item, {"name", "count", "min", "max", "template", "countWritable", "optional"});
    ReadName(item, out);
    if (const Value* count = item.Find("count")) ReadCount(*count, out.count);
    Path(item, "min", out.min, Each::kMay);
    Path(item, "max", out.max, Each::kMay);
    if (const Value* pod_template = item.Find("template")) {
      Paths(*pod_template, out.pod_template, Each::kMay);
    } else {
      fields_.Missing(item, "template", "the path of a pod template");
    }
    fields_.Bool(&item, "countWritable", out.count_writable);
    fields_.Bool(&item, "optional", out.optional);
    if (out.count_writable && fields_.ok() && !IsWritten(out)) {
      fields_.FaultBelow(item, "countWritable",
                         "found it with a count that begins with no path, expected one that "
                         "admission can write");
    }
    of_list_ = {};
  }

  // A constant, or the path of each element's name.
  void ReadName(const Value& item, JobRow::PodSet& out) {
    std::string name;
    Text(item, "name", name);
    if (name.empty()) return;
    if (name.find("[*]") == std::string::npos) {
      out.name = name;
      if (name != LowerCase(name)) {
        fields_.Unexpected(*item.Find("name"), "a name in lower case, or a path with [*]");
      }
      return;
    }
    if (const Result<FieldPath> path = FieldPath::Parse(name); path && path->is_of_each()) {
      of_list_ = path->List();
    }
    PathIn(*item.Find("name"), out.name_at, Each::kMay);
  }

  void ReadCount(const Value& value, std::vector<CountFactor>& out) {
    if (value.kind() != Value::Kind::kSequence) return ReadFactor(value, out.emplace_back());
    for (const Value* item : value.items()) ReadFactor(*item, out.emplace_back());
  }

  void ReadFactor(const Value& value, CountFactor& out) {
    switch (value.kind()) {
      case Value::Kind::kNumber: {
        std::int64_t number = 0;
        if (fields_.ReadInteger(value, 1, kMostPods, number)) out = CountFactor::Number(number);
        return;
      }
      case Value::Kind::kString:
        out.type = CountFactor::Type::kField;
        PathIn(value, out.field, Each::kMay);
        return;
      case Value::Kind::kMapping:
        return ReadFactorOf(value, out);
      default:
        fields_.Unexpected(value, kFactorForms);
    }
  }

  void ReadFactorOf(const Value& value, CountFactor& out) {
    fields_.Known(&value, {"path", "default", "least", "most", "within", "less"});
    if (value.Find("path") != nullptr) {
      out.type = CountFactor::Type::kField;
      Path(value, "path", out.field, Each::kMay);
      fields_.Integer(&value, "default", out.number, 0, kMostPods);
      return;
    }
    using Type = CountFactor::Type;
    struct Form {
      std::string_view key;
      Type type;
      std::size_t of;  // so many factors; 0: one or more
    };
    constexpr Form kForms[] = {{"within", Type::kWithin, 3},
                               {"less", Type::kLess, 2},
                               {"most", Type::kMost, 0},
                               {"least", Type::kLeast, 0}};
    const Form* form = std::ranges::find_if(
        kForms, [&](const Form& each) { return value.Find(each.key) != nullptr; });
    const Value* list = form == std::end(kForms) ? nullptr : fields_.List(&value, form->key);
    if (list == nullptr || list->items().empty() ||
        (form->of != 0 && list->items().size() != form->of)) {
      fields_.Unexpected(value, kFactorForms);
      return;
    }
    out.type = form->type;
    for (const Value* item : list->items()) ReadFactor(*item, out.of.emplace_back());
  }

  static bool IsWritten(const JobRow::PodSet& set) {
    if (set.count.empty()) return false;
    const CountFactor& first = set.count.front();
    const bool within = first.type == CountFactor::Type::kWithin;
    return (within ? first.of[1] : first).type == CountFactor::Type::kField;
  }

  // Pods of several sets are told apart by a label alone.
  void CheckPodLabels(const JobRow& row) {
    const bool several = row.pod_sets.size() > 1 || row.pod_sets.front().is_of_each();
    if (several && row.pod_labels.pod_set.empty()) {
      fields_.Missing(row_, "podLabels.podSet",
                      "the label that names a pod's pod set, as there are "
                      "several");
    }
  }

  void Beside(std::string_view field, std::string_view why) {
    fields_.FaultBelow(row_, field, fmt::format("found it {}", why));
  }

  // All of its pods start together, and nothing is written on it.
  void CheckLetGoByPods(const JobRow& row) {
    constexpr std::string_view kWhole =
        "beside letGoBy pods, expected none: pods that wait as a group start all together";
    if (!row.suspend.empty()) {
      Beside("suspend", "beside letGoBy pods, expected none: the object is not suspended");
    }
    if (!row.min_total.empty()) Beside("minTotal", kWhole);
    for (std::size_t i = 0; i < row.pod_sets.size(); ++i) {
      const std::string at = fmt::format("podSets[{}].", i);
      if (!row.pod_sets[i].min.empty()) Beside(at + "min", kWhole);
      if (!row.pod_sets[i].max.empty()) Beside(at + "max", kWhole);
      if (row.pod_sets[i].count_writable) Beside(at + "countWritable", kWhole);
    }
    if (row.pod_labels.job.empty()) {
      fields_.Missing(row_, "podLabels.job",
                      "the label that names a pod's object, as letGoBy "
                      "pods finds them by it");
    }
    if (!row.groups.empty() && row.pod_labels.group.empty()) {
      Beside("groups", "without podLabels.group, expected both");
    }
  }

  void CheckSuspended(const JobRow& row) {
    constexpr std::string_view kOne =
        "without letGoBy pods, expected both: a suspended object is let go as one";
    if (!row.pod_labels.group.empty()) Beside("podLabels.group", kOne);
    if (!row.groups.empty()) Beside("groups", kOne);
    if (!row.order.path.empty()) {
      Beside("order",
             "without letGoBy pods, expected both: of a suspended object all pods come "
             "when it is let go");
    }
  }

  FieldReader& fields_;
  const Value& row_;
  FieldPath of_list_;  // of the pod set that is read
};

}  // namespace

void ReadJobKinds(FieldReader& fields, const Value* list, std::vector<JobRow>& out) {
  if (list == nullptr) return;
  for (const Value* item : list->items()) {
    if (!fields.IsMapping(*item)) continue;
    JobRow row;
    RowReader(fields, *item).Read(row);
    const auto has_kind = [&](const JobRow& other) { return other.kind == row.kind; };
    const JobRow* known = FindJobRow(row.kind);
    const bool twice = std::ranges::any_of(out, has_kind);
    if (twice || (known != nullptr && !known->SaysTheSame(row))) {
      fields.FaultBelow(*item, "kind",
                        fmt::format("found {}, which {} has already; expected another, as kinds of "
                                    "jobs are told apart by this name",
                                    row.kind, twice ? "a row" : known->api_versions.front()));
    }
    out.push_back(std::move(row));
  }
}

}  // namespace fairlead::objects
