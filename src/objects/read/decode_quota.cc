// The quotas of namespaces: scheduler-plugins' ElasticQuota, Kubernetes' ResourceQuota. Neither
// kind is ours: fields that are not read may be there.

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

void ReadScopes(FieldReader& fields, const Value* spec, std::vector<std::string>& out) {
  if (const Value* scopes = fields.List(spec, "scopes")) {
    for (const Value* scope : scopes->items()) fields.ReadString(*scope, out.emplace_back());
  }
  const Value* selector = fields.Mapping(spec, "scopeSelector");
  if (const Value* expressions = fields.List(selector, "matchExpressions")) {
    for (const Value* expression : expressions->items()) {
      if (fields.IsMapping(*expression)) {
        fields.String(expression, "scopeName", out.emplace_back());
      }
    }
  }
}

}  // namespace

void DecodeElasticQuota(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "ElasticQuota", Scope::kNamespaced, file, into);
  ElasticQuota quota;
  ReadMeta(fields, document, quota.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  ReadQueueAmounts(fields, fields.Mapping(spec, "min"), quota.min);
  ReadQueueAmounts(fields, fields.Mapping(spec, "max"), quota.max);
  const Value* status = fields.Mapping(&document, "status");
  ReadQueueAmounts(fields, fields.Mapping(status, "used"), quota.used);
  ReadConditions(fields, status, quota.conditions);
  if (fields.ok()) into.objects.emplace_back(std::move(quota));
}

void DecodeResourceQuota(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "ResourceQuota", Scope::kNamespaced, file, into);
  ResourceQuota quota;
  ReadMeta(fields, document, quota.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  ReadHardAmounts(fields, fields.Mapping(spec, "hard"), quota.hard);
  ReadScopes(fields, spec, quota.scopes);
  if (fields.ok()) into.objects.emplace_back(std::move(quota));
}

}  // namespace fairlead::objects
