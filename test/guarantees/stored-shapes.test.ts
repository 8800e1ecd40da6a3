import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Database } from "../../src/database/Database.ts"
import * as Blobs from "../../src/storage/Blobs.ts"
import { restore, type StoredFixture, storedFixtures } from "../support/StoredFixture.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestServer from "../support/TestServer.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [member: string]: Json }

const isRecord = (value: unknown): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What of `then` is not in `now`: members may have been added, nothing else may differ. */
const lost = (then: unknown, now: unknown, path: string): ReadonlyArray<string> => {
  if (Array.isArray(then)) {
    if (!Array.isArray(now) || now.length !== then.length) return [`${path}: another length`]
    return then.flatMap((value, at) => lost(value, now[at], `${path}/${at}`))
  }
  if (isRecord(then)) {
    if (!isRecord(now)) return [`${path}: no object`]
    return Object.entries(then).flatMap(([member, value]) =>
      member in now ? lost(value, now[member], `${path}/${member}`) : [`${path}/${member}: gone`]
    )
  }
  return then === now ? [] : [`${path}: ${JSON.stringify(then)} became ${JSON.stringify(now)}`]
}

/** The time of the last use goes on; a delivery that its destination holds no longer tells a time that is over. */
const changing = /\/last_used_at: |\/next_attempt_at: .* became null$/u

/** What a manifest states of the outcome. The record's own hash covers members that later versions add to it. */
const stated = (envelope: any) => {
  const { predicate: { job: { digest: _, ...job }, ...predicate }, subject } = JSON.parse(
    Buffer.from(envelope.payload, "base64").toString()
  )
  return { subject, predicate: { ...predicate, job } }
}

const over = (fixture: StoredFixture) =>
  Layer.unwrap(Effect.gen(function*() {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-test-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    for (const [blob, bytes] of Object.entries(fixture.blobs)) {
      mkdirSync(dirname(join(folder, blob)), { recursive: true })
      writeFileSync(join(folder, blob), Buffer.from(bytes, "base64"))
    }
    const url = yield* Effect.promise(TestDatabase.createEmpty)
    yield* restore(fixture, url)
    return TestServer.layerOver(
      Blobs.layerFileSystem(folder),
      undefined,
      Database.layerUrl(url).pipe(Layer.provide(NodeServices.layer))
    )
  })).pipe(Layer.provide(NodeServices.layer))

describe.each(storedFixtures)("what version $name stored", (fixture) => {
  it.live("every read answers what that version answered, and more at most", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer.TestServer
      const wrong: Array<string> = []
      for (const [path, then] of Object.entries(fixture.answers)) {
        const { json, status, text } = yield* send("GET", path, { key: fixture.key })
        if (status !== 200) wrong.push(`${path}: ${status} ${text}`)
        else if (path.endsWith("/manifest")) wrong.push(...lost(stated(then), stated(json), path))
        else wrong.push(...lost(then, json, path).filter((what) => !changing.test(what)))
      }
      assert.deepStrictEqual(wrong, [])
      assert.isAbove(Object.keys(fixture.answers).length, 20)
    }).pipe(Effect.provide(over(fixture)), Effect.orDie))

  it.live("transcripts render in every format, and kept frames show their picture", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer.TestServer
      const job = Object.keys(fixture.answers).find((path) => path.endsWith("/transcript"))!.replace("/transcript", "")
      for (const format of ["srt", "vtt", "txt", "stm", "ctm", "rttm"]) {
        const { status, text } = yield* send("GET", `${job}/transcript?format=${format}`, { key: fixture.key })
        assert.strictEqual(status, 200, `${format}: ${text}`)
      }
      const { json } = yield* send("GET", `${job}/frames`, { key: fixture.key })
      assert.isAbove(json.frames.length, 0)
      const image = yield* send("GET", `${job}/frames/${json.frames[0].id}/image`, { key: fixture.key })
      assert.strictEqual(image.status, 200)
    }).pipe(Effect.provide(over(fixture)), Effect.orDie))
})
