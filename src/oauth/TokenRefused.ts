import { Schema } from "effect"

/** RFC 6750, 3.1: the token is not one for this server, or one that does not reach far enough. */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {
  reason: Schema.Literals(["invalid_token", "insufficient_scope"])
}) {}
