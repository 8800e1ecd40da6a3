import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { chmodSync, lstatSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { keepFilesPrivate } from "../../src/processes/FileModes.ts"
import { Blobs, layerFileSystem } from "../../src/storage/Blobs.ts"
import { api, ended, folder } from "../support/ApiProcess.ts"

describe("the folder of the service", () => {
  it.effect("gets files of its user alone, with the usual umask of a shell", () =>
    Effect.gen(function*() {
      const usual = process.umask(0o022)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(usual)))
      const data = yield* folder
      yield* Effect.provideService(
        keepFilesPrivate,
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromUnknown({ FOOTNOTE_DATA: data })
      )
      const blobs = yield* Effect.map(Layer.build(layerFileSystem(join(data, "blobs"))), (context) =>
        Context.get(context, Blobs))
      yield* blobs.put("jobs/job_1/source", Buffer.from("footage"))
      const modes = readdirSync(data, { recursive: true, encoding: "utf8" }).map((name) => [
        name,
        lstatSync(join(data, name)).mode & 0o077
      ])
      assert.include(
        modes.map(([name]) =>
          name
        ),
        "blobs/jobs/job_1/source"
      )
      assert.deepStrictEqual(modes.filter(([, others]) => others !== 0), [])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("is closed to others at the next start where an earlier version left it open", () =>
    Effect.gen(function*() {
      const data = yield* folder
      mkdirSync(join(data, "blobs"))
      chmodSync(data, 0o755)
      const refused = yield* api({ FOOTNOTE_DATA: data, DATABASE_URL: "postgres://127.0.0.1:1/none" })
      yield* ended(refused.child)
      assert.strictEqual(lstatSync(data).mode & 0o777, 0o700)
    }).pipe(Effect.scoped))

  it.live("leaves alone a folder that is not the service's, and says so", () =>
    Effect.gen(function*() {
      const data = yield* folder
      mkdirSync(join(data, "holiday"))
      chmodSync(data, 0o755)
      const refused = yield* api({ FOOTNOTE_DATA: data, DATABASE_URL: "postgres://127.0.0.1:1/none" })
      yield* ended(refused.child)
      assert.strictEqual(lstatSync(data).mode & 0o777, 0o755)
      assert.include(refused.output(), `${data} has mode 0755`)
    }).pipe(Effect.scoped))

  it.live("refuses a umask that would let others read", () =>
    Effect.gen(function*() {
      const refused = yield* api({ FOOTNOTE_DATA: yield* folder, FOOTNOTE_UMASK: "022" })
      assert.strictEqual(yield* ended(refused.child), 1)
      assert.include(refused.output(), "FOOTNOTE_UMASK must be")
    }).pipe(Effect.scoped))
})
