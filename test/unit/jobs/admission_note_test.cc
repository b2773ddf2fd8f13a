#include "jobs/admission_note.h"

#include <string>

#include <gtest/gtest.h>

namespace fairlead::jobs {
namespace {

objects::Object JobWith(objects::Labels annotations) {
  objects::Job job;
  job.meta.name = "j";
  job.meta.annotations = std::move(annotations);
  return job;
}

const AdmissionNote kNote = {
    .admitted = {{.name = "launcher", .count = 1}, {.name = "worker", .count = 4}},
    .asked = {{.name = "launcher", .count = 1}, {.name = "worker", .count = 8}}};

TEST(AdmissionNote, IsReadAsItWasWritten) {
  objects::Object job = JobWith({{"a", "1"}, {"z", "2"}});
  const objects::Object before = job;
  EXPECT_EQ(NoteOf(job), std::nullopt);
  WriteNote(job, kNote);
  const objects::Labels written = {
      {"a", "1"}, {"fairlead.dev/admitted", "launcher=1/1,worker=4/8"}, {"z", "2"}};
  EXPECT_EQ(objects::MetaOf(job).annotations, written);
  EXPECT_EQ(NoteOf(job), kNote);
  WriteNote(job, kNote);  // in place of the one that is there
  EXPECT_EQ(objects::MetaOf(job).annotations, written);
  ClearNote(job);
  EXPECT_EQ(job, before);
}

TEST(AdmissionNote, AnotherTextSaysOnlyThatItWasAdmitted) {
  for (const char* text : {"", "main", "main=3", "main=3/", "main=/5", "main=-1/5", "main=5/3",
                           "main=3/99999999999", "main=3/5,worker", "3/5=main", "main=3 /5"}) {
    const std::optional<AdmissionNote> note = NoteOf(JobWith({{"fairlead.dev/admitted", text}}));
    ASSERT_TRUE(note.has_value()) << text;
    EXPECT_TRUE(note->admitted.empty() && note->asked.empty()) << text;
  }
}

}  // namespace
}  // namespace fairlead::jobs
