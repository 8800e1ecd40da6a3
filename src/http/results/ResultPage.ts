import { Clock, DateTime, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Sealing } from "../../crypto/Sealing.ts"
import { openResultToken } from "../../deliveries/signing/ResultLink.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { RateLimits } from "../../rate-limits/RateLimits.ts"
import { Reviews } from "../../reviews/Reviews.ts"
import { RequestInfo } from "../../web/server/RequestInfo.ts"
import { noResultPage, resultPage, wordPage } from "./ResultPageHtml.ts"

/** Whether a request's address opens a result or media by itself, and so is nothing for logs and traces. */
export const isLinkToResult = (url: string): boolean => url.startsWith("/s/") || url.startsWith("/m/")

type Page = ReturnType<typeof wordPage>

const answer = (page: Page, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(page.body, { status, headers: { ...page.headers, ...headers } })

/** The same for every address that leads to nothing: a wrong one, and one of a job that is deleted. */
const nothing = answer(
  wordPage("Nothing here", "This address leads to no result. It may be incomplete, or the job was deleted."),
  404
)
const over = answer(
  wordPage("This link has ended", "Ask whoever sent it for a new one: a delivery that is repeated holds a new link."),
  410
)
const damaged = answer(
  wordPage("This result cannot be shown", "It is lost or not what was written. Its owner can run the job again."),
  500
)

/**
 * `GET` of this path: the page of a result for people, who have a signed link and no key. What a link opens is one job of one
 * tenant until the link's end; it counts as one read of that tenant. A job that is deleted is not found.
 */
export const layerResultPage = (path: "/s/:token") =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const sealing = yield* Sealing
    const limits = yield* RateLimits
    const jobs = yield* Jobs
    const reviews = yield* Reviews

    const show = Effect.fn("ResultPage.show")(
      function*(token: string) {
        const linked = openResultToken(sealing, token)
        if (linked === undefined) return nothing
        const { job_id, tenant_id, until } = linked
        yield* RequestInfo.setTenant(tenant_id)
        yield* limits.take(tenant_id, "reads")
        if ((yield* Clock.currentTimeMillis) >= until) return over
        const job = yield* jobs.get(tenant_id, job_id)
        const endsAt = DateTime.toDateUtc(DateTime.makeUnsafe(until))
        if (job.status !== "succeeded") return answer(noResultPage(job, endsAt))
        // A person is shown what people have made of it.
        const { evidence, result } = yield* Effect.provideService(reviews.reviewed(job_id), CurrentTenant, {
          tenant_id,
          key_id: null
        })
        return answer(resultPage(job, result, evidence, endsAt))
      },
      Effect.catchTags({
        JOB_NOT_FOUND: () => Effect.succeed(nothing),
        JOB_NOT_SUCCEEDED: () => Effect.succeed(nothing),
        ARTIFACT_DAMAGED: () => Effect.succeed(damaged),
        RATE_LIMITED: ({ headers, message }) =>
          Effect.succeed(answer(wordPage("Too many requests", message), 429, headers))
      })
    )

    yield* router.add("GET", path, Effect.flatMap(HttpRouter.params, ({ token }) => show(token ?? "")))
  }))
