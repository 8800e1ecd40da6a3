import { Config, Effect, Option, Redacted } from "effect"
import { isAbsolute } from "node:path"
import { configInvalid } from "../../../../src/observability/Configuration.ts"
import {
  address as addressForm,
  amount,
  flag,
  oneOf,
  path,
  secret,
  setting,
  text,
  whole
} from "../../../../src/observability/Setting.ts"
import type { LlmEndpoint } from "./LlmEndpoint.ts"

const positive = (name: string, otherwise: number, meaning: string) =>
  setting(name, whole, { otherwise, meaning }).pipe(
    Config.mapEffect((value) =>
      value > 0 ? Effect.succeed(value) : Effect.fail(configInvalid(`${name} must be a whole number above 0`))
    )
  )

const price = (name: string, meaning: string) =>
  setting(name, amount, { otherwise: 0, meaning: `${meaning}, for \`usage.cost\`` }).pipe(
    Config.mapEffect((value) =>
      Number.isFinite(value) && value >= 0
        ? Effect.succeed(value)
        : Effect.fail(configInvalid(`${name} must be a price of 0 or more`))
    )
  )

/** A folder by its whole path, since a worker may be started anywhere. */
const folder = (name: string, meaning: string) =>
  setting(name, path, { otherwise: "", meaning: `an absolute path; ${meaning}` }).pipe(
    Config.mapEffect((given) =>
      given === "" || isAbsolute(given)
        ? Effect.succeed(given)
        : Effect.fail(configInvalid(`${name} must be an absolute path`))
    )
  )

/** An operator's own address, which may be private: it is no caller's. The key has a variable of its own. */
const address = setting("FOOTNOTE_LLM_URL", addressForm, {
  otherwise: "",
  meaning: "an OpenAI-compatible API (`https://…/v1`, private addresses allowed; of Azure OpenAI "
    + "`https://….openai.azure.com/openai/deployments/NAME?api-version=2024-10-21`; of Anthropic its Messages API, "
    + "`https://api.anthropic.com/v1/messages`); with it and its model set, the transcripts of all jobs go there"
}).pipe(
  Config.mapEffect((text) => {
    if (text === "") return Effect.succeed("")
    const url = URL.canParse(text) ? new URL(text) : undefined
    const versioned = url?.search === "" || /^\?api-version=[\w.-]+$/u.test(url?.search ?? "?")
    return url !== undefined && /^https?:$/u.test(url.protocol) && versioned && url.hash === "" &&
        url.username === "" && url.password === ""
      ? Effect.succeed(
        text.slice(0, text.length - url.search.length).replace(/\/+$/u, "").replace(
          /\/chat\/completions$/u,
          ""
        ) + url.search
      )
      : Effect.fail(
        configInvalid("FOOTNOTE_LLM_URL must be an http(s) address without credentials, its query api-version alone")
      )
  })
)

const settings = Config.all({
  url: address,
  model: setting("FOOTNOTE_LLM_MODEL", text, {
    otherwise: "",
    meaning: "the model of `FOOTNOTE_LLM_URL`, which needs one"
  }),
  key: Config.option(setting("FOOTNOTE_LLM_KEY", secret, { meaning: "sent to that address alone, never logged" })),
  timeout_seconds: positive("FOOTNOTE_LLM_TIMEOUT_SECONDS", 120, "seconds per call"),
  concurrency: positive(
    "FOOTNOTE_LLM_CONCURRENCY",
    4,
    "most calls at a time per worker, fewer while the endpoint answers 429; such jobs mostly wait, so raise `EXTRACTION_SLOTS`"
  ),
  chunk_tokens: positive("FOOTNOTE_LLM_CHUNK_TOKENS", 12_000, "tokens of the source per call"),
  most_tokens: positive("FOOTNOTE_LLM_JOB_TOKENS", 500_000, "most tokens per job"),
  input_price: price("FOOTNOTE_LLM_INPUT_PRICE", "price of a million tokens in"),
  output_price: price("FOOTNOTE_LLM_OUTPUT_PRICE", "price of a million tokens out"),
  fallback: setting("FOOTNOTE_LLM_FALLBACK", oneOf("builtin", "fail"), {
    otherwise: "builtin",
    meaning: "what happens where the endpoint is away: `fail` ends the job with `MODEL_UNAVAILABLE`"
  }),
  judge: setting("FOOTNOTE_LLM_JUDGE", flag, {
    otherwise: true,
    meaning:
      "what the model proposes is judged by it in a call of its own, which sees the field, its rivals and the cited lines alone; "
      + "`false` saves that call and leaves the verdict to rules"
  }),
  pictures: setting("FOOTNOTE_LLM_PICTURES", oneOf("auto", "true", "false"), {
    otherwise: "auto",
    meaning:
      "whether pictures of frames go along that bear on the fields, four a call and 24 a job at most: `auto` where the server itself "
      + "says that its model takes them (Ollama, llama-server), `true` to any endpoint, a vendor's too"
  }),
  graph: setting("FOOTNOTE_LLM_GRAPH", flag, {
    otherwise: true,
    meaning:
      "the model is asked for the names and relations of the graph, too, which takes the source's tokens once more (cached where the "
      + "server caches prefixes); what the source does not prove is left out. `false` leaves the graph to rules"
  }),
  record: folder(
    "FOOTNOTE_LLM_RECORD",
    "every answer of the model is kept in it by the hash of its question; the answers quote the footage and are not erased with a job"
  ),
  replay: folder(
    "FOOTNOTE_LLM_REPLAY",
    "a folder of recorded answers, from which alone answers come, with no endpoint: the same job gives the same result, byte for byte"
  )
})

/** How any endpoint is asked, a tenant's own included. */
export type LlmDefaults = Omit<LlmEndpoint, "url" | "model" | "key" | "record" | "replay" | "guard">

/** What of `FOOTNOTE_LLM_*` holds whichever endpoint is asked. */
export const llmDefaults: Config.Config<LlmDefaults> = Config.map(
  settings,
  ({ key: _key, model: _model, record: _record, replay: _replay, url: _url, ...defaults }) => defaults
)

/** `FOOTNOTE_LLM_*`, null where neither an address nor recorded answers are set. Fails with the variable's name where one cannot be used. */
export const llmConfig: Config.Config<LlmEndpoint | null> = settings.pipe(
  Config.mapEffect(({ key, record, replay, ...settings }) => {
    if (settings.url === "" && replay === "") return Effect.succeed(null)
    const secret = Option.match(key, { onNone: () => "", onSome: Redacted.value })
    if (settings.model === "") {
      return Effect.fail(configInvalid("FOOTNOTE_LLM_MODEL must name a model of FOOTNOTE_LLM_URL"))
    }
    if (record !== "" && replay !== "") {
      return Effect.fail(configInvalid("FOOTNOTE_LLM_RECORD and FOOTNOTE_LLM_REPLAY exclude each other"))
    }
    // What no header can carry would come back in an error, text and all.
    if (!/^[\x21-\x7e]*$/u.test(secret)) {
      return Effect.fail(configInvalid("FOOTNOTE_LLM_KEY must be printable ASCII without spaces"))
    }
    return Effect.succeed({
      ...settings,
      key: secret === "" ? null : secret,
      ...(record === "" ? {} : { record }),
      ...(replay === "" ? {} : { replay })
    })
  })
)
