#include "trace/run.h"

#include <utility>

#include "account/bookkeeper.h"
#include "account/figures.h"
#include "account/fold.h"
#include "account/metrics.h"
#include "virtual/run.h"

namespace fairlead::trace {

std::vector<objects::Object> SubmissionOf(std::vector<objects::Object> objects,
                                          const RunOptions& options) {
  if (options.configuration) {
    std::erase_if(objects, [](const objects::Object& object) {
      return std::holds_alternative<objects::SchedulerConfiguration>(object);
    });
    objects.emplace_back(*options.configuration);
  }
  FillTypicalPods(objects);
  if (!options.arrivals) return objects;
  for (objects::Object& object : objects) {
    auto* configuration = std::get_if<objects::SchedulerConfiguration>(&object);
    if (configuration != nullptr && configuration->placement_seed == 0) {
      configuration->placement_seed = static_cast<std::int64_t>(options.arrivals->seed);
    }
  }
  return MakeArrivals(*options.arrivals, std::move(objects));
}

tl::expected<RunResult, std::vector<objects::Fault>> Run(std::vector<objects::Object> objects,
                                                         const RunOptions& options) {
  std::vector<objects::Object> submission = SubmissionOf(std::move(objects), options);
  account::Fold fold;
  account::Metrics metrics(fold, options.start);
  std::optional<AllocationCurve> curve;
  using Shares = account::Bookkeeper::Shares;
  // The jobs of a trace ask to be near nothing: without a ledger nobody asks how near they were.
  std::optional<account::Bookkeeper> books;
  const bool has_jobs = options.jobs && options.jobs->JobCount() > 0;
  if (options.keep_ledger || !has_jobs) {
    books.emplace(fold, options.start, options.keep_ledger ? Shares::kKept : Shares::kLeftOut);
  }
  virtual_cluster::RunPlan plan{
      .options = {.start = options.start,
                  .delays = options.delays,
                  .end_of = nullptr,
                  .forget_ended = options.forget_ended,
                  .on_forgotten_pod = options.on_forgotten_pod,
                  .on_forgotten_workload = options.on_forgotten_workload},
      .until = options.until ? std::optional(options.start + *options.until) : std::nullopt,
      .observers = {&fold},
      .on_submitted = options.on_submitted,
      .on_instant = options.on_instant};
  if (options.arrivals) plan.observers.push_back(&curve.emplace(submission));
  plan.observers.insert(plan.observers.end(), options.observers.begin(), options.observers.end());
  const ComingJobs* coming = nullptr;  // the cluster's, as long as that is there
  if (has_jobs) {
    auto jobs = std::make_unique<ComingJobs>(options.jobs);
    coming = jobs.get();
    plan.coming = std::move(jobs);
  }
  auto run = virtual_cluster::Run(std::move(submission), std::move(plan));
  if (!run) return tl::unexpected(std::move(run).error());
  if (coming != nullptr && coming->fault() != nullptr) {
    return tl::unexpected(std::vector<objects::Fault>{*coming->fault()});
  }
  const virtual_cluster::VirtualCluster& cluster = **run;
  RunResult result;
  result.metrics = metrics.Report(cluster.Now());
  result.digest = cluster.EventDigest();
  result.end = cluster.Now();
  result.idle = !cluster.NextEventTime();
  if (curve) result.allocation = curve->Hundredths();
  if (books) {
    account::Ledger ledger = books->Take(cluster.Now(), cluster.intake().KnownTopologies());
    result.nearness = NearnessOf(ledger, DecisiveResource(ledger));
    if (options.keep_ledger) result.ledger = std::move(ledger);
  }
  if (options.keep_cluster) result.cluster = std::move(*run);
  return result;
}

}  // namespace fairlead::trace
