#include "cli/forecast.h"

#include <string>
#include <utility>

#include "virtual/cluster.h"
#include "virtual/world.h"

namespace fairlead::cli {
namespace {

constexpr Duration kAtMost = Duration::Seconds(365 * 24 * 3600);

// Waits for the first decision that places something of the workload.
class StartWatcher : public virtual_cluster::Observer {
 public:
  explicit StartWatcher(std::string_view workload) : workload_(workload) {}

  void OnEvent(const virtual_cluster::Event& event) override {
    if (start_ || event.workload != workload_) return;
    if (event.type == virtual_cluster::EventType::kBind) start_ = event.time;
  }
  const std::optional<Time>& start() const { return start_; }

 private:
  std::string workload_;
  std::optional<Time> start_;
};

}  // namespace

std::optional<Time> ForecastStart(std::vector<objects::Object> objects,
                                  const virtual_cluster::Options& options,
                                  std::string_view workload) {
  for (objects::Object& object : objects) {
    virtual_cluster::DropLabel(objects::MetaOf(object).annotations, virtual_cluster::kArrivesAt);
  }
  virtual_cluster::VirtualCluster cluster(options);
  StartWatcher watcher(workload);
  cluster.AddObserver(&watcher);
  if (!cluster.Submit(std::move(objects))) return std::nullopt;
  const Time limit = options.start + kAtMost;
  for (int i = 0; i < kForecastSteps && !watcher.start(); ++i) {
    const std::optional<Time> next = cluster.NextEventTime();
    if (!next || *next > limit) break;
    cluster.Step();
  }
  return watcher.start();
}

}  // namespace fairlead::cli
