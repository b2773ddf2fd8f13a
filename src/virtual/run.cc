#include "virtual/run.h"

#include <utility>

namespace fairlead::virtual_cluster {

tl::expected<std::unique_ptr<VirtualCluster>, std::vector<objects::Fault>> Run(
    std::vector<objects::Object> submission, RunPlan plan) {
  auto cluster = std::make_unique<VirtualCluster>(plan.options);
  for (drive::Observer* observer : plan.observers) cluster->AddObserver(observer);
  const auto submitted = cluster->Submit(std::move(submission));
  if (!submitted) return tl::unexpected(submitted.error());
  cluster->Follow(std::move(plan.coming));
  if (plan.on_submitted) plan.on_submitted(*cluster, *submitted);
  for (;;) {
    const std::optional<Time> next = cluster->NextEventTime();
    if (!next || *next > plan.until.value_or(Time::Max())) break;
    cluster->Step();
    if (plan.on_instant && !plan.on_instant(*cluster)) return cluster;
  }
  if (plan.until) cluster->RunUntil(*plan.until);
  return cluster;
}

}  // namespace fairlead::virtual_cluster
