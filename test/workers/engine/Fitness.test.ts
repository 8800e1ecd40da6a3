import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import type { Problem } from "../../../src/deployment/Problem.ts"
import { untilFit } from "../../../workers/engine/Fitness.ts"
import { captured } from "../../support/LogLines.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const lacksKey: Problem = { code: "encryption_key", message: "This worker lacks a key.", stops: true }

/** The wait with these looks, one after the other; between two of them `rest` happens instead of 5 s. */
const waiting = <E, R>(
  looks: ReadonlyArray<Effect.Effect<ReadonlyArray<Problem>, string>>,
  rest: Effect.Effect<void, E, R>
) =>
  Effect.gen(function*() {
    const left = looks.values()
    const look = Effect.suspend(() => left.next().value ?? Effect.die(new Error("It looked once more than it should")))
    const services = yield* Effect.context<R>()
    const clock = yield* Clock.Clock
    const between = Object.assign(Object.create(clock), {
      sleep: (duration: Duration.Duration) =>
        Duration.toSeconds(duration) === 5
          ? Effect.orDie(Effect.provideService(Effect.provideContext(rest, services), Clock.Clock, clock))
          : clock.sleep(duration)
    })
    return yield* Effect.provideService(untilFit(look), Clock.Clock, between)
  })

const away = Effect.fail("the blob store is away")
const broken = Effect.die(new Error("the blob store is broken"))

describe("a worker that may not work", () => {
  it.live("is let begin by no look that fails, and is told of at /readyz however long looks do", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const rows = sql<{ readonly problems: unknown; readonly shown: boolean }>`
        SELECT problems, seen_at > now() - interval '30 seconds' AS shown FROM footnote.workers`
      const rests: Array<unknown> = []
      const rest = Effect.gen(function*() {
        rests.push(yield* rows)
        // So long that only what the next look does makes it seen again; the last time the janitor has removed it.
        if (rests.length < 3) yield* sql`UPDATE footnote.workers SET seen_at = now() - interval '40 seconds'`
        else yield* sql`DELETE FROM footnote.workers`
      })
      const { lines, logged } = captured()
      const looks = [Effect.succeed([lacksKey]), away, broken, away, Effect.succeed([])]
      const fit = yield* logged(waiting(looks, rest))
      assert.deepStrictEqual(fit, [])
      assert.deepStrictEqual(rests, Array.from({ length: 4 }, () => [{ problems: ["encryption_key"], shown: true }]))
      assert.lengthOf(yield* rows, 0)
      assert.lengthOf(lines, 2, "the failures within the minute are told of by their number")
      assert.include(lines[0]!.text, lacksKey.message)
      assert.include(lines[1]!.text, "still takes no tasks")
    }).pipe(Effect.provide(TestDatabase.layer)))

  it.live("begins where no look has ever succeeded, and where the last one finds nothing that stops it", () =>
    Effect.gen(function*() {
      const off: Problem = { code: "clock", message: "The clock is off.", stops: false }
      const { logged } = captured()
      const fits = (...looks: Parameters<typeof waiting>[0]) => logged(waiting(looks, Effect.void))
      assert.deepStrictEqual(yield* fits(away), [])
      assert.deepStrictEqual(yield* fits(Effect.succeed([off])), ["clock"])
      assert.deepStrictEqual(yield* fits(Effect.succeed([lacksKey]), Effect.succeed([off])), ["clock"])
    }).pipe(Effect.provide(TestDatabase.layer)))
})
