#pragma once

#include <cstdint>
#include <fstream>
#include <istream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "objects/objects.h"
#include "state/change.h"

namespace fairlead::trace {

// Is told of a record's lines, in order (live/record_writer.h: their form). Times do not go back:
// where the API server's clock was set back meanwhile, time stands still until it is there again.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  // An object came or changed, the configuration among them. Its source is "FILE:LINE".
  virtual void OnObject(Time time, objects::Object object) = 0;
  virtual void OnGone(Time time, std::string_view kind, std::string_view name_space,
                      std::string_view name) = 0;
  // BindFailed or EvictFailed. By value: who overrides it keeps it.
  virtual void OnFailed(state::Change /*failed*/) {}  // NOLINT(performance-unnecessary-value-param)
  struct Round {
    std::int64_t line = 0;
    Time now;
    Time decided_at;  // what the scheduler took for now: it does go back
    std::int64_t decisions = 0;
    std::string digest;
  };
  virtual void OnRound(const Round& round) = 0;
};

struct RecordEnd {
  std::int64_t lines = 0;  // that were understood
  bool cut_off = false;    // the last one lacks its end and was left out: its writer was killed
};

// Reads to the end. `path` is for messages. Errors: "PATH:LINE: …" for the first line that is none,
// or has no time; "PATH: …" where no round was recorded: there is nothing to tell then.
Result<RecordEnd> ReadRecord(std::istream& file, const std::string& path, RecordVisitor& visitor);

// DIR/record.jsonl, to be handed to ReadRecord with its path. Error: it cannot be read.
struct RecordFile {
  std::ifstream file;
  std::string path;
};
Result<RecordFile> OpenRecord(const std::string& directory);

}  // namespace fairlead::trace
