import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { type Config, ConfigProvider, Effect, Layer, Option } from "effect"
import { vendorAddresses } from "../../src/deliveries/connectors/VendorAddresses.ts"
import { apiConfiguration } from "../../src/http/ApiConfiguration.ts"
import { checkConfiguration } from "../../src/observability/Configuration.ts"
import { SettingReader } from "../../src/observability/Setting.ts"
import { otlpEndpoint } from "../../src/observability/Telemetry.ts"
import { pools } from "../../src/processes/Pools.ts"
import { workerConfiguration } from "../../workers/WorkerConfiguration.ts"

type Environment = Readonly<Record<string, string>>

const within = (env: Environment) =>
  Layer.merge(ConfigProvider.layer(ConfigProvider.fromUnknown(env)), NodeServices.layer)

const from = <A>(config: Config.Config<A>, env: Environment) => Effect.provide(config, within(env))

/** The variables that one list of problems names. */
const named = (configs: ReadonlyArray<Config.Config<unknown>>, env: Environment) =>
  checkConfiguration(configs).pipe(
    Effect.flip,
    Effect.map(({ message }) => [...message.matchAll(/^- ([A-Z][A-Z0-9_]+)\b/gmu)].map(([, name]) => name!)),
    Effect.provide(within(env))
  )

const read = Effect.fnUntraced(function*(configs: ReadonlyArray<Config.Config<unknown>>) {
  const names = new Set<string>()
  yield* Effect.forEach(configs, (config) => Effect.exit(config)).pipe(
    Effect.provideService(SettingReader, ({ name }) => void names.add(name)),
    Effect.provide(within({}))
  )
  return names
})

describe("the list of what is wrong with a configuration", () => {
  const addresses = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "otel:4318",
    FOOTNOTE_SLACK_BASE_URL: "slack.internal"
  }
  const amounts = { DISK_RESERVE_BYTES: "-1", STORAGE_QUOTA_BYTES: "much" }

  for (const seconds of ["0", "-5"]) {
    it.effect(`names, for the API, addresses without scheme, and sources of at most ${seconds} s`, () =>
      Effect.gen(function*() {
        const env = { ...addresses, ...amounts, SOURCE_MAX_SECONDS: seconds }
        assert.sameMembers(yield* named(apiConfiguration, env), Object.keys(env))
      }))
  }

  it.effect("names, for a worker, what that worker would read later", () =>
    Effect.gen(function*() {
      const env = { ...addresses, ...amounts, SOURCE_MAX_SECONDS: "0" }
      const { FOOTNOTE_SLACK_BASE_URL: _, ...sources } = env
      for (const pool of ["fetch", "media"] as const) {
        assert.sameMembers(yield* named(workerConfiguration([pool]), env), Object.keys(sources))
      }
      assert.sameMembers(
        yield* named(workerConfiguration(["delivery"]), env),
        [...Object.keys(addresses), "DISK_RESERVE_BYTES"]
      )
      for (const pool of pools) assert.include([...yield* read(workerConfiguration([pool]))], "METRICS_HOST")
    }))

  it.effect("takes an empty address for none, refuses what no path can be put after, and leaves the slash at an end away", () =>
    Effect.gen(function*() {
      const name = "OTEL_EXPORTER_OTLP_ENDPOINT"
      assert.isTrue(Option.isNone(yield* from(otlpEndpoint, { [name]: "" })))
      assert.deepStrictEqual(
        yield* from(otlpEndpoint, { [name]: "http://otel:4318/" }),
        Option.some("http://otel:4318")
      )
      for (const address of ["https://user:word@otel", "https://otel?key=1", "https://otel#a", "ftp://otel"]) {
        assert.include((yield* Effect.flip(from(otlpEndpoint, { [name]: address }))).message, name)
      }
      const { notion, slack, snowflake } = yield* from(vendorAddresses, {
        FOOTNOTE_SLACK_BASE_URL: "",
        FOOTNOTE_NOTION_BASE_URL: "http://127.0.0.1:9/notion/"
      })
      assert.deepStrictEqual([notion, slack, snowflake], ["http://127.0.0.1:9/notion", "https://slack.com", ""])
    }))
})
