#pragma once

#include <string>
#include <utility>

#include "intake/intake.h"
#include "kube/reflector.h"
#include "unit/kube/fake_api.h"
#include "unit/kube/fake_loop.h"
#include "unit/kube/recording_sink.h"
#include "unit/kube/virtual_clock.h"

namespace fairlead::kube {

// A server with pods and queues, and one reflector.
struct ReflectorWorld {
  explicit ReflectorWorld(std::uint64_t seed = 1,
                          Resource resource = {.plural = "pods", .kind = "Pod"},
                          bool newest_first = false, bool streams_lists = false)
      : loop(clock, api, seed),
        reflector(loop, std::move(resource), intake::AllDecoders(), sink,
                  {.seed = seed, .newest_first = newest_first, .streams_lists = streams_lists}) {
    api.Serve({"v1", "Pod", "pods"});
  }

  static boost::json::object Pod(const std::string& name, const std::string& revision = "1") {
    return {{"metadata", {{"name", name}, {"namespace", "ns"}, {"labels", {{"rev", revision}}}}},
            {"spec",
             {{"schedulerName", "fairlead"},
              {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "1"}}}}}}}}}}};
  }
  void Put(const std::string& name, const std::string& revision = "1") {
    api.Put("pods", Pod(name, revision));
  }
  void Erase(const std::string& name) { api.Erase("pods", "ns/" + name); }
  void PutUnreadable(const std::string& name) {
    boost::json::object pod = Pod(name, "bad");
    pod["spec"].as_object()["containers"] = "none";
    api.Put("pods", std::move(pod));
  }

  // Started and following.
  void Settle() {
    reflector.Start();
    Wait();
  }
  void Wait(Duration duration = Duration::Seconds(1)) { clock.RunFor(duration); }

  std::map<std::string, RecordingSink::Held> Truth() {
    return RecordingSink::Truth(api, reflector.resource().plural);
  }
  // How many requests whose line contains `part` were sent.
  int Sent(const std::string& part) const {
    int count = 0;
    for (const std::string& line : loop.sent()) {
      if (line.find(part) != std::string::npos) ++count;
    }
    return count;
  }

  VirtualClock clock;
  FakeApi api;
  FakeLoop loop;
  RecordingSink sink;
  Reflector reflector;
};

}  // namespace fairlead::kube
