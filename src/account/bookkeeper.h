#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "account/fold.h"
#include "account/fold_reader.h"
#include "account/ledger.h"
#include "account/topology_notes.h"
#include "base/name_map.h"
#include "base/time.h"

namespace fairlead::account {

// Keeps the ledger of a run, as a Fold tells it. Pods of other schedulers do not stand in it, but
// what they take is not offered by their node.
//
// Its resources are those that nodes and pods of the first moment told name; what comes up later is
// left out, so that rows have one width.
// Thread safety: none. Cost: a hash look-up or two a pod and a stay; in memory some 30 bytes for
// each name that there ever was, the rows themselves on disk; a walk over the queues a round.
class Bookkeeper : public FoldReader {
 public:
  // Whether what queues have is kept, which is looked at in every round.
  enum class Shares : std::uint8_t { kKept, kLeftOut };

  // Reads `fold`, which must outlive it. Without a start it is the moment of the first changes.
  explicit Bookkeeper(Fold& fold, std::optional<Time> start = std::nullopt,
                      Shares shares = Shares::kKept);
  Bookkeeper(const Bookkeeper&) = delete;
  Bookkeeper& operator=(const Bookkeeper&) = delete;

  void OnMoment(Time now, std::span<const state::Change> changes) override;
  void OnShape(FoldIndex shape, const objects::ResourceList& asked) override;
  void OnOffer(Time now, FoldIndex node, const objects::ResourceList& before,
               const objects::ResourceList& offered) override;
  void OnGang(FoldIndex gang) override;
  void OnGangStarted(Time now, FoldIndex gang, bool began_before) override;
  void OnGangComplete(Time now, FoldIndex gang) override;
  void OnSeen(Time now, FoldIndex pod, const state::PodChange& change) override;
  void OnBelongs(FoldIndex pod) override;
  void OnPlaced(Time now, FoldIndex pod, const state::PodChange& change, bool first) override;
  void OnPassed(Time now, FoldIndex pod, const state::PodChange& change) override;
  void OnResized(Time now, FoldIndex pod, FoldIndex shape_before) override;
  void OnCounted(FoldIndex pod, std::int32_t sign) override;
  void OnLeft(Time now, FoldIndex pod) override;
  void OnEnded(Time now, FoldIndex pod) override;
  void OnGone(FoldIndex pod) override;
  void OnPodStarted(Time now, FoldIndex pod, bool began_before) override;
  void OnEvicted(const drive::Event& event, FoldIndex pod) override;
  void OnEvictionFailed(FoldIndex pod) override;
  void OnCreated(const drive::Event& event) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;

  // The ledger as of `end`. The last call. `there`: the topologies, as of then.
  Ledger Take(Time end, const std::vector<objects::KnownTopology>& there = {});

 private:
  static constexpr std::uint32_t kNone = kNoIndex;

  // Beside the fold's.
  struct Pod {
    NameId name = kNoName;
    std::uint32_t workload = kNone;  // into ledger_.workloads
    std::uint32_t stay = kNone;      // into ledger_.stays, while it is on a node
  };
  struct Node {
    Amounts offered, taken_by_others;
  };
  struct Eviction {
    Time at;
    NameId action = kNoName, beneficiary = kNoName;
  };

  // Looks texts up among the ledger's names, which it does not hold itself.
  struct NameLookUp {
    using is_transparent = void;
    const SpilledTexts* names;
    std::string_view TextOf(NameId id) const { return (*names)[id]; }
    static std::string_view TextOf(std::string_view text) { return text; }
    std::size_t operator()(const auto& name) const { return NameHash()(TextOf(name)); }
    bool operator()(const auto& a, const auto& b) const { return TextOf(a) == TextOf(b); }
  };
  NameId Intern(std::string_view name);
  NameId QueueName(FoldIndex queue);
  void LearnResources(std::span<const state::Change> changes);
  // Of a row of the ledger; nothing: it is not one of the ledger's resources.
  std::optional<std::size_t> ColumnOf(const std::string& resource) const;
  Amounts AmountsOf(const objects::ResourceList& list) const;
  Node& NodeAt(FoldIndex node);
  void NoteCapacity(Time now, FoldIndex node);
  void TakeForeign(Time now, FoldIndex node, FoldIndex shape, std::int64_t sign);
  std::uint32_t WorkloadOf(NameId name, Time submitted);
  std::uint32_t RowOfGang(FoldIndex gang);
  std::uint32_t RowOfAlone(FoldIndex pod);
  void Start(Time now, std::uint32_t workload, bool began_before);
  AmountsId Keep(const Amounts& amounts, AmountsId before);
  void BeginStay(Time now, FoldIndex pod, const state::PodChange& change);
  void EndStay(Time now, FoldIndex pod);
  void NoteEviction(FoldIndex pod, const Eviction& eviction);

  const Fold& fold_;
  const Shares shares_;
  Ledger ledger_;
  TopologyNotes topology_notes_;
  bool learned_ = false, begun_ = false;
  boost::unordered_flat_set<NameId, NameLookUp, NameLookUp> ids_{0, NameLookUp{&ledger_.names},
                                                                 NameLookUp{&ledger_.names}};
  // By the fold's numbers.
  std::vector<Pod> pods_;
  std::vector<Node> nodes_;
  std::vector<AmountsId> amounts_of_;  // of shapes
  std::vector<std::uint32_t> gangs_;   // into ledger_.workloads
  std::vector<NameId> queue_names_;
  // By pod: decided when a real cluster's scheduler did not see the binding yet.
  boost::unordered_flat_map<FoldIndex, Eviction> early_evictions_;

  boost::unordered_flat_map<NameId, std::uint32_t> workload_by_name_;  // into ledger_.workloads
  // By row of ledger_.workloads: what its placed pods ask; not there: nothing.
  boost::unordered_flat_map<std::uint32_t, Amounts> held_;
  boost::unordered_flat_map<NameId, NameId> owner_of_;  // of pods that controllers made
  // By owner: rows of evicted pods, that those made in their place are to go on with.
  boost::unordered_flat_map<NameId, std::vector<std::uint32_t>> to_go_on_;
  std::vector<std::uint32_t> last_share_;  // by queue: its last row in ledger_.shares
};

}  // namespace fairlead::account
