import { Config, Effect } from "effect"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { configInvalid } from "../observability/Configuration.ts"
import { address, flag, path, setting, text } from "../observability/Setting.ts"
import { dataFolder } from "../processes/DataFolder.ts"
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

const hubAddress = setting("FOOTNOTE_MODEL_HUB", address, {
  otherwise: "https://huggingface.co",
  meaning: "where models are fetched from: the hub or a mirror with its addresses"
}).pipe(
  Config.mapEffect((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && /^https?:$/u.test(url.protocol) && url.search === "" && url.username === ""
      ? Effect.succeed(text.replace(/\/+$/u, ""))
      : Effect.fail(configInvalid("FOOTNOTE_MODEL_HUB must be the http(s) address of a hub"))
  })
)

/** `FOOTNOTE_MODEL_*` and `FOOTNOTE_MODELS_OFFLINE`. Fails with the variable's name where one cannot be used. */
export const modelStoreConfig: Config.Config<ModelStoreOptions> = Config.all({
  data: dataFolder,
  store: setting("FOOTNOTE_MODEL_DIR", path, {
    otherwise: "",
    without: "`<FOOTNOTE_DATA>/models`",
    meaning: "where models from the hub lie; the API and the workers must reach it"
  }),
  stacks: setting("FOOTNOTE_MODEL_STACKS", path, {
    otherwise: here,
    without: "`models/stacks`",
    meaning: "folder of the stack files; `lock.json` lies beside it"
  }),
  base_url: hubAddress,
  offline: setting("FOOTNOTE_MODELS_OFFLINE", flag, {
    otherwise: false,
    meaning: "never opens a connection to fetch models"
  }),
  default_stack: setting("FOOTNOTE_MODEL_STACK", text, {
    otherwise: "auto",
    meaning:
      "the models of jobs that name none: a stack of `npm run models -- list`, or `auto` for the best whose files are here"
  })
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
