#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/spilled.h"
#include "base/time.h"
#include "drive/observer.h"
#include "show/output.h"
#include "trace/run.h"

namespace fairlead::cli {

// A simulation as JSON or YAML, of any length: its events, and what became of work that was
// forgotten since, are kept as text on disk until it is printed.
class SimulationDocument : public drive::Observer {
 public:
  void OnEvent(const drive::Event& event) override;
  // Of a run that forgets what has ended.
  void KeepForgotten(trace::RunOptions& run);

  // Once. REQUIRES: the run kept its cluster, and is over; !output.is_table().
  void Print(const trace::RunResult& result, Time start, show::Output& output);

 private:
  // By name, each with what is said of it.
  class Finals {
   public:
    void Add(std::string_view name, const boost::json::value& value);
    // By namespace and name, or by both as one text.
    enum class Order : std::uint8_t { kByParts, kByText };
    void Sort(Order order);
    void ForEach(const show::LongList::Visit& visit) const;

   private:
    std::string_view NameOf(std::uint32_t i) const;
    SpilledTexts texts_;  // the name, a zero, and the value
    std::vector<std::uint32_t> order_;
  };

  SpilledTexts events_;
  Finals pods_, workloads_;
};

}  // namespace fairlead::cli
