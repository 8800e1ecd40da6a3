import { Config, Effect, Option } from "effect"
import { configInvalid } from "../observability/Configuration.ts"

/** `FOOTNOTE_PUBLIC_URL`: where callers reach the service, such as `https://api.example.com`. An https one turns on HSTS. */
export const publicUrl: Config.Config<Option.Option<URL>> = Config.option(Config.String("FOOTNOTE_PUBLIC_URL")).pipe(
  Config.mapEffect((text) => {
    if (Option.isNone(text) || text.value === "") return Effect.succeedNone
    const url = URL.parse(text.value)
    return url !== null && /^https?:$/u.test(url.protocol) && url.search === "" && url.hash === ""
      ? Effect.succeedSome(url)
      : Effect.fail(configInvalid("FOOTNOTE_PUBLIC_URL must be an http or https address without query"))
  })
)
