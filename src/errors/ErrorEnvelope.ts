import { Schema } from "effect"
import { ErrorDetail } from "./ApiError.ts"
import { ErrorCatalog, type ErrorCode as Code } from "./ErrorCatalog.ts"

/** The closed enumeration, as the API document shows it. */
export const ErrorCode = Schema.Literals(Object.keys(ErrorCatalog) as ReadonlyArray<Code>).annotate({
  identifier: "ErrorCode",
  description: "Every code that an error of this API can carry."
})

/** The one form of every error. */
export const ErrorEnvelope = Schema.Struct({
  error: Schema.Struct({
    code: ErrorCode,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Array(ErrorDetail)),
    request_id: Schema.String
  })
}).annotate({ identifier: "ErrorEnvelope", description: "The one form of every error." })
