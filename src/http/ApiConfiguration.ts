import { type Config } from "effect"
import { encryptionKeys } from "../crypto/KeyRing.ts"
import { retiredSigningKeys, signingKey } from "../crypto/Signing.ts"
import { databaseAddresses } from "../database/Database.ts"
import { vendorAddresses } from "../deliveries/connectors/VendorAddresses.ts"
import { addressPolicyConfig } from "../egress/AddressPolicy.ts"
import { modelStoreConfig } from "../model-stacks/ModelStoreConfig.ts"
import { outsideIssuer } from "../oauth/OutsideIssuer.ts"
import { logFormat, logLevel, otlpEndpoint } from "../observability/Telemetry.ts"
import { dataFolder } from "../processes/DataFolder.ts"
import { umask } from "../processes/FileModes.ts"
import { listenHost, listenPort, publicUrl } from "../processes/ServiceAddress.ts"
import { streamsPerTenant } from "../rate-limits/OpenStreams.ts"
import { rateLimitConfig } from "../rate-limits/RateLimitOptions.ts"
import { s3PolicyConfig } from "../sources/S3Policy.ts"
import { sourceMaxSeconds } from "../sources/SourceLimits.ts"
import { uploadMaxBytes } from "../sources/Uploads.ts"
import { blobStoreConfig } from "../storage/BlobStore.ts"
import { diskReserveBytes } from "../storage/DiskReserve.ts"
import { givenApiKey } from "../tenants/Tenants.ts"
import { storageQuotaBytes } from "../usage/ledger/StorageQuota.ts"
import { trustedProxies } from "../web/server/ClientAddress.ts"
import { drainNoticeSeconds } from "../web/server/Listener.ts"
import { readyWithoutWorkers } from "./handlers/HealthHandlers.ts"
import { corsAllowedOrigins } from "./middleware/CrossOrigin.ts"

/** Every variable that the API reads, so that one start names all that are wrong. */
export const apiConfiguration: ReadonlyArray<Config.Config<unknown>> = [
  listenHost,
  listenPort,
  dataFolder,
  umask,
  databaseAddresses,
  logFormat,
  logLevel,
  otlpEndpoint,
  encryptionKeys,
  signingKey,
  retiredSigningKeys,
  givenApiKey,
  addressPolicyConfig,
  s3PolicyConfig,
  blobStoreConfig,
  modelStoreConfig,
  uploadMaxBytes,
  sourceMaxSeconds,
  storageQuotaBytes,
  diskReserveBytes,
  publicUrl,
  outsideIssuer,
  trustedProxies,
  corsAllowedOrigins,
  rateLimitConfig,
  streamsPerTenant,
  vendorAddresses,
  drainNoticeSeconds,
  readyWithoutWorkers
]
