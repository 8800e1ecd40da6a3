import { Cause, Effect } from "effect"
import { errors, type KoaContextWithOIDC } from "oidc-provider"
import { isDatabaseAway, saysDatabaseAway } from "../database/DatabaseAway.ts"
import { retrySoon } from "../web/server/RequestErrors.ts"
import type { ErrorPage } from "./ConsentPage.ts"

/** In the words of a person who looks at a page, and of a client's log. */
export const awayMessage = "The service is not able to answer right now; try again shortly."

/** RFC 6749, 4.1.2.1, where a redirect has to say it; elsewhere it leaves as 503. */
const unavailable = (cause: unknown) =>
  Object.assign(new errors.TemporarilyUnavailable(awayMessage, { cause }), { status: 503, statusCode: 503 })

/**
 * Runs effects for the authorization server, which is no Effect program. While the database is away they reject with
 * `temporarily_unavailable`, so that a client comes again instead of taking its tokens for lost.
 */
export const makeRun = Effect.map(Effect.context<never>(), (context) => {
  const run = Effect.runPromiseWith(context)
  return <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
    run(effect).catch(async (error: unknown) => {
      if (!saysDatabaseAway(error)) throw error
      await run(Effect.logWarning("The database is away; the client is told temporarily_unavailable", error))
      throw unavailable(error)
    })
})

const isUnavailable = (error: unknown): error is Error => error instanceof errors.TemporarilyUnavailable

/** In the words of a person who looks at a page, and of a client's log. */
const failedMessage = (ctx: KoaContextWithOIDC) =>
  `Something went wrong on our side. The operator finds it by the id ${ctx.response.get("x-request-id")}.`

const isExposed = (error: unknown): error is Error & { readonly status: number } =>
  error instanceof Error && "status" in error && typeof error.status === "number" && error.status >= 400
  && error.status < 500

/**
 * Around all that the provider answers: when to come again, and an answer also where it fails in what it does after its own
 * answer to an error, such as keeping a session or telling a client. Such an answer is `server_error`, with the headers of
 * every other one; `report` hears of it.
 */
export const makeAnswered =
  (page: ErrorPage, report: (ctx: KoaContextWithOIDC, error: unknown) => void) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const answer = (status: number, error: string, error_description: string) => {
      ctx.remove("location")
      ctx.status = status
      const shown = ctx.accepts("json", "html") === "html" ? page(error_description) : undefined
      if (shown !== undefined) ctx.set({ ...shown.headers })
      ctx.body = shown?.body ?? { error, error_description }
    }
    try {
      await next()
      if (ctx.status === 500) answer(500, "server_error", failedMessage(ctx))
    } catch (error) {
      if (isUnavailable(error)) {
        ctx.remove("location")
        ctx.status = 503
        ctx.body = { error: "temporarily_unavailable", error_description: awayMessage }
      } else if (isExposed(error)) {
        answer(error.status, "invalid_request", error.message)
      } else {
        report(ctx, error)
        answer(500, "server_error", failedMessage(ctx))
      }
    }
    if (ctx.status === 503) ctx.set(retrySoon)
  }

/** Work of the authorization server: while the database is away the defect is the database's own, as everywhere. */
export const called = <A>(work: () => Promise<A>): Effect.Effect<A> =>
  Effect.catchDefect(
    Effect.promise(work),
    (defect) => Effect.die(isUnavailable(defect) ? defect.cause : defect)
  )

/** As `called`; what else goes wrong is an answer too: nothing is found. */
export const found = <A>(work: () => Promise<A>): Effect.Effect<A | undefined> =>
  called(() =>
    work().catch((error: unknown) => {
      if (isUnavailable(error)) throw error
      return undefined
    })
  )

/** Answers by `otherwise` while the database is away. */
export const whileAway = <B, F>(otherwise: Effect.Effect<B, F>) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.catchCauseIf(
    work,
    (cause) => !Cause.hasInterrupts(cause) && isDatabaseAway(cause),
    (cause) =>
      Effect.andThen(
        Effect.logWarning("The database is away; whoever signs in is told to come again", cause),
        otherwise
      )
  )
