import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { CurrentTenant } from "../../src/identity/CurrentTenant.ts"
import { IncomingUploads } from "../../src/sources/IncomingUploads.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** The service as another process has it: nothing is shared but database and blobs. */
const process = Effect.map(
  Layer.build(Layer.fresh(IncomingUploads.layer)),
  (services) => Context.get(services, IncomingUploads)
)

/** A body that hands out bytes when it is told to, and never ends. `taken` succeeds once they were asked for and more is. */
const hanging = Effect.fnUntraced(function*(bytes: Uint8Array) {
  const go = yield* Deferred.make<void>()
  const taken = yield* Deferred.make<void>()
  const body = Stream.concat(
    Stream.fromEffect(Effect.as(Deferred.await(go), bytes)),
    Stream.fromEffect(Effect.andThen(Deferred.succeed(taken, undefined), Effect.never))
  )
  return { body, go: Deferred.succeed(go, undefined), taken: Deferred.await(taken) }
})

const addition = <E, R>(body: Stream.Stream<Uint8Array, E, R>, offset = 0) => ({
  offset,
  body,
  declared_bytes: undefined,
  checksum: undefined
})

layer(Server.layer, { excludeTestServices: true })("IncomingUploads", (it) => {
  const asTenant = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
    const { tenant_id } = yield* Effect.flatMap(TestServer, ({ tenant }) => tenant("a"))
    return yield* Effect.provideService(work, CurrentTenant, { tenant_id, key_id: "key_1" })
  })

  const writer = Effect.fnUntraced(function*(id: string) {
    const sql = yield* PgClient.PgClient
    const [row] = yield* Effect.orDie(sql<{ writer: string | null }>`
      SELECT writer FROM footnote.incoming_uploads WHERE id = ${id}`)
    return row?.writer ?? null
  })

  it.effect("counts what had come when the request is interrupted, before the interruption is over", () =>
    asTenant(Effect.gen(function*() {
      const uploads = yield* process
      const { id } = yield* uploads.begin(100, undefined)
      const { body, go, taken } = yield* hanging(new Uint8Array(60))
      const request = yield* Effect.forkChild(uploads.append(id, addition(body)))
      yield* go
      yield* taken
      yield* Fiber.interrupt(request)
      assert.strictEqual(Number((yield* uploads.find(id))!.received_bytes), 60)
    })).pipe(Effect.scoped))

  it.effect("counts nothing of a writer that another process has overtaken, and all of the later one", () =>
    asTenant(Effect.gen(function*() {
      const [one, other] = [yield* process, yield* process]
      const { id } = yield* one.begin(100, undefined)
      const early = yield* hanging(new Uint8Array(100).fill(1))
      const late = yield* hanging(new Uint8Array(40).fill(2))
      const claimed = (before: string | null) =>
        Effect.repeat(writer(id), { until: (now) => now !== null && now !== before })

      const first = yield* Effect.forkChild(Effect.flip(one.append(id, addition(early.body))))
      const before = yield* claimed(null)
      const second = yield* Effect.forkChild(other.append(id, addition(late.body)))
      yield* claimed(before)
      yield* early.go
      yield* early.taken
      yield* one.settle(id)
      assert.strictEqual((yield* Fiber.join(first))._tag, "UPLOAD_OFFSET_CONFLICT")
      assert.strictEqual(Number((yield* other.find(id))!.received_bytes), 0)
      yield* late.go
      yield* late.taken
      yield* Fiber.interrupt(second)
      assert.strictEqual(Number((yield* one.find(id))!.received_bytes), 40)
    })).pipe(Effect.scoped))

  it.effect("what a process received to its last byte before it died is a file for whoever asks next", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key, key_id, tenant_id } = yield* tenant("a")
      const uploads = yield* process
      const bytes = new Uint8Array(100).fill(3)
      const received = Effect.gen(function*() {
        const { id } = yield* uploads.begin(bytes.length, undefined)
        yield* uploads.append(id, addition(Stream.make(bytes.subarray(0, 60))))
        yield* uploads.append(id, addition(Stream.make(bytes.subarray(60)), 60))
        return id
      }).pipe(Effect.provideService(CurrentTenant, { tenant_id, key_id }))

      const job = yield* send("POST", "/v1/jobs", { key, json: { source_uri: `upload://${yield* received}` } })
      assert.strictEqual(job.status, 201)
      for (const method of ["HEAD", "GET"] as const) {
        const path = `/v1/uploads/${yield* received}`
        assert.strictEqual((yield* send(method, path, { key })).headers["upload-offset"], "100")
        const { sha256 } = (yield* send("GET", path, { key })).json
        assert.strictEqual(sha256, createHash("sha256").update(bytes).digest("hex"))
      }
    }).pipe(Effect.scoped))
})
