#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The labels and annotations of other schedulers (KAI Scheduler, Kueue, YuniKorn, Volcano,
// coscheduling) that say how work is to be scheduled: one table, so that none of them is passed
// over in silence. What the objects of these systems say in their specs is read where they are
// decoded.

namespace fairlead::intake {

enum class KeyPlace : std::uint8_t { kLabel, kAnnotation, kEither };

// What a key asks for, as far as this program is concerned.
enum class KeyAsks : std::uint8_t {
  kKept,     // it is read (objects/keys.h, jobs/batch_job.cc, gpu_share.h)
  kOfPods,   // it is read of pods, and of their templates (group_of_pod.h)
  kDemand,   // it is not served: the work waits with UnsupportedConstraint
  kNothing,  // it changes no decision on where and when: a finding of `validate`
  kRecord,   // its own system wrote it down for itself: no word of it
};

// Where the demand is met by other means, and the key is a finding only.
enum class MetBy : std::uint8_t {
  kNone,
  kGang,   // the pods start together as a workload of this program
  kQueue,  // a queue is named by a label that is read
};

struct ForeignKey {
  std::string_view key;
  KeyPlace place = KeyPlace::kEither;
  KeyAsks asks = KeyAsks::kKept;
  std::string_view what;           // it asks for, in a few words
  std::string_view instead = {};   // what serves
  std::string_view harmless = {};  // values that ask for nothing, with a space between
  MetBy met_by = MetBy::kNone;
};

// Sorted by key. A key that ends in a slash stands for all that begin so.
std::span<const ForeignKey> AllForeignKeys();

// The row of `key`; null: it has none.
const ForeignKey* FindForeignKey(std::string_view key);

// Whether `key` is in a namespace of one of those systems: without a row it is not known.
bool IsInForeignNamespace(std::string_view key);

// Whether the key is worth a look into the table: most keys of most pods are not. Cost: ≈ 1 ns.
inline bool MayBeForeign(std::string_view key) {
  if (key.empty()) return false;
  switch (key.front()) {
    case 'a':
      return key == "applicationId";
    case 'g':
      return key.starts_with("gpu-");
    case 'k':
      return key.starts_with("kai.") || key.starts_with("kueue.");
    case 'm':
      return key == "mps";
    case 'p':
      return key.starts_with("pod-group.") || key.starts_with("provreq.") ||
             key == "priorityClassName";
    case 'q':
      return key == "queue";
    case 'r':
      return key.starts_with("run.ai/") || key.starts_with("runai/");
    case 's':
      return key.starts_with("scheduling.");
    case 'v':
      return key.starts_with("volcano.");
    case 'y':
      return key.starts_with("yunikorn.");
    default:
      return false;
  }
}

}  // namespace fairlead::intake
