import { type Cause, Data, Effect, ErrorReporter, Schema, SchemaTransformation } from "effect"
import { HttpServerRespondable, HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { ErrorCatalog, type ErrorCode } from "./ErrorCatalog.ts"
import { RequestId } from "./RequestId.ts"

/** One thing that is wrong: where, and why. */
export const ErrorDetail = Schema.Struct({
  path: Schema.String.annotate({
    description:
      "Where it is. In a body: a JSON pointer (RFC 6901) such as `/source_uri`, `/metadata/a`, `/destination_ids/0`, and `\"\"` for the whole of it. In a query, a path or the headers: the parameter's name, such as `limit`. With `SCHEMA_INVALID`: a JSON pointer into the schema. Where the state of a thing is in the way, the name of that field, such as `status`.",
    examples: ["/hints/num_speakers"]
  }),
  message: Schema.String.annotate({ description: "Why, in words for people." })
}).annotate({ identifier: "ErrorDetail" })
export type ErrorDetail = typeof ErrorDetail.Type

/** What every failure looks like on the wire, REST and tools alike. */
interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details?: ReadonlyArray<ErrorDetail>
    readonly request_id: string
  }
}

interface ErrorProps {
  readonly message?: string
  readonly details?: ReadonlyArray<ErrorDetail>
  /** Extra response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiErrorInstance<Code extends ErrorCode>
  extends Cause.YieldableError, HttpServerRespondable.Respondable
{
  readonly _tag: Code
  readonly status: number
  readonly details?: ReadonlyArray<ErrorDetail>
  readonly headers?: Readonly<Record<string, string>>
  /** The body, with the id of the request at hand. */
  readonly envelope: Effect.Effect<ErrorEnvelope>
}

export interface ApiErrorClass<Self, Code extends ErrorCode> {
  new(props?: ErrorProps): ApiErrorInstance<Code>
  readonly code: Code
  readonly status: number
  /** What an endpoint declares: status, envelope and class in one. */
  readonly wire: Schema.Codec<Self, ErrorEnvelope>
}

/** Any error of the catalogue, however it was raised. */
export const isApiError = (error: unknown): error is ApiErrorInstance<ErrorCode> => error instanceof Base

class Base extends Data.Error<ErrorProps & { readonly message: string }> {
  declare readonly _tag: ErrorCode
  get status(): number {
    return ErrorCatalog[this._tag].status
  }
  // 4xx are the caller's affair: keep them out of the error reporter.
  override get [ErrorReporter.ignore](): boolean {
    return this.status < 500
  }
  get envelope(): Effect.Effect<ErrorEnvelope> {
    return Effect.map(RequestId, (request_id) => ({
      error: {
        code: this._tag,
        message: this.message,
        ...(this.details === undefined ? {} : { details: this.details }),
        request_id
      }
    }))
  }
  [HttpServerRespondable.symbol]() {
    return Effect.map(
      this.envelope,
      (envelope) => HttpServerResponse.jsonUnsafe(envelope, { status: this.status, headers: this.headers ?? {} })
    )
  }
}

/**
 * `class JobNotFound extends ApiError<JobNotFound>()("JOB_NOT_FOUND") {}` makes an error whose tag is its wire code, so
 * that `Effect.catchTag`, the REST body, OpenAPI and the tools cannot drift apart. Undeclared on an endpoint it still
 * leaves as the envelope.
 */
export const ApiError = <Self>() => <const Code extends ErrorCode>(code: Code): ApiErrorClass<Self, Code> => {
  const { message: defaultMessage, status } = ErrorCatalog[code]
  class Coded extends Base {
    static readonly code = code
    static readonly status = status
    static get wire() {
      let schema = wires.get(this)
      if (schema === undefined) wires.set(this, schema = makeWire(this, code))
      return schema
    }
    constructor(props: ErrorProps = {}) {
      const message = props.message ?? withFirst(defaultMessage, props.details)
      const { stackTraceLimit } = Error
      // Where a 4xx was made is told to nobody, and to find it out was 3 of 100 parts of what a refusal costs.
      if (status < 500) Error.stackTraceLimit = 0
      super({ ...props, message })
      Error.stackTraceLimit = stackTraceLimit
    }
  }
  // On the prototype, where `Data.TaggedError` has it, so that a printed error does not repeat its name.
  Object.assign(Coded.prototype, { _tag: code, name: code })
  return Coded as unknown as ApiErrorClass<Self, Code>
}

/** A message is often shown alone, so it tells the first of what is wrong itself. */
const withFirst = (message: string, details: ReadonlyArray<ErrorDetail> = []): string => {
  const [first] = details
  if (first === undefined) return message
  const problem = `${first.path === "" ? "" : `${first.path}: `}${first.message.replace(/\.$/u, "")}`
  const rest = details.length === 1 ? "" : ` (and ${details.length - 1} more; see details)`
  return `${message.replace(/(?:; see details)?\.$/u, "")}: ${problem}${rest}.`
}

const wires = new WeakMap<object, Schema.Top>()

const makeWire = (self: new(props?: ErrorProps) => Base, code: ErrorCode): Schema.Top => {
  const { message, status } = ErrorCatalog[code]
  return Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String.annotate({ examples: [message] }),
      details: Schema.optionalKey(Schema.Array(ErrorDetail)),
      request_id: Schema.String
    })
  }).annotate({ identifier: `Error_${code}`, description: `\`${code}\`: ${message}` }).pipe(
    Schema.decodeTo(
      Schema.instanceOf(self),
      SchemaTransformation.transformEffect({
        decode: ({ error }: any) => Effect.sync(() => new self(error)),
        encode: (error: Base) => error.envelope as Effect.Effect<any>
      })
    ),
    Schema.annotate({ description: `\`${code}\`: ${message}` }),
    HttpApiSchema.status(status)
  )
}

/** `error: wire(JobNotFound, JobAlreadyTerminal)` on an endpoint. */
export const wire = <const Classes extends ReadonlyArray<ApiErrorClass<any, any>>>(
  ...classes: Classes
): { readonly [K in keyof Classes]: Classes[K]["wire"] } => classes.map((_) => _.wire) as any
