// What an API server sends: the input is the body of a list, and behind a zero byte that of the
// watch that follows. In one piece and byte by byte it means the same, and what is told of is never
// deleted twice.

#include <cstdint>
#include <set>
#include <string>

#include "base/check.h"
#include "intake/intake.h"
#include "kube/reflector.h"

using namespace fairlead;        // NOLINT(google-build-using-namespace): a file of one function
using namespace fairlead::kube;  // NOLINT(google-build-using-namespace)

namespace {

class Feed : public Loop {
 public:
  Time Now() const override { return {}; }
  Time LocalNow() const override { return {}; }
  TimerId After(Duration, std::function<void()>) override { return 1; }
  void CancelTimer(TimerId) override {}
  CallId Send(Request, std::function<void(Response)>) override { return ++calls; }
  CallId Open(Request, Stream& to) override {
    stream = &to;
    return ++calls;
  }
  void Cancel(CallId) override { stream = nullptr; }

  // Ends the call, unless the reflector did.
  void Answer(const std::string& body, std::size_t piece) {
    const CallId call = calls;
    stream->OnHeaders(200, std::nullopt);
    for (std::size_t at = 0; at < body.size(); at += piece) {
      if (stream == nullptr || calls != call) return;
      stream->OnBytes(std::string_view(body).substr(at, piece));
    }
    if (stream != nullptr && calls == call) stream->OnEnd(Outcome::kAnswered, "");
  }

  Stream* stream = nullptr;
  CallId calls = 0;
};

class Names : public Sink {
 public:
  void Upsert(objects::Object object, const ObjectRef& ref) override {
    CHECK(objects::MetaOf(object).uid == ref.uid);
    held.insert(ref.Key());
    story += "+" + ref.Key() + " " + ref.version + "\n";
  }
  void Delete(const ObjectRef& ref) override {
    CHECK(held.erase(ref.Key()) == 1);
    story += "-" + ref.Key() + "\n";
  }
  void Refuse(const ObjectRef& ref, const std::vector<objects::Fault>& faults) override {
    CHECK(!faults.empty());
    story += "!" + ref.Key() + faults[0].ToString() + "\n";
  }
  void Synced(std::size_t count) override {
    CHECK(held.size() <= count);
    story += "synced\n";
  }
  void Reached(std::string_view) override {}

  std::set<std::string> held;
  std::string story;
};

std::string Tell(const std::string& list, const std::string& watch, std::size_t piece) {
  Feed feed;
  Names names;
  Reflector reflector(feed, {.plural = "pods", .kind = "Pod"}, intake::AllDecoders(), names, {});
  reflector.Start();
  feed.Answer(list, piece);
  if (reflector.synced()) feed.Answer(watch, piece);
  return names.story;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = std::min(text.find('\0'), size);
  const std::string list = text.substr(0, zero), watch = text.substr(std::min(zero + 1, size));
  CHECK(Tell(list, watch, size + 1) == Tell(list, watch, 1));
  return 0;
}
