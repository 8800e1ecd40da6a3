import { purposeKeys } from "./PurposeKey.ts"

/** The keys that open the language models that tenants have set for themselves, for extraction: `FOOTNOTE_TENANT_MODEL_KEY`. */
export const { configured: configuredTenantModelKeys, given: tenantModelKeys } = purposeKeys(
  "tenant_model",
  "FOOTNOTE_TENANT_MODEL_KEY",
  "what opens the language models that tenants have set for themselves, and nothing else, for workers that serve `extraction` alone, "
    + "which never have the encryption key: `npm run -s keys -- tenant-model` prints it. Without it, with `NODE_ENV=production`, "
    + "jobs of such tenants are read by the rules"
)
