import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Erasure } from "../../../src/jobs/retention/Erasure.ts"
import { Retention } from "../../../src/jobs/retention/Retention.ts"
import { Blobs } from "../../../src/storage/Blobs.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

const Services = Retention.layer.pipe(Layer.provideMerge(Erasure.layer), Layer.provideMerge(Server.layer))

/** Succeeded jobs that ended so many days ago. */
const ended = Effect.fnUntraced(function*(key: string, ...days: ReadonlyArray<number>) {
  const { send, sql, succeed } = yield* TestServer
  const ids: Array<string> = []
  for (const ago of days) {
    const made = yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })
    yield* succeed(made.json.id, { result: { ago } })
    yield* sql(
      `UPDATE footnote.jobs SET created_at = now() - interval '${ago} days', started_at = now() - interval '${ago} days',
      finished_at = now() - interval '${ago} days' WHERE id = '${made.json.id}'`
    )
    ids.push(made.json.id)
  }
  return ids
})

/** Whether the bytes of a job's result are there. */
const hasResult = (id: string) =>
  Effect.flatMap(Blobs, (blobs) => Effect.isSuccess(blobs.get(`jobs/${id}/extract/0/0/result`)))

/** A round that is killed when it comes to one job more than so many. */
const killedRound = Effect.fnUntraced(function*(erased: number) {
  const erasure = yield* Erasure
  const there = yield* Deferred.make<void>()
  let begun = 0
  const stopping = Erasure.of({
    ...erasure,
    eraseOwned: (tenant_id, id) =>
      begun++ < erased
        ? erasure.eraseOwned(tenant_id, id)
        : Effect.andThen(Deferred.succeed(there, undefined), Effect.never)
  })
  const round = yield* Retention.pipe(
    Effect.flatMap(({ sweep }) => sweep),
    Effect.provide(Layer.fresh(Retention.layer).pipe(Layer.provide(Layer.succeed(Erasure, stopping)))),
    Effect.forkChild
  )
  yield* Deferred.await(there)
  yield* Fiber.interrupt(round)
})

layer(Services, { excludeTestServices: true })("retention", (it) => {
  it.effect("erases what is older than its tenant keeps, to the day, and nothing of tenants that keep all", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const [keeper, brief] = [yield* tenant("keeper"), yield* tenant("brief")]
      yield* sql(`UPDATE footnote.tenants SET retention_days = 30 WHERE id = '${brief.tenant_id}'`)
      const kept = yield* ended(keeper.key, 3000)
      const [old, fresh] = yield* ended(brief.key, 30.01, 29.99)
      const { json: waiting } = yield* send("POST", "/v1/jobs", {
        key: brief.key,
        json: { source_uri: "https://example.com/b.mp4" }
      })
      yield* sql(`UPDATE footnote.jobs SET created_at = now() - interval '90 days' WHERE id = '${waiting.id}'`)
      const { sweep } = yield* Retention
      assert.strictEqual(yield* sweep, 1)
      const status = (key: string, id: string) =>
        Effect.map(send("GET", `/v1/jobs/${id}`, { key }), (answer) => answer.status)
      assert.strictEqual(yield* status(brief.key, old!), 404)
      assert.strictEqual(yield* status(brief.key, fresh!), 200)
      assert.strictEqual(yield* status(brief.key, waiting.id), 200)
      assert.strictEqual(yield* status(keeper.key, kept[0]!), 200)
      assert.isFalse(yield* hasResult(old!))
      assert.isTrue(yield* hasResult(fresh!))
      assert.strictEqual(yield* sweep, 0)
    }))

  it.effect("goes on where a round was killed, however many there are, and finishes an erasure that was cut off", () =>
    Effect.gen(function*() {
      const { sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("many")
      yield* sql(`UPDATE footnote.tenants SET retention_days = 1 WHERE id = '${tenant_id}'`)
      const ids = yield* ended(key, ...Array.from({ length: 60 }, () => 2))
      const { sweep } = yield* Retention
      const gone = Effect.filter(ids, (id) => Effect.map(hasResult(id), (is) => !is))
      yield* killedRound(6)
      assert.lengthOf(yield* gone, 6)
      // The rows of this one went, its bytes did not, as of a process that died in between.
      const cut = ids.at(-1)!
      yield* sql(`UPDATE footnote.jobs SET deleted_at = now() - interval '2 minutes' WHERE id = '${cut}'`)
      assert.isTrue(yield* hasResult(cut))
      yield* sweep
      assert.lengthOf(yield* gone, 60)
    }))

  it.effect("two processes do not erase the same jobs at once", () =>
    Effect.gen(function*() {
      const { sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("shared")
      yield* sql(`UPDATE footnote.tenants SET retention_days = 1 WHERE id = '${tenant_id}'`)
      yield* ended(key, 2, 3, 4)
      const { sweep } = yield* Retention
      const erased = yield* Effect.all([sweep, sweep, sweep], { concurrency: "unbounded" })
      assert.strictEqual(erased.reduce((sum, one) => sum + one), 3)
    }))
})
