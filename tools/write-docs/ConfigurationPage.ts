import { type Config, ConfigProvider, Effect } from "effect"
import { encryptionKeys } from "../../src/crypto/KeyRing.ts"
import { retiredSigningKeys, signingKey } from "../../src/crypto/Signing.ts"
import { sourceKeys } from "../../src/crypto/SourceKey.ts"
import { tenantModelKeys } from "../../src/crypto/TenantModelKey.ts"
import { databaseAddresses } from "../../src/database/Database.ts"
import { vendorAddresses } from "../../src/deliveries/connectors/VendorAddresses.ts"
import { deliverySchedule } from "../../src/deliveries/queue/RetrySchedule.ts"
import { resultLinkDays } from "../../src/deliveries/signing/ResultLink.ts"
import { addressPolicyConfig } from "../../src/egress/AddressPolicy.ts"
import { readyWithoutWorkers } from "../../src/http/handlers/HealthHandlers.ts"
import { corsAllowedOrigins } from "../../src/http/middleware/CrossOrigin.ts"
import { modelStoreConfig } from "../../src/model-stacks/ModelStoreConfig.ts"
import { outsideIssuer } from "../../src/oauth/OutsideIssuer.ts"
import { metricsHost, metricsPort } from "../../src/observability/MetricsServer.ts"
import { SettingReader, type SettingText } from "../../src/observability/Setting.ts"
import { logFormat, logLevel, otlpEndpoint } from "../../src/observability/Telemetry.ts"
import { blobFolder, dataFolder } from "../../src/processes/DataFolder.ts"
import { umask } from "../../src/processes/FileModes.ts"
import { pools } from "../../src/processes/Pools.ts"
import { isGiven, type ProcessRole } from "../../src/processes/ProcessEnvironment.ts"
import { isProduction } from "../../src/processes/Production.ts"
import { listenHost, listenPort, publicUrl } from "../../src/processes/ServiceAddress.ts"
import { streamsPerTenant } from "../../src/rate-limits/OpenStreams.ts"
import { rateLimitConfig } from "../../src/rate-limits/RateLimitOptions.ts"
import { s3PolicyConfig } from "../../src/sources/S3Policy.ts"
import { sourceMaxSeconds } from "../../src/sources/SourceLimits.ts"
import { uploadMaxBytes } from "../../src/sources/Uploads.ts"
import { blobStoreConfig } from "../../src/storage/BlobStore.ts"
import { diskReserveBytes } from "../../src/storage/DiskReserve.ts"
import { givenApiKey } from "../../src/tenants/Tenants.ts"
import { storageQuotaBytes } from "../../src/usage/ledger/StorageQuota.ts"
import { trustedProxies } from "../../src/web/server/ClientAddress.ts"
import { drainNoticeSeconds } from "../../src/web/server/Listener.ts"
import { extractorConfig } from "../../workers/extraction/ExtractorChoice.ts"
import { slotsOf } from "../../workers/Lanes.ts"
import { decoderConfig } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { acceleratorConfig } from "../../workers/onnx/Accelerator.ts"
import { drainSeconds } from "../../workers/WorkerConfiguration.ts"

/** What the page shows, in the order in which somebody sets a service up. A variable stands where it is first read. */
const sections: ReadonlyArray<readonly [heading: string, configs: ReadonlyArray<Config.Config<unknown>>]> = [
  ["Where the service is", [listenHost, listenPort, publicUrl, corsAllowedOrigins, trustedProxies, isProduction]],
  ["Database and files", [databaseAddresses, dataFolder, umask, blobFolder, blobStoreConfig, diskReserveBytes]],
  ["Keys", [encryptionKeys, sourceKeys, tenantModelKeys, signingKey, retiredSigningKeys, givenApiKey]],
  ["Limits", [uploadMaxBytes, sourceMaxSeconds, storageQuotaBytes, rateLimitConfig, streamsPerTenant]],
  ["Where sources and deliveries may go", [addressPolicyConfig, s3PolicyConfig]],
  ["Deliveries", [deliverySchedule, resultLinkDays, vendorAddresses]],
  ["Sign-in to the tool server", [outsideIssuer]],
  ["Workers", [...pools.map((pool) => slotsOf(pool)), drainSeconds, drainNoticeSeconds, readyWithoutWorkers]],
  ["Decoders", [decoderConfig]],
  ["Models", [modelStoreConfig, acceleratorConfig]],
  ["Extraction", [extractorConfig]],
  ["Logs and metrics", [logFormat, logLevel, otlpEndpoint, metricsPort, metricsHost]]
]

/** Every variable that reading these looks at, in order, each once; of a process to which nothing is set. */
export const settingsOf = (configs: ReadonlyArray<Config.Config<unknown>>): ReadonlyArray<SettingText> => {
  const found = new Map<string, SettingText>()
  Effect.runSync(
    Effect.forEach(configs, (config) => Effect.exit(config)).pipe(
      Effect.provideService(SettingReader, (setting) => {
        if (!found.has(setting.name)) found.set(setting.name, setting)
      }),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({}))
    )
  )
  return [...found.values()]
}

const services: ReadonlyArray<ProcessRole> = ["api", ...pools]

/** The processes that are given a variable, by src/processes/ProcessEnvironment.ts. */
const readers = (name: string): string => {
  const given = services.filter((role) => isGiven([role], name))
  if (given.length === services.length) return "all"
  const words = given.map((role) => role === "api" ? "API" : role)
  return words.length === services.length - 1 && !given.includes("api") ? "workers" : words.join(", ")
}

const row = ({ default: otherwise, meaning, name, type }: SettingText): string =>
  `| \`${name}\` | ${type} | ${otherwise} | ${readers(name)} | ${meaning} |`

const opening = `# Configuration

By environment only, checked at start with one error for all that is wrong. "Read by" names the processes that are started with the variable
([which](operations.md#what-each-process-is-given)): the API, the workers of a pool, or all.

This page is written by \`npm run docs\` from the settings in the code.
`

/** docs/configuration.md. */
export const configurationPage = (): string => {
  const shown = new Set<string>()
  const tables = sections.map(([heading, configs]) => {
    const settings = settingsOf(configs).filter(({ name }) => !shown.has(name))
    for (const { name } of settings) shown.add(name)
    return `## ${heading}\n\n| variable | form | default | read by | what it sets |\n|---|---|---|---|---|\n${
      settings.map(row).join("\n")
    }\n`
  })
  return [opening, ...tables].join("\n")
}
