import { Effect, Schema } from "effect"
import type { ApiErrorInstance } from "../errors/ApiError.ts"
import type { ErrorCode } from "../errors/ErrorCatalog.ts"
import { fieldErrors } from "../errors/FieldErrors.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"
import { textProblems } from "../web/json/StorableText.ts"
import { type JsonObject, outlined } from "./ShorterSchema.ts"

/** What a client may assume before it calls: whether a person should be asked first, and whether calling again is safe. */
export interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** A look at what the tenant has: nothing changes, nobody outside hears of it. */
export const reads: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: ToolHints
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject
  readonly long: boolean
  /** Arguments as they were sent → the result as it is shown. Arguments that do not fit are `INVALID_REQUEST`. */
  readonly call: (args: unknown) => Effect.Effect<Answer, ApiErrorInstance<ErrorCode>, CurrentTenant>
}

/** What a call gives: the result, and what else the caller may read, each by a link. */
export interface Answer {
  readonly result: object
  readonly links: ReadonlyArray<ResourceLink>
}

/** Something that the tool server gives by `resources/read`. */
export interface ResourceLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

/** JSON Schema 2020-12 without references, which not every client follows. */
const jsonSchema = (schema: Schema.Top, onExcessProperty: "error" | "ignore") =>
  Schema.toJsonSchemaDocument(schema, { onExcessProperty, referencePolicy: () => undefined }).schema as JsonObject

/** Hosts that hand the schema of arguments to a model's function call refuse one without `properties`. */
const argumentsSchema = (schema: Schema.Top): JsonObject => ({
  type: "object",
  properties: {},
  ...jsonSchema(schema, "error")
})

/**
 * One tool: `run` gets arguments that fit `input`, and what it answers fits `output`. As in the REST API, a field that is
 * not one of the tool's own is refused, and so is text that no database takes.
 */
export const tool = <I, A extends object>(
  name: string,
  options: {
    readonly title: string
    readonly description: string
    readonly hints: ToolHints
    readonly input: Schema.Codec<I, any>
    readonly output: Schema.Codec<A, any>
    readonly run: (args: I) => Effect.Effect<A, ApiErrorInstance<ErrorCode>, CurrentTenant>
    /** What the list of tools says of `output`, where another tool's answer describes the rest. */
    readonly told?: Schema.Top
    /** The answer of a long source is long: it may be shown up to the size that clients take by default. */
    readonly long?: true
    /** What the result names and `resources/read` gives. */
    readonly links?: (result: A) => ReadonlyArray<ResourceLink>
  }
): Tool => {
  const decode = Schema.decodeUnknownEffect(options.input, { errors: "all", onExcessProperty: "error" })
  return {
    name,
    title: options.title,
    description: options.description,
    hints: options.hints,
    inputSchema: argumentsSchema(options.input),
    // What is answered may grow by a field; whoever validates it must not trip over that.
    outputSchema: outlined(jsonSchema(options.told ?? options.output, "ignore")),
    long: options.long === true,
    call: Effect.fnUntraced(function*(args) {
      const details = textProblems(JSON.stringify(args))
      if (details.length > 0) return yield* new InvalidRequest({ details })
      const decoded = yield* decode(args).pipe(
        Effect.mapError((error) => new InvalidRequest({ details: fieldErrors(error) }))
      )
      const result = yield* options.run(decoded)
      return { result, links: options.links?.(result) ?? [] }
    })
  }
}
