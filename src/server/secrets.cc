#include "server/secrets.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "base/check.h"

namespace fairlead::server {

Sha256 Sha256Of(std::string_view text) {
  Sha256 digest{};
  CHECK(EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1);
  return digest;
}

Sha256 HmacSha256(const Sha256& key, std::string_view text) {
  Sha256 digest{};
  CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(),
             nullptr) != nullptr);
  return digest;
}

bool SameDigest(const Sha256& a, const Sha256& b) {
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Sha256 RandomKey() {
  Sha256 key{};
  CHECK(RAND_bytes(key.data(), static_cast<int>(key.size())) == 1);
  return key;
}

std::string HexOf(const Sha256& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace fairlead::server
