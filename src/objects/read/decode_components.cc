// A job that makes other objects and says their templates: an AppWrapper. Its pod sets are those of
// its components in their order, NAME-0, NAME-1 and so on.
//
//   spec:
//     components:
//       - template: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, …}
//         podSets:                # where it says none: those of the component's kind
//           - {replicas: 4, path: template.spec.pytorchReplicaSpecs.Worker.template}

#include <algorithm>

#include <fmt/format.h>

#include "objects/key.h"
#include "objects/read/decode.h"
#include "objects/read/path_reader.h"

namespace fairlead::objects {
namespace {

using Component = JobObject::Component;

// Of a component's own list.
const JobRow::PodSet& DeclaredSet() {
  static const JobRow::PodSet set = {.count = {CountFactor::At("replicas")}};
  return set;
}

// What has pods as a component and is no JobObject.
const std::vector<JobRow>& MakersOfPods() {
  const auto with = [](const char* group, const char* kind, CountFactor count) {
    return JobRow{
        .group = group,
        .kind = kind,
        .pod_sets = {
            {.name = "main", .count = {std::move(count)}, .pod_template = {"spec.template"}}}};
  };
  static const std::vector<JobRow> rows = [&] {
    const CountFactor replicas = CountFactor::At("spec.replicas");
    std::vector<JobRow> made = {
        with("batch", "Job",
             CountFactor::Least(
                 {CountFactor::At("spec.parallelism", 1), CountFactor::At("spec.completions")})),
        with("apps", "Deployment", replicas), with("apps", "ReplicaSet", replicas),
        with("apps", "StatefulSet", replicas), with("", "Pod", CountFactor::Number(1))};
    made.back().pod_sets.front().pod_template = {FieldPath()};
    return made;
  }();
  return rows;
}

// Null: none of its kinds has pods that we know of.
const JobRow* RowOf(const Component& component) {
  const std::string_view group = SplitKey(component.api_version).name_space;  // "v1" has none
  const auto is_it = [&](const JobRow& row) {
    return row.kind == component.kind && row.group == group && row.is_generic() &&
           !row.comes_in_groups() && row.components.empty();
  };
  const auto maker = std::ranges::find_if(MakersOfPods(), is_it);
  if (maker != MakersOfPods().end()) return &*maker;
  const auto job = std::ranges::find_if(JobRows(), is_it);
  return job == JobRows().end() ? nullptr : &*job;
}

class ComponentReader {
 public:
  ComponentReader(FieldReader& fields, const Value& item, std::size_t at, JobObject& job)
      : fields_(fields), item_(item), job_(job) {
    component_.at = at;
  }

  void Read() {
    const Value* made = fields_.Mapping(&item_, "template");
    if (made == nullptr) {
      if (item_.Find("template") == nullptr) {
        fields_.Missing(item_, "template", "the object that it makes");
      }
      return;
    }
    fields_.String(made, "apiVersion", component_.api_version);
    fields_.String(made, "kind", component_.kind);
    fields_.String(fields_.Mapping(made, "metadata"), "name", component_.name);
    const JobRow* row = RowOf(component_);
    JobObject own(row == nullptr ? *job_.row : *row);
    if (row != nullptr) ReadPodSets(*row, fields_, *made, own);
    const Value* declared = fields_.List(&item_, "podSets");
    if (declared == nullptr || declared->items().empty()) {
      for (JobObject::Replicas& set : own.pod_sets) {
        if (set.count() > 0) Add(std::move(set), set.name, "");
      }
      return;
    }
    for (const Value* each : declared->items()) {
      if (fields_.IsMapping(*each)) ReadDeclared(*each, own);
    }
  }

 private:
  void ReadDeclared(const Value& declared, const JobObject& own) {
    std::string path;
    if (!fields_.String(&declared, "path", path)) {
      if (declared.Find("path") == nullptr) {
        fields_.Missing(declared, "path", "where its pod template is");
      }
      return;
    }
    const Result<FieldPath> at = FieldPath::Parse(path);
    const Value* pods = at && !at->empty() && !at->is_of_each() && at->names().front() == "template"
                            ? PathReader(fields_, item_).Mapping(at->names())
                            : nullptr;
    if (pods == nullptr) {
      fields_.Fault(*declared.Find("path"),
                    fmt::format("found \"{}\", expected the path of a pod template of the "
                                "component, such as template.spec.template",
                                path));
      return;
    }
    JobObject::Replicas set{.row = &DeclaredSet()};
    fields_.Integer(&declared, "replicas", set.counts.emplace_back(), 0, kMostPods);
    ReadPodTemplate(fields_, pods, set.pod_template);
    set.template_path = path;
    const auto same = std::ranges::find_if(
        own.pod_sets, [&](const JobObject::Replicas& of_kind) { return PathIn(of_kind) == path; });
    Add(std::move(set), same == own.pod_sets.end() ? std::string() : same->name, path);
  }

  static std::string PathIn(const JobObject::Replicas& set) {
    return set.template_path.empty() ? "template" : "template." + set.template_path;
  }

  // All of them run, whatever the component says of fewer or more.
  void Add(JobObject::Replicas set, std::string of_component, std::string declared_at) {
    set.template_path = fmt::format("spec.components[{}].{}", component_.at,
                                    declared_at.empty() ? PathIn(set) : declared_at);
    set.name = fmt::format("{}-{}", job_.meta.name, job_.pod_sets.size());
    set.min = set.max = std::nullopt;
    set.elastic = false;
    Component component = component_;
    component.pod_set = std::move(of_component);
    component.declared_at = std::move(declared_at);
    set.component = std::move(component);
    job_.pod_sets.push_back(std::move(set));
  }

  FieldReader& fields_;
  const Value& item_;
  JobObject& job_;
  Component component_;
};

}  // namespace

void ReadComponents(const JobRow& row, FieldReader& fields, const Value& document, JobObject& job) {
  const Value* list = PathReader(fields, document).List(row.components.names());
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->items().size(); ++i) {
    const Value& item = *list->items()[i];
    if (fields.IsMapping(item)) ComponentReader(fields, item, i, job).Read();
  }
}

}  // namespace fairlead::objects
