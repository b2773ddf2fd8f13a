#include "objects/read/reader.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "objects/read/inflate.h"
#include "unit/base/scratch_dir.h"
#include "unit/objects/read.h"

namespace fairlead::objects {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

Strings NamesIn(const Manifest& manifest) {
  Strings names;
  for (const Object& object : manifest.objects) {
    names.push_back(std::string(KindOf(object)) + " " + MetaOf(object).Key());
  }
  return names;
}

// A namespace, which is the shortest object there is.
std::string NamespaceYaml(const std::string& name) {
  return "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + "}\n";
}

class Folder : public ScratchDir {
 public:
  std::string Write(const std::string& name, const std::string& bytes) const {
    const fs::path file = fs::path(path()) / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }
};

std::string Gzip(const std::string& text) {
  std::string packed(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string Zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

TEST(ReadText, ReadsEveryFormOfSeveralObjects) {
  const std::string pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})";
  const std::string bare = R"({"metadata":{"name":"p"}})";
  const Strings one = {"Pod default/p"};
  struct Case {
    std::string text;
    Strings names;
  };
  const Case cases[] = {
      {"", {}},
      {" \n\t\n", {}},
      {"---\n---\n# empty\n---\n", {}},
      {NamespaceYaml("a") + NamespaceYaml("b"), {"Namespace a", "Namespace b"}},
      {pod, one},
      {"\xef\xbb\xbf" + pod, one},
      {"{apiVersion: v1, kind: Pod, metadata: {name: p}}", one},
      {pod + "\n---\n" + NamespaceYaml("a"), {"Pod default/p", "Namespace a"}},
      {R"({"apiVersion":"v1","kind":"List","items":[)" + pod + "]}", one},
      {R"({"apiVersion":"v1","items":[)" + pod + R"(],"kind":"List"})", one},
      {R"({"kind":"PodList","apiVersion":"v1","items":[)" + bare + "]}", one},
      {R"({"items":[)" + bare + R"(],"kind":"PodList","apiVersion":"v1"})", one},
      {R"({"kind":"PodList","apiVersion":"v1","items":[]})", {}},
      {R"({"kind":"List","apiVersion":"v1","items":null})", {}},
      {"kind: PodList\napiVersion: v1\nitems:\n- metadata: {name: p}\n", one},
      {"apiVersion: v1\nitems:\n- metadata: {name: p}\nkind: PodList\n", one},
      {R"({"kind":"List","apiVersion":"v1","items":[{"kind":"List","apiVersion":"v1","items":[)" +
           pod + "]}]}",
       one},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Manifest manifest = Read(c.text);
    EXPECT_EQ(FaultsIn(manifest), Strings());
    EXPECT_EQ(NamesIn(manifest), c.names);
  }
}

TEST(ReadText, SaysWhereObjectsStand) {
  const Manifest yaml = Read("# first\n" + NamespaceYaml("a") + "\n" + NamespaceYaml("b"));
  EXPECT_EQ(MetaOf(yaml.objects[0]).source, "in.yaml:3");
  EXPECT_EQ(MetaOf(yaml.objects[1]).source, "in.yaml:8");
  const Manifest json = Read(
      "{\"apiVersion\": \"v1\",\n\"kind\": \"NamespaceList\",\n\"items\": [\n"
      "{\"metadata\": {\"name\": \"a\"}},\n\n{\"metadata\": {\"name\": \"b\"}}]}");
  EXPECT_EQ(MetaOf(json.objects[0]).source, "in.yaml:4");
  EXPECT_EQ(MetaOf(json.objects[1]).source, "in.yaml:6");
}

TEST(ReadText, ReportsWhatIsNoObject) {
  struct Case {
    std::string text;
    Strings faults;
  };
  const Case cases[] = {
      {"hello", {"in.yaml:1: found \"hello\", expected an object with apiVersion and kind"}},
      {"\n- a\n", {"in.yaml:2: found a list, expected an object with apiVersion and kind"}},
      {"metadata: {name: x}", {"in.yaml:1: apiVersion: found none, expected one"}},
      {"apiVersion: v1\nkind: 7", {"in.yaml:2: kind: found number 7, expected a name"}},
      {"apiVersion: v1\nkind: List\nitems: 3",
       {"in.yaml:3: items: found number 3, expected a list"}},
      {"apiVersion: v1\nkind: List\nitems:\n- 3\n- {a: 1}",
       {"in.yaml:4: found number 3, expected an object with apiVersion and kind",
        "in.yaml:5: apiVersion: found none, expected one"}},
      {"apiVersion: fairlead.dev/v1\nkind: Queue\nmetadata: {name: q}",
       {"in.yaml:1: apiVersion: found \"fairlead.dev/v1\", expected \"fairlead.dev/v1alpha1\""}},
      {NamespaceYaml("a") + "---\n\tx",
       {"in.yaml:6: not valid YAML: found a tab, expected spaces: YAML is not indented with tabs"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(FaultsOf(c.text), c.faults);
  }
}

TEST(ReadText, WarnsOncePerUnknownKind) {
  const Manifest manifest = Read(
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n"
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n---\n"
      "{apiVersion: batch/v1beta1, kind: Job, metadata: {name: c}, items: [1]}\n");
  EXPECT_EQ(FaultsIn(manifest), Strings());
  EXPECT_EQ(
      manifest.warnings,
      (Strings{"objects of kind ConfigMap (v1) are skipped: fairlead does not read them",
               "objects of kind Job (batch/v1beta1) are skipped: fairlead does not read them"}));
}

TEST(ReadText, SuggestsTheKindThatMayBeMeant) {
  const Manifest manifest =
      Read("{apiVersion: fairlead.dev/v1alpha1, kind: Queeu}\n---\n{apiVersion: v1, kind: pod}");
  EXPECT_EQ(FaultsIn(manifest), Strings{"in.yaml:1: kind: found \"Queeu\", expected \"Queue\""});
  EXPECT_EQ(manifest.warnings,
            (Strings{"objects of kind pod (v1) are skipped: fairlead does not read them (it does "
                     "read kind Pod)"}));
}

TEST(ReadText, TakesItemsBackWhereTheRootIsNoList) {
  const Manifest manifest = Read(
      "apiVersion: example.com/v1\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: "
      "a}}\n"
      "- {apiVersion: v1, kind: Secret}\nkind: Basket\n");
  EXPECT_EQ(NamesIn(manifest), Strings());
  EXPECT_EQ(FaultsIn(manifest), Strings());
  EXPECT_EQ(manifest.warnings.size(), 1u);
}

TEST(ReadPath, ReadsFoldersByName) {
  const Folder folder;
  folder.Write("b.yaml", NamespaceYaml("b"));
  folder.Write("a.json", R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}})");
  folder.Write("c/d.yml", NamespaceYaml("d"));
  folder.Write("e.yaml.gz", Gzip(NamespaceYaml("e")));
  folder.Write("f.json.zst", Zstd(NamespaceYaml("f")));
  folder.Write("notes.txt", "not ours");
  folder.Write(".hidden/x.yaml", NamespaceYaml("x"));
  Manifest manifest;
  ReadPath(folder.path(), CoreDecoders(), manifest);
  EXPECT_EQ(FaultsIn(manifest), Strings());
  EXPECT_EQ(NamesIn(manifest),
            (Strings{"Namespace a", "Namespace b", "Namespace d", "Namespace e", "Namespace f"}));
}

TEST(ReadPath, ReportsWhatCannotBeRead) {
  const Folder folder;
  Manifest manifest;
  ReadPath(folder.path() + "/none.yaml", CoreDecoders(), manifest);
  ReadPath(folder.path(), CoreDecoders(), manifest);
  const std::string packed = Gzip(NamespaceYaml("a"));
  ReadPath(folder.Write("cut.gz", packed.substr(0, packed.size() / 2)), CoreDecoders(), manifest);
  ReadPath(folder.Write("bad.gz", "\x1f\x8b garbage that is no gzip"), CoreDecoders(), manifest);
  ReadPath(folder.Write("bad.zst", "\x28\xb5\x2f\xfd garbage"), CoreDecoders(), manifest);
  EXPECT_EQ(FaultsIn(manifest),
            (Strings{folder.path() + "/none.yaml: cannot be opened: No such file or directory",
                     folder.path() + ": found no manifest in it, expected *.yaml, *.yml or *.json",
                     folder.path() + "/cut.gz: the gzip data is cut off",
                     folder.path() + "/bad.gz: the gzip data is broken",
                     folder.path() + "/bad.zst: the zstd data is broken"}));
}

TEST(Inflate, JoinsMembersAndBoundsTheSize) {
  const std::string zeros(3 << 20, '0');
  EXPECT_EQ(InflateGzip(Gzip(zeros) + Gzip("x"), 4 << 20)->view(), zeros + "x");
  EXPECT_EQ(InflateZstd(Zstd(zeros) + Zstd("x"), 4 << 20)->view(), zeros + "x");
  EXPECT_EQ(InflateGzip(Gzip(zeros), 2 << 20).error().message,
            "found more than 2097152 bytes after inflating, expected fewer");
  EXPECT_EQ(InflateZstd(Zstd(zeros), 2 << 20).error().message,
            "found more than 2097152 bytes after inflating, expected fewer");
  const std::string cut = Zstd(zeros);
  EXPECT_EQ(InflateZstd(cut.substr(0, cut.size() - 3), 4 << 20).error().message,
            "the zstd data is cut off");
}

TEST(CheckDuplicates, NamesBothPlaces) {
  Manifest manifest =
      Read(NamespaceYaml("a") + NamespaceYaml("b") + NamespaceYaml("a") +
           "---\n{apiVersion: v1, kind: Pod, metadata: {name: a}}\n"
           "---\n{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: x}}\n"
           "---\n{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: default}}\n");
  EXPECT_EQ(FaultsIn(manifest), Strings());
  CheckDuplicates(manifest);
  EXPECT_EQ(FaultsIn(manifest),
            (Strings{"in.yaml:10: Namespace a: metadata.name: found a name that is taken, by the "
                     "one at in.yaml:2, expected another",
                     "in.yaml:18: Pod default/a: metadata.name: found a name that is taken, by the "
                     "one at in.yaml:14, expected another"}));
}

TEST(Fault, PrintsWhatItHas) {
  EXPECT_EQ((Fault{"f", 3, "Queue q", "spec", "bad"}).ToString(), "f:3: Queue q: spec: bad");
  EXPECT_EQ((Fault{"f", 0, "", "", "bad"}).ToString(), "f: bad");
}

}  // namespace
}  // namespace fairlead::objects
