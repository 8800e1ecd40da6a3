import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Signing } from "../../crypto/Signing.ts"

export const SigningKeysHandlers = HttpApiBuilder.group(
  Api,
  "signingKeys",
  Effect.fn(function*(handlers) {
    const { keys } = yield* Signing
    return handlers.handleAll({ signingKeys: () => Effect.succeed({ keys }) })
  })
)
