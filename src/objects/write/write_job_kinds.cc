#include "objects/write/write_job_kinds.h"

namespace fairlead::objects {
namespace {

namespace json = boost::json;

json::array WordsToJson(const std::vector<std::string>& words) {
  return json::array(words.begin(), words.end());
}

json::array PathsToJson(const std::vector<FieldPath>& paths) {
  json::array texts;
  for (const FieldPath& path : paths) texts.emplace_back(path.text());
  return texts;
}

json::array FactorsToJson(const std::vector<CountFactor>& factors);

json::value FactorToJson(const CountFactor& factor) {
  switch (factor.type) {
    case CountFactor::Type::kNumber:
      return *factor.number;
    case CountFactor::Type::kField:
      if (!factor.number) return json::value(factor.field.text());
      return json::object{{"path", factor.field.text()}, {"default", *factor.number}};
    case CountFactor::Type::kLeast:
      return json::object{{"least", FactorsToJson(factor.of)}};
    case CountFactor::Type::kMost:
      return json::object{{"most", FactorsToJson(factor.of)}};
    case CountFactor::Type::kWithin:
      return json::object{{"within", FactorsToJson(factor.of)}};
    case CountFactor::Type::kLess:
      return json::object{{"less", FactorsToJson(factor.of)}};
  }
  return nullptr;
}

json::array FactorsToJson(const std::vector<CountFactor>& factors) {
  json::array list;
  for (const CountFactor& factor : factors) list.push_back(FactorToJson(factor));
  return list;
}

json::object FinishedToJson(const JobRow::Finished& finished) {
  json::object out;
  if (finished.path.empty()) {
    out["conditions"] = WordsToJson(finished.conditions);
  } else {
    out["path"] = finished.path.text();
    out["values"] = WordsToJson(finished.values);
  }
  out["succeeded"] = WordsToJson(finished.succeeded);
  return out;
}

json::object PodLabelsToJson(const JobRow::PodLabels& labels) {
  json::object out;
  if (!labels.job.empty()) out["job"] = labels.job;
  if (!labels.pod_set.empty()) out["podSet"] = labels.pod_set;
  json::object values;
  for (const auto& [value, set] : labels.values) values[value] = set;
  if (!values.empty()) out["values"] = std::move(values);
  if (!labels.group.empty()) out["group"] = labels.group;
  return out;
}

json::object PodSetToJson(const JobRow::PodSet& set) {
  json::object out{{"name", set.is_of_each() ? set.name_at.text() : set.name}};
  if (!set.count.empty()) out["count"] = FactorsToJson(set.count);
  if (!set.min.empty()) out["min"] = set.min.text();
  if (!set.max.empty()) out["max"] = set.max.text();
  out["template"] = PathsToJson(set.pod_template);
  if (set.count_writable) out["countWritable"] = true;
  if (set.optional) out["optional"] = true;
  return out;
}

json::object RowToJson(const JobRow& row) {
  json::object out{{"group", row.group},
                   {"versions", WordsToJson(row.versions)},
                   {"kind", row.kind},
                   {"plural", row.plural}};
  if (row.is_let_go_by_pods()) {
    out["letGoBy"] = "pods";
  } else {
    out["suspend"] = row.suspend.text();
  }
  if (!row.priority_class.empty()) out["priorityClass"] = PathsToJson(row.priority_class);
  out["finished"] = FinishedToJson(row.finished);
  if (json::object labels = PodLabelsToJson(row.pod_labels); !labels.empty()) {
    out["podLabels"] = std::move(labels);
  }
  if (!row.deadline.empty()) out["deadline"] = row.deadline.text();
  if (!row.min_total.empty()) out["minTotal"] = row.min_total.text();
  if (!row.groups.empty()) out["groups"] = row.groups.text();
  if (!row.order.path.empty()) {
    out["order"] =
        json::object{{"path", row.order.path.text()}, {"values", WordsToJson(row.order.values)}};
  }
  json::array sets;
  for (const JobRow::PodSet& set : row.pod_sets) sets.push_back(PodSetToJson(set));
  out["podSets"] = std::move(sets);
  return out;
}

}  // namespace

json::array JobKindsToJson(const std::vector<JobRow>& rows) {
  json::array list;
  for (const JobRow& row : rows) list.push_back(RowToJson(row));
  return list;
}

}  // namespace fairlead::objects
