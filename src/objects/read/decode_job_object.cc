// Jobs whose fields a row names.

#include <algorithm>
#include <limits>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "objects/read/decode.h"
#include "objects/read/path_reader.h"

namespace fairlead::objects {
namespace {

constexpr std::int64_t kLeastOfField = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMostOfField = std::numeric_limits<std::int32_t>::max();

class JobReader {
 public:
  JobReader(const JobRow& row, FieldReader& fields, const Value& document)
      : row_(row), fields_(fields), document_(document), paths_(fields, document) {}

  void Read(JobObject& job) {
    if (!row_.suspend.empty()) {
      fields_.Bool(paths_.ParentOf(row_.suspend), row_.suspend.last(), job.suspend);
    }
    for (std::size_t i = 0; i < row_.priority_class.size() && job.priority_class.empty(); ++i) {
      const FieldPath& path = row_.priority_class[i];
      fields_.String(paths_.ParentOf(path), path.last(), job.priority_class);
      job.priority_class_at = i;
    }
    if (const FieldPath& path = row_.suspends_if; !path.empty()) {
      job.suspends_if = false;
      fields_.Bool(paths_.ParentOf(path), path.last(), job.suspends_if);
    }
    if (const FieldPath& path = row_.deadline; !path.empty()) {
      fields_.Seconds(paths_.ParentOf(path), path.last(), job.deadline);
    }
    if (const FieldPath& path = row_.min_total; !path.empty()) {
      fields_.Integer(paths_.ParentOf(path), path.last(), job.min_total, kLeastOfField,
                      kMostOfField);
    }
    if (const FieldPath& path = row_.groups; !path.empty()) {
      fields_.Integer(paths_.ParentOf(path), path.last(), job.groups, 0, kMostOfField);
    }
    if (const FieldPath& path = row_.order.path; !path.empty()) {
      if (!fields_.String(paths_.ParentOf(path), path.last(), job.order)) {
        job.order = row_.order.absent;
      }
    }
    if (DependsOnOthers(row_.order.depends)) job.order = row_.order.values.front();
    if (row_.components.empty()) {
      ReadPodSets(job);
    } else {
      ReadComponents(row_, fields_, document_, job);
    }
    ReadMinimums(job);
    ReadEnd(job);
  }

  void ReadPodSets(JobObject& job) {
    for (const JobRow::PodSet& set : row_.pod_sets) {
      if (set.is_of_each()) {
        const Value* list = paths_.List(set.name_at.List().names());
        const std::size_t elements = list == nullptr ? 0 : list->items().size();
        for (std::size_t i = 0; i < elements; ++i) ReadSet(set, i, job);
      } else {
        ReadSet(set, std::nullopt, job);
      }
    }
  }

 private:
  void ReadSet(const JobRow::PodSet& row, std::optional<std::size_t> element, JobObject& job) {
    const auto of = [&](const FieldPath& path) { return element ? path.Of(*element) : path; };
    JobObject::Replicas set{.row = &row, .element = element, .name = row.name};
    if (element && !ReadName(of(row.name_at), set)) return;
    if (!Holds(row.only)) return;
    const Value* pod_template = nullptr;
    for (std::size_t i = 0; i < row.pod_template.size() && pod_template == nullptr; ++i) {
      const FieldPath path = of(row.pod_template[i]);
      pod_template = paths_.Mapping(path.names());
      set.template_at = i;
      set.template_path = path.text();
    }
    if (pod_template == nullptr) {
      const bool is_there = std::ranges::any_of(row.pod_template, [&](const FieldPath& path) {
        return paths_.Field(of(path)) != nullptr;
      });
      if (!row.optional && !is_there && fields_.ok()) {
        paths_.Missing(of(row.pod_template.front()),
                       fmt::format("the template of {}'s pods", set.name));
      }
      return;
    }
    if (row.template_form == JobRow::TemplateForm::kSpark) {
      ReadSparkRole(fields_, *paths_.Mapping(row.pod_template.front().names().first(1)), row.name,
                    set.pod_template);
      set.template_path += ".template";
    } else {
      ReadPodTemplate(fields_, pod_template, set.pod_template);
    }
    if (row.names_scheduler && set.pod_template.spec.scheduler_name == PodSpec().scheduler_name) {
      return;
    }
    ForEachField(row.count, [&](const FieldPath& each) {
      const FieldPath path = of(each);
      fields_.Integer(paths_.ParentOf(path), path.last(), set.counts.emplace_back(), 0,
                      kMostOfField);
    });
    if (!row.min.empty()) {
      const FieldPath path = of(row.min);
      fields_.Integer(paths_.ParentOf(path), path.last(), set.min, kLeastOfField, kMostOfField);
    }
    ReadElastic(set, of);
    if (row.template_form == JobRow::TemplateForm::kSpark) SettleExecutors(set);
    for (const JobRow::Sidecar& sidecar : row.sidecars) AddSidecar(sidecar, set);
    CheckCount(set, of);
    job.pod_sets.push_back(std::move(set));
  }

  bool DependsOnOthers(const FieldPath& depends) {
    if (depends.empty()) return false;
    const Value* list = paths_.List(depends.List().names());
    const std::size_t elements = list == nullptr ? 0 : list->items().size();
    for (std::size_t i = 0; i < elements; ++i) {
      const FieldPath path = depends.Of(i);
      const Value* others = paths_.Field(path);
      if (others != nullptr && !others->items().empty()) return true;
    }
    return false;
  }

  bool IsTrueAt(const FieldPath& path) {
    bool holds = false;
    if (!path.empty()) fields_.Bool(paths_.ParentOf(path), path.last(), holds);
    return holds;
  }

  std::string TextAt(const FieldPath& path) {
    std::string text;
    fields_.String(paths_.ParentOf(path), path.last(), text);
    return text;
  }

  bool Holds(const JobRow::Only& only) {
    if (only.path.empty()) return true;
    const std::string text = TextAt(only.path);
    return text.empty() || text == only.word;
  }

  template <typename Of>
  void ReadElastic(JobObject::Replicas& set, Of of) {
    const JobRow::PodSet& row = *set.row;
    if (row.max.empty()) return;
    const FieldPath path = of(row.max);
    fields_.Integer(paths_.ParentOf(path), path.last(), set.max, 0, kMostOfField);
    set.elastic = row.elastic_if.empty() ? set.max.has_value() : IsTrueAt(row.elastic_if);
  }

  // Those that start are said for dynamic allocation apart, and count with it alone; and Spark
  // starts two where nothing is said.
  static void SettleExecutors(JobObject::Replicas& set) {
    if (set.counts.empty()) return;
    std::optional<std::int64_t>& instances = set.counts.front();
    if (!instances) instances = set.elastic ? 0 : 2;
    if (set.elastic) return;
    std::fill(set.counts.begin() + 1, set.counts.end(), std::nullopt);
    set.min.reset();
    set.max.reset();
  }

  void AddSidecar(const JobRow::Sidecar& sidecar, JobObject::Replicas& set) {
    std::optional<ResourceList>& of = set.sidecars.emplace_back();
    const bool runs =
        sidecar.word.empty() ? IsTrueAt(sidecar.runs_if) : TextAt(sidecar.runs_if) == sidecar.word;
    if (!runs) return;
    of = sidecar.request;
    const Value* resources = paths_.Field(sidecar.resources);
    if (resources != nullptr && !resources->members().empty()) {
      of = ContainerRequest(fields_, *paths_.ParentOf(sidecar.resources));
    }
    AddResources(*of, set.pod_template.spec.needs.request);
  }

  bool ReadName(const FieldPath& path, JobObject::Replicas& set) {
    if (!fields_.String(paths_.ParentOf(path), path.last(), set.name)) {
      if (fields_.ok()) paths_.Missing(path, "the name of a pod set");
      return false;
    }
    set.name = LowerCase(set.name);
    return true;
  }

  template <typename Of>
  void CheckCount(const JobObject::Replicas& set, Of of) {
    const JobRow::PodSet& row = *set.row;
    const std::int64_t pods = set.units() * set.pods_per_unit();
    const Value* first = nullptr;  // that is there
    ForEachField(row.count, [&](const FieldPath& path) {
      if (first == nullptr) first = paths_.Field(of(path));
    });
    if (first == nullptr) return;
    if (row.only_count && pods != *row.only_count) {
      fields_.Unexpected(
          *first, fmt::format("{}, the only count of {}s there is", *row.only_count, set.name));
    } else if (pods > kMostPods) {
      fields_.Fault(*first, fmt::format("found a count of more than {} pods of {}, expected {} at "
                                        "most",
                                        kMostPods, set.name, kMostPods));
    }
  }

  // By name, and those of names that are there twice.
  void ReadMinimums(JobObject& job) {
    for (std::size_t i = 0; i < job.pod_sets.size(); ++i) {
      JobObject::Replicas& set = job.pod_sets[i];
      for (std::size_t j = 0; j < i; ++j) {
        if (job.pod_sets[j].name != set.name || !fields_.ok()) continue;
        fields_.Fault(document_, fmt::format("found two pod sets of the name \"{}\"", set.name));
      }
      if (!set.row->min_annotation.empty()) set.min = MinimumByName(job.meta, set);
    }
  }

  // Not an integer, or no JSON: a minimum that is none, which is told with the job's others.
  static std::optional<std::int64_t> MinimumByName(const Meta& meta,
                                                   const JobObject::Replicas& set) {
    const std::string* text = FindLabel(meta.annotations, set.row->min_annotation);
    if (text == nullptr) return std::nullopt;
    boost::system::error_code error;
    const boost::json::value value = boost::json::parse(*text, error);
    if (error || !value.is_object()) return -1;
    const boost::json::value* of = value.get_object().if_contains(set.name);
    if (of == nullptr) return std::nullopt;
    return of->is_int64() ? of->get_int64() : -1;
  }

  void ReadEnd(JobObject& job) {
    const JobRow::Finished& finished = row_.finished;
    if (!finished.path.empty()) {
      std::string value;
      fields_.String(paths_.ParentOf(finished.path), finished.path.last(), value);
      if (std::ranges::find(finished.values, value) != finished.values.end()) job.ended = value;
      return;
    }
    const Value* conditions = fields_.List(fields_.Mapping(&document_, "status"), "conditions");
    for (const std::string& type : finished.conditions) {
      if (job.ended.empty() && IsTrue(FindCondition(conditions, type))) job.ended = type;
    }
  }

  const JobRow& row_;
  FieldReader& fields_;
  const Value& document_;
  PathReader paths_;
};

}  // namespace

void ReadPodSets(const JobRow& row, FieldReader& fields, const Value& document, JobObject& job) {
  JobReader(row, fields, document).ReadPodSets(job);
}

void DecodeJobObject(const JobRow& row, std::size_t version_at, const Value& document,
                     std::string_view file, Manifest& into) {
  FieldReader fields(document, row.kind, Scope::kNamespaced, file, into);
  JobObject job(row);
  job.version_at = version_at;
  ReadMeta(fields, document, job.meta);
  JobReader(row, fields, document).Read(job);
  if (fields.ok()) into.objects.emplace_back(std::move(job));
}

}  // namespace fairlead::objects
