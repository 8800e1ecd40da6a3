import { Cause, Config, Effect, Exit, Schema, SchemaIssue } from "effect"
import { type Form, setting, whole } from "./Setting.ts"

/** A variable whose text cannot be used. `message` names the variable and the form it must have. */
export const configInvalid = (message: string): Config.ConfigError =>
  new Config.ConfigError(new Schema.SchemaError(new SchemaIssue.InvalidValue({ message })))

/** A whole number of at least `least`, or `otherwise` where there is none. */
export const intFrom = (
  name: string,
  least: number,
  otherwise: number,
  meaning: string,
  form: Form<number> = whole
): Config.Config<number> =>
  setting(name, form, { otherwise, meaning }).pipe(
    Config.mapEffect((value) =>
      value >= least ? Effect.succeed(value) : Effect.fail(configInvalid(`${name} must be ${least} or more`))
    )
  )

/** Whether a text is an http(s) address that paths can be put after: without credentials, query or fragment. */
const isBaseAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.password === "" &&
    url.search === "" && url.hash === ""
}

/** Fails with the variable's name where a text that is not empty is no http(s) address that paths can be put after. */
export const baseAddress = (name: string, text: string): Effect.Effect<string, Config.ConfigError> =>
  text === "" || isBaseAddress(text)
    ? Effect.succeed(text.replace(/\/+$/u, ""))
    : Effect.fail(
      configInvalid(
        `${name} must be an http or https address, such as https://host.example, without query or credentials`
      )
    )

/** What is wrong with a variable, its name first, of whatever form the reason has. */
const problemOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const text = error instanceof Error || error instanceof Config.ConfigError ? error.message : String(error)
  const reason = /^SchemaError\(([\s\S]*)\)$/u.exec(text)?.[1] ?? text
  const [, expected, name] = /^([\s\S]*?)\s+at \["(\w+)"\]$/u.exec(reason) ?? []
  return name === undefined ? reason : `${name}: ${expected!.replace("a string representing ", "")}`
}

/** The service must not start; `message` lists every variable that is missing or wrong. */
class ConfigurationInvalid extends Schema.TaggedError<ConfigurationInvalid>()("ConfigurationInvalid", {
  message: Schema.String
}) {}

/**
 * Reads every variable once before anything starts, so that one failure names all problems instead of the first. The
 * parts of the service read their own variables again.
 */
export const checkConfiguration = Effect.fn("Configuration.check")(function*(
  configs: ReadonlyArray<Config.Config<unknown>>
) {
  const exits = yield* Effect.forEach(configs, (config) => Effect.exit(config))
  const problems = new Set(exits.filter(Exit.isFailure).map(({ cause }) => problemOf(cause)))
  if (problems.size > 0) {
    return yield* new ConfigurationInvalid({
      message: `The configuration cannot be used:\n- ${[...problems].join("\n- ")}`
    })
  }
})
