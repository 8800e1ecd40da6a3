import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer } from "effect"
import { attemptOf, OrphanedBlobs } from "../../../src/jobs/retention/OrphanedBlobs.ts"
import { BlobError, Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import { layerS3 } from "../../../src/storage/S3Blobs.ts"
import { S3Server } from "../../support/S3Server.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

const temporary = Effect.flatMap(
  FileSystem.FileSystem,
  (fs) => fs.makeTempDirectoryScoped({ prefix: "footnote-blobs-" })
)

const InFolder = Layer.unwrap(Effect.map(temporary, layerFileSystem))

const InS3 = Layer.unwrap(Effect.gen(function*() {
  const { connection } = yield* S3Server
  return layerS3({ bucket: "blobs", connection, copies: yield* temporary })
})).pipe(Layer.provide(S3Server.layer))

describe("the folder of an attempt", () => {
  it("is found for what a stage writes, and for nothing else below a job", () => {
    assert.strictEqual(attemptOf("jobs/job_1/frames/0/2/images/000001.jpg"), "jobs/job_1/frames/0/2")
    assert.strictEqual(attemptOf("jobs/job_1/transcribe/17/0/words.json"), "jobs/job_1/transcribe/17/0")
    for (
      const key of [
        "jobs/job_1/events/evt_1/abc",
        "jobs/job_1/events/0/1/abc",
        "jobs/job_1/frames/0/2",
        "jobs/job_1/frames/0/a/b",
        "uploads/ten_1/upl_1",
        "x/jobs/job_1/frames/0/2/a"
      ]
    ) assert.isUndefined(attemptOf(key), key)
  })
})

/** Where blobs are, and of how many jobs at once: a sweep takes 50 at a time. */
const stores = [["a folder", Layer.orDie(InFolder), 60], ["S3", Layer.orDie(InS3), 12]] as const

for (const [where, store, many] of stores) {
  const Services = OrphanedBlobs.layer.pipe(
    Layer.provideMerge(Server.layerOver(Layer.provide(store, NodeServices.layer)))
  )
  layer(Services, { excludeTestServices: true })(`what attempts left in ${where}`, (it) => {
    /** A job with an artifact of its second attempt, what its first left, and what only a later stage read. */
    const job = Effect.fnUntraced(
      function*(key: string, ended: "succeeded" | "failed" | "cancelled" | "no", hours = 13) {
        const { send, sql, succeed } = yield* TestServer
        const blobs = yield* Blobs
        const { id } =
          (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
        const write = (name: string) => blobs.put(`jobs/${id}/${name}`, Buffer.from(name))
        for (
          const name of ["frames/0/0/images/000001.jpg", "frames/0/0/images.json", "audio/0/0/pcm", "events/evt_1/sent"]
        ) {
          yield* write(name)
        }
        yield* write("frames/0/1/images/000001.jpg")
        const images = yield* write("frames/0/1/images.json")
        if (ended === "succeeded") {
          yield* succeed(id, { result: { price: 1 } })
          yield* sql(`INSERT INTO footnote.artifacts (job_id, kind, key, size_bytes, sha256)
          VALUES ('${id}', 'images', '${images.key}', ${images.size_bytes}, '${images.sha256}')`)
        }
        if (ended !== "no") {
          const error = ended === "failed" ? `'{"code":"SOURCE_CORRUPT","message":"","stage":"frames"}'` : "NULL"
          yield* sql(`UPDATE footnote.jobs SET status = '${ended}', error = ${error},
          created_at = now() - interval '2 days', started_at = now() - interval '1 day',
          finished_at = now() - interval '${hours} hours' WHERE id = '${id}'`)
        }
        const left = Effect.map(
          blobs.list(`jobs/${id}`),
          (stored) => stored.map(({ key }) => key.slice(`jobs/${id}/`.length)).toSorted()
        )
        return { id: id as string, left }
      }
    )
    const everything = [
      "audio/0/0/pcm",
      "events/evt_1/sent",
      "frames/0/0/images.json",
      "frames/0/0/images/000001.jpg",
      "frames/0/1/images.json",
      "frames/0/1/images/000001.jpg"
    ]
    const kept = [
      "events/evt_1/sent",
      "extract/0/0/result",
      "frames/0/1/images.json",
      "frames/0/1/images/000001.jpg"
    ]

    it.effect("goes when the job has been over for 12 hours; its artifacts, and what no attempt wrote, stay", () =>
      Effect.gen(function*() {
        const { tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const { sweep } = yield* OrphanedBlobs
        const succeeded = yield* job(key, "succeeded")
        const failed = yield* job(key, "failed")
        const fresh = yield* job(key, "succeeded", 11)
        const waiting = yield* job(key, "no")
        // Two attempts of two jobs, and the second attempt and the sound of the one that has no artifacts.
        assert.strictEqual(yield* sweep, 5)
        assert.deepStrictEqual(yield* succeeded.left, kept)
        assert.deepStrictEqual(yield* failed.left, ["events/evt_1/sent"])
        assert.deepStrictEqual(yield* fresh.left, [...everything, "extract/0/0/result"].toSorted())
        assert.deepStrictEqual(yield* waiting.left, everything)
        assert.strictEqual(yield* sweep, 0)
      }))

    it.effect("goes 10 s after any end where only later stages read it, and a late attempt's again after 12 hours", () =>
      Effect.gen(function*() {
        const { send, sql, tenant } = yield* TestServer
        const { key } = yield* tenant("soon")
        const { removeIntermediates, sweep } = yield* OrphanedBlobs
        const blobs = yield* Blobs
        const succeeded = yield* job(key, "succeeded", 1)
        const failed = yield* job(key, "failed", 1)
        const cancelled = yield* job(key, "cancelled", 1)
        const ending = yield* job(key, "cancelled", 0)
        const waiting = yield* job(key, "no")
        assert.isAtLeast(yield* removeIntermediates, 8)
        assert.deepStrictEqual(yield* succeeded.left, kept)
        for (const { left } of [failed, cancelled]) assert.deepStrictEqual(yield* left, ["events/evt_1/sent"])
        assert.deepStrictEqual(yield* ending.left, everything, "its workers may not have stopped")
        const there = yield* Effect.forEach([succeeded, failed, cancelled], ({ id }) => blobs.list(`jobs/${id}`))
        const { json } = yield* send("GET", "/v1/limits", { key })
        assert.strictEqual(json.storage.used, there.flat().reduce((sum, { size_bytes }) => sum + size_bytes, 0))
        assert.deepStrictEqual(yield* waiting.left, everything)
        assert.strictEqual(yield* removeIntermediates, 0)
        // An attempt that did not hear that it was over.
        yield* blobs.put(`jobs/${cancelled.id}/audio/0/1/pcm`, Buffer.from("late"))
        assert.strictEqual(yield* removeIntermediates, 0)
        yield* sql(`UPDATE footnote.jobs SET finished_at = now() - interval '13 hours' WHERE id = '${cancelled.id}'`)
        assert.strictEqual(yield* sweep, 1)
        assert.deepStrictEqual(yield* cancelled.left, ["events/evt_1/sent"])
      }))

    it.effect("is removed once by processes that sweep at the same moment, whatever the number of jobs", () =>
      Effect.gen(function*() {
        const { tenant } = yield* TestServer
        const { key } = yield* tenant("many")
        const { sweep } = yield* OrphanedBlobs
        const jobs = yield* Effect.forEach(Array.from({ length: many }, (_, at) => at), () => job(key, "succeeded"), {
          concurrency: 4
        })
        const removed = yield* Effect.all([sweep, sweep, sweep], { concurrency: "unbounded" })
        assert.strictEqual(removed.reduce((sum, one) => sum + one), 2 * many)
        for (const { left } of jobs) assert.deepStrictEqual(yield* left, kept)
      }))

    if (many > 50) {
      it.effect("is looked at once in a round where the store is away, however many jobs ended in one transaction", () =>
        Effect.gen(function*() {
          const { sql, tenant } = yield* TestServer
          const { key, tenant_id } = yield* tenant("one-moment")
          yield* Effect.forEach(Array.from({ length: many }), () => job(key, "cancelled"), { concurrency: 4 })
          yield* sql(
            `UPDATE footnote.jobs SET finished_at = now() - interval '13 hours' WHERE tenant_id = '${tenant_id}'`
          )
          const [{ due }] = (yield* sql(`SELECT count(*)::int AS due FROM footnote.jobs
            WHERE collected_at IS NULL AND deleted_at IS NULL AND finished_at < now() - interval '12 hours'`)) as any
          const blobs = yield* Blobs
          let asked = 0
          const list = Effect.suspend(() =>
            ++asked > due
              ? Effect.die("asked again")
              : Effect.fail(new BlobError({ message: "away", missing: false, away: "store" }))
          )
          const away = Layer.fresh(OrphanedBlobs.layer).pipe(
            Layer.provide(Layer.succeed(Blobs, { ...blobs, list: () => list }))
          )
          const { sweep } = Context.get(yield* Layer.build(away), OrphanedBlobs)
          assert.strictEqual(yield* sweep, 0)
          assert.strictEqual(asked, due)
          yield* (yield* OrphanedBlobs).sweep
        }))
    }

    it.effect("of a job that succeeded without an artifact nothing goes", () =>
      Effect.gen(function*() {
        const { sql, tenant } = yield* TestServer
        const { key } = yield* tenant("odd")
        const { sweep } = yield* OrphanedBlobs
        const { id, left } = yield* job(key, "succeeded")
        yield* sql(`DELETE FROM footnote.artifacts WHERE job_id = '${id}'`)
        assert.strictEqual(yield* sweep, 0)
        assert.deepStrictEqual(yield* left, [...everything, "extract/0/0/result"].toSorted())
      }))
  })
}

layer(OrphanedBlobs.layer.pipe(Layer.provideMerge(Server.layer)), { excludeTestServices: true })(
  "a store that is away",
  (it) => {
    it.effect("keeps a job due until it can be reached", () =>
      Effect.gen(function*() {
        const { send, sql, succeed, tenant } = yield* TestServer
        const { key } = yield* tenant("a")
        const { id } =
          (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
        yield* succeed(id, { result: {} })
        yield* sql(`UPDATE footnote.jobs SET finished_at = now() - interval '1 day' WHERE id = '${id}'`)
        const database = yield* PgClient.PgClient
        const collected = Effect.map(
          database<{ done: boolean }>`SELECT collected_at IS NOT NULL AS done FROM footnote.jobs WHERE id = ${id}`,
          ([row]) => row!.done
        )
        const blobs = yield* Blobs
        // A file where the folder should be: nothing below it can be listed.
        const { sweep } = yield* OrphanedBlobs
        const folder = (yield* blobs.localPath(`jobs/${id}/extract/0/0/result`)).replace(/\/extract\/.*$/u, "")
        const fs = yield* FileSystem.FileSystem
        yield* fs.rename(folder, `${folder}.away`)
        yield* fs.writeFileString(folder, "")
        assert.strictEqual(yield* sweep, 0)
        assert.isFalse(yield* collected)
        yield* fs.remove(folder)
        yield* fs.rename(`${folder}.away`, folder)
        yield* sweep
        assert.isTrue(yield* collected)
      }))
  }
)
