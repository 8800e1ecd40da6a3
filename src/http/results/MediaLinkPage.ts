import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { Sealing } from "../../crypto/Sealing.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { JobNotFound } from "../../jobs/model/Job.ts"
import { openMediaToken } from "../../media/MediaLink.ts"
import { OpenStreams } from "../../rate-limits/OpenStreams.ts"
import { RateLimits } from "../../rate-limits/RateLimits.ts"
import { RequestInfo } from "../../web/server/RequestInfo.ts"
import { makeMediaAnswers } from "../middleware/MediaAnswer.ts"

/**
 * `GET` of this path: the media of one job for whoever has a signed link, as the tenant whose it is: it counts as a read of that
 * tenant and takes one of its streams. A link that opens nothing, whatever the reason, is answered as an unknown job.
 */
export const layerMediaLink = (path: "/m/:token") =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const sealing = yield* Sealing
    const limits = yield* RateLimits
    const openStreams = yield* OpenStreams
    const answers = yield* makeMediaAnswers

    const play = Effect.fn("MediaLink.play")(
      function*(token: string) {
        const linked = openMediaToken(sealing, token)
        if (linked === undefined) return yield* new JobNotFound()
        const { job_id, rendition, tenant_id, until } = linked
        yield* RequestInfo.setTenant(tenant_id)
        yield* limits.take(tenant_id, "reads")
        if ((yield* Clock.currentTimeMillis) >= until) return yield* new JobNotFound()
        const held = Effect.as(openStreams.hold(tenant_id), Effect.never)
        const answer = yield* Effect.provideService(answers[rendition](job_id, held), CurrentTenant, {
          tenant_id,
          key_id: null
        })
        // Who has the link may show it in a page of their own.
        return HttpServerResponse.setHeader(answer, "cross-origin-resource-policy", "cross-origin")
      },
      Effect.catchTags({
        JOB_NOT_SUCCEEDED: () => new JobNotFound(),
        SOURCE_ERASED: () => new JobNotFound(),
        RENDITION_NOT_READY: () => new JobNotFound()
      }),
      Effect.catch((error) => HttpServerRespondable.toResponse(error))
    )

    yield* router.add("GET", path, Effect.flatMap(HttpRouter.params, ({ token }) => play(token ?? "")))
  }))
