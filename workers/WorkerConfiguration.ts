import type { Config } from "effect"
import { sourceKeys } from "../src/crypto/SourceKey.ts"
import { tenantModelKeys } from "../src/crypto/TenantModelKey.ts"
import { databaseAddresses } from "../src/database/Database.ts"
import { vendorAddresses } from "../src/deliveries/connectors/VendorAddresses.ts"
import { deliverySchedule } from "../src/deliveries/queue/RetrySchedule.ts"
import { resultLinkDays } from "../src/deliveries/signing/ResultLink.ts"
import { addressPolicyConfig } from "../src/egress/AddressPolicy.ts"
import { modelStoreConfig } from "../src/model-stacks/ModelStoreConfig.ts"
import { intFrom } from "../src/observability/Configuration.ts"
import { metricsHost, metricsPort } from "../src/observability/MetricsServer.ts"
import { logFormat, logLevel, otlpEndpoint } from "../src/observability/Telemetry.ts"
import { umask } from "../src/processes/FileModes.ts"
import type { Pool } from "../src/processes/Pools.ts"
import { serviceAddress } from "../src/processes/ServiceAddress.ts"
import { s3PolicyConfig } from "../src/sources/S3Policy.ts"
import { sourceMaxSeconds } from "../src/sources/SourceLimits.ts"
import { blobStoreConfig } from "../src/storage/BlobStore.ts"
import { diskReserveBytes } from "../src/storage/DiskReserve.ts"
import { storageQuotaBytes } from "../src/usage/ledger/StorageQuota.ts"
import { extractorConfig } from "./extraction/ExtractorChoice.ts"
import { slotsOf } from "./Lanes.ts"
import { decoderConfig } from "./media/ffmpeg/Ffmpeg.ts"
import { acceleratorConfig } from "./onnx/Accelerator.ts"

/** `DRAIN_SECONDS`: how long a worker finishes what it holds after SIGTERM. */
export const drainSeconds = intFrom(
  "DRAIN_SECONDS",
  0,
  10,
  "how long a worker finishes what it holds after SIGTERM"
)

const everywhere = [
  databaseAddresses,
  umask,
  logFormat,
  logLevel,
  otlpEndpoint,
  blobStoreConfig,
  diskReserveBytes,
  metricsPort,
  metricsHost,
  drainSeconds
]

const sources = [sourceKeys, addressPolicyConfig, s3PolicyConfig, sourceMaxSeconds, storageQuotaBytes]
const models = [modelStoreConfig, acceleratorConfig]

const ofPool: { readonly [P in Pool]: ReadonlyArray<Config.Config<unknown>> } = {
  fetch: sources,
  media: [...sources, decoderConfig],
  speech: models,
  vision: models,
  extraction: [...models, extractorConfig, addressPolicyConfig, tenantModelKeys],
  delivery: [addressPolicyConfig, deliverySchedule, resultLinkDays, serviceAddress, vendorAddresses]
}

/** Every variable that a worker of these pools reads, so that one start names all that are wrong. */
export const workerConfiguration = (pools: ReadonlyArray<Pool>): ReadonlyArray<Config.Config<unknown>> => [
  ...everywhere,
  ...pools.flatMap((pool) => [slotsOf(pool), ...ofPool[pool]])
]
