#include "policy/lending.h"

#include <string>

#include <gtest/gtest.h>

#include "state/cluster.h"

namespace fairlead::policy {
namespace {

using state::QueueTree;

struct QueueRow {
  std::string name, parent;
  std::int64_t guaranteed = 0, allocated = 0;  // cpu, millicores; guaranteed below 0: unnamed
};

// "a +3 b -2": what each queue below `parent` borrows (+) and lends (-).
std::string Loans(const std::vector<QueueRow>& rows, std::int64_t capacity,
                  const std::string& parent = "") {
  state::ResourceTable resources;
  QueueTree queues(resources);
  queues.AddCapacity(state::kCpu, capacity);
  for (const QueueRow& row : rows) {
    state::QueueChange change;
    change.name = row.name;
    change.parent = row.parent;
    if (row.guaranteed >= 0) change.guaranteed = {{"cpu", row.guaranteed}};
    queues.Update(queues.Intern(row.name), change, resources);
    queues.AddAllocated(queues.Find(row.name), {{state::kCpu, row.allocated}}, 1, {});
  }
  queues.Settle();
  std::string text;
  for (const Loan& loan :
       LoansBelow(queues, parent.empty() ? QueueTree::Root() : queues.Find(parent), state::kCpu)) {
    if (loan.borrowed == 0 && loan.lent == 0) continue;
    text += (text.empty() ? "" : " ") + queues[loan.queue].name;
    if (loan.borrowed > 0) text += " +" + std::to_string(loan.borrowed);
    if (loan.lent > 0) text += " -" + std::to_string(loan.lent);
  }
  return text;
}

TEST(Lending, AllThatIsBorrowedIsLentWhereAllIsGuaranteed) {
  EXPECT_EQ(Loans({{"a", "", 4, 6}, {"b", "", 6, 3}}, 10), "a +2 b -2");
}

TEST(Lending, WhatNobodyIsSureOfIsBorrowedFirst) {
  // 12 of which 10 are guaranteed: 2 of the 3 that a borrows are nobody's.
  EXPECT_EQ(Loans({{"a", "", 4, 7}, {"b", "", 6, 3}}, 12), "a +3 b -1");
}

TEST(Lending, IsDividedByWhatIsUnused) {
  // c borrows 6; a leaves 2, b 6: 1.5 and 4.5, whole units by largest remainder, then the name.
  EXPECT_EQ(Loans({{"a", "", 4, 2}, {"b", "", 6, 0}, {"c", "", 0, 6}}, 10), "a -2 b -4 c +6");
}

TEST(Lending, OfAParentThatItselfBorrows) {
  // p is sure of 10 and has 14: 4 come from outside, 3 of b's 7 from a.
  const std::vector<QueueRow> rows = {
      {"p", "", 10, 0}, {"o", "", 6, 0}, {"a", "p", 5, 2}, {"b", "p", 5, 12}};
  EXPECT_EQ(Loans(rows, 16), "o -4 p +4");
  EXPECT_EQ(Loans(rows, 16, "p"), "a -3 b +7");
}

TEST(Lending, WhereNothingIsGuaranteedThereAreNoLoans) {
  EXPECT_EQ(Loans({{"a", "", -1, 7}, {"b", "", -1, 3}}, 10), "");
  EXPECT_EQ(Loans({{"a", "", -1, 7}, {"b", "", 3, 3}}, 10), "a +7");
}

}  // namespace
}  // namespace fairlead::policy
