#include "host/forecast.h"

#include <string>
#include <utility>

#include "drive/observer.h"
#include "virtual/run.h"
#include "virtual/world.h"

namespace fairlead::host {
namespace {

constexpr Duration kAtMost = Duration::Seconds(std::int64_t{365} * 24 * 3600);

// Waits for the first decision that places something of the workload.
class StartWatcher : public drive::Observer {
 public:
  explicit StartWatcher(std::string_view workload) : workload_(workload) {}

  void OnEvent(const drive::Event& event) override {
    if (start_ || event.workload != workload_) return;
    if (event.type == drive::EventType::kBind) start_ = event.time;
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
  StartWatcher watcher(workload);
  int instants = 0;
  const auto run = virtual_cluster::Run(std::move(objects),
                                        {.options = options,
                                         .until = options.start + kAtMost,
                                         .observers = {&watcher},
                                         .on_submitted = nullptr,
                                         .on_instant = [&](const virtual_cluster::VirtualCluster&) {
                                           return !watcher.start() && ++instants < kForecastSteps;
                                         }});
  return run ? watcher.start() : std::nullopt;
}

}  // namespace fairlead::host
