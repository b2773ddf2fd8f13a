#include "trace/openb.h"

#include <optional>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "objects/keys.h"
#include "trace/csv.h"

namespace fairlead::trace {
namespace {

constexpr std::string_view kOpenbNamespace = "openb";
constexpr std::string_view kModelLabel = "gpu.nvidia.com/model";
constexpr std::int64_t kMaxCpuMilli = 1'000'000'000;
constexpr std::int64_t kMaxMemoryMib = 1'000'000'000;
constexpr std::int64_t kMaxNodeGpus = 10'000;
constexpr std::int64_t kBytesPerMib = 1 << 20;
constexpr std::int64_t kPodsPerNode = 110;  // the kubelet's default

using NameSet = boost::unordered_flat_set<std::string_view>;

// Names must be there and unique: everything else refers to them.
void CheckName(CsvReader& rows, int column, NameSet& seen) {
  const std::string_view name = rows.Text(column);
  if (name.empty()) {
    rows.AddFault(column, "is empty, expected a name");
  } else if (!seen.insert(name).second) {
    rows.AddFault(column, "\"" + std::string(name) + "\" is there twice, expected unique names");
  }
}

std::string Seconds(std::int64_t seconds) { return std::to_string(seconds) + "s"; }

// What the whole list says about times: all of creation_time and deletion_time, or neither.
struct PodColumns {
  int name, cpu, memory, gpus, gpu_milli, gpu_spec, created, deleted, scheduled;
  bool complete;
};

PodColumns FindPodColumns(CsvReader& rows) {
  PodColumns columns{};
  columns.name = rows.Require("name");
  columns.cpu = rows.Require("cpu_milli");
  columns.memory = rows.Require("memory_mib");
  columns.gpus = rows.Require("num_gpu");
  columns.gpu_milli = rows.Require("gpu_milli");
  columns.gpu_spec = rows.Find("gpu_spec");
  columns.created = rows.Find("creation_time");
  columns.deleted = rows.Find("deletion_time");
  columns.scheduled = rows.Find("scheduled_time");
  columns.complete = !rows.row_has_fault();
  return columns;
}

// gpu_spec "A|B": the pod wants a GPU of model A or of model B.
void AddModels(CsvReader& rows, int column, objects::PodNeeds& needs) {
  std::string_view rest = rows.Text(column);
  if (rest.empty()) return;
  objects::Requirement models;
  models.key = kModelLabel;
  for (;;) {
    const std::size_t bar = rest.find('|');
    if (bar == 0 || rest.empty()) {
      rows.AddFault(column, "found \"" + std::string(rows.Text(column).substr(0, 40)) +
                                "\", expected models separated by |");
      return;
    }
    models.values.emplace_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + 1);
  }
  needs.has_required_terms = true;
  needs.required_terms.emplace_back().labels.push_back(std::move(models));
}

void AddRequest(CsvReader& rows, const PodColumns& columns, objects::PodNeeds& needs) {
  const std::int64_t cpu_milli = rows.Number(columns.cpu, 0, kMaxCpuMilli);
  const std::int64_t memory_mib = rows.Number(columns.memory, 0, kMaxMemoryMib);
  const std::int64_t gpus = rows.Number(columns.gpus, 0, kMaxNodeGpus);
  const std::int64_t gpu_milli = rows.Number(columns.gpu_milli, gpus > 0 ? 1 : 0, 1000);
  needs.request.reserve(3);
  if (cpu_milli > 0) needs.request.emplace_back("cpu", cpu_milli);
  if (memory_mib > 0) needs.request.emplace_back("memory", memory_mib * kBytesPerMib);
  if (gpus == 1 && gpu_milli < 1000) {
    needs.gpu_milli = static_cast<std::int32_t>(gpu_milli);
  } else if (gpus > 0) {
    if (gpu_milli < 1000) {
      rows.AddFault(columns.gpu_milli,
                    "is a part of a GPU, expected 1000 where num_gpu is above 1");
    }
    needs.request.emplace_back(objects::kGpuResource, gpus * 1000);
  }
  AddModels(rows, columns.gpu_spec, needs);
}

// Annotations for arrival and duration; `row` counts from 0 and stands in for absent times.
void AddTimes(CsvReader& rows, const PodColumns& columns, std::int64_t row, objects::Meta& meta) {
  if (columns.created < 0) {
    meta.annotations.emplace_back("fairlead.dev/arrives-at", Seconds(row));
    return;
  }
  const std::int64_t created = rows.Number(columns.created, 0, kMaxTraceSeconds);
  meta.annotations.reserve(2);
  meta.annotations.emplace_back("fairlead.dev/arrives-at", Seconds(created));
  if (rows.Text(columns.deleted).empty()) return;  // never ends
  std::int64_t begin = created;
  if (!rows.Text(columns.scheduled).empty())
    begin = rows.Number(columns.scheduled, 0, kMaxTraceSeconds);
  const std::int64_t deleted = rows.Number(columns.deleted, 0, kMaxTraceSeconds);
  if (deleted < begin) {
    rows.AddFault(columns.deleted,
                  "is before the pod begins, expected at least " + std::to_string(begin));
  }
  meta.annotations.emplace_back("fairlead.dev/run-duration", Seconds(deleted - begin));
}

}  // namespace

void ReadOpenbNodes(std::string_view text, const std::string& file, objects::Manifest& into) {
  CsvReader rows(text, file, into);
  const int name = rows.Require("sn");
  const int cpu = rows.Require("cpu_milli");
  const int memory = rows.Require("memory_mib");
  const int gpus = rows.Require("gpu");
  const int model = rows.Require("model");
  if (rows.row_has_fault()) return;
  NameSet seen;
  seen.reserve(rows.RowsAtMost());
  into.objects.reserve(into.objects.size() + rows.RowsAtMost());
  while (rows.Next()) {
    CheckName(rows, name, seen);
    objects::Node node;
    node.meta.name = std::string(rows.Text(name));
    node.meta.source = rows.Source();
    const std::int64_t gpu_count = rows.Number(gpus, 0, kMaxNodeGpus);
    if (gpu_count > 0 && !rows.Text(model).empty()) {
      node.meta.labels.emplace_back(kModelLabel, rows.Text(model));
    }
    node.meta.labels.emplace_back("kubernetes.io/hostname", node.meta.name);
    node.allocatable.reserve(4);
    node.allocatable.emplace_back("cpu", rows.Number(cpu, 0, kMaxCpuMilli));
    node.allocatable.emplace_back("memory", rows.Number(memory, 0, kMaxMemoryMib) * kBytesPerMib);
    if (gpu_count > 0) node.allocatable.emplace_back(objects::kGpuResource, gpu_count * 1000);
    node.allocatable.emplace_back("pods", kPodsPerNode);
    if (!rows.row_has_fault()) into.objects.emplace_back(std::move(node));
  }
}

void ReadOpenbPods(std::string_view text, const std::string& file, objects::Manifest& into) {
  CsvReader rows(text, file, into);
  const PodColumns columns = FindPodColumns(rows);
  if (!columns.complete) return;
  NameSet seen;
  seen.reserve(rows.RowsAtMost());
  into.objects.reserve(into.objects.size() + rows.RowsAtMost());
  for (std::int64_t row = 0; rows.Next(); ++row) {
    CheckName(rows, columns.name, seen);
    objects::Pod pod;
    pod.meta.name = std::string(rows.Text(columns.name));
    pod.meta.name_space = std::string(kOpenbNamespace);
    pod.meta.source = rows.Source();
    pod.spec.scheduler_name = "fairlead";
    AddRequest(rows, columns, pod.spec.needs);
    AddTimes(rows, columns, row, pod.meta);
    if (!rows.row_has_fault()) into.objects.emplace_back(std::move(pod));
  }
}

void ReadOpenbFiles(const std::string& nodes_path, const std::string& pods_path,
                    objects::Manifest& into) {
  const std::optional<std::string> nodes = ReadWhole(nodes_path, into);
  const std::optional<std::string> pods = ReadWhole(pods_path, into);
  if (!nodes || !pods) return;
  // Once for both: a list of this length is not to be moved while it grows.
  into.objects.reserve(into.objects.size() + LinesAtMost(*nodes) + LinesAtMost(*pods));
  ReadOpenbNodes(*nodes, nodes_path, into);
  ReadOpenbPods(*pods, pods_path, into);
}

}  // namespace fairlead::trace
