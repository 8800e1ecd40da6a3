import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, PubSub, Queue } from "effect"
import { Database } from "../../src/database/Database.ts"
import { SessionLimits } from "../../src/database/DatabaseSession.ts"
import { Signals } from "../../src/queue/Signals.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

it.live("a listener of a deployment in which nothing happens hears that it is quiet, and is not cut", () =>
  Effect.gen(function*() {
    const url = yield* Effect.promise(TestDatabase.create)
    const limit = { statement_seconds: 3, silence_seconds: 3 }
    const watch = yield* Layer.build(PgClient.layer({ url }))
    const heard = yield* Context.get(watch, PgClient.PgClient).listen("footnote")
    const context = yield* Layer.build(
      Signals.layer.pipe(
        Layer.provide(Database.layerUrl(url)),
        Layer.provide(Layer.succeed(SessionLimits, { engine: limit, tenant: limit })),
        Layer.provide(NodeServices.layer)
      )
    )
    const signals = yield* Context.get(context, Signals).subscribe
    // Twice as long together as a session may be silent.
    for (let times = 0; times < 7; times++) assert.strictEqual((yield* Queue.take(heard)).payload, "q:")
    const kinds = (yield* PubSub.takeUpTo(signals, 10)).map(({ kind }) => kind)
    assert.deepStrictEqual(kinds.slice(1), [])
  }).pipe(Effect.scoped))
