// Jobs whose fields a row names. A field is looked up by its path; the mappings on the way are
// looked at once each, so that what is wrong with one is told once.

#include <algorithm>
#include <map>

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

class PathReader {
 public:
  PathReader(FieldReader& fields, const Value& document) : fields_(fields), document_(document) {}

  // Null: there is none, or it is none, which was reported.
  const Value* Mapping(std::span<const std::string> names) {
    if (names.empty()) return &document_;
    const auto known = mappings_.find(names);
    if (known != mappings_.end()) return known->second;
    const Value* parent = Mapping(names.first(names.size() - 1));
    const Value* found = fields_.Mapping(parent, names.back());
    mappings_.emplace(names, found);
    return found;
  }
  const Value* ParentOf(const FieldPath& path) {
    return path.empty() ? nullptr : Mapping(path.names().first(path.names().size() - 1));
  }

  // It is not there and has to be: told where its path ends.
  void Missing(const FieldPath& path, std::string message) {
    std::size_t there = path.names().size() - 1;
    while (Mapping(path.names().first(there)) == nullptr) --there;
    FieldPath rest;
    for (const std::string& name : path.names().subspan(there)) rest = rest / name;
    fields_.FaultBelow(*Mapping(path.names().first(there)), rest.text(), std::move(message));
  }

 private:
  struct ByNames {
    bool operator()(std::span<const std::string> a, std::span<const std::string> b) const {
      return std::ranges::lexicographical_compare(a, b);
    }
  };

  FieldReader& fields_;
  const Value& document_;
  std::map<std::span<const std::string>, const Value*, ByNames> mappings_;
};

// False: it has to be there and is not, which was reported.
bool ReadReplicas(FieldReader& fields, PathReader& paths, const JobRow::PodSet& row,
                  JobObject::Replicas& out) {
  const Value* here = paths.Mapping(row.at.names());
  if (here == nullptr && row.only_count) {
    if (!fields.ok()) return false;
    paths.Missing(row.at, "found none, expected the " + row.name + "'s " + row.count + " and " +
                              row.pod_template);
    return false;
  }
  fields.Integer(here, row.count, out.count, 0);
  ReadPodTemplate(fields, fields.Mapping(here, row.pod_template), out.pod_template);
  if (row.only_count && out.count != *row.only_count) {
    fields.Unexpected(*here->Find(row.count), std::to_string(*row.only_count) +
                                                  ", the only count of " + row.name + "s there is");
  }
  return true;
}

}  // namespace

void DecodeJobObject(const JobRow& row, const Value& document, std::string_view file,
                     Manifest& into) {
  FieldReader fields(document, row.kind, Scope::kNamespaced, file, into);
  PathReader paths(fields, document);
  JobObject job(row);
  ReadMeta(fields, document, job.meta);
  fields.Bool(paths.ParentOf(row.suspend), row.suspend.last(), job.suspend);
  for (std::size_t i = 0; i < row.pod_sets.size(); ++i) {
    const FieldPath& min = row.pod_sets[i].min;
    if (!min.empty()) fields.Integer(paths.ParentOf(min), min.last(), job.pod_sets[i].min);
  }
  if (const FieldPath& path = row.priority_class; !path.empty()) {
    fields.String(paths.ParentOf(path), path.last(), job.priority_class);
  }
  for (std::size_t i = 0; i < row.pod_sets.size(); ++i) {
    if (!ReadReplicas(fields, paths, row.pod_sets[i], job.pod_sets[i])) break;
  }
  const Value* conditions = fields.List(fields.Mapping(&document, "status"), "conditions");
  job.complete = IsTrue(FindCondition(conditions, row.succeeded)) ||
                 IsTrue(FindCondition(conditions, row.failed));
  if (fields.ok()) into.objects.emplace_back(std::move(job));
}

}  // namespace fairlead::objects
