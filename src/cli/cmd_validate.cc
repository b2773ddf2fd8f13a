#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/job_kind_rights.h"
#include "engine/explain/for_good.h"
#include "host/input.h"
#include "host/offline_cluster.h"
#include "host/other_schedulers.h"
#include "intake/intake.h"
#include "jobs/job_kind.h"
#include "show/human_text.h"
#include "state/cluster.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

std::map<std::string, std::int64_t> CountByKind(const std::vector<objects::Object>& objects) {
  std::map<std::string, std::int64_t> counts;
  for (const objects::Object& object : objects) ++counts[std::string(objects::KindOf(object))];
  return counts;
}

std::string PluralOf(const std::string& kind) {
  if (kind.ends_with("y")) return kind.substr(0, kind.size() - 1) + "ies";
  return kind + (kind.ends_with("s") ? "es" : "s");
}

// "12 objects (3 Nodes, 8 Pods, 1 Queue)".
std::string CountsText(const std::map<std::string, std::int64_t>& counts, std::size_t total) {
  std::string kinds;
  for (const auto& [kind, count] : counts) {
    kinds += (kinds.empty() ? " (" : ", ") + show::Counted(count, kind, PluralOf(kind));
  }
  const std::string text = show::Counted(static_cast<std::int64_t>(total), "object");
  return kinds.empty() ? text : text + kinds + ")";
}

// A workload of the plan as findings name it, "Pod a/b", and where it was read. Of a group that its
// pods alone make there is no object: what it counts as.
intake::Finding FindingOf(const std::vector<objects::Object>& objects, const std::string& workload,
                          std::string_view kind, const state::Reason& reason) {
  intake::Finding finding{.object = fmt::format("{} {}", kind, workload),
                          .code = std::string(state::ToString(reason.code)),
                          .message = reason.message};
  for (const objects::Object& object : objects) {
    const objects::Meta& meta = objects::MetaOf(object);
    const bool may_wait = std::holds_alternative<objects::Pod>(object) ||
                          std::holds_alternative<objects::Workload>(object) ||
                          std::holds_alternative<objects::PodGroup>(object) ||
                          jobs::KindOf(object) != nullptr;
    if (!may_wait || meta.Key() != workload) continue;
    finding.object = fmt::format("{} {}", objects::KindOf(object), workload);
    finding.source = meta.source;
  }
  return finding;
}

// Files by name, each from top to bottom: "FILE:LINE" sorted with the line as a number.
std::pair<std::string, int> PlaceOf(const intake::Finding& finding) {
  const std::size_t colon = finding.source.rfind(':');
  if (colon == std::string::npos) return {finding.source, 0};
  return {finding.source.substr(0, colon), std::atoi(finding.source.c_str() + colon + 1)};
}

// A recorded start that is still to come: nobody gains by it (semantics.md §1, §6).
void AddStartsInFuture(const std::vector<objects::Object>& objects, Time now,
                       std::vector<intake::Finding>& findings) {
  for (const objects::Object& object : objects) {
    const auto* workload = std::get_if<objects::Workload>(&object);
    const auto* group = std::get_if<objects::PodGroup>(&object);
    if (workload == nullptr && group == nullptr) continue;
    const std::optional<Time> start =
        workload != nullptr ? workload->start_time : group->start_time;
    if (!start || *start <= now) continue;
    const std::string_view kind = workload != nullptr && !workload->dialect_kind.empty()
                                      ? std::string_view(workload->dialect_kind)
                                      : objects::KindOf(object);
    const objects::Meta& meta = objects::MetaOf(object);
    findings.push_back(
        {.object = fmt::format("{} {}", kind, meta.Key()),
         .source = meta.source,
         .code = "StartInFuture",
         .message = fmt::format("its recorded start {} is later than now ({}, the newest time in "
                                "the input) and is ignored",
                                FormatTime(*start), FormatTime(now))});
  }
}

std::vector<objects::JobRow> JobKindsOf(const objects::Manifest& manifest) {
  for (const objects::Object& object : manifest.objects) {
    const auto* configuration = std::get_if<objects::SchedulerConfiguration>(&object);
    if (configuration != nullptr) return configuration->job_kinds;
  }
  return {};
}

// Fields of a row that no object of the input has: each by itself is right, and may be meant so.
void AddUnusedPaths(const objects::Manifest& manifest, std::vector<intake::Finding>& findings) {
  for (const objects::JobRow& row : JobKindsOf(manifest)) {
    std::vector<const objects::JobObject*> jobs;
    for (const objects::Object& object : manifest.objects) {
      const auto* job = std::get_if<objects::JobObject>(&object);
      if (job != nullptr && job->row->kind == row.kind) jobs.push_back(job);
    }
    if (jobs.empty()) continue;
    const auto nowhere = [&](const objects::FieldPath& path, std::string_view then) {
      const std::string which = show::Counted(static_cast<std::int64_t>(jobs.size()), row.kind);
      findings.push_back({.object = fmt::format("{} {}", row.kind, jobs.front()->meta.Key()),
                          .source = jobs.front()->meta.source,
                          .code = "JobKindPathUnused",
                          .message = fmt::format("none of {} has {}, which its row in jobKinds "
                                                 "names: {}",
                                                 which, path.text(), then)});
    };
    const bool any_waits =
        std::ranges::any_of(jobs, [](const objects::JobObject* job) { return job->suspend; });
    if (!row.suspend.empty() && !any_waits) {
      nowhere(row.suspend, "it is not suspended, so that its pods start as they come");
    }
    for (std::size_t i = 0; i < row.pod_sets.size(); ++i) {
      std::size_t at = 0;
      objects::ForEachField(row.pod_sets[i].count, [&](const objects::FieldPath& path) {
        const auto has_it = [&](const objects::JobObject* job) {
          return std::ranges::any_of(job->pod_sets, [&](const objects::JobObject::Replicas& set) {
            return set.row == &job->row->pod_sets[i] && set.counts[at].has_value();
          });
        };
        if (std::ranges::none_of(jobs, has_it)) nowhere(path, "it counts as the row says, or as 1");
        ++at;
      });
    }
  }
}

// "Workload", "Job", "PodGroup"; of one pod "Pod".
std::string_view KindOf(const state::Cluster& cluster, std::string_view workload) {
  const state::WorkloadId w = state::FindWorkload(cluster, workload);
  const bool is_gang = w.valid() && !cluster.workloads()[w].solo();
  return is_gang ? std::string_view(cluster.workloads().gang(w).kind) : "Pod";
}

// What the joins between the objects find, then what else keeps a workload out for good.
std::vector<intake::Finding> FindingsOf(const objects::Manifest& manifest,
                                        host::OfflineCluster& offline) {
  std::vector<intake::Finding> findings = offline.intake().Findings();
  std::set<std::string> known;
  for (const intake::Finding& finding : findings) known.insert(finding.object);
  const std::vector<engine::PendingReport>& all_pending = offline.Plan().pending;
  const state::Cluster& cluster = offline.scheduler().cluster();
  for (const engine::PendingReport& pending : all_pending) {
    for (const state::Reason& reason : pending.reasons) {
      const state::WorkloadId w = state::FindWorkload(cluster, pending.workload);
      if (!w.valid() || !engine::WaitsForGood(cluster, w, reason)) continue;
      intake::Finding finding =
          FindingOf(manifest.objects, pending.workload, KindOf(cluster, pending.workload), reason);
      if (known.insert(finding.object).second) findings.push_back(std::move(finding));
    }
  }
  for (const objects::Doubt& doubt : manifest.doubts) {
    findings.push_back({.object = doubt.fault.object,
                        .source = fmt::format("{}:{}", doubt.fault.file, doubt.fault.line),
                        .code = std::string(doubt.code),
                        .message = fmt::format("{}: {}", doubt.fault.field, doubt.fault.message)});
  }
  AddStartsInFuture(manifest.objects, offline.now(), findings);
  AddUnusedPaths(manifest, findings);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto& a, const auto& b) { return PlaceOf(a) < PlaceOf(b); });
  return findings;
}

json::object ToJson(const objects::Manifest& manifest,
                    const std::vector<intake::Finding>& findings) {
  json::object counts;
  for (const auto& [kind, count] : CountByKind(manifest.objects)) counts[kind] = count;
  json::array rows;
  for (const intake::Finding& finding : findings) {
    json::object row{{"object", finding.object}};
    if (!finding.source.empty()) row["source"] = finding.source;
    row["code"] = finding.code;
    row["message"] = finding.message;
    rows.push_back(std::move(row));
  }
  json::array faults;
  for (const objects::Fault& fault : manifest.faults) faults.emplace_back(fault.ToString());
  const std::vector<std::string> warnings = host::WarningLines(manifest);
  return {{"apiVersion", "fairlead.dev/v1alpha1"},
          {"kind", "Validation"},
          {"valid", manifest.faults.empty() && findings.empty()},
          {"objects", std::move(counts)},
          {"faults", std::move(faults)},
          {"findings", std::move(rows)},
          {"warnings", json::array(warnings.begin(), warnings.end())}};
}

void PrintFindings(const objects::Manifest& manifest, const std::vector<intake::Finding>& findings,
                   show::Output& output) {
  for (const intake::Finding& finding : findings) {
    output.Line(fmt::format("{}{}{}: {} ({})", finding.source, finding.source.empty() ? "" : ": ",
                            finding.object, finding.message,
                            output.Painted(finding.code, show::Tone::kWaiting)));
  }
  const std::string counts = CountsText(CountByKind(manifest.objects), manifest.objects.size());
  const auto found = static_cast<std::int64_t>(findings.size());
  output.Line(fmt::format("Checked {}: {}", counts,
                          found == 0 ? output.Painted("no faults, no findings", show::Tone::kGood)
                                     : show::Counted(found, "finding")));
}

struct ValidateOptions : host::InputOptions {
  bool rights = false;
};

int RunValidate(const ValidateOptions& options, show::Output& output) {
  const objects::Manifest manifest = host::ReadInput(options);
  const bool readable = host::ReportFaults(manifest);
  // With faults the input means nothing as a whole: what it would lead to is not asked.
  if (!readable) {
    if (!output.is_table()) output.Document(ToJson(manifest, {}));
    return show::kBadInput;
  }
  if (options.rights) return PrintRights(JobKindsOf(manifest), output);
  host::OfflineCluster offline(manifest.objects, std::nullopt);
  const std::vector<intake::Finding> findings = FindingsOf(manifest, offline);
  if (output.is_table()) {
    PrintFindings(manifest, findings, output);
    output.Paragraph(host::OtherSchedulersText(offline.intake()));
  } else {
    json::object validation = ToJson(manifest, findings);
    host::AddOtherSchedulers(offline.intake(), validation);
    output.Document(validation);
  }
  if (manifest.objects.empty()) {
    show::Complain("there was nothing to check");
    return show::kBadInput;
  }
  return findings.empty() ? show::kDone : show::kAnswerIsNo;
}

}  // namespace

Command ValidateCommand() {
  auto options = std::make_shared<ValidateOptions>();
  std::vector<Option> flags = InputOptionsInto(*options, /*required=*/true);
  flags.push_back({.flags = "--rbac",
                   .help = "print the rights that the configuration's jobKinds need, to apply",
                   .into = &options->rights});
  return {
      .name = "validate",
      .summary = "check manifests and configuration",
      .about =
          "Checks files before they are used. Exit code 2: they cannot be read, one line a fault\n"
          "on stderr. 1: they can, but something in them will not work as written: a queue that\n"
          "is not there, a pod that fits no node. 0: nothing was found.",
      .examples = {{"In a check before merging", "fairlead validate -f manifests/"},
                   {"Findings for a program",
                    "fairlead validate -f manifests/ -o json | jq '.findings[]'"},
                   {"Rights for kinds of jobs of your own",
                    "fairlead validate -f configuration.yaml --rbac | kubectl apply -f -"}},
      .positionals = {},
      .options = std::move(flags),
      .run = [options](show::Output& output) { return RunValidate(*options, output); },
  };
}

}  // namespace fairlead::cli
