import { Cause, Config, Effect, Exit, Schema, SchemaIssue } from "effect"

/** A variable whose text cannot be used. `message` names the variable and the form it must have. */
export const configInvalid = (message: string): Config.ConfigError =>
  new Config.ConfigError(new Schema.SchemaError(new SchemaIssue.InvalidValue({ message })))

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
  const problems = exits.filter(Exit.isFailure).map(({ cause }) => {
    const error = Cause.squash(cause)
    return error instanceof Error || error instanceof Config.ConfigError ? error.message : String(error)
  })
  if (problems.length > 0) {
    return yield* new ConfigurationInvalid({ message: `The configuration cannot be used:\n- ${problems.join("\n- ")}` })
  }
})
