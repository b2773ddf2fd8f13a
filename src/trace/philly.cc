#include "trace/philly.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trace/csv.h"

namespace fairlead::trace {
namespace {

const std::string kPhillyNamespace = "philly";
constexpr std::int64_t kMaxNodes = 1'000'000;
constexpr std::int64_t kMaxJobGpus = 100'000;

// GPUs guaranteed by virtual cluster; 0 for those that only jobs name.
using Guarantees = std::map<std::string, std::int64_t, std::less<>>;

Guarantees ReadTenants(std::string_view text, const std::string& file, const Machine& machine,
                       objects::Manifest& into) {
  Guarantees nodes;
  CsvReader rows(text, file, into);
  const int name = rows.Require("vc");
  const int count = rows.Require("node num");
  if (rows.row_has_fault()) return nodes;
  std::int64_t all = 0;
  while (rows.Next()) {
    const std::int64_t number = rows.Number(count, 0, kMaxNodes);
    const std::string_view vc = rows.Text(name);
    if (vc.empty()) rows.AddFault(name, "is empty, expected a name");
    if (nodes.emplace(vc, number).second) {
      all += number;
    } else {
      rows.AddFault(name, "\"" + std::string(vc) + "\" is there twice, expected unique names");
    }
  }
  if (all == 0) return nodes;
  // By largest remainders.
  std::vector<std::pair<std::int64_t, std::string_view>> rests;
  std::int64_t left = machine.total();
  for (auto& [vc, number] : nodes) {
    const std::int64_t parts = number * machine.total();
    rests.emplace_back(-(parts % all), vc);
    number = parts / all;
    left -= number;
  }
  std::sort(rests.begin(), rests.end());
  for (std::size_t i = 0; i < static_cast<std::size_t>(left); ++i) {
    ++nodes.find(rests[i].second)->second;
  }
  return nodes;
}

struct Row {
  Time submitted;
  std::uint32_t line = 0;
  Duration runs;
  std::int64_t gpus = 1;
  std::string_view tenant;
};

std::vector<Row> ReadJobs(std::string_view text, const std::string& file, objects::Manifest& into) {
  std::vector<Row> jobs;
  CsvReader rows(text, file, into);
  const int submitted = rows.Require("timestamp");
  const int duration = rows.Require("duration");
  const int gpus = rows.Require("num_gpus");
  const int tenant = rows.Require("cluster");
  if (rows.row_has_fault()) return jobs;
  jobs.reserve(rows.RowsAtMost());
  while (rows.Next()) {
    Row row;
    row.submitted = rows.Timestamp(submitted);
    row.line = rows.line();
    row.runs = rows.Seconds(duration);
    row.gpus = rows.Number(gpus, 1, kMaxJobGpus);
    row.tenant = rows.Text(tenant);
    if (row.tenant.empty()) rows.AddFault(tenant, "is empty, expected a name");
    if (!rows.row_has_fault()) jobs.push_back(row);
  }
  std::sort(jobs.begin(), jobs.end(), [](const Row& a, const Row& b) {
    return std::pair(a.submitted, a.line) < std::pair(b.submitted, b.line);
  });
  return jobs;
}

}  // namespace

void ReadPhilly(std::string_view jobs, const std::string& jobs_file, std::string_view tenants,
                const std::string& tenants_file, const Machine& machine, objects::Manifest& into,
                JobList& list) {
  Guarantees guarantees;
  if (!tenants_file.empty()) guarantees = ReadTenants(tenants, tenants_file, machine, into);
  const std::vector<Row> rows = ReadJobs(jobs, jobs_file, into);
  if (rows.empty()) return;
  const Time start = rows.front().submitted;
  for (const Row& row : rows) {
    if (!guarantees.contains(row.tenant)) guarantees.emplace(row.tenant, 0);
  }
  AppendNodes(machine, start, into.objects);
  for (const auto& [vc, gpus] : guarantees) {
    objects::Queue queue;
    queue.meta.name = vc;
    if (gpus > 0) queue.guaranteed.emplace_back(machine.resource, gpus * 1000);
    into.objects.emplace_back(std::move(queue));
  }
  list.machine = machine;
  list.name_space = kPhillyNamespace;
  list.file = jobs_file;
  list.digits = 6;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    list.jobs.push_back({.number = static_cast<std::int64_t>(i + 1),
                         .arrives = row.submitted - start,
                         .runs = row.runs,
                         .limit = {},
                         .amount = row.gpus,
                         .queue = list.QueueOf(row.tenant),
                         .line = row.line});
  }
  list.Sort();
}

void ReadPhilly(std::string_view jobs, const std::string& jobs_file, std::string_view tenants,
                const std::string& tenants_file, const Machine& machine, objects::Manifest& into) {
  JobList list;
  ReadPhilly(jobs, jobs_file, tenants, tenants_file, machine, into, list);
  AppendJobs(list, into);
}

void ReadPhillyFiles(const std::string& jobs_path, const std::string& tenants_path,
                     const Machine& machine, objects::Manifest& into, JobList& list) {
  const std::optional<std::string> jobs = ReadWhole(jobs_path, into);
  std::optional<std::string> tenants = std::string();
  if (!tenants_path.empty()) tenants = ReadWhole(tenants_path, into);
  if (!jobs || !tenants) return;
  ReadPhilly(*jobs, jobs_path, *tenants, tenants_path, machine, into, list);
}

}  // namespace fairlead::trace
