#include "unit/kube/tls.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/check.h"

namespace fairlead::kube {
namespace {

std::string Text(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string text(data, static_cast<std::size_t>(size));
  BIO_free(bio);
  return text;
}

void Extend(X509* certificate, X509* issuer, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
  CHECK(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

Identity NewIdentity(const std::string& name) {
  static long serial = 1;
  Identity identity{.key = {EVP_EC_gen("P-256"), EVP_PKEY_free},
                    .certificate = {X509_new(), X509_free}};
  X509* certificate = identity.certificate.get();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 24 * 3600);
  X509_set_pubkey(certificate, identity.key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  return identity;
}

}  // namespace

std::string Identity::CertificatePem() const {
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(bio, certificate.get());
  return Text(bio);
}

std::string Identity::KeyPem() const {
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return Text(bio);
}

Identity MakeAuthority(const std::string& name) {
  Identity identity = NewIdentity(name);
  X509* certificate = identity.certificate.get();
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  Extend(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE");
  Extend(certificate, certificate, NID_key_usage, "critical,keyCertSign");
  CHECK(X509_sign(certificate, identity.key.get(), EVP_sha256()) > 0);
  return identity;
}

Identity MakeIdentity(const Identity& authority, const std::string& name, const std::string& dns,
                      const std::string& ip) {
  Identity identity = NewIdentity(name);
  X509* certificate = identity.certificate.get();
  X509_set_issuer_name(certificate, X509_get_subject_name(authority.certificate.get()));
  std::string names;
  if (!dns.empty()) names = "DNS:" + dns;
  if (!ip.empty()) names += (names.empty() ? "IP:" : ",IP:") + ip;
  if (!names.empty()) {
    Extend(certificate, authority.certificate.get(), NID_subject_alt_name, names);
  }
  CHECK(X509_sign(certificate, authority.key.get(), EVP_sha256()) > 0);
  return identity;
}

}  // namespace fairlead::kube
