import { Config, Effect, Option, Redacted } from "effect"
import { configInvalid } from "../../../../src/observability/Configuration.ts"
import type { LlmEndpoint } from "./LlmEndpoint.ts"

const positive = (name: string, fallback: number) =>
  Config.Int(name).pipe(
    Config.withDefault(fallback),
    Config.mapEffect((value) =>
      value > 0 ? Effect.succeed(value) : Effect.fail(configInvalid(`${name} must be a whole number above 0`))
    )
  )

const price = (name: string) =>
  Config.Number(name).pipe(
    Config.withDefault(0),
    Config.mapEffect((value) =>
      Number.isFinite(value) && value >= 0
        ? Effect.succeed(value)
        : Effect.fail(configInvalid(`${name} must be a price of 0 or more`))
    )
  )

/** An operator's own address, which may be private: it is no caller's. The key has a variable of its own. */
const address = Config.String("FOOTNOTE_LLM_URL").pipe(
  Config.withDefault(""),
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
  model: Config.String("FOOTNOTE_LLM_MODEL").pipe(Config.withDefault("")),
  key: Config.option(Config.Redacted("FOOTNOTE_LLM_KEY")),
  timeout_seconds: positive("FOOTNOTE_LLM_TIMEOUT_SECONDS", 120),
  concurrency: positive("FOOTNOTE_LLM_CONCURRENCY", 4),
  chunk_tokens: positive("FOOTNOTE_LLM_CHUNK_TOKENS", 12_000),
  most_tokens: positive("FOOTNOTE_LLM_JOB_TOKENS", 500_000),
  input_price: price("FOOTNOTE_LLM_INPUT_PRICE"),
  output_price: price("FOOTNOTE_LLM_OUTPUT_PRICE"),
  fallback: Config.Literals(["builtin", "fail"], "FOOTNOTE_LLM_FALLBACK").pipe(
    Config.withDefault("builtin" as const)
  ),
  judge: Config.Boolean("FOOTNOTE_LLM_JUDGE").pipe(Config.withDefault(true))
})

/** `FOOTNOTE_LLM_*`, null where no address is set. Fails with the variable's name where one cannot be used. */
export const llmConfig: Config.Config<LlmEndpoint | null> = settings.pipe(
  Config.mapEffect(({ key, ...settings }) => {
    if (settings.url === "") return Effect.succeed(null)
    const secret = Option.match(key, { onNone: () => "", onSome: Redacted.value })
    if (settings.model === "") {
      return Effect.fail(configInvalid("FOOTNOTE_LLM_MODEL must name a model of FOOTNOTE_LLM_URL"))
    }
    // What no header can carry would come back in an error, text and all.
    return /^[\x21-\x7e]*$/u.test(secret)
      ? Effect.succeed({ ...settings, key: secret === "" ? null : secret })
      : Effect.fail(configInvalid("FOOTNOTE_LLM_KEY must be printable ASCII without spaces"))
  })
)
