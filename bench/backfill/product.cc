#include "bench/backfill/product.h"

#include <set>
#include <unordered_map>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "account/ledger.h"
#include "bench/backfill/read_log.h"
#include "intake/intake.h"
#include "objects/read/reader.h"
#include "trace/run.h"
#include "trace/swf.h"

namespace fairlead::bench {
namespace {

std::string FaultText(const objects::Fault& fault) {
  return fmt::format("{}:{}: {}", fault.file, fault.line, fault.message);
}

// In cores; of several resources those of CPU.
std::int64_t CoresOf(const account::Ledger& ledger, account::AmountsId amounts) {
  for (std::size_t i = 0; i < ledger.resources.size(); ++i) {
    if (ledger.resources[i] == "cpu") return ledger.Amount(amounts, i) / 1000;
  }
  return 0;
}

Result<LogRun> RunOfLedger(const Log& log, const account::Ledger& ledger) {
  std::unordered_map<std::int64_t, std::size_t> by_number;
  for (std::size_t i = 0; i < log.jobs.size(); ++i) by_number[log.jobs[i].number] = i;
  auto seconds = [&](Time time) { return (time - ledger.start).WholeSeconds(); };
  LogRun run;
  run.jobs.resize(log.jobs.size());
  for (const account::WorkloadRow& row : ledger.workloads) {
    const auto job = by_number.find(NumberOf(std::string(ledger.Name(row.name))));
    if (job == by_number.end() || row.finished == Time::Max()) continue;
    run.jobs[job->second] = {.start = seconds(row.started), .end = seconds(row.finished)};
  }
  for (const account::Stay& stay : ledger.stays) {
    run.held.push_back({.begin = seconds(stay.begin),
                        .end = seconds(std::min(stay.end, ledger.end)),
                        .processors = CoresOf(ledger, stay.amounts)});
  }
  for (std::size_t i = 0; i < run.jobs.size(); ++i) {
    if (run.jobs[i].end < 0) return Fail(fmt::format("job {} did not end", log.jobs[i].number));
  }
  return run;
}

}  // namespace

Result<Configured> ReadConfigured(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Fail(fmt::format("\"{}\", expected NAME=FILE", argument));
  }
  objects::Manifest manifest;
  objects::ReadPath(argument.substr(equals + 1), intake::AllDecoders(), manifest);
  if (!manifest.faults.empty()) return Fail(FaultText(manifest.faults.front()));
  for (const objects::Object& object : manifest.objects) {
    if (std::holds_alternative<objects::SchedulerConfiguration>(object)) continue;
    if (std::holds_alternative<objects::Queue>(object)) continue;
    return Fail(fmt::format("{}: found a {}, expected a SchedulerConfiguration and Queues",
                            argument, objects::KindOf(object)));
  }
  return Configured{.name = argument.substr(0, equals), .objects = std::move(manifest.objects)};
}

Result<LogRun> RunProduct(const Log& log, const Configured& configured) {
  objects::Manifest manifest;
  trace::ReadSwf(SwfOf(log), "made.swf", {}, manifest);
  if (!manifest.faults.empty()) return Fail(FaultText(manifest.faults.front()));
  std::set<std::string> queues;
  for (const objects::Object& object : configured.objects) {
    if (std::holds_alternative<objects::Queue>(object)) {
      queues.insert(objects::MetaOf(object).name);
    }
  }
  std::erase_if(manifest.objects, [&](const objects::Object& object) {
    const auto* queue = std::get_if<objects::Queue>(&object);
    return queue != nullptr && queues.contains(queue->meta.name);
  });
  manifest.objects.insert(manifest.objects.end(), configured.objects.begin(),
                          configured.objects.end());
  trace::RunOptions options{.start = intake::NewestTime(manifest.objects), .keep_ledger = true};
  const auto result = trace::Run(std::move(manifest.objects), options);
  if (!result) return Fail(FaultText(result.error().front()));
  return RunOfLedger(log, *result->ledger);
}

}  // namespace fairlead::bench
