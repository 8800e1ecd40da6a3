import { Clock, DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Sealing } from "../../crypto/Sealing.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { mediaToken, mostLinkSeconds } from "../../media/MediaLink.ts"
import { SourceMedia } from "../../media/SourceMedia.ts"
import { PublicAddress } from "../../web/server/PublicAddress.ts"
import { makeHeldOpen } from "../middleware/HeldOpen.ts"
import { makeMediaAnswers } from "../middleware/MediaAnswer.ts"

export const MediaHandlers = HttpApiBuilder.group(
  Api,
  "media",
  Effect.fn(function*(handlers) {
    const sources = yield* SourceMedia
    const sealing = yield* Sealing
    const { base_url } = yield* PublicAddress
    const { heldOpen } = yield* makeHeldOpen
    const answers = yield* makeMediaAnswers

    return handlers.handleAll({
      media: Effect.fnUntraced(function*({ params: { id } }) {
        return yield* answers.source(id, heldOpen)
      }),
      createLink: Effect.fnUntraced(function*({ params: { id }, payload }) {
        const { tenant_id } = yield* CurrentTenant
        yield* sources.find(id)
        const { expires_in_seconds = mostLinkSeconds } = payload
        const until = Math.floor((yield* Clock.currentTimeMillis) / 1000 + expires_in_seconds) * 1000
        return {
          url: `${base_url}/m/${mediaToken(sealing, { tenant_id, job_id: id, rendition: "source", until })}`,
          expires_at: DateTime.formatIso(DateTime.makeUnsafe(until))
        }
      })
    })
  })
)
