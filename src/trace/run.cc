#include "trace/run.h"

#include <utility>

#include "virtual/cluster.h"

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
  std::optional<AllocationCurve> curve;
  if (options.arrivals) curve.emplace(submission);
  virtual_cluster::VirtualCluster cluster(
      {.start = options.start, .start_delay = options.start_delay, .grace = options.grace});
  Metrics metrics(options.start);
  cluster.AddObserver(&metrics);
  if (curve) cluster.AddObserver(&*curve);
  std::optional<Bookkeeper> books;
  if (options.keep_ledger) cluster.AddObserver(&books.emplace(options.start));
  const auto submitted = cluster.Submit(std::move(submission));
  if (!submitted) return tl::unexpected(submitted.error());
  if (options.until) {
    cluster.RunUntil(options.start + *options.until);
  } else {
    cluster.RunToIdle();
  }
  RunResult result;
  result.metrics = metrics.Report(cluster.Now());
  result.digest = cluster.EventDigest();
  result.end = cluster.Now();
  result.idle = !cluster.NextEventTime();
  if (curve) result.allocation = curve->Hundredths();
  if (books) result.ledger = books->Take(cluster.Now());
  return result;
}

}  // namespace fairlead::trace
