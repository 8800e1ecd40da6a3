import { Config, Effect } from "effect"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { configInvalid } from "../observability/Configuration.ts"
import { modelDownloadRetries } from "../retries/RetryPolicy.ts"
import type { HubOptions } from "./ModelHub.ts"

export interface ModelStoreOptions {
  /** Where files of the hub lie. */
  readonly store: string
  /** Folder of the stack files; `lock.json` lies beside it. */
  readonly stacks: string
  readonly lock: string
  readonly hub: HubOptions
  /** True: no connection is ever opened. */
  readonly offline: boolean
  /** The stack of jobs that name none. */
  readonly default_stack: string
}

const here = fileURLToPath(new URL("../../models/stacks", import.meta.url))

const hubAddress = Config.String("FOOTNOTE_MODEL_HUB").pipe(
  Config.withDefault("https://huggingface.co"),
  Config.mapEffect((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && /^https?:$/u.test(url.protocol) && url.search === "" && url.username === ""
      ? Effect.succeed(text.replace(/\/+$/u, ""))
      : Effect.fail(configInvalid("FOOTNOTE_MODEL_HUB must be the http(s) address of a hub"))
  })
)

/** `FOOTNOTE_MODEL_*` and `FOOTNOTE_MODELS_OFFLINE`. Fails with the variable's name where one cannot be used. */
export const modelStoreConfig: Config.Config<ModelStoreOptions> = Config.all({
  data: Config.String("FOOTNOTE_DATA").pipe(Config.withDefault(".footnote")),
  store: Config.String("FOOTNOTE_MODEL_DIR").pipe(Config.withDefault("")),
  stacks: Config.String("FOOTNOTE_MODEL_STACKS").pipe(Config.withDefault(here)),
  base_url: hubAddress,
  offline: Config.Boolean("FOOTNOTE_MODELS_OFFLINE").pipe(Config.withDefault(false)),
  default_stack: Config.String("FOOTNOTE_MODEL_STACK").pipe(Config.withDefault("auto"))
}).pipe(
  Config.map(({ base_url, data, default_stack, offline, stacks, store }) => ({
    store: resolve(store === "" ? join(data, "models") : store),
    stacks: resolve(stacks),
    lock: join(dirname(resolve(stacks)), "lock.json"),
    hub: {
      base_url,
      connect_ms: 10_000,
      headers_ms: 30_000,
      body_ms: 60_000,
      attempts: modelDownloadRetries.attempts,
      retry_ms: modelDownloadRetries.first_ms
    },
    offline,
    default_stack
  }))
)
