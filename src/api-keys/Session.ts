import { Schema } from "effect"
import { Instant } from "../database/Instant.ts"
import { ApiError } from "../errors/ApiError.ts"
import { ApiKey } from "./ApiKey.ts"

/** What a browser shows an API key for. */
export const SignIn = Schema.Struct({
  api_key: Schema.String.annotate({ description: "A key of the tenant." })
}).annotate({ identifier: "SignIn", description: "The key to sign a browser in with." })

/** A browser that is signed in, as its own pages see it. */
export const Session = Schema.Struct({
  tenant: Schema.Struct({
    id: Schema.String.annotate({ description: "Form `ten_<id>`." }),
    name: Schema.String.annotate({ description: "The tenant's name." })
  }).annotate({ description: "Whose data it sees." }),
  key: Schema.Struct({ id: ApiKey.fields.id, name: ApiKey.fields.name, prefix: ApiKey.fields.prefix }).annotate({
    description: "The key that it was begun with and ends with."
  }),
  csrf_token: Schema.String.annotate({
    description: "Sent as `X-CSRF-Token` with whatever is no `GET`, `HEAD` or `OPTIONS`."
  }),
  expires_at: Instant.annotate({ description: "12 hours after it began; sooner with its key." })
}).annotate({ identifier: "Session", description: "Whom a browser is signed in as, and until when." })
export type Session = typeof Session.Type

export class CsrfTokenInvalid extends ApiError<CsrfTokenInvalid>()("CSRF_TOKEN_INVALID") {}
