#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// What keeps secrets: digests, and comparing them in a time that tells nothing.

namespace fairlead::server {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 Sha256Of(std::string_view text);
Sha256 HmacSha256(const Sha256& key, std::string_view text);
bool SameDigest(const Sha256& a, const Sha256& b);
Sha256 RandomKey();  // from the system's source
std::string HexOf(const Sha256& digest);

}  // namespace fairlead::server
