#pragma once

#include <memory>
#include <string>

#include <openssl/evp.h>
#include <openssl/x509.h>

namespace fairlead::kube {

// A key and a certificate for it, made on the spot.
struct Identity {
  std::shared_ptr<EVP_PKEY> key;
  std::shared_ptr<X509> certificate;

  std::string CertificatePem() const;
  std::string KeyPem() const;
};

// An authority of its own, or one's certificate: `dns` and `ip` are whom it is for.
Identity MakeAuthority(const std::string& name);
Identity MakeIdentity(const Identity& authority, const std::string& name, const std::string& dns,
                      const std::string& ip);

}  // namespace fairlead::kube
