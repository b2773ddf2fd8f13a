#include "effects/kueue_book.h"

#include <gmock/gmock.h>

namespace fairlead::effects {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Told(KueueBook& book, std::vector<state::ObjectProblem> problems) {
  const std::vector<state::Change> changes = {
      state::KueueChange{.kind = "ClusterQueue", .name = "a", .problems = std::move(problems)}};
  book.Apply(changes);
  std::vector<std::string> lines;
  for (const Write& write : book.TakeWrites()) {
    const EventText event = EventOf(write).value();
    lines.push_back(std::string(event.type) + " " + event.kind + " " + event.object + " " +
                    event.reason + ": " + event.note);
  }
  return lines;
}

TEST(KueueBook, WarnsOnceOfWhatLasts) {
  KueueBook book;
  const state::ObjectProblem flavor{.code = "FlavorNotFound", .message = "spot is not there"};
  const state::ObjectProblem check{.code = "NotSupported", .message = "spec.admissionChecks"};
  const state::ObjectProblem other{.code = "NotSupported", .message = "spec.other"};
  EXPECT_THAT(Told(book, {flavor}),
              ElementsAre("Warning ClusterQueue a FlavorNotFound: spot is not there"));
  // Two of one code are two.
  EXPECT_THAT(Told(book, {flavor, check, other}),
              ElementsAre("Warning ClusterQueue a NotSupported: spec.admissionChecks",
                          "Warning ClusterQueue a NotSupported: spec.other"));
  EXPECT_THAT(Told(book, {check, other}), IsEmpty());
  // It was mended, and came again; or the object went, and came again.
  EXPECT_THAT(Told(book, {flavor, check, other}).size(), 1U);
  EXPECT_THAT(Told(book, {}), IsEmpty());
  EXPECT_THAT(Told(book, {flavor, check, other}).size(), 3U);
}

}  // namespace
}  // namespace fairlead::effects
