#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "history/reader.h"
#include "server/kinds.h"
#include "view/answer.h"

namespace fairlead::server {

// Why a request is not served: an HTTP status, a message for people, and, where the input was at
// fault, one line a fault ("FILE:LINE: OBJECT: FIELD: …").
struct Refusal {
  int status = 400;
  std::string message;
  std::vector<std::string> faults = {};
};

// In the refusal (503) of a replica that knows nothing of the cluster, since another one leads.
inline constexpr std::string_view kStandsBy = "this replica stands by";

// A JSON text, or why there is none.
using Answer = tl::expected<std::string, Refusal>;

// What of a kind is asked for.
struct Query {
  const Kind* kind = nullptr;
  std::string name_space;  // empty: all
  std::string name;        // empty: all
  bool as_table = false;   // {"columns": […], "rows": [[…]]} for people, instead of objects

  bool Wants(const objects::Meta& meta) const {
    return (name_space.empty() || meta.name_space == name_space) &&
           (name.empty() || meta.name == name);
  }
};

// A text to be submitted, and what to call it in messages.
struct SourceText {
  std::string name;
  std::string text;
};

// Whose cluster the server shows. Implemented where the cluster is; called from several threads at
// once, and may wait for the thread that owns the cluster.
class Backend {
 public:
  virtual ~Backend() = default;

  // A List, or, where a name is given, the object itself; with as_table a Table in either case.
  virtual Answer Get(const Query& query) = 0;
  // All or nothing: with any fault nothing is changed.
  virtual Answer Submit(const std::vector<SourceText>& texts) = 0;
  virtual Answer Delete(const Kind& kind, const std::string& name_space,
                        const std::string& name) = 0;
  // "namespace/name"; `nodes`: what each node that fits has to say for itself, too.
  virtual Answer Explain(const std::string& name, bool nodes) = 0;
  // {"items": […]}: the same of each workload that the texts would make, if they were submitted.
  // Nothing is.
  virtual Answer ExplainIfSubmitted(const std::vector<SourceText>& texts) = 0;
  virtual Answer QueueShares() = 0;
  // Who of those that wait could use the node, and what stands in the way (host/askers.h).
  virtual Answer Askers(const std::string& node) = 0;
  // What the web page shows. Asks nothing of the thread that owns the cluster.
  virtual Answer View(const view::Question& question) = 0;
  virtual std::string Metrics() = 0;  // in Prometheus' text format
  // Why it cannot do its work now; empty: it can. Waits for nobody.
  virtual std::string NotReady() { return {}; }
  // Why nothing can be submitted or deleted, whatever it is; empty: it can.
  virtual std::string WhyReadOnly() const { return {}; }
  // Where its history is read, on whichever thread asks; null: none is kept.
  virtual const history::Source* history() const { return nullptr; }
};

// What a cluster's own machinery asks for. Called by the one thread that answers it: waits for
// nobody.
class Probes {
 public:
  virtual ~Probes() = default;
  virtual std::string NotReady() = 0;     // as Backend's
  virtual std::string LastMetrics() = 0;  // in Prometheus' text format, some seconds old at most
};

}  // namespace fairlead::server
