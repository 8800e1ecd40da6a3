import { type Cause, Effect, ErrorReporter, Schema, SchemaTransformation } from "effect"
import { HttpServerRespondable, HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { ErrorCatalog, type ErrorCode } from "./ErrorCatalog.ts"

/** One thing that is wrong: `path` names the field (`source_uri`, `hints.num_speakers`), `message` says why. */
export const ErrorDetail = Schema.Struct({ path: Schema.String, message: Schema.String }).annotate({
  identifier: "ErrorDetail"
})
export type ErrorDetail = typeof ErrorDetail.Type

/** What every failure looks like on the wire, REST and tools alike. */
export interface ErrorEnvelope {
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
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiErrorInstance<Code extends ErrorCode>
  extends Cause.YieldableError, HttpServerRespondable.Respondable
{
  readonly _tag: Code
  readonly message: string
  readonly details: ReadonlyArray<ErrorDetail> | undefined
  /** Extra response headers, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The envelope without the request id, which only the transport knows. */
  readonly body: { readonly error: Omit<ErrorEnvelope["error"], "request_id"> }
}

export interface ApiErrorClass<Self, Code extends ErrorCode> {
  new(props?: ErrorProps): ApiErrorInstance<Code>
  readonly code: Code
  readonly status: number
  /** What an endpoint declares: status, envelope and class in one. */
  readonly wire: Schema.Codec<Self, ErrorEnvelope>
}

/**
 * `class JobNotFound extends ApiError<JobNotFound>()("JOB_NOT_FOUND") {}` makes an error whose tag is its wire code, so
 * that `Effect.catchTag`, the REST body, OpenAPI and the tools cannot drift apart. Undeclared on an endpoint it still
 * leaves as the envelope.
 */
export const ApiError = <Self>() => <const Code extends ErrorCode>(code: Code): ApiErrorClass<Self, Code> => {
  const { message: defaultMessage, status } = ErrorCatalog[code]
  class Base extends Schema.TaggedError<any>()(code, {
    message: Schema.String,
    details: Schema.optional(Schema.Array(ErrorDetail)),
    headers: Schema.optional(Schema.Record(Schema.String, Schema.String))
  }) {
    static readonly code = code
    static readonly status = status
    static get wire() {
      let schema = wires.get(this)
      if (schema === undefined) wires.set(this, schema = makeWire(this as any, code, status, defaultMessage))
      return schema
    }
    // 4xx are the caller's affair: keep them out of the error reporter.
    override get [ErrorReporter.ignore]() {
      return status < 500
    }
    constructor(props: any = {}) {
      super({ ...props, message: props.message ?? defaultMessage })
    }
    get body(): { readonly error: Omit<ErrorEnvelope["error"], "request_id"> } {
      const { message, details } = this as any
      return { error: { code, message, ...(details === undefined ? {} : { details }) } }
    }
    [HttpServerRespondable.symbol]() {
      return Effect.succeed(
        HttpServerResponse.jsonUnsafe(this.body, { status, headers: (this as any).headers ?? {} })
      )
    }
  }
  return Base as any
}

const wires = new WeakMap<object, Schema.Top>()

const makeWire = (self: Schema.Top & (new(props?: ErrorProps) => any), code: string, status: number, message: string) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String.annotate({ examples: [message] }),
      details: Schema.optionalKey(Schema.Array(ErrorDetail)),
      request_id: Schema.String
    })
  }).annotate({ identifier: `Error_${code}`, description: `\`${code}\`: ${message}` }).pipe(
    Schema.decodeTo(
      Schema.toType(self),
      SchemaTransformation.transform({
        decode: (body: any) => new self(body.error),
        // The transport puts the real id in on the way out.
        encode: (error: any) => ({ error: { ...error.body.error, request_id: "" } })
      })
    ),
    Schema.annotate({ description: `\`${code}\`: ${message}` }),
    HttpApiSchema.status(status)
  )

/** `error: wire(JobNotFound, JobAlreadyTerminal)` on an endpoint. */
export const wire = <const Classes extends ReadonlyArray<ApiErrorClass<any, any>>>(
  ...classes: Classes
): { readonly [K in keyof Classes]: Classes[K]["wire"] } => classes.map((_) => _.wire) as any
