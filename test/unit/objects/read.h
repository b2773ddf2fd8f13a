#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "objects/read/reader.h"

// Reading manifests in tests: the file is called "in.yaml".

namespace fairlead::objects {

inline Manifest Read(std::string_view text, Keep keep = Keep::kRead) {
  Manifest manifest;
  ReadText(text, "in.yaml", CoreDecoders(), manifest, keep);
  return manifest;
}

inline std::vector<std::string> FaultsIn(const Manifest& manifest) {
  std::vector<std::string> faults;
  for (const Fault& fault : manifest.faults) faults.push_back(fault.ToString());
  return faults;
}

inline std::vector<std::string> FaultsOf(std::string_view text) { return FaultsIn(Read(text)); }

// The only object of a text without faults.
template <typename T>
T ReadOne(std::string_view text) {
  Manifest manifest = Read(text);
  EXPECT_EQ(FaultsIn(manifest), std::vector<std::string>()) << text;
  EXPECT_EQ(manifest.objects.size(), 1u) << text;
  if (manifest.objects.empty()) return T();
  T* object = std::get_if<T>(&manifest.objects[0]);
  EXPECT_NE(object, nullptr) << text;
  return object == nullptr ? T() : std::move(*object);
}

// A text whose lines end where they are joined: Lines("a: 1", "b: 2").
template <typename... Parts>
std::string Lines(const Parts&... parts) {
  std::string text;
  ((text += parts, text += '\n'), ...);
  return text;
}

}  // namespace fairlead::objects
