#pragma once

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kube/reflector.h"
#include "unit/kube/fake_api.h"

namespace fairlead::kube {

// What a reflector told, as a log and as the objects it amounts to. Fails the test where the
// reflector breaks what Sink promises.
class RecordingSink : public Sink {
 public:
  struct Held {
    std::string uid, version, revision;  // revision: the label "rev"
    bool operator==(const Held&) const = default;
  };

  void Read(std::string_view json, const Text& key) override {
    EXPECT_EQ(json.front(), '{');
    read_key = key;
  }
  void Upsert(objects::Object object, const ObjectRef& ref) override {
    const objects::Meta& meta = objects::MetaOf(object);
    EXPECT_EQ(meta.name, ref.name);
    EXPECT_EQ(read_key.view(), ref.Key());
    EXPECT_EQ(meta.uid, ref.uid);
    EXPECT_EQ(meta.source, "");
    const auto before = held.find(ref.Key());
    if (before != held.end()) {
      EXPECT_EQ(before->second.uid, ref.uid) << "another object under a name that was not deleted";
      EXPECT_NE(before->second.version, ref.version) << "the same again";
    }
    const std::string* revision = objects::FindLabel(meta.labels, "rev");
    held[ref.Key()] = {ref.uid, ref.version, revision == nullptr ? "" : *revision};
    log.push_back("+" + ref.Key() + (revision == nullptr ? "" : "=" + *revision));
  }
  void Delete(const ObjectRef& ref) override {
    const auto found = held.find(ref.Key());
    ASSERT_TRUE(found != held.end()) << ref.Key() << " was not there";
    EXPECT_EQ(found->second.uid, ref.uid);
    held.erase(found);
    log.push_back("-" + ref.Key());
  }
  void Refuse(const ObjectRef& ref, const std::vector<objects::Fault>& faults) override {
    ASSERT_FALSE(faults.empty());
    log.push_back("!" + ref.Key());
    refusals.push_back(faults.front().ToString());
  }
  void Synced(std::size_t count) override {
    ++syncs;
    last_count = count;
    log.push_back("synced");
  }
  void Reached(std::string_view version) override { reached = version; }
  void StateChanged(ReflectorState state) override { states.push_back(state); }
  void Problem(const std::string& message) override { problems.push_back(message); }

  // What `plural` holds, as this should.
  static std::map<std::string, Held> Truth(FakeApi& api, const std::string& plural) {
    std::map<std::string, Held> truth;
    for (const auto& [key, object] : api.All(plural)) {
      const boost::json::object& metadata = object.at("metadata").as_object();
      const boost::json::value* labels = metadata.if_contains("labels");
      const boost::json::value* revision =
          labels == nullptr ? nullptr : labels->as_object().if_contains("rev");
      truth[key] = {std::string(metadata.at("uid").as_string()),
                    std::string(metadata.at("resourceVersion").as_string()),
                    revision == nullptr ? "" : std::string(revision->as_string())};
    }
    return truth;
  }

  // The log since the last call.
  std::vector<std::string> TakeLog() { return std::exchange(log, {}); }

  Text read_key;  // of what is told next
  std::map<std::string, Held> held;
  std::vector<std::string> log, refusals, problems;
  std::vector<ReflectorState> states;
  std::string reached;
  int syncs = 0;
  std::size_t last_count = 0;
};

inline void PrintTo(const RecordingSink::Held& held, std::ostream* out) {
  *out << held.uid << "@" << held.version << " rev " << held.revision;
}

}  // namespace fairlead::kube
